"""Every named activation of one translation, as arrays (docs/activations.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import torch

from model.activations import Shape, activation_shapes, matching
from model.bundle import Bundle
from model.errors import RegardError
from model.inference.batches import is_many
from model.inference.scoring import score
from model.inference.teacher_forcing import teacher_forced
from model.inference.translation import translate
from model.interventions import NONE, Interventions
from model.nn.transformer import Transformer
from model.text.tokens import Source
from model.trace import Floats, Trace


class RecordingError(RegardError, ValueError):
    """What cannot be recorded, such as an activation that this model does not have; the message says why."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Recording(Mapping[str, "Floats"]):
    """Activations by name, beside the trace that they belong to."""

    trace: Trace
    arrays: Mapping[str, Floats] = field(default_factory=dict)
    """As ``names`` gives their shapes, a batch of one first."""

    def __getitem__(self, name: str) -> Floats:
        try:
            return self.arrays[name]
        except KeyError:
            raise KeyError(f"{name!r} was not recorded: give it in names=") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)

    def __repr__(self) -> str:
        return f"Recording({len(self.arrays)} activations of {self.trace!r})"


def activation_names(bundle: Bundle) -> dict[str, Shape]:
    """Every activation of this model and its shape in letters of the legend; empty where its own code runs it."""
    return activation_shapes(bundle.config) if isinstance(bundle.model, Transformer) else {}


def record(
    bundle: Bundle,
    text: Source,
    target: Source | None = None,
    *,
    names: Sequence[str] | str = ("*",),
    interventions: Interventions = NONE,
    cached: bool = True,
) -> Recording:
    """Activations of one translation, under teacher forcing of its own tokens.

    Args:
        text: what the encoder reads.
        target: the translation; None takes the model's own, by greedy search.
        names: names or patterns; a star stands for one part of a name, and alone for all names.
        interventions: what is changed; what is recorded includes their effect.
        cached: as in ``translate``, where the translation is the model's own; activations are always those of one pass
            over all positions.

    Raises:
        RecordingError: when the model has no activation of this name, or several texts are given.
    """
    if is_many(text):
        raise RecordingError("several texts are given, and record takes one: call it for each of them")
    chosen = chosen_names(bundle, (names,) if isinstance(names, str) else names)
    if target is None:
        trace = translate(bundle, text, interventions=interventions, cached=cached)
    else:
        trace = score(bundle, text, target, interventions=interventions)
    return record_trace(bundle, trace, chosen)


@torch.inference_mode()
def record_trace(bundle: Bundle, trace: Trace, names: Sequence[str]) -> Recording:
    """Activations of a translation that is there already, under its own interventions."""
    chosen = chosen_names(bundle, names)
    found = teacher_forced(bundle, [trace], interventions=trace.interventions, record=chosen)
    recorded = {**found.recorded, "logits": found.logits}
    return Recording(trace, {name: recorded[name].float().cpu().numpy() for name in chosen})


def chosen_names(bundle: Bundle, patterns: Sequence[str]) -> tuple[str, ...]:
    """The names that patterns stand for in this model.

    Raises:
        RecordingError: when a pattern stands for none, or is no text.
    """
    if not isinstance(patterns, Iterable) or not all(isinstance(pattern, str) for pattern in patterns):
        raise RecordingError(f'names ({patterns!r:.60}) must be names or patterns, such as "decoder.*.cross.output"')
    known = activation_names(bundle)
    if not known:
        raise RecordingError(
            f"{bundle.name} ({bundle.family}) runs in its original code, which names no activations: "
            "choose a model that loads as our own Transformer, such as the shipped one"
        )
    try:
        return matching(patterns, known)
    except KeyError as error:
        raise RecordingError(str(error.args[0])) from error
