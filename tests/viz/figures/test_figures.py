"""Figures show the values of their arrays in every format, with any tokens."""

import base64
import io
import itertools
import json
import xml.etree.ElementTree as ElementTree
from typing import Any, cast

import numpy as np
import pytest
from PIL import Image

from model.teaching.position_properties import encoding
from model.trace import ShapeError
from model.training.settings import TrainingConfig, learning_rate
from tests.tiny import random_rows as rows
from viz.figures import (
    attention_map,
    difference_map,
    head_grid,
    laboratory,
    log_probability_curve,
    metric_by_layer,
    positions,
    render,
)
from viz.figures.head_grid import picture
from viz.figures.laboratory import bars, weight_maps, with_numbers
from viz.figures.tokens import as_candidates
from viz.figures.training import Curve, moved_heads, schedule_curve, training_curves
from viz.panels.chart import stands_side_by_side
from viz.theme import blend, luminance, palette, sequential

HOSTILE = ("<img src=x onerror=alert(1)>", "</script>", '"; drop', "\u202egnp.exe", "the", "the", "中文", "🙂")


def cells(chart: Any) -> dict[tuple[int, int], float]:
    """The weights of a chart by (query, key)."""
    data = next(iter(chart.to_dict()["datasets"].values()))
    return {(row["query"], row["key"]): row["weight"] for row in data}


def pixels(url: str) -> np.ndarray:
    """RGB values of a PNG in a data URL."""
    content = base64.b64decode(url.removeprefix("data:image/png;base64,"))
    return np.asarray(Image.open(io.BytesIO(content), formats=["png"]).convert("RGB"))


def svg_texts(svg: bytes) -> list[str]:
    root = ElementTree.fromstring(svg)
    tags = {element.tag.split("}")[1] for element in root.iter()}
    assert not tags - {"svg", "g", "path", "line", "text", "rect", "defs", "clipPath"}
    return ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]


def test_a_map_draws_each_weight_at_its_place() -> None:
    weights = rows(3, 4)
    weights_by_cell = cells(attention_map(weights, queries="abc", keys="wxyz", kind="cross"))
    assert weights_by_cell == {place: pytest.approx(float(weights[place]), abs=1e-6) for place in np.ndindex(3, 4)}


def test_a_causal_map_has_no_cell_after_the_query() -> None:
    weights_by_cell = cells(attention_map(rows(3, 3), queries="abc", keys="abc", kind="decoder_self", is_causal=True))
    assert set(weights_by_cell) == {(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)}


def test_hostile_and_repeated_tokens_stay_text() -> None:
    chart = attention_map(rows(8, 8), queries=HOSTILE, keys=HOSTILE, kind="cross", caption="<b>caption</b>")
    texts = svg_texts(render(chart, "svg"))
    assert texts.count("the") == 4
    assert sum(text.startswith("<img src=x") for text in texts) == 2
    assert "<b>caption</b>" in texts
    assert not any("\u202e" in text for text in texts)


@pytest.mark.nightly
def test_numbers_stand_in_the_cells_while_they_fit() -> None:
    small = svg_texts(
        render(attention_map(np.full((4, 4), 0.25, np.float32), queries="abcd", keys="abcd", kind="cross"), "svg")
    )
    assert small.count("0.25") == 16
    large = attention_map(rows(30, 30), queries=["t"] * 30, keys=["t"] * 30, kind="cross")
    assert not any(text.startswith("0.") for text in svg_texts(render(large, "svg")))


def test_a_difference_is_signed_and_omits_missing_values() -> None:
    signed = np.array([[0.5, np.nan], [-0.25, 0.0]], dtype=np.float32)
    chart = difference_map(signed, queries="ab", keys="xy")
    assert cells(chart) == {(0, 0): 0.5, (1, 0): -0.25, (1, 1): 0.0}
    colour = chart.to_dict()["layer"][0]["encoding"]["color"]["scale"]
    assert colour["domain"] == [-0.5, 0.5]
    nothing = difference_map(np.full((2, 2), np.nan, np.float32), queries="ab", keys="xy")
    assert nothing.to_dict()["layer"][0]["encoding"]["color"]["scale"]["domain"] == [-1.0, 1.0]


@pytest.mark.nightly(but=("svg",))
@pytest.mark.parametrize(("file_format", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_every_format_is_written(file_format: Any, start: bytes) -> None:
    chart = attention_map(rows(2, 2), queries="ab", keys="ab", kind="cross")
    assert render(chart, file_format).startswith(start)


def test_a_background_is_drawn_only_when_wanted() -> None:
    chart = attention_map(rows(2, 2), queries="ab", keys="ab", kind="cross")
    assert b"#123456" in render(chart, "svg", transparent=False, background="#123456")
    assert b"#123456" not in render(chart, "svg", background="#123456")
    with pytest.raises(ValueError, match="svg, png, pdf"):
        render(chart, cast(Any, "gif"))


def test_a_head_in_the_grid_is_coloured_up_to_its_maximum() -> None:
    scale = sequential("cross", "light", steps=256)
    colours = pixels(picture(np.array([[0.0, 0.2], [0.1, 0.0]], np.float32), "cross", "light"))
    corners = ["#{:02x}{:02x}{:02x}".format(*colours[y, x]) for y, x in ((0, 0), (0, -1), (-1, 0), (-1, -1))]
    assert corners == [scale[0].lower(), scale[255].lower(), scale[128].lower(), scale[0].lower()]


def test_a_grid_has_a_picture_for_each_head() -> None:
    chart = head_grid(rows(3, 2, 4, 5), kind="encoder_self", caption="all", first_index=1)
    data = next(iter(chart.to_dict()["datasets"].values()))
    assert [(row["layer"], row["head"]) for row in data] == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]
    assert render(chart, "png").startswith(b"\x89PNG")
    with pytest.raises(ShapeError, match="layer, head, query, key"):
        head_grid(rows(3, 4), kind="cross")


def test_a_single_chinese_character_does_not_lie_on_its_side() -> None:
    angles = {}
    for name in ("层", "layer"):
        chart = head_grid(rows(1, 1, 2, 2), kind="cross", names=(name, "head")).to_dict()
        angles[name] = chart["layer"][0]["encoding"]["y"]["axis"].get("titleAngle")
    assert angles == {"层": 0, "layer": None}


def test_curves_draw_only_defined_points() -> None:
    values = np.array([[0.5, np.nan], [1.0, 2.0]], dtype=np.float32)
    chart = metric_by_layer(values, kind="cross", title="entropy, bits")
    data = next(iter(chart.to_dict()["datasets"].values()))
    assert [(row["layer"], row["head"], row["value"]) for row in data] == [(0, 0, 0.5), (1, 0, 1.0), (1, 1, 2.0)]
    curve = log_probability_curve(np.array([-0.5, -2], np.float32), ["le", "chat"])
    assert {"le", "chat"} <= set(svg_texts(render(curve, "svg")))


def test_tokens_and_weights_must_agree() -> None:
    with pytest.raises(ShapeError, match="3 query and 2 key"):
        attention_map(rows(2, 2), queries="abc", keys="ab", kind="cross")
    with pytest.raises(ShapeError, match="for 3 tokens"):
        log_probability_curve(np.zeros(2, np.float32), "abc")


def test_candidates_that_continue_a_word_are_marked_differently_from_those_that_begin_one() -> None:
    assert as_candidates(["▁homme", "homme", ".", "</s>", "▁"]) == ["homme", "-homme", ".", "</s>", "␣"]
    assert as_candidates(["le", "</s>"]) == ["le", "</s>"]


def test_maps_side_by_side_are_distinguished_from_maps_in_one_column():
    weights, tokens = np.full((2, 2), 0.5), ["a", "b"]
    for titles, expected in ((["one", "two"], True), (["one"], False)):
        figure = laboratory.weight_maps([weights] * len(titles), tokens, tokens, titles=titles)
        assert stands_side_by_side(figure) is expected
    assert not stands_side_by_side(positions.waves(16, [0, 1], 8, names=("p", "{pair} {wavelength}")))


@pytest.mark.parametrize("n", [1, 40, 41, 217, 512])
def test_bars_of_a_long_sentence_name_the_highest_and_leave_room_for_the_names(n: int) -> None:
    values = np.random.default_rng(n).random(n)
    labels = tuple(f"word{i}" for i in range(n))
    figure = bars((("p", values), ("q", values / 2)), labels, axis_name="weight").to_dict()
    axis = figure["layout"]["xaxis"]
    ticks = list(axis["tickvals"])
    assert list(axis["ticktext"]) == [labels[place] for place in ticks]
    assert int(values.argmax()) in ticks and len(ticks) <= 40
    assert n > 40 or ticks == list(range(n))
    assert all(after - before >= -(-n // 40) for before, after in itertools.pairwise(ticks))
    assert list(figure["data"][0]["customdata"]) == list(labels), "the hover texts name the other labels"


def test_the_two_layouts_of_positions_stand_in_their_order():
    traces: Any = positions.layouts(8, 5, titles=("one", "two")).data
    for figure, halves in zip(traces, (False, True), strict=True):
        np.testing.assert_allclose(figure.z, encoding(np.arange(5), 8, halves=halves), atol=1e-6)


@pytest.mark.parametrize(("n", "is_named"), [(32, True), (33, False)])
def test_rows_have_token_labels_while_these_are_legible(n, is_named):
    values, tokens = np.zeros((n, 4), np.float32), [f"t{i}" for i in range(n)]
    figure: Any = positions.entrance_maps(values, values, values, tokens, titles=("a", "b", "c"))
    assert figure.layout.yaxis.ticktext == (tuple(tokens) if is_named else None)


def test_a_heads_number_is_on_its_line():
    slopes = (0.5, 0.125)
    figure: Any = positions.penalty_lines(slopes, 64, names=("x", "y", "{head}"), first=1, mode="light")
    labels = [(label.text, label.x, label.y) for label in figure.layout.annotations]
    assert [(text, x) for text, x, _ in labels] == [("1", 2), ("2", 8)]
    assert [y for *_, y in labels] == pytest.approx([np.exp(-1)] * 2)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_each_number_has_contrast_with_its_cell(mode):
    cells = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)
    figure = weight_maps((cells,), list("abc"), list("defg"), titles=[""], kind="encoder_self", mode=mode)
    with_numbers(figure, cells, [[f"{cell:.2f}" for cell in row] for row in cells], "encoder_self", mode)
    notes: Any = figure.layout["annotations"]
    notes_by_cell = {(note.y, note.x): note for note in notes if note.text}
    assert len(notes_by_cell) == cells.size
    for (row, column), note in notes_by_cell.items():
        assert note.text == f"{cells[row, column]:.2f}"
        fill = blend(palette(mode).panel, palette(mode).kinds["encoder_self"], float(cells[row, column]))
        dark, light = sorted(luminance(colour) for colour in (note.font.color, fill))
        assert (light + 0.05) / (dark + 0.05) >= 4, (row, column)


def values(figure) -> list[dict]:
    """The rows of a figure's data."""
    described = json.loads(figure.to_json())
    return [row for rows in described["datasets"].values() for row in rows]


@pytest.mark.parametrize("schedule", ["constant", "noam", "cosine", "trapezoid"])
def test_the_curve_before_the_start_is_the_rate_that_each_step_will_have(schedule):
    config = TrainingConfig(steps=50, schedule=schedule, warmup_steps=10)
    rows = values(schedule_curve(config, 64, x_title="step", y_title="rate"))
    assert [row["step"] for row in rows] == list(range(1, 51))
    assert [row["value"] for row in rows] == pytest.approx([learning_rate(n, config, 64) for n in range(1, 51)])


def test_a_value_that_is_no_number_leaves_a_gap_and_a_long_curve_is_thinned():
    rows = values(training_curves([Curve("loss", [1, 2, 3], [1.0, float("nan"), 2.0])], x_title="step", y_title="loss"))
    assert [row["value"] for row in rows] == [1.0, None, 2.0]
    long = Curve("loss", range(5_000), [0.5] * 5_000)
    rows = values(training_curves([long], x_title="step", y_title="loss"))
    assert len(rows) <= 400 and (rows[0]["step"], rows[-1]["step"]) == (0, 4_999)


def test_each_head_has_its_cell_and_its_number():
    changes = (np.arange(6).reshape(2, 3) / 10).astype(np.float32)
    chart = moved_heads(
        {"cross": changes}, kind="cross", first_index=1, layer_title="layer", head_title="head", value_title="moved"
    )
    rows = values(chart)
    values_by_head = {(row["layer"], row["head"]): row["value"] for row in rows}
    assert values_by_head == {(i + 1, j + 1): pytest.approx(float(changes[i, j])) for i in range(2) for j in range(3)}


@pytest.mark.nightly(but=("1.99",))
@pytest.mark.parametrize("second", [2.01, 1.99])
def test_the_names_of_two_curves_that_end_close_together_do_not_cover_each_other(second):
    curves = [Curve("training", [1, 2], [3.0, 2.0]), Curve("held-out", [1, 2], [3.0, second])]
    layers = training_curves(curves, x_title="step", y_title="loss").to_dict()["layer"]
    offsets = {
        next(part["filter"]["equal"] for part in layer["transform"] if "equal" in str(part)): layer["mark"]["dy"]
        for layer in layers
        if layer["mark"]["type"] == "text"
    }
    upper, lower = sorted(offsets, key=offsets.__getitem__)
    assert offsets[lower] - offsets[upper] >= 20
    assert upper == ("held-out" if second > 2 else "training")
