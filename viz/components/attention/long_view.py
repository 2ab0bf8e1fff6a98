"""What the explorer shows of a long text: every head as means over blocks, and a part of the chosen one exactly."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model.interventions import AttentionKind
from model.trace import Floats
from viz.components.attention.view import AttentionView, ViewError
from viz.state.view_state import VIEWS_OF_LONG_TEXTS, WINDOW, ViewState

Exact = Callable[[AttentionKind, int, int, tuple[int, int]], Floats | None]
"""Rows (first, and one after the last) of a head's weights, (rows, keys); None where they are not at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongView(AttentionView):
    """The view of a long text: ``attention`` holds means over blocks of tokens, (L, H, blocks, blocks).

    Layers that were not computed are NaN.
    """

    block: int
    """Tokens of a block."""
    exact: Exact
    """Frozen, with an identity that says of which model and text it is."""

    def _check(self, kind: AttentionKind) -> None:
        weights = self.attention.of(kind)
        assert weights is not None
        expected = tuple(-(-len(axis) // self.block) for axis in self.axes(kind))
        if weights.shape[2:] != expected:
            raise ViewError(f"{kind} has {weights.shape[2:]} blocks, and its tokens {expected}")

    def size(self, kind: AttentionKind) -> tuple[int, int]:
        """Rows and columns of the window."""
        queries, keys = self.axes(kind)
        return min(len(queries), WINDOW), min(len(keys), WINDOW)

    def nearest(self, state: ViewState) -> ViewState:
        """The same, with a window inside the text, in a view that can show so many tokens."""
        near = AttentionView.nearest(self, state)
        window = [
            min(at, max(0, len(axis) - WINDOW)) for at, axis in zip(state.place, self.axes(near.kind), strict=True)
        ]
        shown = tuple(map(str, window)) if any(window) else ()
        head_view = near.view if near.view in VIEWS_OF_LONG_TEXTS else VIEWS_OF_LONG_TEXTS[0]
        return dataclasses.replace(near, window=shown, view=head_view)

    def missing(self, kind: AttentionKind) -> tuple[int, ...]:
        """Layers that were not computed."""
        weights = self.attention.of(kind)
        return () if weights is None else tuple(np.flatnonzero(np.isnan(weights).all((1, 2, 3))).tolist())

    def part(self, kind: AttentionKind, layer: int, head: int, window: tuple[int, int]) -> Floats | None:
        """The exact weights of a window that begins at this row and column; None where they are not at hand."""
        row, column = window
        rows = self.exact(kind, layer, head, (row, min(row + WINDOW, len(self.axes(kind)[0]))))
        return None if rows is None else np.ascontiguousarray(rows[:, column : column + WINDOW])


def whole(blocks: Floats, layers: tuple[int, ...] | None, n_layers: int) -> Floats:
    """Block means of all layers, (L, H, Q, K), NaN where a layer was not computed."""
    if layers is None:
        return blocks
    means = np.full((n_layers, *blocks.shape[1:]), np.nan, np.float32)
    means[list(layers)] = blocks
    return means
