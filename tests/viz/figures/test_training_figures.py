"""Training curves and head changes show the measured values."""

import json

import numpy as np
import pytest

from model.training.settings import TrainingConfig, learning_rate
from viz.figures.training import Curve, moved_heads, schedule_curve, training_curves


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
