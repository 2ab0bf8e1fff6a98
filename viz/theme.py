"""Colours and chart templates: three kinds of attention in three hues, light and dark.

Weights run from the panel's colour to the hue of their kind, so that in both modes more ink means more
attention. Heads side by side take the palette of Okabe & Ito (2008), which is safe for colour-blind readers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import plotly.graph_objects as go

from model.interventions import AttentionKind
from viz.i18n import number_marks

Mode = Literal["light", "dark"]

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#F0E442", "#000000")
"""Eight categorical colours; on dark ground read them through ``categorical``."""

_STOPS = {
    "viridis": ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"),
    "cividis": ("#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"),
}
"""Palettes of the explorer beside the hues, darkest first."""

FONT = (
    '"Source Sans", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Naskh Arabic", '
    '"Segoe UI", "Noto Color Emoji", sans-serif'
)


@dataclass(frozen=True, slots=True)
class Palette:
    """Every colour of one mode, as ``#rrggbb``."""

    mode: Mode
    page: str
    panel: str
    line: str
    ink: str
    ink_soft: str
    """Labels and remarks: at least 4.5:1 on the panel."""
    accent: str
    kinds: Mapping[AttentionKind, str]
    """The hue of each kind of attention: at least 4.5:1 on the panel, so that it also serves for text."""
    less: str
    """Negative end of a signed difference; ``more`` is the positive one, the panel is zero."""
    more: str
    warm: str
    """A second colour beside the accent (prefix against source, held-out against training)."""
    good: str
    bad: str


LIGHT = Palette(
    mode="light",
    page="#FAFAF8",
    panel="#FFFFFF",
    line="#E5E5E0",
    ink="#171720",
    ink_soft="#62656F",
    accent="#7C3AED",
    kinds=MappingProxyType({"encoder_self": "#0B7285", "decoder_self": "#B4510B", "cross": "#7C3AED"}),
    less="#B2182B",
    more="#2166AC",
    warm="#C2700F",
    good="#0B7A4B",
    bad="#B3261E",
)

DARK = Palette(
    mode="dark",
    page="#121317",
    panel="#1A1C24",
    line="#2C2F3A",
    ink="#ECECF1",
    ink_soft="#A0A3B0",
    accent="#B794FF",
    kinds=MappingProxyType({"encoder_self": "#5CC8DB", "decoder_self": "#F2A65A", "cross": "#B794FF"}),
    less="#F4877C",
    more="#7FB5F0",
    warm="#E0A458",
    good="#5FD3A0",
    bad="#FF8A80",
)


def palette(mode: Mode) -> Palette:
    """The colours of a mode."""
    return DARK if mode == "dark" else LIGHT


def css_variables(fonts: str = "'Source Sans 3','Source Sans Pro',system-ui") -> str:
    """The colours of both modes for a page of our own, as CSS: by the names that Streamlit gives a component
    ("--st-text-color"), and by ours ("--soft-ink", "--cross")."""
    print_is_light = "@media screen and (prefers-color-scheme:dark)"
    light, dark = (f"{_declarations(colours)}--st-font:{fonts}" for colours in (LIGHT, DARK))
    return f":root{{color-scheme:light dark;{light}}}{print_is_light}{{:root{{{dark}}}}}"


def _declarations(colours: Palette) -> str:
    named = {
        "st-background-color": colours.page, "st-text-color": colours.ink, "st-primary-color": colours.accent,
        "st-secondary-background-color": colours.panel, "st-border-color": colours.line,
        "soft-ink": colours.ink_soft, "panel": colours.panel, "line": colours.line, "accent": colours.accent,
        "on-accent": "#121317" if colours.mode == "dark" else "#FFFFFF",
        "good": colours.good, "bad": colours.bad, "warm": colours.warm,
        **{kind.replace("_", "-"): hue for kind, hue in colours.kinds.items()},
    }  # fmt: skip
    return "".join(f"--{name}:{colour};" for name, colour in named.items())


def blend(low: str, high: str, share: float) -> str:
    """The colour at ``share`` (0 to 1) of the way from ``low`` to ``high``, mixed in sRGB."""
    channels = (round(int(low[i : i + 2], 16) * (1 - share) + int(high[i : i + 2], 16) * share) for i in (1, 3, 5))
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def sequential(kind: AttentionKind, mode: Mode, *, steps: int = 9) -> tuple[str, ...]:
    """Colours for weights 0 to 1 of one kind, from the panel to the hue."""
    colours = palette(mode)
    return tuple(blend(colours.panel, colours.kinds[kind], i / (steps - 1)) for i in range(steps))


def ramp(name: str, kind: AttentionKind, mode: Mode, *, steps: int = 9) -> tuple[str, ...]:
    """Colours for weights 0 to 1 in a palette of the explorer, as its colour.js has them; an unknown one is the hue."""
    colours = palette(mode)
    if name in _STOPS:
        stops = _STOPS[name] if mode == "dark" else _STOPS[name][::-1]
    else:
        stops = (colours.panel, colours.ink if name == "grey" else colours.kinds[kind])
    places = [i / (steps - 1) * (len(stops) - 1) for i in range(steps)]
    below = [min(int(place), len(stops) - 2) for place in places]
    return tuple(blend(stops[i], stops[i + 1], place - i) for i, place in zip(below, places, strict=True))


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2) of ``#rrggbb``, 0 black to 1 white."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def diverging(mode: Mode, *, steps: int = 11) -> tuple[str, ...]:
    """Colours for differences -1 to 1; the middle one, for 0, is the panel itself."""
    colours, half = palette(mode), steps // 2
    falling = (blend(colours.panel, colours.less, i / half) for i in range(half, 0, -1))
    rising = (blend(colours.panel, colours.more, i / half) for i in range(1, half + 1))
    return (*falling, colours.panel, *rising)


def categorical(mode: Mode) -> tuple[str, ...]:
    """Colours for heads side by side; on dark ground white replaces the darkest."""
    return (*OKABE_ITO[:-1], "#FFFFFF") if mode == "dark" else OKABE_ITO


def plotly_scale(colours: tuple[str, ...]) -> list[tuple[float, str]]:
    """Colours spread evenly over 0 to 1, as Plotly's ``colorscale``."""
    return [(i / (len(colours) - 1), colour) for i, colour in enumerate(colours)]


def plotly_template(mode: Mode) -> go.layout.Template:
    """Quiet axes, our fonts and colours: ``figure.update_layout(template=plotly_template(mode))``."""
    colours = palette(mode)
    axis = {
        "gridcolor": colours.line,
        "linecolor": colours.line,
        "zerolinecolor": colours.line,
        "ticks": "",
        "title": {"font": {"size": 13, "color": colours.ink_soft}},
    }
    return go.layout.Template(
        layout={
            "font": {"family": FONT, "size": 13, "color": colours.ink},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "colorway": list(categorical(mode)),
            "xaxis": axis,
            "yaxis": axis | {"ticklabelstandoff": 5},
            "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
            "separators": "".join(number_marks()),
            "hoverlabel": {"bgcolor": colours.ink, "font": {"family": FONT, "size": 13, "color": colours.panel}},
        }
    )


def altair_theme(mode: Mode) -> dict[str, Any]:
    """A Vega-Lite ``config`` in the same style: ``chart.configure(**altair_theme(mode))``."""
    colours = palette(mode)
    decimal, thousands = number_marks()
    text = {
        "labelColor": colours.ink_soft, "titleColor": colours.ink_soft, "labelFont": FONT, "titleFont": FONT,
        "titleFontWeight": "normal",
    }  # fmt: skip
    return {
        "background": "transparent",
        "view": {"stroke": "transparent"},
        "axis": {**text, "gridColor": colours.line, "domainColor": colours.line, "tickColor": colours.line},
        "legend": text,
        "range": {"category": list(categorical(mode))},
        "font": FONT,
        "locale": {"number": {"decimal": decimal, "thousands": thousands, "grouping": [3], "currency": ["", ""]}},
    }


def in_both_modes(*names: str) -> dict[Mode, dict[str, str]]:
    """The hues of the kinds of attention and the colours of these names, in light and dark, for the browser."""
    return {each.mode: {**each.kinds, **{name: getattr(each, name) for name in names}} for each in (LIGHT, DARK)}
