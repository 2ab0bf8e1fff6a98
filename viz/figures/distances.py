"""How attention itself sees distances, drawn: rotary positions (Su et al. 2021) and ALiBi (Press et al. 2022)."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.figures.finish import finished
from viz.theme import Mode, categorical, palette

Array = NDArray[np.floating]


def turn_lines(
    frequencies: Array, pairs: Sequence[int], n_positions: int, *, names: tuple[str, str, str], mode: Mode = "light"
) -> go.Figure:
    """The angle of chosen pairs at each position, in degrees from 0 to 360.

    Args:
        frequencies: radians a position of each pair, (K / 2,).
        names: of the position axis, of the angle axis, and of a line with ``{pair}``.
    """
    fine = np.linspace(0, n_positions - 1, max(400, 8 * n_positions))
    figure = go.Figure()
    for place, pair in enumerate(pairs):
        degrees = np.degrees(fine * frequencies[pair]) % 360
        degrees[1:][np.abs(np.diff(degrees)) > 180] = np.nan  # no line from the end of a turn to the next one's start
        figure.add_trace(
            go.Scatter(
                x=fine,
                y=degrees,
                mode="lines",
                name=names[2].format(pair=pair),
                line={"color": categorical(mode)[place % len(categorical(mode))], "width": 2},
                hovertemplate="%{x:.1f}: %{y:.0f}°<extra></extra>",
            )
        )
    figure.update_xaxes(title=names[0])
    figure.update_yaxes(title=names[1], range=[-5, 365], tickvals=[0, 90, 180, 270, 360], ticksuffix="°")
    figure.update_layout(legend={"orientation": "h", "y": -0.3, "x": 0})
    return finished(figure, mode, 320)


def agreement_curve(frequencies: Array, n_offsets: int, *, names: tuple[str, str], mode: Mode = "light") -> go.Figure:
    """What is left of the score of a query and an equal key at each distance, all pairs of the same length.

    Args:
        names: of the distance axis and of the share.
    """
    offsets = np.arange(n_offsets + 1)
    share = np.cos(offsets[:, None] * frequencies).mean(1)
    line = {"color": palette(mode).accent, "width": 2.5}
    figure = go.Figure(go.Scatter(x=offsets, y=share, mode="lines", line=line))
    figure.update_traces(hovertemplate="%{x}: %{y:.3f}<extra></extra>")
    figure.update_xaxes(title=names[0])
    figure.update_yaxes(title=names[1], range=[min(-0.3, float(share.min()) - 0.05), 1.05])
    return finished(figure, mode, 280)


def penalty_lines(
    slopes: Sequence[float], n_offsets: int, *, names: tuple[str, str, str], first: int = 0, mode: Mode = "light"
) -> go.Figure:
    """By what factor each head's ALiBi multiplies a weight at each distance, before the row is brought to 1 again.

    Args:
        names: of the distance axis, of the factor, and of a head with ``{head}``.
        first: 0 or 1, what the first head is called.
    """
    offsets = np.arange(n_offsets + 1)
    colours = palette(mode)
    figure = go.Figure()
    for head, slope in enumerate(slopes, start=first):
        figure.add_trace(
            go.Scatter(
                x=offsets,
                y=np.exp(-slope * offsets),
                mode="lines",
                name=names[2].format(head=head),
                line={"color": colours.accent, "width": 2},
                opacity=0.35 + 0.65 * (head + 1 - first) / len(slopes),
                hovertemplate=f"{names[2].format(head=head)} · %{{x}}: ×%{{y:.3f}}<extra></extra>",
            )
        )
        if len(slopes) <= 16:
            at = min(n_offsets, max(1, round(1 / slope))) if slope else n_offsets
            figure.add_annotation(x=at, y=float(np.exp(-slope * at)), text=str(head), showarrow=False, yshift=9,
                                  font={"size": 11, "color": colours.ink_soft})  # fmt: skip
    figure.update_xaxes(title=names[0])
    figure.update_yaxes(title=names[1], range=[-0.02, 1.05])
    figure.update_layout(showlegend=False)
    return finished(figure, mode, 320)
