"""Which activations cause the difference between two sentences: causal tracing (Vig et al. 2020; Meng et al. 2022).

Two sentences that differ in one thing are translated, or continued by a decoder-only model. At the first step where the
outputs differ, the model reads the second sentence with one activation patched from the first. The effect is the change
of the margin between the two tokens. Attribution patching (Nanda 2023) estimates all effects from one backward pass:
the difference of the activations times the gradient of the margin.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.reading import prompt_tokens
from model.inference.teacher_forcing import teacher_forced
from model.inference.translation import translate
from model.interpret.inspection import encoder_decoder_of, transformer_of
from model.interpret.recording import record
from model.interpret.tracing.pair_reading import (
    MAX_PASS_TOKENS,
    CausalError,
    CausalMap,
    Fed,
    PairReading,
    SameTranslationError,
    align_positions,
    components_of,
    first_difference,
    margins_of,
    name_of_cell,
)
from model.interpret.tracing.partial_forward import (
    Cell,
    PartialForward,
    PatchedStates,
    Variants,
    merge_variants,
    recorded_names,
)
from model.interventions import SUBLAYERS, AttentionKind, Interventions, attention_shapes
from model.patch import Patch
from model.text.tokens import Source
from model.trace import Floats, Trace

Measured = tuple[list[Cell], list[float]]
"""Cells of a map, and the margin of the second sentence with each of them patched."""


def read_pair(bundle: Bundle, first: Source | Trace, second: Source | Trace) -> PairReading:
    """Translate both sentences, or continue both prompts, and find the first step at which the outputs differ.

    Arguments and errors are those of ``causal_map``. Interventions of a trace are not in force.
    """
    if _continues(bundle):
        prompts = (text.source_text if isinstance(text, Trace) else text for text in (first, second))
        return _read_prompts(bundle, *prompts)
    encoder_decoder_of(bundle)
    clean, other = (text if isinstance(text, Trace) else translate(bundle, text) for text in (first, second))
    step = first_difference(clean.target.ids, other.target.ids)
    if step is None:
        raise SameTranslationError(
            f"both sentences are translated “{clean.text[:80]}”, so no activation can make a difference: change a "
            "word that changes the translation"
        )
    word, rival, prefix = clean.target.ids[step], other.target.ids[step], clean.prefix.ids[: step + 1]
    with_word, with_rival = (_margin(bundle, (trace.source.ids, prefix), word, rival) for trace in (clean, other))
    alignment = align_positions(clean.source.ids, other.source.ids)
    return PairReading(clean, other, step, word, rival, with_word, with_rival, alignment)


def _read_prompts(bundle: Bundle, first: Source, second: Source) -> PairReading:
    first_trace, second_trace = translate(bundle, first), translate(bundle, second)
    starts = [len(prompt_tokens(bundle, text)) for text in (first, second)]
    targets = [trace.target.ids[start - 1 :] for trace, start in zip((first_trace, second_trace), starts, strict=True)]
    apart = first_difference(*targets)
    if apart is None:
        raise SameTranslationError(
            f"both prompts are continued “{second_trace.text[:80]}”, so no activation can make a difference: change a "
            "word that changes the next one"
        )
    word, rival = targets[0][apart], targets[1][apart]
    fed = [
        (*trace.prefix.ids[:start], *targets[0][:apart])
        for trace, start in zip((first_trace, second_trace), starts, strict=True)
    ]
    with_word, with_rival = (_margin(bundle, ((), ids), word, rival) for ids in fed)
    # the last positions make the prediction, so they are aligned whatever their tokens
    alignment = (*align_positions(fed[0][:-1], fed[1][:-1]), len(fed[0]) - 1)
    return PairReading(first_trace, second_trace, len(fed[1]) - 1, word, rival, with_word, with_rival, alignment)


@torch.inference_mode()
def _margin(bundle: Bundle, row: Fed, word: int, rival: int) -> float:
    return float(margins_of(teacher_forced(bundle, [row]).logits, word, rival))


def causal_map(bundle: Bundle, *, first: Source | Trace, second: Source | Trace) -> CausalMap:
    """Patch every activation of ``first`` into ``second`` in turn.

    Args:
        first: the sentence that activations are taken from: a text, or a trace with its translation; for a decoder-only
            model, a prompt.
        second: the sentence that they are patched into, in the same forms.

    Raises:
        SameTranslationError: when both have the same translation; a CausalError.
        InspectionError: for a model that runs in its original code.
        TextError: when a sentence cannot be read.
    """
    *_, last = causal_map_as_it_comes(bundle, first=first, second=second)
    return last


def causal_map_as_it_comes(bundle: Bundle, *, first: Source | Trace, second: Source | Trace) -> Iterator[CausalMap]:
    """The same, yielded after each layer of each stack; stop iterating to cancel."""
    pair = read_pair(bundle, first, second)
    effects, done = _empty(bundle, pair), 0
    total = sum(map(len, _cells(bundle, pair).values()))
    for cells, margins in (_by_whole_passes if _continues(bundle) else _by_partial_passes)(bundle, pair):
        for (name, *cell), margin in zip(cells, margins, strict=True):
            effects[name][tuple(cell)] = margin - pair.margin_second
        done += len(cells)
        yield _make_map(pair, effects, is_exact=True, done=done, total=total)


def _by_partial_passes(bundle: Bundle, pair: PairReading) -> Iterator[Measured]:
    """Measure both stacks layer by layer; each variant begins at the layer where it first differs."""
    depths = {"encoder": bundle.config.n_encoder_layers, "decoder": bundle.config.n_decoder_layers}
    every = recorded_names(bundle.config)
    patch_source = _record_states(bundle, pair.fed[0], every)
    passes = PartialForward(bundle, *pair.fed[1], record=every)
    for stack, depth in depths.items():
        patched = PatchedStates(passes, patch_source, stack, pair.places(stack))
        for layer in range(depth):
            cells: list[Cell] = []
            margins: list[float] = []
            for variants in merge_variants(patched.of_layer(layer)):
                cells += (*variants.cells, *variants.unchanged)
                margins += (
                    *_margins_of(passes, stack, variants, pair),
                    *[pair.margin_second] * len(variants.unchanged),
                )
            yield cells, margins


@torch.inference_mode()
def _margins_of(passes: PartialForward, stack: str, variants: Variants, pair: PairReading) -> Floats:
    """The margin of each variant, (B,)."""
    rows = max(1, MAX_PASS_TOKENS // variants.states.shape[1])
    margins = [np.zeros(0, np.float32)]
    for states in variants.states.split(rows):
        logits = passes.model.project(passes.last_of(stack, variants.layer, states))
        margins.append(margins_of(logits, pair.word_id, pair.rival_id).cpu().numpy())
    return np.concatenate(margins)


def _by_whole_passes(bundle: Bundle, pair: PairReading) -> Iterator[Measured]:
    """Measure a decoder-only model layer by layer. Its layers differ from family to family (parallel blocks, pre- or
    post-norm), so each patch is an intervention on a whole pass, with many patches per batch."""
    by_activation = _cells(bundle, pair)
    recorded = _record_states(bundle, pair.fed[0], by_activation)
    at_once = max(1, MAX_PASS_TOKENS // (pair.step + 1))
    cells = [(cell, name) for name, some in by_activation.items() for cell in some]
    for layer in range(bundle.config.n_decoder_layers):
        # the input of layer 0 is measured with layer 0
        of_layer = [
            (cell, name) for cell, name in cells if max(0, cell[1] - cell[0].endswith("residual")) == layer
        ]  # fmt: skip
        margins: list[float] = []
        for start in range(0, len(of_layer), at_once):
            patches = [_patch(pair, cell, name, recorded[name][0]) for cell, name in of_layer[start : start + at_once]]
            margins += _margins_under(bundle, pair, patches).tolist()
        yield [cell for cell, _ in of_layer], margins


def _patch(pair: PairReading, cell: Cell, name: str, value: Tensor) -> Patch:
    """The patch of the first prompt's activation into the second: at one position, or of one head at all positions."""
    component, _, at = cell
    if component in SUBLAYERS:
        places, sources = zip(*pair.places("decoder"), strict=True)
        return Patch(name, places, (at,), value=value[at : at + 1, list(sources)].cpu().numpy())
    return Patch(name, (at,), value=value[pair.alignment[at]].cpu().numpy())


@torch.inference_mode()
def _margins_under(bundle: Bundle, pair: PairReading, patches: list[Patch]) -> Floats:
    """The margin of the second prompt under each patch alone, (B,)."""
    edits = [Interventions(patches=(patch,)) for patch in patches]
    forced = teacher_forced(bundle, [pair.fed[1]] * len(patches), interventions=edits, has_bound=False)
    return margins_of(bundle.model.project(forced.decoded.hidden[:, -1:]), pair.word_id, pair.rival_id).cpu().numpy()


def attribution_map(bundle: Bundle, *, first: Source | Trace, second: Source | Trace) -> CausalMap:
    """Estimate all effects at once by (first - second) · gradient of the second's margin (Nanda 2023)."""
    pair = read_pair(bundle, first, second)
    by_activation = _cells(bundle, pair)
    recorded = _record_states(bundle, pair.fed[0], by_activation)
    with torch.enable_grad():
        passed = teacher_forced(bundle, [pair.fed[1]], record=frozenset(by_activation))
        activations = [passed.recorded[name] for name in by_activation]
        margin = margins_of(passed.logits, pair.word_id, pair.rival_id).sum()
        gradients = torch.autograd.grad(margin, activations, allow_unused=True)
    effects = _empty(bundle, pair)
    for (name, cells), activation, gradient in zip(by_activation.items(), activations, gradients, strict=True):
        moved = torch.zeros_like(activation)
        if gradient is not None:
            places, sources = (list(side) for side in zip(*pair.places(name.partition(".")[0]), strict=True))
            moved[..., places, :] = recorded[name][..., sources, :] - activation.detach()[..., places, :]
            moved *= gradient
        of_each = moved[0].float().sum((-1, -2) if moved.dim() == 4 else -1).cpu().numpy()  # by head or by position
        for component, row, at in cells:
            effects[component][row, at] = of_each[at]
    return _make_map(pair, effects, is_exact=False, done=1, total=1)


def patch_of_cell(bundle: Bundle, pair: PairReading, component: str, row: int, position: int) -> Patch:
    """The patch of one cell of a map by position, as ``translate`` takes it for the second sentence.

    Raises:
        CausalError: when no position of the first sentence is aligned with it.
    """
    name = name_of_cell(component, row)
    is_aligned = component.startswith("encoder") or not len(pair.second.source)
    there = pair.alignment[position] if is_aligned else position
    if there is None:
        raise CausalError("the first sentence has no token for this position: choose another position")
    if there == position:
        return Patch(name, (position,), from_text=pair.first.source_text)
    return Patch(name, (position,), value=record(bundle, pair.first, names=name)[name][0, there])


def patch_of_head(bundle: Bundle, pair: PairReading, kind: AttentionKind, layer: int, head: int) -> Patch:
    """The patch of one cell of the map of heads: the head's output at all positions.

    Where the sentences differ in length, each position gets the activation of the aligned token.
    """
    part = SUBLAYERS[kind].format(layer)
    places = [(place, source) for place, source in enumerate(pair.alignment) if source is not None]
    if (
        kind == "cross"
        or (kind == "decoder_self" and len(pair.second.source))
        or all(place == source for place, source in places)
    ):
        return Patch(f"{part}.head_output", heads=(head,), from_text=pair.first.source_text)
    name = f"{part}.mixed"
    place, source = zip(*places, strict=True)
    mixed = record(bundle, pair.first, names=name)[name][0]  # (H, S, M)
    return Patch(name, place, (head,), value=mixed[head : head + 1, list(source)])


def agreement(exact: CausalMap, other: CausalMap) -> float:
    """Pearson's correlation of two maps over the cells that both have; NaN if one of them is constant."""
    pairs = [(exact.effects[name], other.effects[name]) for name in exact.effects]
    pairs += [(exact.heads[kind], other.heads[kind]) for kind in exact.heads]
    left, right = (np.concatenate([pair[side].ravel() for pair in pairs]) for side in (0, 1))
    known = np.isfinite(left) & np.isfinite(right)
    if known.sum() < 2 or not left[known].std() or not right[known].std():
        return float("nan")
    return float(np.corrcoef(left[known], right[known])[0, 1])


def _continues(bundle: Bundle) -> bool:
    """Whether the model is our own decoder-only model."""
    return transformer_of(bundle).kinds == ("decoder_self",)


@torch.inference_mode()
def _record_states(bundle: Bundle, row: Fed, names: Iterable[str]) -> dict[str, Tensor]:
    return teacher_forced(bundle, [row], record=frozenset(names)).recorded


def _cells(bundle: Bundle, pair: PairReading) -> dict[str, list[Cell]]:
    """The cells to measure, by the name of the activation that they patch."""
    config, cells = bundle.config, dict[str, list[Cell]]()
    for component in components_of(config):
        stack = component.partition(".")[0]
        depth = config.n_encoder_layers if stack == "encoder" else config.n_decoder_layers
        for row in range(depth + component.endswith("residual")):
            cells[name_of_cell(component, row)] = [(component, row, place) for place, _ in pair.places(stack)]
    for kind, (depth, n_heads) in attention_shapes(config).items():
        for layer in range(depth):
            cells[f"{SUBLAYERS[kind].format(layer)}.head_output"] = [(kind, layer, head) for head in range(n_heads)]
    return cells


def _empty(bundle: Bundle, pair: PairReading) -> dict[str, Floats]:
    """Maps of NaN, by component and by kind of attention."""
    config = bundle.config
    maps: dict[str, Floats] = {}
    for component in components_of(config):
        is_encoder = component.startswith("encoder")
        depth = config.n_encoder_layers if is_encoder else config.n_decoder_layers
        width = len(pair.alignment) if is_encoder else pair.step + 1
        maps[component] = np.full((depth + component.endswith("residual"), width), np.nan, np.float32)
    shapes = {kind: shape for kind, shape in attention_shapes(config).items() if shape[0]}
    return maps | {kind: np.full(shape, np.nan, np.float32) for kind, shape in shapes.items()}


def _make_map(pair: PairReading, maps: Mapping[str, Floats], *, is_exact: bool, done: int, total: int) -> CausalMap:
    heads: Any = {name: cells.copy() for name, cells in maps.items() if name in SUBLAYERS}
    effects = {name: cells.copy() for name, cells in maps.items() if name not in SUBLAYERS}
    return CausalMap(pair, effects, heads, is_exact, done, total)
