"""A CTranslate2 folder: model.bin, config.json and vocabularies; OPUS-MT, NLLB and Argos models are often distributed
like this.

It has no padding id, because it is given lengths. Here the id one past the vocabulary is padding, and also the start
where the decoder begins with zeros.
"""

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError, unsupported_error
from model.checkpoints.families.renaming import matrix, with_prefixes
from model.checkpoints.families.tables import from_table, infer_config_from_shapes, layout, sinusoid_kind
from model.checkpoints.formats.source import Source, read_json
from model.checkpoints.vocabularies.toolkits import list_of_tokens, with_pieces
from model.config import Activation, PositionKind, TransformerConfig
from model.text.word_tokenizer import WordTokenizer

NAME = "ctranslate2"
MARKS = ("encoder/layer_0/self_attention/linear_0/weight", "decoder/layer_0/attention/linear_1/weight",
         "decoder/embeddings/weight")  # fmt: skip
_NORM = {"weight": "gamma", "bias": "beta"}
_CROSS = {
    **with_prefixes("cross_attention", "attention", {
        "query.*": "linear_0.*", "key.*": "linear_1.*[0/2]", "value.*": "linear_1.*[1/2]", "output.*": "linear_2.*"}),
    **with_prefixes("cross_attention_norm", "attention.layer_norm", _NORM),
}  # fmt: skip


def _stack(side: str, embedding: str) -> dict[str, str]:
    return {
        f"{side}.embedding.weight": f"{side}.{embedding}.weight",
        f"{side}.positions.table": f"{side}.position_encodings.encodings",
        **with_prefixes(f"{side}.embedding_norm", f"{side}.layernorm_embedding", _NORM),
        **with_prefixes(f"{side}.final_norm", f"{side}.layer_norm", _NORM),
        **layout(side, f"{side}.layer_{{}}", ("linear_0[0/3]", "linear_0[1/3]", "linear_0[2/3]", "linear_1"),
                 ("self_attention",), ("ffn.linear_0", "ffn.linear_1"), ("self_attention.layer_norm", "ffn.layer_norm"),
                 norm=_NORM),
    }  # fmt: skip


TABLE = {ours: stored.replace(".", "/") for ours, stored in {
    **_stack("encoder", "embeddings_0"), **_stack("decoder", "embeddings"),
    **with_prefixes("decoder.layers.{}", "decoder.layer_{}", _CROSS), "output.*": "decoder.projection.*",
}.items()}  # fmt: skip
_ACTIVATIONS: dict[int, Activation] = {0: "relu", 1: "gelu_tanh", 2: "silu", 3: "gelu", 4: "gelu_sigmoid"}
_VARIANTS = {
    "relative_position": "relative positions", "relative_attention": "relative attention bias",
    "rotary": "rotary positions", "num_heads_kv": "grouped keys and values", "linear_0_noact": "a gated feed-forward",
    "embeddings_1": "source factors", "alibi": "ALiBi", "project_in": "projected embeddings",
    "q_norm": "normed queries",
    "weight_packed": "packed weights", "weight_zero": "weights of 4 bits",
}  # fmt: skip

_UNSEEN = ("layer_norm_epsilon=1e-05", "add_source_bos=false")
"""What config.json tells and the arrays do not."""


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    # the single embedding of older versions gets the name of the first of several
    tensors = {name.replace("encoder/embeddings/", "encoder/embeddings_0/"): x for name, x in source.tensors.items()}
    where = source.where
    attributes: Mapping[str, float] = source.beside.get("attributes", {})
    _refuse(tensors, attributes, where)
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    d_model, source_size, target_size = (shapes[name] for name in ("d_model", "source_vocab_size", "target_vocab_size"))
    tokenizers = _tokenizers(source, tokenizers, (source_size, target_size))
    settings = read_json(source.files["config.json"]) if "config.json" in source.files else {}
    settings = settings if isinstance(settings, dict) else {}
    width = matrix(tensors, "encoder/layer_0/self_attention/linear_1/weight", where=where)[1]
    heads = [_heads(attributes, side, width, answers) for side in ("encoder", "decoder")]
    kind, table = _positions(tensors, d_model)
    activations = {int(attributes.get(f"{side}/activation", 0)) for side in ("encoder", "decoder")}
    if len(activations) > 1 or not activations <= set(_ACTIVATIONS):
        raise CheckpointError(
            f"the activations of {where} ({sorted(activations)}) are not supported: bring its attention as a file"
        )
    zero = bool(attributes.get("decoder/start_from_zero_embedding", 0))
    is_late = "encoder/embeddings_0/weight" in source.tensors  # the first releases end a source with no token
    first = "encoder/layer_0"
    config = TransformerConfig(
        **shapes,
        n_encoder_heads=heads[0], n_decoder_heads=heads[1],
        encoder_norm_first=bool(attributes.get("encoder/pre_norm", 1)),
        decoder_norm_first=bool(attributes.get("decoder/pre_norm", 1)),
        encoder_final_norm="encoder/layer_norm/gamma" in tensors,
        decoder_final_norm="decoder/layer_norm/gamma" in tensors,
        embedding_norm="encoder/layernorm_embedding/gamma" in tensors, norm_epsilon=_epsilon(settings),
        attention_bias=f"{first}/self_attention/linear_0/bias" in tensors,
        feed_forward_bias=f"{first}/ffn/linear_0/bias" in tensors,
        activation=_ACTIVATIONS[activations.pop()],
        embedding_scale=_scale(attributes, source.beside.get("floating", frozenset()), d_model, where),
        positions=kind, position_offset=0 if table is not None else 1,
        max_positions=len(table) if table is not None else 512,
        starts_from_zero=True, source_pad_id=source_size, target_pad_id=target_size, mask_target_padding=False,
        source_has_bos=settings.get("add_source_bos") is True,
        source_has_eos=settings.get("add_source_eos") is True if settings else answers.ask(
            "source_has_eos", is_late, choices=(True, False)),
        **_specials(settings, tokenizers, target_size, answers, starts_from_zero=zero),
    )  # fmt: skip
    encodings = () if kind == "learned" else (r"(encoder|decoder)/position_encodings/encodings",)
    tables = (None, None) if kind == "learned" else (table, tensors.get("decoder/position_encodings/encodings", table))
    return from_table(tensors, TABLE, config, answers, tokenizers, where=where, ignored=encodings, fill=True,
                     tables=tables, assumed=() if settings else _UNSEEN)  # fmt: skip


def _refuse(tensors: Mapping[str, Tensor], attributes: Mapping[str, float], where: str) -> None:
    switched_on = [name for name, value in attributes.items() if value]
    for part, variant in _VARIANTS.items():
        name = next((name for name in (*tensors, *switched_on) if re.search(rf"(^|/){part}", name)), None)
        if name is not None:
            raise unsupported_error(f"{where} has {variant} ({name[:80]})")


def _heads(attributes: Mapping[str, float], side: str, width: int, answers: Answers) -> int:
    known = attributes.get(f"{side}/num_heads")
    if known is None:
        return answers.heads(width)[0 if side == "encoder" else 1]
    if known < 1 or known != int(known) or width % int(known):
        raise CheckpointError(f"{side}/num_heads ({known:g}) must divide the width, {width}: convert the model again")
    return int(known)


def _epsilon(settings: Mapping[str, Any]) -> float:
    value = settings.get("layer_norm_epsilon")
    if value is None:
        return 1e-5
    if not isinstance(value, float) or not 0 < value <= 1:
        raise CheckpointError(f"layer_norm_epsilon in config.json is {value!r:.40}, but must be in (0, 1]")
    return value


def _scale(attributes: Mapping[str, float], floating: frozenset[str], d_model: int, where: str) -> float:
    """The embedding scale of both stacks: a number, or a flag for √d that is set by default."""
    factors = []
    for side in ("encoder", "decoder"):
        name = f"{side}/scale_embeddings"
        value = attributes.get(name, attributes.get(f"{side}/embeddings/multiply_by_sqrt_depth", 1.0))
        factors.append(value if name in floating else d_model**0.5 if value else 1.0)
    if factors[0] != factors[1]:
        raise unsupported_error(
            f"{where} scales its two embeddings by different factors, {factors[0]:g} and {factors[1]:g}"
        )
    return factors[0]


def _positions(tensors: Mapping[str, Tensor], d_model: int) -> tuple[PositionKind, Tensor | None]:
    """The kind of positions and the file's table (P, D); without a table it is computed, starting at row 1."""
    table = tensors.get("encoder/position_encodings/encodings")
    if table is None:
        return "tensor2tensor", None
    table = table.reshape(-1, table.shape[-1])  # (P, D)
    kind = sinusoid_kind(table, atol=2e-3) if table.shape[1] == d_model else None
    return kind or "learned", table


def _specials(
    settings: Mapping[str, Any], tokenizers: Tokenizers, size: int, answers: Answers, *, starts_from_zero: bool
) -> dict[str, Any]:
    """Ids of the tokens that begin and end a translation."""
    tokens: tuple[str, ...] = getattr(tokenizers.target, "tokens", ())
    ids = {}
    for name, key, usual, likely in (("bos_id", "decoder_start_token", "<s>", 1), ("eos_id", "eos_token", "</s>", 2)):
        token = settings.get(key, usual)
        if name == "bos_id" and starts_from_zero:
            ids[name] = size
        elif token in tokens and tokens.index(token) < size:
            ids[name] = tokens.index(token)
        else:
            ids[name] = min(int(answers.ask(name, likely)), size - 1)
    return ids


def _tokenizers(source: Source, tokenizers: Tokenizers, sizes: tuple[int, int]) -> Tokenizers:
    """source_vocabulary, target_vocabulary or shared_vocabulary, as .json or .txt, cut by a SentencePiece model."""
    sides: list[WordTokenizer | None] = []
    for side, size in zip(("source", "target"), sizes, strict=True):
        names = [f"{stem}_vocabulary.{kind}" for stem in (side, "shared") for kind in ("json", "txt")]
        path = next((source.files[name] for name in names if name in source.files), None)
        tokens = list_of_tokens(path) if path is not None else None
        if tokens is not None and len(tokens) == size - 1 and "<unk>" not in tokens:
            tokens = [*tokens, "<unk>"]  # the first releases left it to the reader
        fits = tokens is not None and len(tokens) == size
        sides.append(with_pieces(tokens, source.files, side) if tokens is not None and fits else None)
    return Tokenizers(sides[0] or tokenizers.source, sides[1] or tokenizers.target)
