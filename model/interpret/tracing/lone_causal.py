"""Causal tracing in a lone decoder: two prompts that differ in one thing, and the first token that they lead to.

Every activation is patched in turn, as ``model.interpret.causal`` does it for translations. A lone stack's layers
differ from family to family (parallel blocks, norms after or before), so each patch is a whole pass with an
intervention, many rows at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.reading import prompt_tokens
from model.inference.teacher_forcing import teacher_forced
from model.inference.translation import translate
from model.interpret.tracing.pair_reading import (
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
from model.interventions import Interventions, attention_shapes
from model.patch import Patch
from model.text.tokens import Source
from model.trace import Floats

COMPONENTS = ("decoder.residual", "decoder.self", "decoder.feed_forward")
_KIND = "decoder_self"
Cell = tuple[str, int, int]
"""Component or kind of attention, row of its map, and position or head."""


def read_prompts(bundle: Bundle, first: Source, second: Source) -> PairReading:
    """Continue both prompts and find the first token at which the continuations differ.

    Raises:
        SameTranslationError: when both are continued alike.
        TextError: when a prompt cannot be read.
    """
    one, other = translate(bundle, first), translate(bundle, second)
    starts = [len(prompt_tokens(bundle, text)) for text in (first, second)]
    said = [trace.target.ids[start - 1 :] for trace, start in zip((one, other), starts, strict=True)]
    apart = parting(*said)
    if apart is None:
        raise SameTranslationError(
            f"both prompts are continued “{other.text[:80]}”, so no activation can make a difference: change a word "
            "that changes the next one"
        )
    word, rival = said[0][apart], said[1][apart]
    fed = [(*trace.prefix.ids[:start], *said[0][:apart]) for trace, start in zip((one, other), starts, strict=True)]
    with torch.inference_mode():
        margins = [float(margins_of(teacher_forced(bundle, [((), ids)]).logits, word, rival)) for ids in fed]
    return PairReading(one, other, len(fed[1]) - 1, word, rival, margins[0], margins[1], _aligned(*fed))


def _aligned(first: Sequence[int], second: Sequence[int]) -> tuple[int | None, ...]:
    """As for sentences, and the last positions, which predict, belong together whatever stands there."""
    return (*aligned(first[:-1], second[:-1]), len(first) - 1)


def prompt_map_as_it_comes(bundle: Bundle, *, first: Source, second: Source) -> Iterator[CausalMap]:
    """Every activation patched in turn, yielded after each layer; stop iterating to cancel."""
    pair = read_prompts(bundle, first, second)
    names = _names(bundle)
    with torch.inference_mode():
        given = _recorded(bundle, _first_fed(pair), names)
    found, cells = _empty(bundle, pair), list(_cells(bundle, pair))
    done = 0
    for layer in range(bundle.config.n_decoder_layers):
        own = [cell for cell in cells if _layer_of(cell) == layer]
        for start in range(0, len(own), max(1, MAX_TOKENS // (pair.step + 1))):
            some = own[start : start + max(1, MAX_TOKENS // (pair.step + 1))]
            margins = _patched(bundle, pair, [_patch(pair, cell, given) for cell in some])
            for (name, *cell), margin in zip(some, margins, strict=True):
                found[name][tuple(cell)] = margin - pair.margin_second
        done += len(own)
        yield _packed(pair, found, is_exact=True, done=done, total=len(cells))


def prompt_attribution_map(bundle: Bundle, *, first: Source, second: Source) -> CausalMap:
    """All effects estimated at once: (first - second) · gradient of the second's margin (Nanda 2023)."""
    pair = read_prompts(bundle, first, second)
    names = _names(bundle)
    with torch.inference_mode():
        given = _recorded(bundle, _first_fed(pair), names)
    with torch.enable_grad():
        passed = teacher_forced(bundle, [((), _second_fed(pair))], record=names)
        own = passed.recorded
        margin = margins_of(passed.logits, pair.word_id, pair.rival_id).sum()
        gradients = dict(zip(names, torch.autograd.grad(margin, [own[name] for name in names], allow_unused=True),
                             strict=True))  # fmt: skip
    moved = {name: _moved(pair, given[name], own[name].detach(), gradients[name]) for name in names}
    found = _empty(bundle, pair)
    for component, row, at in _cells(bundle, pair):
        found[component][row, at] = moved[_name(component, row)][at]
    return _packed(pair, found, is_exact=False, done=1, total=1)


def _moved(pair: PairReading, given: Tensor, own: Tensor, gradient: Tensor | None) -> Floats:
    """The estimated effect of each position, (T,), or of each head over all positions, (H,)."""
    if gradient is None:
        return np.zeros(own.shape[1], np.float32)
    difference = torch.zeros_like(own)
    here, there = _places(pair)
    difference[..., here, :] = given[..., there, :] - own[..., here, :]
    product = (difference * gradient)[0].float()
    return (product.sum((-1, -2)) if product.dim() == 3 else product.sum(-1)).cpu().numpy()


@torch.inference_mode()
def _patched(bundle: Bundle, pair: PairReading, patches: Sequence[Patch]) -> Floats:
    """The margin of the second prompt under each patch alone, (B,)."""
    rows = [((), _second_fed(pair))] * len(patches)
    edits = [Interventions(patches=(patch,)) for patch in patches]
    found = teacher_forced(bundle, rows, interventions=edits, has_bound=False)
    return margins_of(bundle.model.project(found.decoded.hidden[:, -1:]), pair.word_id, pair.rival_id).cpu().numpy()


def _patch(pair: PairReading, cell: Cell, given: Mapping[str, Tensor]) -> Patch:
    """The first prompt's activation in the place of the second's: at one position, or one head's at all of them."""
    component, row, at = cell
    value = given[_name(component, row)][0]
    if component == _KIND:
        here, there = _places(pair)
        return Patch(_name(component, row), tuple(here), (at,), value=value[at : at + 1, there].cpu().numpy())
    return Patch(_name(component, row), (at,), value=value[pair.alignment[at]].cpu().numpy())


def _recorded(bundle: Bundle, ids: Sequence[int], names: Sequence[str]) -> dict[str, Tensor]:
    return teacher_forced(bundle, [((), ids)], record=names).recorded


def _names(bundle: Bundle) -> tuple[str, ...]:
    config = bundle.config
    rows = [(name, row) for name in COMPONENTS for row in range(config.n_decoder_layers + name.endswith("residual"))]
    rows += [(_KIND, layer) for layer in range(config.n_decoder_layers)]
    return tuple(_name(*each) for each in rows)


def _name(component: str, row: int) -> str:
    return f"decoder.{row}.self.head_output" if component == _KIND else name_of_cell(component, row)


def _layer_of(cell: Cell) -> int:
    """The layer with which a cell is computed: what enters the first belongs to the first."""
    component, row, _ = cell
    return max(0, row - 1) if component.endswith("residual") else row


def _cells(bundle: Bundle, pair: PairReading) -> Iterator[Cell]:
    n_layers, n_heads = attention_shapes(bundle.config)[_KIND]
    for component in COMPONENTS:
        for row in range(n_layers + component.endswith("residual")):
            yield from ((component, row, at) for at, there in enumerate(pair.alignment) if there is not None)
    yield from ((_KIND, layer, head) for layer in range(n_layers) for head in range(n_heads))


def _places(pair: PairReading) -> tuple[list[int], list[int]]:
    """Positions of the second prompt, and those of the first that are put there."""
    both = [(here, there) for here, there in enumerate(pair.alignment) if there is not None]
    return [here for here, _ in both], [there for _, there in both]


def _second_fed(pair: PairReading) -> tuple[int, ...]:
    return pair.second.prefix.ids[: pair.step + 1]


def _first_fed(pair: PairReading) -> tuple[int, ...]:
    """What the model was fed of the first prompt up to the same token of its continuation."""
    last = pair.alignment[-1]
    assert last is not None
    return pair.first.prefix.ids[: last + 1]


def _empty(bundle: Bundle, pair: PairReading) -> dict[str, Floats]:
    n_layers, n_heads = attention_shapes(bundle.config)[_KIND]
    shapes = {name: (n_layers + name.endswith("residual"), pair.step + 1) for name in COMPONENTS}
    return {name: np.full(shape, np.nan, np.float32) for name, shape in {**shapes, _KIND: (n_layers, n_heads)}.items()}


def _packed(pair: PairReading, found: Mapping[str, Floats], *, is_exact: bool, done: int, total: int) -> CausalMap:
    effects = {name: found[name].copy() for name in COMPONENTS}
    return CausalMap(pair, effects, {"decoder_self": found[_KIND].copy()}, is_exact, done, total)


assert _KIND in SUBLAYERS
