"""Figures of positional encodings: the table, its waves, similarities and rotations, the effect of word order on
attention, and distances in attention: rotary positions (Su et al. 2021) and ALiBi (Press et al. 2022)."""

import re
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.teaching.position_properties import encoding, frequencies, wavelengths
from model.trace import Floats
from viz.figures.laboratory import Array, finish, weight_maps
from viz.figures.tokens import plotly_text
from viz.i18n import number
from viz.theme import Mode, categorical, diverging, palette, plotly_scale


def table_map(table: Array, *, axis_names: tuple[str, str], mode: Mode = "light") -> go.Figure:
    """A position table (P, D) as a map, positions down.

    Args:
        axis_names: what dimensions and positions are called.
    """
    figure = go.Figure(_heat(table, mode, float(np.abs(table).max() or 1)))
    figure.update_traces(hovertemplate=f"{axis_names[1]} %{{y}}, {axis_names[0]} %{{x}}: %{{z:.3f}}<extra></extra>")
    figure.update_xaxes(title=axis_names[0])
    figure.update_yaxes(title=axis_names[1], autorange="reversed")
    return finish(figure, mode, 430)


def waves(
    d_model: int, pairs: Sequence[int], n_positions: int, *, names: tuple[str, str], mode: Mode = "light"
) -> go.Figure:
    """Sine and cosine of chosen dimension pairs, one row per pair, with its wavelength.

    Args:
        names: of the position axis; a title with ``{pair}`` and ``{wavelength}``.
    """
    fine = np.linspace(0, n_positions - 1, 600)
    colours = categorical(mode)
    lengths, speeds = wavelengths(d_model), frequencies(d_model)
    texts = [number(lengths[pair], ",.1f") for pair in pairs]
    titles = [
        names[1].format(pair=f"{2 * pair}, {2 * pair + 1}", wavelength=wavelength)
        for pair, wavelength in zip(pairs, texts, strict=True)
    ]
    figure = make_subplots(len(pairs), 1, shared_xaxes=True, subplot_titles=titles, vertical_spacing=0.32 / len(pairs))
    for row, pair in enumerate(pairs, start=1):
        for name, values, colour in (("sin", np.sin, colours[0]), ("cos", np.cos, colours[1])):
            line = go.Scatter(
                x=fine, y=values(fine * speeds[pair]), mode="lines", name=name, showlegend=row == 1,
                line={"color": colour, "width": 2}, hovertemplate=f"{name} %{{y:.3f}}<extra>%{{x:.1f}}</extra>",
            )  # fmt: skip
            figure.add_trace(line, row, 1)
    figure.update_yaxes(range=[-1.15, 1.15], tickvals=[-1, 0, 1])
    figure.update_xaxes(title=names[0], row=len(pairs), col=1)
    figure.update_layout(legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1.12})
    return finish(figure, mode, 120 * len(pairs) + 40, top=36)


def one_position(vector: Array, *, axis_names: tuple[str, str], mode: Mode = "light") -> go.Figure:
    """One position's vector (D,) as bars: fast dimensions first."""
    colours = palette(mode)
    bars = go.Bar(
        y=vector, marker={"color": [colours.more if x >= 0 else colours.less for x in vector], "line": {"width": 0}},
        hovertemplate="%{x}: %{y:.3f}<extra></extra>",
    )  # fmt: skip
    figure = go.Figure(bars)
    figure.update_layout(bargap=0.1)
    figure.update_xaxes(title=axis_names[0])
    figure.update_yaxes(title=axis_names[1], range=[-1.1, 1.1])
    return finish(figure, mode, 320)


def dot_curve(d_model: int, n_offsets: int, *, names: tuple[str, str, str], mode: Mode = "light") -> go.Figure:
    """PE(pos) · PE(pos + k) against k, and a few of the cosines that it is the sum of.

    Args:
        names: of the offset axis, the sum, and a pair with ``{pair}``.
    """
    offsets = np.arange(-n_offsets, n_offsets + 1)
    cosines = np.cos(offsets[:, None] * frequencies(d_model))  # (O, D/2)
    colours = palette(mode)
    figure = make_subplots(2, 1, shared_xaxes=True, row_heights=[0.62, 0.38], vertical_spacing=0.08)
    line = {"color": colours.accent, "width": 3}
    figure.add_trace(go.Scatter(x=offsets, y=cosines.sum(1), mode="lines", name=names[1], line=line), 1, 1)
    n_pairs = cosines.shape[1]
    for place, pair in enumerate(sorted({int(share * (n_pairs - 1)) for share in (0, 0.15, 0.3, 0.5)})):
        line = {"color": categorical(mode)[place], "width": 1.5}
        name = names[2].format(pair=pair)
        figure.add_trace(go.Scatter(x=offsets, y=cosines[:, pair], mode="lines", name=name, line=line), 2, 1)
    figure.update_traces(hovertemplate="%{y:.2f}<extra>k = %{x}</extra>")
    figure.update_xaxes(title=names[0], row=2, col=1)
    figure.update_layout(legend={"orientation": "h", "y": -0.2})
    return finish(figure, mode, 470)


def similarity_map(values: Array, *, axis_name: str, title: str = "", mode: Mode = "light") -> go.Figure:
    """Cosine of every two positions (P, P)."""
    figure = go.Figure(_heat(values, mode, 1.0))
    figure.update_traces(hovertemplate="%{x} · %{y}: %{z:.3f}<extra></extra>")
    figure.update_xaxes(title=axis_name)
    figure.update_yaxes(title=axis_name, autorange="reversed", scaleanchor="x", constrain="domain")
    figure.update_layout(title={"text": title, "font": {"size": 13}})
    return finish(figure, mode, 400, top=36 if title else 8)


def rotation_circle(position: int, offset: int, pair: int, d_model: int, *, mode: Mode = "light") -> go.Figure:
    """One pair of PE(pos) as an arrow on the circle, and its rotation to PE(pos + offset)."""
    colours = palette(mode)
    speed = frequencies(d_model)[pair]
    angles = np.array([position, position + offset]) * speed
    turn = np.linspace(0, 2 * np.pi, 181)
    figure = go.Figure(go.Scatter(x=np.cos(turn), y=np.sin(turn), mode="lines", line={"color": colours.line}))
    sweep = np.linspace(angles[0], angles[1], 60)
    figure.add_trace(
        go.Scatter(
            x=0.35 * np.cos(sweep), y=0.35 * np.sin(sweep), mode="lines", line={"color": colours.warm, "width": 3}
        )
    )
    for angle, name, colour in ((angles[0], "pos", colours.ink), (angles[1], "pos + k", colours.accent)):
        point = (float(np.cos(angle)), float(np.sin(angle)))
        figure.add_annotation(x=point[0], y=point[1], ax=0, ay=0, axref="x", ayref="y", arrowcolor=colour,
                              arrowwidth=2.5, arrowhead=2, text="")  # fmt: skip
        figure.add_annotation(x=1.16 * point[0], y=1.16 * point[1], text=name, showarrow=False, font={"color": colour})
    figure.update_traces(hoverinfo="skip")
    figure.update_xaxes(range=[-1.35, 1.35], title="cos", zeroline=True)
    figure.update_yaxes(range=[-1.35, 1.35], title="sin", scaleanchor="x", zeroline=True)
    figure.update_layout(showlegend=False)
    return finish(figure, mode, 400)


def layouts(d_model: int, n_positions: int, *, titles: tuple[str, str], mode: Mode = "light") -> go.Figure:
    """The same table interleaved and with all sines first."""
    figure = make_subplots(1, 2, subplot_titles=list(titles), horizontal_spacing=0.05, shared_yaxes=True)
    for column, halves in ((1, False), (2, True)):
        figure.add_trace(_heat(encoding(np.arange(n_positions), d_model, halves=halves), mode, 1.0), 1, column)
    figure.update_yaxes(autorange="reversed")
    return finish(figure, mode, 400, top=36)


def entrance_maps(
    token: Floats, position: Floats, summed: Floats, tokens: Sequence[str], *, titles: tuple[str, str, str],
    mode: Mode = "light",
) -> go.Figure:  # fmt: skip
    """Embedding, position and their sum of a sentence, each (N, D), on one scale."""
    figure = make_subplots(1, 3, subplot_titles=list(titles), horizontal_spacing=0.02, shared_yaxes=True)
    limit = float(np.quantile(np.abs(summed), 0.99)) or 1.0
    for column, values in enumerate((token, position, summed), start=1):
        figure.add_trace(_heat(values, mode, limit), 1, column)
    _name_rows(figure, tokens)
    return finish(figure, mode, max(260, min(560, 26 * len(tokens) + 90)), top=36)


def order_maps(
    maps: Sequence[Floats], tokens: Sequence[str], *, titles: Sequence[str], mode: Mode = "light"
) -> go.Figure:
    """Attention (S, S) of the sentence in order and shuffled, side by side; titles may have two lines."""
    names = [re.sub(r"(?<=[,，]) ?", "<br>", title, count=1) for title in titles]
    figure = weight_maps(maps, tokens, tokens, titles=names, kind="encoder_self", mode=mode, height=340)
    _name_rows(figure, tokens)
    return figure.update_layout(margin_t=50)


def shift_curve(
    shifts: Sequence[int], values: Floats, *, names: tuple[str, str], trained: int | None, trained_name: str,
    mode: Mode = "light",
) -> go.Figure:  # fmt: skip
    """Mean log-probability of a translation as its source is moved along the positions."""
    colours = palette(mode)
    figure = go.Figure(
        go.Scatter(x=list(shifts), y=values, mode="lines+markers", line={"color": colours.accent, "width": 2.5})
    )
    figure.update_traces(hovertemplate="+%{x}: %{y:.3f}<extra></extra>")
    if trained is not None:
        figure.add_vline(x=trained, line={"color": colours.warm, "dash": "dot"}, annotation_text=trained_name,
                         annotation_font_color=colours.warm)  # fmt: skip
    figure.update_xaxes(title=names[0])
    figure.update_yaxes(title=names[1], rangemode="tozero")
    return finish(figure, mode, 340, top=28)


def _heat(values: Array, mode: Mode, limit: float) -> go.Heatmap:
    return go.Heatmap(z=np.asarray(values, np.float32), zmin=-limit, zmax=limit, showscale=False,
                      colorscale=plotly_scale(diverging(mode)), hovertemplate="%{z:.3f}<extra></extra>")  # fmt: skip


def _name_rows(figure: go.Figure, tokens: Sequence[str]) -> None:
    figure.update_yaxes(autorange="reversed")
    if len(tokens) <= 32:
        figure.update_yaxes(tickvals=list(range(len(tokens))), ticktext=[plotly_text(token) for token in tokens])


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
    return finish(figure, mode, 320)


def agreement_curve(frequencies: Array, n_offsets: int, *, names: tuple[str, str], mode: Mode = "light") -> go.Figure:
    """The score of a query and an equal key at each distance, as a share of that at distance 0; all pairs equally long.

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
    return finish(figure, mode, 280)


def penalty_lines(
    slopes: Sequence[float], n_offsets: int, *, names: tuple[str, str, str], first: int = 0, mode: Mode = "light"
) -> go.Figure:
    """The factor by which each head's ALiBi bias multiplies a weight at each distance, before normalisation.

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
    return finish(figure, mode, 320)
