"""JoeyNMT: best.ckpt = {model_state, …}, config.yaml, src_vocab.txt and trg_vocab.txt.

What the tensors do not show is in config.yaml. Version 1 has no ``layer_norm`` key: it is pre-norm, with final
norms. Without the key, version 2 has no final norms: decoder layers are post-norm, encoder layers too before 2.3 and
pre-norm since. ``initializer: xavier_normal`` switches on DeepNet's residual weights (Wang et al. 2022), computed from
the layer counts and not in the checkpoint.
"""

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError, unsupported_error
from model.checkpoints.families.renaming import rows_of
from model.checkpoints.families.tables import both_stacks, from_table, infer_config_from_shapes
from model.checkpoints.formats.settings import section_of
from model.checkpoints.formats.source import Source
from model.checkpoints.vocabularies.toolkits import joey_tokenizers
from model.config import Activation, TransformerConfig

NAME = "joeynmt"
MARKS = ("src_embed.lut.weight", "encoder.layers.0.src_src_att.k_layer.weight", "decoder.output_layer.weight")
_LAST = "feed_forward.layer_norm"
TABLE = {
    "encoder.embedding.weight": "src_embed.lut.weight", "decoder.embedding.weight": "trg_embed.lut.weight",
    "encoder.final_norm.*": "encoder.layer_norm.*", "decoder.final_norm.*": "decoder.layer_norm.*",
    "output.weight": "decoder.output_layer.weight",
    **both_stacks("layers.{}", ("q_layer", "k_layer", "v_layer", "output_layer"),
                  ("src_src_att", "trg_trg_att", "src_trg_att"),
                  ("feed_forward.pwff_layer.0", "feed_forward.pwff_layer.3"), ("layer_norm", _LAST),
                  ("x_layer_norm", "dec_layer_norm", _LAST)),
}  # fmt: skip
_ACTIVATIONS: dict[str, Activation] = {"relu": "relu", "gelu": "gelu", "swish": "silu"}

_UNSEEN = ("initializer=xavier_uniform",)
"""What config.yaml tells and the tensors do not: with ``xavier_normal``, residuals have weights."""


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where = source.tensors, source.where
    described = _read_yaml(source)
    if tokenizers.source is None:
        tokenizers = Tokenizers(*joey_tokenizers(source.files, described))
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    d_model = shapes["d_model"]
    stacks = {side: _stack(tensors, described, side, answers) for side in ("encoder", "decoder")}
    heads = [_heads(stacks[side], d_model, answers, side) for side in ("encoder", "decoder")]
    alphas = _residual_scales(described, stacks, shapes["n_encoder_layers"], shapes["n_decoder_layers"])
    tables = (tensors.get("encoder.pe.pe"), tensors.get("decoder.pe.pe"))
    symbols = section_of(section_of(described, "data"), "special_symbols")
    pad, bos, eos = (_id(symbols, f"{name}_id", usual) for name, usual in (("pad", 1), ("bos", 2), ("eos", 3)))
    scale = (
        _embedding_scale(stacks, d_model, where)
        if described
        else float(answers.ask("embedding_scale", d_model**0.5, choices=(d_model**0.5, 1.0)))
    )
    config = TransformerConfig(
        **shapes, n_encoder_heads=heads[0], n_decoder_heads=heads[1],
        encoder_norm_first=_is_pre(tensors, stacks, described, "encoder"),
        decoder_norm_first=_is_pre(tensors, stacks, described, "decoder"),
        encoder_final_norm="encoder.layer_norm.weight" in tensors,
        decoder_final_norm="decoder.layer_norm.weight" in tensors,
        norm_epsilon=1e-6, activation=_activation(stacks, where),
        embedding_scale=scale,
        encoder_residual_scale=alphas[0], decoder_residual_scale=alphas[1],
        max_positions=rows_of(tables[0], 5000),
        **answers.specials(tokenizers if not described else Tokenizers(), shapes, pads=(pad, pad), bos=bos, eos=eos),
    )  # fmt: skip
    if described:
        answers.questions.clear()  # config.yaml contained all of it
    spoken, written = (_language(section_of(described, "data").get(side)) for side in ("src", "trg"))
    return from_table(tensors, TABLE, config, answers, tokenizers, where=where, ignored=(r"(encoder|decoder)\.pe\.pe",),
                     tables=tables, source_language=spoken, target_language=written,
                     assumed=() if described else _UNSEEN)  # fmt: skip


def _read_yaml(source: Source) -> dict[str, Any]:
    """config.yaml, or an empty table where it is missing.

    Raises:
        CheckpointError: when it is not a YAML mapping.
    """
    path = source.files.get("config.yaml")
    if path is None:
        return {}
    from model.checkpoints.formats.plain_yaml import read_yaml  # PyYAML is optional for the library

    config = read_yaml(path)
    if not isinstance(config, dict) or not isinstance(config.get("model"), dict):
        raise CheckpointError("config.yaml has no “model” section: give the config.yaml of this run")
    return config


def _stack(tensors: Mapping[str, Tensor], described: dict[str, Any], side: str, answers: Answers) -> dict[str, Any]:
    """One stack's section of config.yaml, or what the tensors and hints tell of it."""
    if described:
        return section_of(section_of(described, "model"), side)
    has_final_norm = f"{side}.layer_norm.weight" in tensors
    stack: dict[str, Any] = {"layer_norm": "pre" if has_final_norm else "post"}
    if side == "encoder":
        stack["activation"] = {"silu": "swish"}.get(chosen := answers.ask("activation", "relu"), chosen)
        if not has_final_norm and answers.ask("norm_first", False, choices=(False, True)):
            stack["layer_norm"] = "pre"
    return stack


def _is_pre(
    tensors: Mapping[str, Tensor], stacks: Mapping[str, Mapping[str, Any]], described: Mapping[str, Any], side: str
) -> bool:
    """Whether a stack normalises before its sublayers; versions interpret the settings differently."""
    if f"{side}.layer_norm.weight" in tensors:
        return True  # no version has a final norm otherwise
    is_early = re.match(r"2\.[0-2](\D|$)", str(described.get("joeynmt_version", ""))) is not None
    return stacks[side].get("layer_norm", "pre" if side == "encoder" and not is_early else "post") == "pre"


def _heads(stack: Mapping[str, Any], d_model: int, answers: Answers, side: str) -> int:
    known = stack.get("num_heads")
    if known is None:
        return answers.heads(d_model)[0 if side == "encoder" else 1]
    if type(known) is not int or known < 1 or d_model % known:
        raise CheckpointError(
            f"num_heads ({known!r:.40}) of the {side} in config.yaml must divide its width, {d_model}"
        )
    return known


def _embedding_scale(stacks: Mapping[str, Mapping[str, Any]], d_model: int, where: str) -> float:
    scaled = [bool(section_of(stacks[side], "embeddings").get("scale", False)) for side in ("encoder", "decoder")]
    if scaled[0] != scaled[1]:
        raise unsupported_error(f"{where} scales only one of its two embeddings")
    return d_model**0.5 if scaled[0] else 1.0


def _activation(stacks: Mapping[str, Mapping[str, Any]], where: str) -> Activation:
    names = {str(stack.get("activation", "relu")) for side, stack in stacks.items()}
    if len(names) > 1 or not names <= set(_ACTIVATIONS):
        raise CheckpointError(
            f"the activations of {where} ({', '.join(sorted(names))[:60]}) must be one of {', '.join(_ACTIVATIONS)}, "
            "the same in both stacks"
        )
    return _ACTIVATIONS[names.pop()]


def _residual_scales(
    described: Mapping[str, Any], stacks: Mapping[str, Mapping[str, Any]], n_encoder: int, n_decoder: int
) -> tuple[float, float]:
    """DeepNet's alpha of both stacks; 1 without it."""
    if section_of(described, "model").get("initializer") == "xavier_normal":
        return 0.81 * (n_encoder**4 * n_decoder) ** (1 / 16), (3 * n_decoder) ** (1 / 4)
    alphas = [stacks[side].get("alpha", 1.0) for side in ("encoder", "decoder")]
    if not all(isinstance(alpha, int | float) and 0 < alpha < 1e6 for alpha in alphas):
        raise CheckpointError("alpha in config.yaml must be a positive number")
    return float(alphas[0]), float(alphas[1])


def _id(symbols: Mapping[str, Any], key: str, usual: int) -> int:
    value = symbols.get(key, usual)
    if type(value) is not int or value < 0:
        raise CheckpointError(f"{key} ({value!r:.40}) in config.yaml must be a token's id")
    return value


def _language(side: object) -> str | None:
    """The language in the settings of a side; in version 1 it takes the place of the section."""
    code = side.get("lang") if isinstance(side, dict) else side
    return code if isinstance(code, str) and len(code) < 12 else None
