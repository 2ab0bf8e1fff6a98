"""Hints: settings that a caller passes to ``load`` because a file lacks them, checked before use."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.checkpoints.basis.errors import HintError
from model.checkpoints.basis.precision import USUAL, WeightDtypePolicy

Tokens = Sequence[str] | str | Path
_CHOICES = {
    "activation": ("relu", "gelu", "gelu_tanh", "silu", "relu_squared"),
    **dict.fromkeys(
        ("norm_kind", "encoder_norm_kind", "decoder_norm_kind"), ("layer", "annotated", "population", "rms")
    ),
    "score_width": ("head", "model", "none"),
    "positions": ("interleaved", "halves", "tensor2tensor", "doubled", "none", "rotary", "rotary_pairs"),
    "scale_emb_or_prj": ("prj", "emb", "none"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """Settings that a checkpoint lacks; None means the value in the file, or the family's usual value."""

    n_heads: int | None = None
    n_encoder_heads: int | None = None
    n_decoder_heads: int | None = None
    norm_first: bool | None = None
    activation: str | None = None
    embedding_scale: float | None = None
    source_pad_id: int | None = None
    target_pad_id: int | None = None
    bos_id: int | None = None
    eos_id: int | None = None
    source_has_bos: bool | None = None
    source_has_eos: bool | None = None
    source_tokens: Tokens | None = None
    """A list, or a file: one token per line, JSON, or a SentencePiece model."""
    target_tokens: Tokens | None = None
    source_language: str | None = None
    target_language: str | None = None
    """BCP 47; for a multilingual model a code of its tokenizer, such as fra_Latn, fr_XX or fr."""
    original_positions: bool | None = None
    """Use positions as the original does at inference, if that differs from its training."""
    norm_kind: str | None = None
    """``layer``; ``annotated`` and ``population`` divide by (std + eps), with Bessel's correction and without it."""
    encoder_norm_kind: str | None = None
    """The same for each stack, if their norms have different names."""
    decoder_norm_kind: str | None = None
    score_width: str | None = None
    """Scores are divided by the root of the width of a ``head`` (the paper) or of the ``model``, or not (``none``)."""
    one_hot: bool | None = None
    """Whether a linear layer instead of an embedding reads tokens as one-hot vectors, not numbers."""
    cross_unused: bool | None = None
    """Whether decoder layers without an encoder never use their cross-attention."""
    pairs: bool | None = None
    """False gives every token of an encoder the first type, also after a [SEP] between two texts."""
    gate_last: bool | None = None
    """Whether the second half of a gated network's first matrix is activated, not the first."""
    parallel: bool | None = None
    """Whether attention and the feed-forward network are parallel, in a layer with one norm (GPT-J)."""
    positions: str | None = None
    """``interleaved``, ``halves``, ``tensor2tensor``, ``doubled`` or ``none``, if the file has no table.

    For a single stack also ``rotary``, which pairs the two halves of a head, and ``rotary_pairs``, which pairs
    neighbours.
    """
    norm_epsilon: float | None = None
    """The epsilon of norms; for files of no known family."""
    fused_by_head: bool | None = None
    """Whether fused projections are split head by head: query, key and value of the first head, then of the second."""
    norm_adds_one: bool | None = None
    """Norms multiply by one plus the stored weight (x-transformers)."""
    scale_emb_or_prj: str | None = None
    """The value of jadore's ``-scale_emb_or_prj``, if the file has no settings."""
    masks_hide: bool | None = None
    """False if masks are filled with 1e-20 or -1e-20, which masks nothing; such a model is refused."""
    causal: bool | None = None
    """Whether a single stack is a decoder, whose tokens see only earlier ones."""
    output_scale: float | None = None
    """Factor on the logits if the output projection is the embedding (x-transformers)."""
    alibi: bool | None = None
    """Whether scores have ALiBi's bias, which leaves no trace in a file (x-transformers)."""
    older_code: bool | None = None
    """Whether the weights are of an older version of the code with the same names and another computation."""
    weights: str | None = None
    """Which of several copies in the file to read, such as ``model_ema``; the report names them."""
    tokenizer: Any = None
    """For a model of ``transformers`` in memory: the library's tokenizer."""
    name: str | None = None
    mapping: str | Path | None = None
    """A mapping file, for names of no known family; see ``checkpoints/answers/mapping.py``."""
    dtype_policy: WeightDtypePolicy = USUAL
    """The dtype of the weights in memory, set by the ``dtype`` of ``load``."""

    @property
    def encoder_heads(self) -> int | None:
        """Heads of the encoder, from its own hint or the common one."""
        return self.n_encoder_heads if self.n_encoder_heads is not None else self.n_heads

    @property
    def decoder_heads(self) -> int | None:
        """Heads of the decoder, from its own hint or the common one."""
        return self.n_decoder_heads if self.n_decoder_heads is not None else self.n_heads


_KINDS = {field.name: field.type for field in dataclasses.fields(Hints)}


def parse_hints(arguments: dict[str, Any]) -> Hints:
    """Check keyword arguments and return them as hints."""
    known = _KINDS.keys() - {"dtype_policy"}
    unknown = sorted(set(arguments) - known)
    if unknown:
        raise HintError(f"unknown hint {', '.join(unknown)}: choose from {', '.join(sorted(known))}")
    for name, value in arguments.items():
        if value is not None:
            _check(name, value)
    return Hints(**arguments)


def _check(name: str, value: object) -> None:
    kind, is_id = _KINDS[name], name.endswith("_id")
    is_int = isinstance(value, int) and not isinstance(value, bool)
    if kind == int | None and not (isinstance(value, int) and is_int and value >= (0 if is_id else 1)):
        rule = "a token's id, at least 0" if is_id else "a whole number of at least 1"
        raise HintError(f"{name} ({value!r}) must be {rule}")
    if kind == bool | None and not isinstance(value, bool):
        raise HintError(f"{name} ({value!r}) must be True or False")
    if name == "weights" and not isinstance(value, str):
        raise HintError(f"weights ({value!r:.40}) must be the name of a copy, such as model_ema")
    if name in ("source_language", "target_language") and not isinstance(value, str):
        raise HintError(f'{name} ({value!r:.40}) must be a code, such as "fr" or "fra_Latn"')
    if name == "mapping" and not isinstance(value, str | Path):
        raise HintError(f"mapping ({value!r:.40}) must be the path of a file")
    if name == "tokenizer" and not hasattr(value, "save_pretrained"):
        raise HintError(f"tokenizer ({type(value).__name__}) must be one of transformers")
    choices = _CHOICES.get(name)
    if choices is not None and value not in choices:
        raise HintError(f"{name} ({value!r:.40}) must be {', '.join(choices[:-1])} or {choices[-1]}")
    if kind == float | None and not (is_int or isinstance(value, float)):
        raise HintError(f"{name} ({value!r}) must be a number")
