"""Every named activation of one translation, as arrays (docs/activations.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

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

GradientsOf: TypeAlias = "int | str | Callable[[Tensor], Tensor] | None"


class RecordingError(RegardError, ValueError):
    """What cannot be recorded, such as an activation that this model does not have; the message says why."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Recording(Mapping[str, "Floats"]):
    """Activations by name, beside the trace that they belong to."""

    trace: Trace
    arrays: Mapping[str, Floats] = field(default_factory=dict)
    """As ``activation_names`` gives their shapes, a batch of one first."""
    gradients: Mapping[str, Floats] = field(default_factory=dict)
    """Of what ``gradients_of`` named, by each activation, in the same shapes; empty where it named nothing."""

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
    gradients_of: GradientsOf = None,
) -> Recording:
    """Activations of one translation, under teacher forcing of its own tokens, and gradients by them.

    Args:
        text: what the encoder reads.
        target: the translation; None takes the model's own, by greedy search.
        names: names or patterns; a star stands for one part of a name, and alone for all names.
        interventions: what is changed; what is recorded includes their effect.
        cached: as in ``translate``, where the translation is the model's own; activations are always those of one pass
            over all positions.
        gradients_of: what is differentiated by each activation: a step, for the log-probability of its token in nats;
            "log_prob", for that of the whole translation; or a function from logits (T, V) to one number.

    Raises:
        RecordingError: when the model has no activation of this name, several texts are given, or there is nothing to
            differentiate.
    """
    if is_many(text):
        raise RecordingError("several texts are given, and record takes one: call it for each of them")
    chosen = chosen_names(bundle, (names,) if isinstance(names, str) else names)
    if target is None:
        trace = translate(bundle, text, interventions=interventions, cached=cached)
    else:
        trace = score(bundle, text, target, interventions=interventions)
    if gradients_of is None:
        return record_trace(bundle, trace, chosen)
    return _with_gradients(bundle, trace, chosen, gradients_of)


def _with_gradients(bundle: Bundle, trace: Trace, names: Sequence[str], gradients_of: GradientsOf) -> Recording:
    """Activations and the gradient by each; one that the number does not depend on has zeros."""
    inner = [name for name in names if name != "logits"]
    with torch.enable_grad():
        found = teacher_forced(bundle, [trace], interventions=trace.interventions, record=inner)
        logits = found.logits if found.logits.requires_grad else found.logits.detach().requires_grad_()
        aim = _aim(logits[0], trace, gradients_of)
        recorded = {**found.recorded, "logits": logits}
        slopes = torch.autograd.grad(aim, [recorded[name] for name in names], allow_unused=True)
    arrays = {name: recorded[name].detach().float().cpu().numpy() for name in names}
    gradients = {
        name: np.zeros_like(arrays[name]) if slope is None else slope.float().cpu().numpy()
        for name, slope in zip(names, slopes, strict=True)
    }
    return Recording(trace, arrays, gradients)


def _aim(logits: Tensor, trace: Trace, gradients_of: GradientsOf) -> Tensor:
    """The number that is differentiated."""
    if callable(gradients_of):
        aim = gradients_of(logits)
        if not isinstance(aim, Tensor) or aim.numel() != 1 or not aim.requires_grad:
            raise RecordingError("gradients_of must return one number that depends on the logits")
        return aim.sum()
    target = torch.tensor(trace.target.ids, device=logits.device)
    log_probs = logits.log_softmax(-1).gather(1, target[:, None])[:, 0]  # (T,)
    if isinstance(gradients_of, str):
        if gradients_of != "log_prob":
            raise RecordingError(f'gradients_of is {gradients_of!r:.40}: give a step, "log_prob" or a function')
        return log_probs.sum()
    if not isinstance(gradients_of, int) or not 0 <= gradients_of < len(log_probs):
        raise RecordingError(f"there is no step {gradients_of!r:.40}: choose 0 to {len(log_probs) - 1}")
    return log_probs[gradients_of]


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
