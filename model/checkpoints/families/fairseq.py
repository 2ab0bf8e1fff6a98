"""fairseq's ``transformer*``, 0.6 to 0.12: {cfg or args, model}, with dict.xx.txt beside it.

Positions count the tokens that are not padding, from the padding's id + 1; sentences may be padded on the left.
Its sinusoids divide the exponents by d/2 - 1 (tensor2tensor's formula), not by d/2.
"""

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import unsupported_error
from model.checkpoints.families.renaming import cut_alike, recognise_by_names
from model.checkpoints.families.tables import (
    activation_named,
    both_stacks,
    check_heads,
    from_table,
    infer_config_from_shapes,
    sizes_of,
)
from model.checkpoints.formats.settings import flag_of, number_of, plain_value
from model.checkpoints.formats.source import Source
from model.checkpoints.vocabularies.toolkits import fairseq_dictionary
from model.config import Activation, TransformerConfig
from model.text.tokenizer import Tokenizer

NAME = "fairseq"
PAD = 1
PROJECTIONS, NETWORK = ("q_proj", "k_proj", "v_proj", "out_proj"), ("fc1", "fc2")
NORMS = ("self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm")
TABLE = {
    **{f"{side}.{ours}": f"{side}.{stored}" for side in ("encoder", "decoder") for ours, stored in (
        ("embedding.weight", "embed_tokens.weight"), ("positions.table", "embed_positions.weight"),
        ("embedding_norm.*", "layernorm_embedding.*"), ("final_norm.*", "layer_norm.*"))},
    "output.weight": "decoder.output_projection.weight",
    **both_stacks("layers.{}", PROJECTIONS, ("self_attn", "self_attn", "encoder_attn"), NETWORK, NORMS[::2], NORMS),
}  # fmt: skip
_UNUSED = (r"(encoder|decoder)\.version", r"(encoder|decoder)\.embed_positions\.(_float_tensor|weights)")
_ACTIVATIONS: dict[str, Activation] = {
    "relu": "relu", "gelu": "gelu", "gelu_fast": "gelu_tanh", "gelu_accurate": "gelu_tanh", "swish": "silu",
    "silu": "silu",
}  # fmt: skip
_REFUSED = ("no_cross_attention", "cross_self_attention", "adaptive_input", "no_token_positional_embeddings")
recognise = recognise_by_names(
    ("encoder.embed_tokens.weight", "encoder.layers.0.self_attn_layer_norm.weight",
     "decoder.layers.0.encoder_attn_layer_norm.weight"),
    ("encoder.embed_tokens.weight", "encoder.layers.0.layer_norms.0.weight", "decoder.layers.0.layer_norms.2.weight"),
)  # fmt: skip


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    where, settings = source.where, _settings(source)
    _refuse(settings, where)
    tensors = with_current_names(source.tensors)
    tables = [name for side in ("encoder", "decoder") if (name := f"{side}.embed_positions.weight") in tensors]
    if len(tables) == 1:
        raise unsupported_error(f"{where} has learned positions in only one stack ({tables[0]})")
    cut_alike(tensors, tables)
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    d_model = shapes["d_model"]
    languages = _languages(source)
    tokenizers = _tokenizers(source, tokenizers, sizes_of(shapes), languages)
    heads = _heads(settings, d_model, answers)
    learned = tensors.get("encoder.embed_positions.weight")
    longest = max(number_of(settings, f"max_{side}_positions", 1024, most=60_000) for side in ("source", "target"))
    is_pre = _norms(tensors, settings, answers)
    activation = settings.get("activation_fn") or (answers.ask("activation", "relu") if not settings else "relu")
    scale = d_model**0.5
    if not settings:
        scale = float(answers.ask("embedding_scale", scale, choices=(scale, 1.0)))
    has_positions = bool(settings) or any(".embed_positions." in name for name in tensors)
    config = TransformerConfig(
        **shapes,
        n_encoder_heads=heads[0], n_decoder_heads=heads[1],
        encoder_norm_first=is_pre[0], decoder_norm_first=is_pre[1],
        encoder_final_norm="encoder.layer_norm.weight" in tensors,
        decoder_final_norm="decoder.layer_norm.weight" in tensors,
        embedding_norm="encoder.layernorm_embedding.weight" in tensors,
        activation=activation_named(activation, _ACTIVATIONS, where),
        embedding_scale=1.0 if flag_of(settings, "no_scale_embedding") else scale,
        positions="tensor2tensor" if learned is None else "learned", position_offset=PAD + 1, skip_padding=True,
        max_positions=longest + PAD + 1 if learned is None else learned.shape[0],
        source_pad_id=PAD, target_pad_id=PAD, bos_id=2, eos_id=2,
    )  # fmt: skip
    return from_table(tensors, TABLE, config, answers, tokenizers, where=where, ignored=_UNUSED,
                     source_language=languages[0], target_language=languages[1],
                     assumed=() if has_positions else ("no_token_positional_embeddings=False",))  # fmt: skip


def with_current_names(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors with the names of 0.12; older versions numbered the norms and packed query, key and value."""
    upgraded_tensors: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        packed = re.fullmatch(r"(.*)\.in_proj_(weight|bias)", name)
        if packed:
            parts = zip("qkv", tensor.chunk(3), strict=False)
            upgraded_tensors |= {f"{packed[1]}.{letter}_proj.{packed[2]}": part for letter, part in parts}
            continue
        upgraded_tensors[_current_name(name, is_decoder=name.startswith("decoder."))] = tensor
    if "decoder.output_projection.weight" not in upgraded_tensors and "decoder.embed_out" in upgraded_tensors:
        upgraded_tensors["decoder.output_projection.weight"] = upgraded_tensors.pop("decoder.embed_out")
    return upgraded_tensors


def _current_name(name: str, *, is_decoder: bool) -> str:
    norms = ("self_attn", "encoder_attn", "final") if is_decoder else ("self_attn", "final")
    match = re.fullmatch(r"(.*)\.layer_norms\.(\d)\.(weight|bias)", name)
    if not match or int(match[2]) >= len(norms):
        return name
    return f"{match[1]}.{norms[int(match[2])]}_layer_norm.{match[3]}"


def _settings(source: Source) -> dict[str, Any]:
    """The model's settings: ``cfg.model`` since 0.10, ``args`` before; empty if there are none."""
    for saved in (plain_value(source.beside.get("cfg")), plain_value(source.beside.get("args"))):
        if isinstance(saved, dict) and saved:
            inner = saved.get("model", saved)
            if isinstance(inner, dict):
                return _flat(inner)
    return {}


def _flat(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings, with those that 0.12 nests under encoder and decoder renamed as in earlier versions."""
    nested = {f"{side}_{name}": value for side in ("encoder", "decoder")
              if isinstance(inner := settings.get(side), dict) for name, value in inner.items()}  # fmt: skip
    return settings | nested


def _refuse(settings: Mapping[str, Any], where: str) -> None:
    refused = [name for name in _REFUSED if flag_of(settings, name)]
    refused += ["adaptive_softmax_cutoff"] if settings.get("adaptive_softmax_cutoff") is not None else []
    if refused:
        raise unsupported_error(f"{where} was trained with {refused[0]}")


def _heads(settings: Mapping[str, Any], d_model: int, answers: Answers) -> tuple[int, int]:
    known = [number_of(settings, f"{side}_attention_heads", 0, least=1) for side in ("encoder", "decoder")]
    if not all(known):
        return answers.heads(d_model)
    encoder, decoder = (check_heads("attention_heads ({}) in the settings", heads, d_model) for heads in known)
    return encoder, decoder


def _norms(tensors: Mapping[str, Tensor], settings: Mapping[str, Any], answers: Answers) -> tuple[bool, bool]:
    """Whether encoder and decoder normalise before their sublayers; the final norm shows it if the settings do not."""
    if settings:
        return flag_of(settings, "encoder_normalize_before"), flag_of(settings, "decoder_normalize_before")
    has_final = [f"{side}.layer_norm.weight" in tensors for side in ("encoder", "decoder")]
    if not any(has_final) and "encoder.layernorm_embedding.weight" not in tensors:  # before 2018 neither had one
        chosen = answers.ask("norm_first", False, choices=(False, True))
        return chosen, chosen
    return has_final[0], has_final[1]


def _tokenizers(
    source: Source, tokenizers: Tokenizers, sizes: tuple[int, int], languages: tuple[str | None, str | None]
) -> Tokenizers:
    """The dictionaries beside the file, assigned to source and target by the number of embeddings.

    Two of the same length are told apart by the languages in the settings; without these, neither is used.
    """
    if tokenizers.source is not None or tokenizers.target is not None:
        return tokenizers
    paths = {name: path for name, path in sorted(source.files.items()) if re.fullmatch(r"dict\..+\.txt", name)}
    read = {name: fairseq_dictionary(path, source.files) for name, path in paths.items()}
    sides: list[Tokenizer | None] = []
    for size, language in zip(sizes, languages, strict=True):
        fitting = {name: each for name, each in read.items() if each is not None and each.size == size}
        distinct = {each.tokens for each in fitting.values()}
        named = fitting.get(f"dict.{language}.txt")
        sides.append(named or (next(iter(fitting.values())) if len(distinct) == 1 else None))
    return Tokenizers(*sides)


def _languages(source: Source) -> tuple[str | None, str | None]:
    """The languages, if the settings of the task or model name them."""
    settings = plain_value(source.beside.get("cfg")) or plain_value(source.beside.get("args")) or {}
    places = [settings, *(settings.get(name) for name in ("task", "model"))] if isinstance(settings, dict) else []
    languages: list[str | None] = []
    for name in ("source_lang", "target_lang"):
        codes = (place.get(name) for place in places if isinstance(place, dict))
        languages.append(next((code for code in codes if isinstance(code, str) and 0 < len(code) < 12), None))
    return languages[0], languages[1]
