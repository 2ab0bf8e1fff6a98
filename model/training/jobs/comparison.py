"""Compares the model before and after a run: translations and scores of held-out pairs, and the change of each head."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from model.bundle import Bundle
from model.files.atomic import write_atomically
from model.inference.scoring import score
from model.inference.translation import translate, translate_texts
from model.interventions import KINDS, AttentionKind
from model.nn.transformer import Transformer
from model.runs.folder import JobFolder
from model.text.pairs import Pair
from model.trace import AttentionMaps, Floats
from model.training.data import references
from model.training.evaluation import Scores, score_translations
from model.training.lessons import Lesson
from model.training.settings import TrainingError

MAX_PAIRS = 200
"""Maximum held-out pairs to translate, so that the comparison takes seconds."""
MAX_SCORED = 32
"""Maximum pairs on which heads are compared."""
_PIECES = ("source_pieces", "target_pieces", "prefix_pieces")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two models on the held-out pairs."""

    translations: tuple[str, ...]
    bleu: float
    chrf: float
    shown: int | None
    """Number of translations that show what the lesson teaches; None without a lesson."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Before and after, sentence by sentence."""

    sources: tuple[str, ...]
    references: tuple[str, ...]
    before: Side
    after: Side
    step: int
    bleu_signature: str
    chrf_signature: str


@dataclass(frozen=True, slots=True)
class HeadChange:
    """The change of attention between two models of the same shape."""

    moved: dict[AttentionKind, Floats]
    """(L, H): the mean total variation distance between the rows of both models, in [0, 1], on held-out pairs with
    their reference translations."""
    before: AttentionMaps
    """Maps of the probe sentence and of its translation after training."""
    after: AttentionMaps
    source_pieces: tuple[str, ...]
    target_pieces: tuple[str, ...]
    prefix_pieces: tuple[str, ...]


def translate_held_out(bundle: Bundle, pairs: Sequence[Pair], lesson: Lesson | None) -> tuple[Side, Scores]:
    """Translate each distinct source, and score the translations."""
    grouped = references(pairs)
    translations = [text for _, text in sorted(translate_texts(bundle, list(grouped)))]
    scores = score_translations(translations, list(grouped.values()), 1.0, language=bundle.target_language)
    shown = None
    if lesson is not None:
        shown = sum(lesson.shows(t, refs[0]) for t, refs in zip(translations, grouped.values(), strict=True))
    return Side(tuple(translations), scores.bleu, scores.chrf, shown), scores


def write_json(path: Path, value: Side | Comparison) -> None:
    """Store the translations before training, or the comparison."""
    write_atomically(path, json.dumps(asdict(value), ensure_ascii=False).encode())


def read_before(folder: JobFolder) -> Side | None:
    """The translations by the model before training; None if they have not been written yet."""
    return _side(json.loads(folder.before.read_text("utf-8"))) if folder.before.exists() else None


def read_comparison(folder: JobFolder) -> Comparison | None:
    """The comparison; None while the run continues.

    Raises:
        TrainingError: when the file is damaged.
    """
    if not folder.comparison.exists():
        return None
    try:
        fields: dict[str, Any] = json.loads(folder.comparison.read_text("utf-8"))
        for name in ("before", "after"):
            fields[name] = _side(fields[name])
        for name in ("sources", "references"):
            fields[name] = tuple(fields[name])
        return Comparison(**fields)
    except (ValueError, TypeError, KeyError) as error:
        raise TrainingError(f"the run's comparison is damaged ({error}): let the run continue for one step") from error


def _side(fields: dict[str, Any]) -> Side:
    fields["translations"] = tuple(fields["translations"])
    return Side(**fields)


def compare_heads(before: Bundle, after: Transformer, pairs: Sequence[Pair], probe: str) -> HeadChange:
    """Measure the change on ``pairs``, with maps of the probe sentence, or of the first pair if there is none."""
    later = replace(before, model=after)
    totals: dict[AttentionKind, Floats] = {}
    measured = pairs[:MAX_SCORED]
    for pair in measured:
        left, right = (score(bundle, pair.source, pair.target, n_candidates=1) for bundle in (before, later))
        for kind in KINDS:
            a, b = left.attention.of(kind), right.attention.of(kind)
            if a is not None and b is not None:
                distance = np.abs(a - b).sum(-1).mean(-1) / 2  # (L, H)
                totals[kind] = totals.get(kind, np.zeros_like(distance)) + distance
    text = probe or measured[0].source
    translation = translate(later, text, n_candidates=1).text
    left, right = (score(bundle, text, translation, n_candidates=1) for bundle in (before, later))
    return HeadChange(
        {kind: (total / len(measured)).astype(np.float32) for kind, total in totals.items()},
        left.attention, right.attention, right.source_tokens, right.target_tokens, right.prefix_tokens,
    )  # fmt: skip


def write_change(folder: JobFolder, change: HeadChange) -> None:
    """Store the change of the heads."""
    arrays: dict[str, Any] = {f"moved_{kind}": moved for kind, moved in change.moved.items()}
    for side in ("before", "after"):
        maps: AttentionMaps = getattr(change, side)
        arrays |= {f"{side}_{kind}": maps.of(kind).astype(np.float16) for kind in maps.kinds}  # type: ignore[union-attr]
    for name in _PIECES:
        arrays[name] = np.array(getattr(change, name), np.str_)
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    write_atomically(folder.comparison_maps, buffer.getvalue())


def read_change(folder: JobFolder) -> HeadChange | None:
    """The change of the heads; None if it was not measured.

    Raises:
        TrainingError: when the file is damaged.
    """
    if not folder.comparison_maps.exists():
        return None
    try:
        with np.load(folder.comparison_maps, allow_pickle=False) as arrays:
            moved: dict[AttentionKind, Floats] = {
                kind: arrays[f"moved_{kind}"] for kind in KINDS if f"moved_{kind}" in arrays
            }
            before, after = (
                AttentionMaps(*(_floats(arrays, f"{side}_{kind}") for kind in KINDS)) for side in ("before", "after")
            )
            pieces = {name: tuple(str(piece) for piece in arrays[name]) for name in _PIECES}
            return HeadChange(moved, before, after, **pieces)
    except (OSError, KeyError, ValueError, EOFError) as error:
        raise TrainingError(f"the run's comparison is damaged ({error}): let the run continue for one step") from error


def _floats(arrays: np.lib.npyio.NpzFile, name: str) -> Floats | None:
    return arrays[name].astype(np.float32) if name in arrays else None
