"""The results of ``model/``: frozen values of NumPy arrays and strings; their shapes are checked when they are
built."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.errors import RegardError
from model.interventions import KINDS, NONE, AttentionKind, Interventions
from model.lazy import pandas
from model.trace_file import interventions_as_json, interventions_of_json, read_trace_file, write_trace_file

Floats = NDArray[np.float32]
_OF_FILES = ("ink.", "data:image/", "data:audio/")
"""Prefixes of the text forms of pictures and sounds."""
_SEQUENCES = ("source", "target", "prefix")


def has_no_words(text: str) -> bool:
    """Whether a text is the text form of a picture or of a sound."""
    return text.startswith(_OF_FILES)


class ShapeError(RegardError, ValueError):
    """Arrays whose shapes do not fit together."""


class _Compared:
    """Equality by content, including arrays; such values cannot be dictionary keys."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        fields = (field.name for field in dataclasses.fields(self))  # type: ignore[arg-type]
        return all(_is_same(getattr(self, name), getattr(other, name)) for name in fields)


def _is_same(first: Any, other: Any) -> bool:
    if isinstance(first, np.ndarray) and isinstance(other, np.ndarray):
        return first.dtype == other.dtype and np.array_equal(first, other, equal_nan=first.dtype.kind == "f")
    return not isinstance(first, np.ndarray) and not isinstance(other, np.ndarray) and bool(first == other)


@dataclass(frozen=True, slots=True)
class TokenSequence:
    """N tokens with their ids, words and spans."""

    ids: tuple[int, ...]
    """For a picture, the P pixels of each strip instead of an id."""
    pieces: tuple[str, ...]
    """As the vocabulary writes them, word boundary marks included."""
    words: tuple[int, ...]
    """Index of the word that each piece belongs to; -1 for a special token."""
    spans: tuple[tuple[int, int] | None, ...]
    """Character range of each piece in the text; None where there is none."""

    def __post_init__(self) -> None:
        lengths = {len(self.ids), len(self.pieces), len(self.words), len(self.spans)}
        if len(lengths) != 1:
            raise ShapeError(f"ids, pieces, words and spans differ in length: {sorted(lengths)}")

    def __len__(self) -> int:
        return len(self.ids)

    def part(self, start: int, stop: int | None) -> TokenSequence:
        """The tokens of the slice ``start:stop``."""
        at = slice(start, stop)
        return TokenSequence(self.ids[at], self.pieces[at], self.words[at], self.spans[at])

    def before(self, other: TokenSequence) -> TokenSequence:
        """These tokens followed by those of another sequence."""
        return TokenSequence(
            self.ids + other.ids, self.pieces + other.pieces, self.words + other.words, self.spans + other.spans
        )

    @property
    def is_special(self) -> tuple[bool, ...]:
        """Begin, end, padding: tokens that stand for no text."""
        return tuple(word < 0 for word in self.words)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AttentionMaps(_Compared):
    """Every weight of one sentence pair. A kind that the model does not have is None."""

    encoder_self: Floats | None
    """(L, H, S, S)"""
    decoder_self: Floats | None
    """(L, H, T, T)"""
    cross: Floats | None
    """(L, H, T, S)"""

    def __post_init__(self) -> None:
        for kind in KINDS:
            weights = self.of(kind)
            if weights is not None and weights.ndim != 4:
                raise ShapeError(f"{kind} must be (layer, head, query, key), not {weights.shape}")

    def __repr__(self) -> str:
        shapes = (f"{kind} {'×'.join(map(str, w.shape))}" for kind in self.kinds if (w := self.of(kind)) is not None)
        return f"AttentionMaps({', '.join(shapes)})"

    def of(self, kind: AttentionKind) -> Floats | None:
        """The weights of one kind, (L, H, query, key)."""
        return getattr(self, kind)

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        """The kinds of attention that this model has."""
        return tuple(kind for kind in KINDS if self.of(kind) is not None)


@dataclass(frozen=True, slots=True)
class BatchAttention:
    """Attention and logits of a padded batch, from ``attend``: arrays, or tensors on the model's device."""

    encoder_self: Floats | None
    """(B, L, H, S, S)"""
    decoder_self: Floats | None
    """(B, L, H, T, T)"""
    cross: Floats | None
    """(B, L, H, T, S)"""
    logits: Floats | None
    """(B, T, V); log-probabilities where the original gives those."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates(_Compared):
    """The most probable next tokens at each of T steps, best first."""

    ids: NDArray[np.int64]
    """(T, C)"""
    log_probs: Floats
    """(T, C), natural logarithm."""
    pieces: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if self.ids.shape != self.log_probs.shape or len(self.pieces) != len(self.ids):
            raise ShapeError(f"candidates: ids {self.ids.shape}, log_probs {self.log_probs.shape}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trace(_Compared):
    """One translation, and everything the model attended to while making it.

    Row ``t`` of ``decoder_self`` and ``cross`` is the step that is fed ``prefix_tokens[t]`` and predicts
    ``target_tokens[t]``.
    """

    source_text: str
    text: str
    """The translation, detokenised."""
    source: TokenSequence
    """S tokens as the encoder reads them."""
    target: TokenSequence
    """T tokens as predicted, end of sentence included."""
    prefix: TokenSequence
    """T tokens as fed to the decoder: begin of sentence and the first T-1 predictions."""
    log_probs: Floats
    """(T,) natural logarithm of each predicted token's probability."""
    attention: AttentionMaps
    positional: Floats | None
    """(max(S, T), D) the encoding in use."""
    candidates: Candidates | None = None
    is_truncated: bool = False
    """The length limit ended the translation before the model did."""
    interventions: Interventions = NONE

    def __post_init__(self) -> None:
        s, t = len(self.source), len(self.target)
        if len(self.prefix) != t or self.log_probs.shape != (t,):
            raise ShapeError(
                f"{t} predicted tokens, {len(self.prefix)} prefix tokens, log_probs {self.log_probs.shape}"
            )
        shapes: dict[AttentionKind, tuple[int, int]] = {"encoder_self": (s, s), "decoder_self": (t, t), "cross": (t, s)}
        for kind, expected in shapes.items():
            weights = self.attention.of(kind)
            if weights is not None and weights.shape[2:] != expected:
                raise ShapeError(f"{kind} is {weights.shape[2:]} for {expected} tokens")

    def __repr__(self) -> str:
        is_sound = self.source_text.startswith("data:audio/")
        read = repr(self.source_text) if not has_no_words(self.source_text) else "a sound" if is_sound else "a picture"
        return f"Trace({read} → {self.text!r}, {len(self.source)} source, {len(self.target)} target tokens)"

    @property
    def in_words(self) -> str:
        """The source and the translation as text; for a picture or a sound, only the translation."""
        return self.text if has_no_words(self.source_text) else f"{self.source_text} → {self.text}"

    def heads(self, kind: AttentionKind) -> dict[tuple[int, int], Floats]:
        """Every head's map (query, key) by layer and head; empty for a kind that the model lacks.

        Raises:
            ShapeError: when there is no such kind.
        """
        if kind not in KINDS:
            raise ShapeError(f"there is no {kind} attention: choose {', '.join(self.attention.kinds)}")
        weights = self.attention.of(kind)
        if weights is None:
            return {}
        return {(layer, head): weights[layer, head] for layer, head in np.ndindex(weights.shape[:2])}

    def to_frame(self, *, kind: AttentionKind = "cross") -> pandas.DataFrame:
        """One row for each weight: kind, layer, head, query, key, query_token, key_token, weight; needs pandas.

        The query's token is the one predicted; ``prefix_tokens[query]`` is the one fed.

        Raises:
            ShapeError: when the model has no attention of this kind.
        """
        weights = self.attention.of(kind) if kind in KINDS else None
        if weights is None:
            raise ShapeError(f"there is no {kind} attention: choose {', '.join(self.attention.kinds)}")
        queries = np.array(self.source_tokens if kind == "encoder_self" else self.target_tokens, dtype=object)
        keys = np.array(self.prefix_tokens if kind == "decoder_self" else self.source_tokens, dtype=object)
        layer, head, query, key = np.indices(weights.shape).reshape(4, -1)
        return pandas.DataFrame(
            {"kind": kind, "layer": layer, "head": head, "query": query, "key": key, "query_token": queries[query],
             "key_token": keys[key], "weight": weights.ravel()}
        )  # fmt: skip

    def save(self, path: str | Path) -> Path:
        """Write the whole trace as .npz, which ``Trace.load`` reads back equal. Returns the path with its ending."""
        arrays: dict[str, NDArray[Any] | None] = {"log_probs": self.log_probs, "positional": self.positional}
        arrays |= {kind: self.attention.of(kind) for kind in KINDS}
        fields: dict[str, Any] = {name: dataclasses.asdict(getattr(self, name)) for name in _SEQUENCES}
        fields |= {name: getattr(self, name) for name in ("source_text", "text", "is_truncated")}
        fields["interventions"] = interventions_as_json(self.interventions)
        fields["candidate_pieces"] = None
        if self.candidates is not None:
            fields["candidate_pieces"] = self.candidates.pieces
            arrays |= {"candidate_ids": self.candidates.ids, "candidate_log_probs": self.candidates.log_probs}
        return write_trace_file(path, fields, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read what ``save`` wrote; no pickle is ever read.

        Raises:
            TraceFileError: when it is not a saved trace, or is damaged.
        """
        return read_trace_file(path, _of_file)

    @property
    def is_cut(self) -> bool:
        """``is_truncated`` under its earlier name."""
        return self.is_truncated

    @property
    def source_tokens(self) -> tuple[str, ...]:
        """S pieces."""
        return self.source.pieces

    @property
    def target_tokens(self) -> tuple[str, ...]:
        """T pieces as predicted."""
        return self.target.pieces

    @property
    def prefix_tokens(self) -> tuple[str, ...]:
        """T pieces as fed."""
        return self.prefix.pieces


def _of_file(fields: dict[str, Any], arrays: dict[str, np.ndarray]) -> Trace:
    """A trace from the texts and arrays of its file."""
    candidates, pieces = None, fields["candidate_pieces"]
    if pieces is not None:
        candidates = Candidates(arrays["candidate_ids"], arrays["candidate_log_probs"], tuple(map(tuple, pieces)))
    return Trace(
        source_text=fields["source_text"], text=fields["text"], is_truncated=bool(fields["is_truncated"]),
        **{name: _tokens_of_file(fields[name]) for name in _SEQUENCES},
        log_probs=arrays["log_probs"], attention=AttentionMaps(*(arrays.get(kind) for kind in KINDS)),
        positional=arrays.get("positional"), candidates=candidates,
        interventions=interventions_of_json(fields["interventions"]),
    )  # fmt: skip


def _tokens_of_file(fields: dict[str, Any]) -> TokenSequence:
    spans = tuple(None if span is None else (int(span[0]), int(span[1])) for span in fields["spans"])
    ids: Any = tuple(tuple(i) if isinstance(i, list) else i for i in fields["ids"])  # a strip has its pixels
    return TokenSequence(ids, tuple(fields["pieces"]), tuple(fields["words"]), spans)
