"""The explorer's colour scales and palettes, for figures."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.interventions import AttentionKind
from model.trace import Floats
from viz.theme import Mode, blend, luminance, palette, ramp

_BRIGHT = 0.19
"""Relative luminance above which dark text has more contrast than light text, as in colour.js."""
_GREYED = 0.45
"""How dark a greyed sink's full ink is, between panel and ink."""


@dataclass(frozen=True, slots=True)
class Shading:
    """The strength and colour of each cell.

    Args:
        ink: (Q, K) from 0 to 1; NaN where nothing is drawn.
        palette: "hue" (the kind's own), "viridis", "cividis" or "grey".
        greyed: (K,) keys whose cells are grey in any palette; none when empty.
    """

    ink: Floats
    palette: str = "hue"
    greyed: tuple[bool, ...] = ()

    def fills(self, kind: AttentionKind, mode: Mode) -> NDArray[Any]:
        """(Q, K) colours as ``#rrggbb``."""
        places = np.rint(np.nan_to_num(self.ink).clip(0, 1) * 255).astype(np.intp)
        fills = np.array(ramp(self.palette, kind, mode, steps=256))[places]
        if any(self.greyed):
            colours = palette(mode)
            full = blend(colours.panel, colours.ink, _GREYED)
            greys = np.array([blend(colours.panel, full, i / 255) for i in range(256)])
            columns = np.array(self.greyed)
            fills[:, columns] = greys[places[:, columns]]
        return fills


def readable_on(fills: NDArray[Any], mode: Mode) -> NDArray[Any]:
    """The text colour, ink or panel, with the better contrast on each fill."""
    colours = palette(mode)
    dark, bright = sorted((colours.ink, colours.panel), key=luminance)
    inks = {fill: dark if luminance(fill) > _BRIGHT else bright for fill in np.unique(fills).tolist()}
    return np.vectorize(inks.__getitem__, otypes=[object])(fills) if fills.size else fills
