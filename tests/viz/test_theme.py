"""Colours are readable, and mean the same in both modes."""

import pytest

from model.interventions import KINDS
from viz import theme


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(colour: str, background: str) -> float:
    bright, dark = sorted((_luminance(colour), _luminance(background)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_and_hues_stand_out_from_page_and_panel(mode):
    colours = theme.palette(mode)
    for ground in (colours.page, colours.panel):
        assert _contrast(colours.ink, ground) >= 7
        for colour in (colours.ink_soft, colours.accent, *colours.kinds.values(), colours.good, colours.bad):
            assert _contrast(colour, ground) >= 4.5, colour


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_captions_stand_out_though_streamlit_fades_them(mode):
    """Streamlit mixes a caption's colour from 60 % of the text's and 40 % of the page's."""
    colours = theme.palette(mode)
    pairs = [(int(colours.ink[i : i + 2], 16), int(colours.page[i : i + 2], 16)) for i in (1, 3, 5)]
    faded = "#" + "".join(f"{round(0.6 * ink + 0.4 * page):02x}" for ink, page in pairs)
    assert _contrast(faded, colours.page) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_more_weight_is_always_more_ink(mode, kind):
    colours = theme.sequential(kind, mode)
    contrasts = [_contrast(colour, theme.palette(mode).panel) for colour in colours]
    assert colours[0] == theme.palette(mode).panel.lower()
    assert contrasts == sorted(contrasts)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_no_difference_is_the_panels_colour(mode):
    colours = theme.diverging(mode, steps=11)
    assert len(colours) == 11
    assert colours[5] == theme.palette(mode).panel
    assert (colours[0], colours[-1]) == (theme.palette(mode).less.lower(), theme.palette(mode).more.lower())


def test_the_three_hues_differ():
    for mode in ("light", "dark"):
        assert len(set(theme.palette(mode).kinds.values())) == 3


def test_the_configured_theme_is_the_palette():
    import tomllib
    from pathlib import Path

    config = tomllib.loads(Path(theme.__file__).parents[1].joinpath(".streamlit/config.toml").read_text("utf-8"))
    for mode in ("light", "dark"):
        colours, configured = theme.palette(mode), config["theme"][mode]
        assert configured["primaryColor"] == colours.accent
        assert configured["backgroundColor"] == colours.page
        assert configured["secondaryBackgroundColor"] == colours.panel
        assert configured["textColor"] == colours.ink
    assert config["browser"]["gatherUsageStats"] is False


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", ["hue", "grey", "viridis", "cividis"])
def test_a_palette_has_its_colours_at_its_stops_and_mixes_them_between(name, mode):
    stops = theme._STOPS.get(name, (theme.palette(mode).panel, theme.ramp(name, "cross", mode)[-1]))
    stops = stops if mode == "dark" or name not in theme._STOPS else stops[::-1]
    colours = theme.ramp(name, "cross", mode, steps=2 * len(stops) - 1)
    assert [colour.lower() for colour in colours[::2]] == [colour.lower() for colour in stops]
    assert colours[1] == theme.blend(stops[0], stops[1], 0.5)
