"""Steering: adds the direction between two lists of sentences to an activation while the model translates.

The direction is the mean of an activation over one list minus its mean over the other (Turner et al. 2023, "Activation
Addition"; Rimsky et al. 2024, section 2). Side effects are measured by chrF (Popović 2015) against the translation
without steering.
"""

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard, cast

import numpy as np
import torch
from torch import Tensor

from model.activations import activation_shapes
from model.analysis.intervals import Interval, intervals
from model.bundle import Bundle
from model.errors import RegardError
from model.inference.batches import is_many
from model.inference.reading import kinds_of, prompt_tokens, read_translation
from model.inference.teacher_forcing import teacher_forced
from model.inference.translation import translate_texts
from model.inference.variants import translate_variants
from model.interpret.recording import chosen_names
from model.interventions import NONE, Interventions
from model.patch import Patch
from model.progress import Progress, ignore_progress
from model.text.tokens import Source, source_tokens
from model.trace import Floats, Trace

Example = Source | tuple[Source, Source] | Trace
"""A sentence, which the model translates itself; a sentence with its translation; or a trace."""
Written = str | tuple[str, str]
"""A sentence, or a sentence with its translation, as texts."""
FILE = Path(__file__).with_suffix(".tsv")
PAIRS_PER_PASS = 32


class SteeringError(RegardError, ValueError):
    """No direction can be computed from the lists; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Steered:
    """A sentence translated at each of N strengths, and how similar the translations stay."""

    strengths: tuple[float, ...]
    texts: tuple[str, ...]
    """The sentence's translation at each strength."""
    chrf: tuple[float, ...]
    """chrF of each translation against that without steering, 0 to 100."""
    others: tuple[float, ...]
    """The mean of the same chrF over other sentences; NaN without other sentences."""
    bounds: tuple[Interval, ...] = ()
    """That mean with its 95 % bootstrap interval (1,000 resamples); empty without other sentences."""

    @property
    def own(self) -> tuple[float, ...]:
        """``chrf`` under its name in earlier versions."""
        warnings.warn("Steered.own is now called chrf", DeprecationWarning, stacklevel=2)
        return self.chrf


@dataclass(frozen=True, slots=True)
class SteeringExample:
    """Two shipped lists, and the activation and strength at which they work on the shipped English–French model."""

    name: str
    at: str
    strength: float
    positives: tuple[Written, ...]
    negatives: tuple[Written, ...]
    tries: tuple[str, ...]
    """Sentences in neither list that demonstrate the direction."""


def steering_vector(bundle: Bundle, positives: Sequence[Example], negatives: Sequence[Example], *, at: str) -> Floats:
    """The direction from the negatives to the positives: the difference of an activation's means.

    ``Patch(at, add=vector, strength=2.0)`` steers towards the positives, a negative strength towards the negatives.

    Args:
        positives: sentences, (sentence, translation) pairs, or traces. The activation is recorded under teacher forcing
            of the translation; a sentence without one is translated by the model. Lists of pairs that differ only in
            the translations give a direction of the decoder alone. An encoder-only or decoder-only model only reads
            each text.
        negatives: in the same forms.
        at: the activation, as ``model.activation_names`` lists it, such as "decoder.2.residual.after".

    Returns:
        float32 (D,), or (H, 1, width) if the activation has heads. Positions are averaged within each text first, so
        that long texts do not count more.

    Raises:
        SteeringError: when a list is empty, or the activation is a row over tokens, such as weights.
        RecordingError: when the model has no activation of this name.
        TextError: when a text cannot be read by this model.
    """
    (name,) = chosen_names(bundle, (at,))[:1]
    shape = activation_shapes(bundle.config)[name]
    if shape[-1] in ("S", "T") or name == "logits":
        raise SteeringError(f"{name} is no vector that a patch can add to: choose a residual stream or an output")
    means = [_mean(bundle, examples, name, shape[-2] == "S") for examples in (positives, negatives)]
    return (means[0] - means[1]).float().cpu().numpy()


@torch.inference_mode()
def _mean(bundle: Bundle, examples: Sequence[Example], name: str, is_source_side: bool) -> Tensor:
    if not examples or not is_many(examples):
        raise SteeringError("a list of sentences is empty or one text: give at least one sentence on each side")
    rows = _rows(bundle, examples, needs_translation=not is_source_side)
    means = []
    for start in range(0, len(rows), PAIRS_PER_PASS):
        passed = teacher_forced(bundle, rows[start : start + PAIRS_PER_PASS], record=(name,))
        x = passed.recorded[name].double()  # (B, …, N, width)
        real = (passed.source_is_real if is_source_side else passed.target_is_real).double()  # (B, N)
        real = real[(slice(None), *[None] * (x.dim() - 3), slice(None), None)]
        summed, count = (x * real).sum(-2, keepdim=x.dim() == 4), real.sum(-2, keepdim=x.dim() == 4)
        means.append(summed / count)
    return torch.cat(means).mean(0)


def _rows(bundle: Bundle, examples: Sequence[Example], *, needs_translation: bool) -> list[tuple[Sequence[int], ...]]:
    """Encoder and decoder inputs of each example."""
    translated = needs_translation and "cross" in kinds_of(bundle)
    alone = [example for example in examples if _is_text(example)]
    translations = iter([text for _, text in sorted(translate_texts(bundle, alone))] if translated else ())
    return [_row(bundle, (each, next(translations)) if translated and _is_text(each) else each) for each in examples]


def _is_text(example: Example) -> TypeGuard[Source]:
    return not isinstance(example, Trace) and not is_many(example)


def _row(bundle: Bundle, example: Example) -> tuple[Sequence[int], ...]:
    """Encoder and decoder input of one example; a single text is only read."""
    if isinstance(example, Trace):
        return example.source.ids, example.prefix.ids
    if not _is_text(example):
        translation = read_translation(bundle, *cast("tuple[Source, Source]", example))
        return translation.source.ids, translation.prefix.ids
    kinds = kinds_of(bundle)
    source = source_tokens(bundle, example).ids if "encoder_self" in kinds else ()
    if "cross" in kinds:
        return source, (bundle.config.bos_id,)
    return source, () if source else prompt_tokens(bundle, example).ids


def steered(
    bundle: Bundle,
    text: str,
    *,
    vector: Any,
    at: str,
    strengths: Sequence[float],
    others: Sequence[str] = (),
    interventions: Interventions = NONE,
    on_progress: Progress = ignore_progress,
) -> Steered:
    """A sentence's greedy translation at each strength, and the side effects on other sentences; needs sacrebleu.

    Args:
        vector: as ``steering_vector`` returns it.
        others: sentences whose translations should not change.
        interventions: in force with and without the direction.

    Raises as ``translate`` does.
    """
    from sacrebleu.metrics.chrf import CHRF

    patches = [Patch(at, add=vector, strength=strength) for strength in strengths]
    added = [dataclasses.replace(interventions, patches=(*interventions.patches, patch)) for patch in patches]
    plain, *texts = translate_variants(bundle, [text, *others], [interventions, *added], on_progress=on_progress)
    score = CHRF().sentence_score
    shares = [[score(translation, [was]).score for translation, was in zip(row, plain, strict=True)] for row in texts]
    chrf = tuple(row[0] for row in shares)
    bounds = tuple(intervals(np.array([row[1:] for row in shares]))) if others else ()
    rest = tuple(bound.mean for bound in bounds) or (float("nan"),) * len(chrf)
    return Steered(tuple(map(float, strengths)), tuple(row[0] for row in texts), chrf, rest, bounds)


@cache
def steering_examples() -> Mapping[str, SteeringExample]:
    """The shipped lists by name: "formal" (vous rather than tu) and "past"."""
    examples: dict[str, SteeringExample] = {}
    for line in FILE.read_text("utf-8").splitlines():
        kind, *rest = line.split("\t")
        if kind == "example":
            examples[rest[0]] = SteeringExample(rest[0], rest[1], float(rest[2]), (), (), ())
            continue
        name, text = list(examples)[-1], rest[0] if len(rest) == 1 else (rest[0], rest[1])
        more: dict[str, Any] = {kind: (*getattr(examples[name], kind), text)}
        examples[name] = dataclasses.replace(examples[name], **more)
    return examples
