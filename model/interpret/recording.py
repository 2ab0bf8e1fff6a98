"""Records named activations of a translation as arrays (docs/activations.md)."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, get_args, overload

import torch
from torch import Tensor

from model.activations import Shape, activation_shapes, matching
from model.bundle import Bundle
from model.errors import RegardError
from model.inference.alone import read
from model.inference.batches import Texts, group_by_length, is_many
from model.inference.reading import kinds_of
from model.inference.scoring import score
from model.inference.teacher_forcing import TeacherForced, teacher_forced
from model.inference.translation import translate
from model.interventions import NONE, Change, Interventions, as_interventions
from model.nn.transformer import Transformer
from model.text.tokens import Source, TextError
from model.trace import Floats, Trace

MAX_RECORDED_ROWS = 16
Precision = Literal["float32", "float16", "float64"]
GradientsOf: TypeAlias = "int | str | Callable[[Tensor], Tensor] | None"


class RecordingError(RegardError, ValueError):
    """A request cannot be recorded, for example because the model has no such activation."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Recording(Mapping[str, "Floats"]):
    """Activations by name, with the trace that they belong to: arrays, or tensors with ``as_tensors``."""

    trace: Trace
    arrays: Mapping[str, Floats] = field(default_factory=dict)
    """In the shapes of ``activation_names``, with B = 1."""
    gradients: Mapping[str, Floats] = field(default_factory=dict)
    """Gradients of ``gradients_of`` with respect to each activation, in the same shapes; empty without it."""

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
    """Every activation of this model, with its shape in the letters of ``model``'s legend; empty if the model runs in
    its original code."""
    return activation_shapes(bundle.config) if isinstance(bundle.model, Transformer) else {}


class RecordOptions(TypedDict, total=False):
    """The options of ``record``."""

    names: Sequence[str] | str
    interventions: Change | Sequence[Change] | None
    cached: bool
    gradients_of: GradientsOf
    dtype: Precision
    as_tensors: bool


@overload
def record(
    bundle: Bundle, text: Source | Trace, target: Source | None = None, **options: Unpack[RecordOptions]
) -> Recording: ...
@overload
def record(
    bundle: Bundle, text: Texts | Sequence[Trace], target: Texts | None = None, **options: Unpack[RecordOptions]
) -> list[Recording | TextError]: ...
def record(
    bundle: Bundle,
    text: Source | Trace | Texts | Sequence[Trace],
    target: Source | Texts | None = None,
    *,
    names: Sequence[str] | str = ("*",),
    interventions: Change | Sequence[Change] | None = None,
    cached: bool = True,
    gradients_of: GradientsOf = None,
    dtype: Precision = "float32",
    as_tensors: bool = False,
) -> Recording | list[Recording | TextError]:
    """Record activations of a translation under teacher forcing, and gradients with respect to them.

    A list of texts or traces gives a list of recordings. Several texts share a pass, and each recording is the same as
    for the text alone; a text that cannot be read gives its TextError.

    Args:
        text: a trace, whose tokens are run again; or the encoder's input.
        target: the translation of a text; None means the model's greedy translation. An encoder-only model has none.
        names: names or patterns; a star matches one part of a name, and at the beginning any number of parts.
        interventions: changes of the model, which the recorded activations include. None means those of the trace.
        cached: as in ``translate``, if the model translates the text; activations are always those of one pass over all
            positions.
        gradients_of: the number to differentiate: a step, for the log-probability of its token in nats; "log_prob", for
            that of the whole translation; or a function from logits (T, V) to one number.
        dtype: the dtype of the arrays: "float16" takes half the memory; "float64" keeps the precision of a model that
            was loaded with ``dtype="float64"``.
        as_tensors: return tensors on the model's device instead of arrays; nothing is copied from a GPU.

    Raises:
        RecordingError: when the model has no activation of this name, there is no such dtype, or nothing can be
            differentiated.
    """
    if dtype not in get_args(Precision):
        raise RecordingError(f"dtype ({str(dtype)[:40]!r}) must be {', '.join(get_args(Precision))}")
    chosen = chosen_names(bundle, (names,) if isinstance(names, str) else names)
    edits = None if interventions is None else as_interventions(interventions)
    traces = _traces_of(bundle, text, target, edits, cached=cached)
    converted = partial(_convert, dtype=dtype, as_tensors=as_tensors)
    many = [traces] if isinstance(traces, Trace) else traces
    recordings = _record_all(bundle, many, chosen, gradients_of, converted)
    return recordings[0] if isinstance(traces, Trace) else recordings


def _traces_of(
    bundle: Bundle, texts: Any, target: Any, interventions: Interventions | None, *, cached: bool
) -> Trace | list[Trace | TextError]:
    """The traces of the texts, under the interventions."""
    many: Any = texts if is_many(texts) else [texts]
    if many and all(isinstance(trace, Trace) for trace in many):
        if target is not None:
            raise RecordingError("a trace has its own translation: give a trace, or a text and its translation")
        if interventions is not None:
            many = [dataclasses.replace(trace, interventions=interventions) for trace in many]
        return list(many) if isinstance(texts, list | tuple) else many[0]
    edits = NONE if interventions is None else interventions
    if target is None and kinds_of(bundle) == ("encoder_self",):
        return read(bundle, texts, interventions=edits)
    if target is None:
        return translate(bundle, texts, interventions=edits, cached=cached)
    return score(bundle, texts, target, interventions=edits)


def _record_all(
    bundle: Bundle,
    traces: Sequence[Trace | TextError],
    names: Sequence[str],
    gradients_of: GradientsOf,
    converted: Callable[[Tensor], Any],
) -> list[Any]:
    """Recordings in the order of the texts; without gradients, texts of similar length share a pass."""
    recordings: list[Any] = list(traces)
    read = [(place, trace) for place, trace in enumerate(traces) if isinstance(trace, Trace)]
    sizes = [(len(trace.source), len(trace.target)) for _, trace in read]
    for part in group_by_length(sizes, MAX_RECORDED_ROWS if gradients_of is None else 1):
        places, together = zip(*(read[index] for index in part), strict=True)
        if gradients_of is None:
            batch = _plainly(bundle, together, names, converted)
        else:
            batch = [_with_gradients(bundle, together[0], names, gradients_of, converted)]
        for place, recording in zip(places, batch, strict=True):
            recordings[place] = recording
    return recordings


def _run_pass(bundle: Bundle, traces: Sequence[Trace], names: Sequence[str]) -> TeacherForced[Trace]:
    edits, inner = [trace.interventions for trace in traces], [name for name in names if name != "logits"]
    # In 16 bits or fewer, attention rounds differently with and without captured weights: ``score`` captures them.
    is_rough = next(bundle.model.parameters()).dtype not in (torch.float32, torch.float64)
    return teacher_forced(bundle, traces, interventions=edits, record=inner, capture=is_rough)


@torch.inference_mode()
def _plainly(
    bundle: Bundle, traces: Sequence[Trace], names: Sequence[str], converted: Callable[[Tensor], Any]
) -> list[Recording]:
    passed, shapes = _run_pass(bundle, traces, names), activation_shapes(bundle.config)
    recorded = {**passed.recorded, "logits": passed.logits}
    arrays = {name: converted(recorded[name]) for name in names}
    recordings = []
    for row, trace in enumerate(traces):
        lengths = {"S": len(trace.source), "T": len(trace.target)}
        of_trace = {
            name: _detach(array[(slice(row, row + 1), *(slice(lengths.get(letter)) for letter in shapes[name][1:]))])
            for name, array in arrays.items()
        }
        recordings.append(Recording(trace, of_trace))
    return recordings


def _with_gradients(
    bundle: Bundle, trace: Trace, names: Sequence[str], gradients_of: GradientsOf, converted: Callable[[Tensor], Any]
) -> Recording:
    """Activations and the gradient with respect to each; zeros where the number does not depend on it."""
    with torch.enable_grad():
        passed = _run_pass(bundle, [trace], names)
        logits = passed.logits if passed.logits.requires_grad else passed.logits.detach().requires_grad_()
        recorded = {**passed.recorded, "logits": logits}
        chosen = [recorded[name] for name in names]
        slopes = torch.autograd.grad(_aim(logits[0], trace, gradients_of), chosen, allow_unused=True)
    slopes = [torch.zeros_like(x) if slope is None else slope for x, slope in zip(chosen, slopes, strict=True)]
    arrays, gradients = (dict(zip(names, map(converted, side), strict=True)) for side in (chosen, slopes))
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


def _convert(x: Tensor, dtype: Precision, *, as_tensors: bool) -> Any:
    """Convert a tensor of the pass to an array, or to a tensor on its device."""
    converted = x.detach().to(getattr(torch, dtype))
    return converted if as_tensors else converted.cpu().numpy()


def _detach(x: Any) -> Any:
    """A copy that does not keep the whole tensor in memory."""
    with torch.inference_mode(False):  # so that callers may differentiate through it
        return x.clone() if isinstance(x, Tensor) else x.copy()


def chosen_names(bundle: Bundle, patterns: Sequence[str]) -> tuple[str, ...]:
    """The names that match the patterns in this model.

    Raises:
        RecordingError: when a pattern matches none, or is not a string.
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
