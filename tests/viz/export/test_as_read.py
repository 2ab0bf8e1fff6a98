"""Printed figures show the matrix that the explorer draws, with the same reading aids."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

from model.interventions import AttentionKind
from model.trace import Floats
from tests.tiny import random_rows as rows
from viz.components.attention import AttentionView
from viz.export import as_read, screen_figure, screen_grid
from viz.export.as_read import small_pictures
from viz.figures import Paper
from viz.i18n import speaking
from viz.state.view_state import ViewState
from viz.theme import palette, ramp

SOURCE, TARGET, FED = ("▁The", "▁sleep", "s", ".", "</s>"), ("▁Il", "▁dor", "t", "</s>"), ("<s>", "▁Il", "▁dor", "t")


VIEW = AttentionView.from_arrays(
    encoder_self=rows(1, 2, 5, 5, seed=1), decoder_self=rows(1, 2, 4, 4, seed=2, is_causal=True),
    cross=rows(2, 2, 4, 5, seed=3), source_tokens=SOURCE, target_tokens=TARGET, prefix_tokens=FED, is_causal=True,
    caption="It sleeps. → Il dort · tiny",
)  # fmt: skip


def weights(kind: AttentionKind) -> Floats:
    map_ = VIEW.attention.of(kind)
    assert map_ is not None
    return map_


def test_without_aids_it_is_the_head_itself() -> None:
    matrix = as_read(VIEW, ViewState(kind="cross", layer=1, head=1))
    assert matrix.weights == pytest.approx(weights("cross")[1, 1], rel=1e-6)
    assert (matrix.queries, matrix.keys) == (("Il", "dor", "t", "</s>"), ("The", "sleep", "s", ".", "</s>"))


def test_words_sum_keys_and_average_queries() -> None:
    matrix = as_read(VIEW, ViewState(kind="cross", unit="words"))
    token_weights = weights("cross")[0, 0]
    assert (matrix.queries, matrix.keys) == (("Il", "dort", "</s>"), ("The", "sleeps", ".", "</s>"))
    assert matrix.weights[1, 1] == pytest.approx(token_weights[1:3, 1:3].sum(1).mean(), rel=1e-6)
    assert np.allclose(matrix.weights.sum(-1), 1)


def test_removed_sinks_are_empty_and_the_rest_sums_to_one() -> None:
    matrix = as_read(VIEW, ViewState(kind="cross", sinks="removed", sink_kinds=("end",)))
    assert (matrix.weights[:, 4] == 0).all() and (matrix.weights[:, 3] > 0).all()
    assert np.allclose(matrix.weights.sum(-1), 1)


def test_weights_below_the_threshold_and_later_tokens_are_not_drawn() -> None:
    matrix = as_read(VIEW, ViewState(kind="decoder_self", threshold=0.3, head=1))
    all_weights = weights("decoder_self")[0, 1]
    assert np.array_equal(np.isnan(matrix.weights), (all_weights < 0.3) | (np.tri(4) == 0))


def test_rows_are_called_as_on_screen() -> None:
    matrix = as_read(VIEW, ViewState(kind="cross", rows="fed"))
    assert matrix.queries == ("<s>", "Il", "dor", "t") and "Rows are token fed in" in matrix.caption
    assert "Rows are" not in as_read(VIEW, ViewState(kind="encoder_self", rows="fed")).caption


@pytest.mark.parametrize("combine", ["mean", "max"])
def test_several_heads_are_one_matrix_and_all_are_named(combine: str) -> None:
    matrix = as_read(VIEW, ViewState(kind="cross", layer=0, head=0, heads=("1.1",), combine=combine), first_index=1)
    head_weights = weights("cross")[[0, 1], [0, 1]]
    assert matrix.weights == pytest.approx(head_weights.mean(0) if combine == "mean" else head_weights.max(0), rel=1e-6)
    assert "layer 1, head 1; layer 2, head 2" in matrix.caption


def test_the_figure_prints_the_matrix_of_the_reading_aids_and_names_them() -> None:
    state = ViewState(kind="cross", sinks="removed", threshold=0.2)
    view = dataclasses.replace(VIEW, weighting="value_weighted")
    with speaking("en"):
        svg = screen_figure(view, state, file_format="svg").decode()
        source = screen_figure(view, state, file_format="tikz", paper=Paper(120)).decode()
    for words in ("sinks removed", "weights of at least 0.20", "× value norm", "It sleeps. → Il dort · tiny"):
        assert words in svg
    expected = as_read(view, state).weights
    numbers = [f"{weight:.2f}" for weight in expected[np.isfinite(expected)]]
    assert 0 < len(numbers) < expected.size
    assert sorted(numbers) == sorted(source_values(source)) and all(text in svg for text in numbers)


def source_values(source: str) -> list[str]:
    """The numbers in the cells of a TikZ figure."""
    return [line.rpartition("{")[2].rstrip("};") for line in source.splitlines() if line.startswith(r"\node[value")]


SCALES = [
    ("head", "linear", lambda weights: weights / weights.max()),
    ("row", "linear", lambda weights: weights / weights.max(-1, keepdims=True)),
    ("common", "linear", lambda weights: weights),
    ("common", "sqrt", np.sqrt),
]


@pytest.mark.parametrize(("scale", "curve", "ink"), SCALES)
def test_ink_follows_the_chosen_scale(scale: str, curve: str, ink) -> None:
    matrix = as_read(VIEW, ViewState(kind="cross", layer=1, scale=scale, curve=curve, sinks="shown"))
    assert matrix.shading.ink == pytest.approx(ink(weights("cross")[1, 0]), rel=1e-5)


def test_greyed_sinks_are_grey_and_do_not_set_the_scale() -> None:
    matrix = as_read(VIEW, ViewState(kind="cross", sinks="greyed", sink_kinds=("end",)))
    all_weights = weights("cross")[0, 0]
    assert matrix.shading.ink == pytest.approx((all_weights / all_weights[:, :4].max()).clip(0, 1), rel=1e-5)
    fills = matrix.shading.fills("cross", "light")
    channels = np.array([[int(fill[i : i + 2], 16) for i in (1, 3, 5)] for fill in fills[:, 4]])
    assert (np.ptp(channels, axis=1) < 8).all(), "a grey has three channels that are nearly alike"


@pytest.mark.parametrize("name", ["hue", "viridis", "cividis", "grey"])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_palettes_are_those_of_the_explorer(name: str, mode) -> None:
    source = (Path(__file__).parents[3] / "viz/components/attention/js/picture/colour.js").read_text("utf-8")
    extremes = ramp(name, "cross", mode)[::8]
    if name in ("viridis", "cividis"):
        match = re.search(rf"{name.upper()} = \[(.*?)\]", source)
        assert match is not None
        stops = re.findall(r"#\w{6}", match[1])
        assert list(extremes) == [stops[0], stops[-1]][:: 1 if mode == "dark" else -1]
        assert ramp(name, "cross", mode, steps=len(stops)) == tuple(stops[:: 1 if mode == "dark" else -1])
    else:
        colours = palette(mode)
        assert [colour.upper() for colour in extremes] == [
            colours.panel, (colours.ink if name == "grey" else colours.kinds["cross"]).upper()
        ]  # fmt: skip


@pytest.mark.parametrize("palette_name", ["viridis", "grey"])
def test_printed_cells_have_the_colours_of_the_screen(palette_name: str) -> None:
    state = ViewState(kind="cross", scale="row", palette=palette_name, sinks="shown")
    svg = screen_figure(VIEW, state, file_format="svg").decode()
    fills = set(as_read(VIEW, state).shading.fills("cross", "light").flatten())
    assert len(fills) > 10 and fills <= set(ramp(palette_name, "cross", "light", steps=256))
    assert all(fill in svg for fill in fills)
    source = screen_figure(VIEW, state, file_format="tikz", paper=Paper(120)).decode()
    painted = {tuple(map(int, cell)) for cell in re.findall(r"red,(\d+);green,(\d+);blue,(\d+)", source)}
    assert painted == {tuple(int(fill[i : i + 2], 16) for i in (1, 3, 5)) for fill in fills}


def test_small_pictures_take_the_aids_of_the_screen() -> None:
    maps = weights("cross")
    assert small_pictures(VIEW, ViewState(kind="cross", scale="common", sinks="shown")) == pytest.approx(maps, rel=1e-5)
    strong = small_pictures(VIEW, ViewState(kind="cross", scale="common", sinks="shown", threshold=0.25))
    assert np.array_equal(strong == 0, maps < 0.25)
    removed = small_pictures(VIEW, ViewState(kind="cross", sinks="removed"))
    assert (removed[..., 3:] == 0).all() and removed.max(axis=(-1, -2)) == pytest.approx(1)
    pale = small_pictures(VIEW, ViewState(kind="cross", scale="common", sinks="greyed"))
    assert pale[..., 3:] == pytest.approx(0.35 * maps[..., 3:], rel=1e-5)
    assert small_pictures(VIEW, ViewState(kind="cross", unit="words")).shape == (2, 2, 3, 4)


def test_the_figure_of_all_heads_explains_its_axes_and_strikes_ablated_heads() -> None:
    view = dataclasses.replace(VIEW, heads_off=frozenset({("cross", 1, 0), ("encoder_self", 0, 1)}))
    state = ViewState(kind="cross", sinks="removed", threshold=0.2, rows="fed", palette="viridis")
    with speaking("fr"):
        svg = screen_grid(view, state, file_format="svg").decode()
    for words in ("It sleeps. → Il dort · tiny", "puits retirés", "poids d'au moins 0,20", "Couche", "Tête"):
        assert words in svg
    assert svg.count("╱") == 1
    plain = screen_grid(VIEW, ViewState(kind="cross"), file_format="svg").decode()
    images = [set(re.findall(r"data:image/png;base64,[^\"]+", text)) for text in (svg, plain)]
    assert len(images[0]) == len(images[1]) == 4 and not images[0] & images[1]


def test_a_long_caption_is_shortened_before_its_last_words() -> None:
    long = dataclasses.replace(VIEW, caption=f"{'the cat ' * 40}→ {'le chat ' * 40}· tiny")
    state = ViewState(kind="cross", sinks="removed", threshold=0.2)
    svg = screen_figure(long, state, file_format="svg").decode()
    assert "weights of at least 0.20" in svg and "sinks removed" in svg
