"""Which activations cause the difference between two sentences: causal tracing (Vig et al. 2020; Meng et al. 2022).

Two sentences that differ in one thing are translated, or continued by a lone decoder. At the first step where the
outputs differ, the model reads the second sentence with one activation taken from the first, and the margin between
the two tokens is measured: how far does this activation alone move the second towards the first? Attribution patching
(Nanda 2023) estimates all effects from one backward pass: the difference of the activations times the gradient of the
margin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.teacher_forcing import teacher_forced
from model.inference.translation import translate
from model.interpret.inspection import encoder_decoder_of, transformer_of
from model.interpret.partial_forward import PartialForward
from model.interpret.tracing.lone_causal import prompt_attribution_map, prompt_map_as_it_comes, read_prompts
from model.interpret.tracing.pair_reading import (
    COMPONENTS,
    MAX_TOKENS,
    SUBLAYERS,
    CausalMap,
    PairReading,
    SameTranslationError,
    aligned,
    margins_of,
    name_of_cell,
    parting,
)
from model.interpret.tracing.patched_states import PatchedStates, Variants, joined, recorded_names
from model.interventions import AttentionKind, attention_shapes
from model.text.tokens import Source
from model.trace import Floats, Trace


def read_pair(bundle: Bundle, first: Source | Trace, second: Source | Trace) -> PairReading:
    """Translate both sentences, or continue both prompts, and find the first step at which the outputs differ.

    Args:
        first: a text, or a trace with a translation of its own; of a lone decoder, a prompt. Interventions of a trace
            are not in force.
        second: likewise.

    Raises:
        SameTranslationError: when both have the same translation.
        InspectionError: for a model that runs in its original code.
        TextError: when a sentence cannot be read.
    """
    if _continues(bundle):
        return read_prompts(bundle, _prompt(first), _prompt(second))
    encoder_decoder_of(bundle)
    one, other = (given if isinstance(given, Trace) else translate(bundle, given) for given in (first, second))
    step = parting(one.target.ids, other.target.ids)
    if step is None:
        raise SameTranslationError(
            f"both sentences are translated “{one.text[:80]}”, so no activation can make a difference: change a "
            "word that changes the translation"
        )
    word, rival = one.target.ids[step], other.target.ids[step]
    prefix = one.prefix.ids[: step + 1]
    with torch.inference_mode():
        margins = [
            float(margins_of(teacher_forced(bundle, [(trace.source.ids, prefix)]).logits, word, rival))
            for trace in (one, other)
        ]
    alignment = aligned(one.source.ids, other.source.ids)
    return PairReading(one, other, step, word, rival, margins[0], margins[1], alignment)


def _prompt(given: Source | Trace) -> Source:
    return given.source_text if isinstance(given, Trace) else given


def causal_map(bundle: Bundle, *, first: Source | Trace, second: Source | Trace) -> CausalMap:
    """Every activation patched in turn.

    Args:
        first: what activations are taken from: a text, or a trace with a translation of its own; of a lone decoder, a
            prompt.
        second: what they are put into, likewise.

    Raises:
        SameTranslationError: when both have the same translation; a CausalError.
        InspectionError: for a model that runs in its original code.
        TextError: when a sentence cannot be read.
    """
    *_, last = causal_map_as_it_comes(bundle, first=first, second=second)
    return last


def causal_map_as_it_comes(bundle: Bundle, *, first: Source | Trace, second: Source | Trace) -> Iterator[CausalMap]:
    """The same, yielded after each layer of each stack; stop iterating to cancel."""
    if _continues(bundle):
        yield from prompt_map_as_it_comes(bundle, first=_prompt(first), second=_prompt(second))
        return
    pair = read_pair(bundle, first, second)
    prefix = pair.first.prefix.ids[: pair.step + 1]
    depths = {"encoder": bundle.config.n_encoder_layers, "decoder": bundle.config.n_decoder_layers}
    every = frozenset(name for stack, depth in depths.items() for name in recorded_names(stack, depth))
    patch_source = _recorded(bundle, pair.first.source.ids, prefix, every)
    passes = PartialForward(bundle, pair.second.source.ids, prefix, record=every)
    found, done = _empty(bundle, pair), 0
    total = sum(found[name][:, _columns(pair, name)].size for name in (*COMPONENTS, *SUBLAYERS))
    for stack, depth in depths.items():
        patched = PatchedStates(passes, patch_source, stack, _places(pair, stack))
        for layer in range(depth):
            for variants in joined(patched.of_layer(layer)):
                margins = _margins_of(passes, stack, variants, pair)
                for cells, effects in ((variants.cells, margins - pair.margin_second), (variants.unchanged, 0.0)):
                    for (name, *cell), effect in zip(cells, np.broadcast_to(effects, len(cells)), strict=True):
                        found[name][tuple(cell)] = effect
                done += len(variants.cells) + len(variants.unchanged)
            yield _packed(pair, found, is_exact=True, done=done, total=total)


@torch.inference_mode()
def _margins_of(passes: PartialForward, stack: str, variants: Variants, pair: PairReading) -> Floats:
    """The margin of each variant, (B,)."""
    run = passes.last_from_encoder if stack == "encoder" else passes.last_from_decoder
    rows = max(1, MAX_TOKENS // variants.states.shape[1])
    found = [np.zeros(0, np.float32)]
    for states in variants.states.split(rows):
        logits = passes.model.project(run(variants.layer, states))
        found.append(margins_of(logits, pair.word_id, pair.rival_id).cpu().numpy())
    return np.concatenate(found)


def attribution_map(bundle: Bundle, *, first: Source | Trace, second: Source | Trace) -> CausalMap:
    """All effects estimated at once: (first - second) · gradient of the second's margin (Nanda 2023)."""
    if _continues(bundle):
        return prompt_attribution_map(bundle, first=_prompt(first), second=_prompt(second))
    pair = read_pair(bundle, first, second)
    prefix = pair.first.prefix.ids[: pair.step + 1]
    cells = tuple(_cells(bundle))
    names = frozenset(name for name, *_ in cells)
    patch_source = _recorded(bundle, pair.first.source.ids, prefix, names)
    with torch.enable_grad():
        passed = teacher_forced(bundle, [(pair.second.source.ids, prefix)], record=names)
        own = passed.recorded
        margin = margins_of(passed.logits, pair.word_id, pair.rival_id).sum()
        gradients = torch.autograd.grad(margin, [own[name] for name, *_ in cells], allow_unused=True)
    found = _empty(bundle, pair)
    for (name, component, row), gradient in zip(cells, gradients, strict=True):
        if gradient is None:
            found[component][row] = 0.0
            continue
        moved = (_difference(pair, name, patch_source[name], own[name]) * gradient)[0].float().cpu().numpy()
        found[component][row] = moved.sum((-1, -2)) if component in SUBLAYERS else moved.sum(-1)
    for component in COMPONENTS:
        if component.startswith("encoder"):
            found[component][:, [place for place, there in enumerate(pair.alignment) if there is None]] = np.nan
    return _packed(pair, found, is_exact=False, done=1, total=1)


def agreement(one: CausalMap, other: CausalMap) -> float:
    """Pearson's correlation of two maps over all cells that both know; NaN where one of them is flat."""
    pairs = [(one.effects[name], other.effects[name]) for name in one.effects]
    pairs += [(one.heads[kind], other.heads[kind]) for kind in one.heads]
    left, right = (np.concatenate([pair[side].ravel() for pair in pairs]) for side in (0, 1))
    known = np.isfinite(left) & np.isfinite(right)
    if known.sum() < 2 or not left[known].std() or not right[known].std():
        return float("nan")
    return float(np.corrcoef(left[known], right[known])[0, 1])


def _continues(bundle: Bundle) -> bool:
    """Whether the model is our own lone decoder."""
    return transformer_of(bundle).kinds == ("decoder_self",)


@torch.inference_mode()
def _recorded(bundle: Bundle, source: Sequence[int], prefix: Sequence[int], names: Iterable[str]) -> dict[str, Tensor]:
    return teacher_forced(bundle, [(source, prefix)], record=names).recorded


def _places(pair: PairReading, stack: str) -> list[tuple[int, int]]:
    """Positions of the second sentence, and the positions of the first that replace them."""
    if stack == "decoder":
        return [(i, i) for i in range(pair.step + 1)]
    return [(i, j) for i, j in enumerate(pair.alignment) if j is not None]


def _columns(pair: PairReading, name: str) -> Any:
    """The columns of a map that are computed."""
    return slice(None) if name in SUBLAYERS else [here for here, _ in _places(pair, name.partition(".")[0])]


def _difference(pair: PairReading, name: str, first: Tensor, second: Tensor) -> Tensor:
    """How patching would change the activation, (1, …, positions, width); 0 where the first sentence has no token."""
    here, there = zip(*_places(pair, name.partition(".")[0]), strict=True)
    moved = torch.zeros_like(second)
    moved[..., here, :] = first[..., there, :] - second.detach()[..., here, :]
    return moved


def _cells(bundle: Bundle) -> Iterator[tuple[str, str, int]]:
    """Every activation whose gradient is read: name, component or kind, and row of its map."""
    config = bundle.config
    for component in COMPONENTS:
        layers = config.n_encoder_layers if component.startswith("encoder") else config.n_decoder_layers
        for row in range(layers + component.endswith("residual")):
            yield name_of_cell(component, row), component, row
    for kind, (layers, _) in attention_shapes(config).items():
        for layer in range(layers):
            yield f"{SUBLAYERS[kind].format(layer)}.head_output", kind, layer


def _empty(bundle: Bundle, pair: PairReading) -> dict[str, Floats]:
    """Maps of NaN, by component and by kind of attention."""
    config = bundle.config
    found: dict[str, Floats] = {}
    for component in COMPONENTS:
        is_encoder = component.startswith("encoder")
        layers = config.n_encoder_layers if is_encoder else config.n_decoder_layers
        width = len(pair.alignment) if is_encoder else pair.step + 1
        found[component] = np.full((layers + component.endswith("residual"), width), np.nan, np.float32)
    for kind, shape in attention_shapes(config).items():
        found[kind] = np.full(shape, np.nan, np.float32)
    return found


def _packed(pair: PairReading, found: Mapping[str, Floats], *, is_exact: bool, done: int, total: int) -> CausalMap:
    kinds: tuple[AttentionKind, ...] = tuple(SUBLAYERS)
    effects = {name: found[name].copy() for name in COMPONENTS}
    return CausalMap(pair, effects, {kind: found[kind].copy() for kind in kinds}, is_exact, done, total)
