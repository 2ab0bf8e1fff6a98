"""The Inside page: every number shown follows from the others by the stated rule."""

import dataclasses
import json
from typing import Any, get_args

import numpy as np
import pytest

from model.bundle import Bundle
from model.config import Activation
from model.interpret.inspection import inspect_head
from model.interpret.inspection_steps import Variation
from model.interventions import KINDS, AttentionKind, HeadOff, Interventions
from model.layer_spec import LayerSpec
from tests.tiny import tiny_config, tiny_model
from viz.components.inside import pack
from viz.components.inside.screen import Operand, Rule, Screen
from viz.i18n import speaking, tr
from viz.inside.screens import STEPS, screen_of
from viz.inside.view import VECTORS, View
from viz.panels.formula import formula

SOURCE, PREFIX = (5, 9, 7, 12, 3), (2, 6, 8, 4)
T5: dict[str, Any] = {
    "positions": "relative", "norm_kind": "rms", "gated_feed_forward": True, "score_scale": 1.0,
    "attention_bias": False, "feed_forward_bias": False, "d_key": 6, "d_value": 6,
}  # fmt: skip
PRE = tiny_config()


def with_cap(spec: LayerSpec, cap: float) -> LayerSpec:
    cross = spec.cross and dataclasses.replace(spec.cross, cap=cap)
    return dataclasses.replace(spec, attention=dataclasses.replace(spec.attention, cap=cap), cross=cross)


CAPPED: dict[str, Any] = {
    "layer_specs": tuple(with_cap(PRE.layers(encoder=encoder)[0], 0.5) for encoder in (True, False)),
    "layer_pattern": (0,) * PRE.n_encoder_layers + (1,) * PRE.n_decoder_layers,
}
BUILDS = ({}, {"encoder_norm_first": False, "decoder_norm_first": False, "attention_bias": False, "d_value": 5}, T5,
          CAPPED)  # fmt: skip


def view_of(kind, *, is_matrix, build=None, vector="query", **options):
    model = tiny_model(1, **(build or {}))
    bundle = Bundle("tiny", model, model.config, None, None)
    inspection = inspect_head(bundle, (SOURCE, PREFIX), kind=kind, layer=1, head=1, **options)
    queries = tuple(f"q{i}" for i in range(len(inspection.stream)))
    keys = tuple(f"k{i}" for i in range(len(inspection.key)))
    return View(inspection, queries, keys, 1, 2, is_matrix, vector)


def line(screen: Screen, operand: Operand | None, row: int, column: int):
    assert operand is not None
    values = next(block.values for block in screen.blocks if block.name == operand.block)
    index = {"row": row, "column": column, "first": 0}[operand.at]
    return values[index] if operand.line == "row" else values[:, index]


def apply_rule(screen: Screen, rule: Rule, row: int, column: int) -> float:
    """A number computed by a rule, as in the browser."""
    blocks = {block.name: block.values for block in screen.blocks}
    parts = [blocks[name] for name in rule.parts]
    if rule.how == "dot":
        total = float(line(screen, rule.left, row, column) @ line(screen, rule.right, row, column))
        total += float(blocks[rule.bias][0, column]) if rule.bias else 0.0
        total = max(total, 0.0) if rule.wrapped == "ReLU" else total
        total = total / (1 + np.exp(-total)) if rule.wrapped == "SiLU" else total
        return total * float(blocks[rule.times][row, column]) if rule.times else total
    if rule.how == "sum":
        return sum(float(part[row, column]) * (rule.factor if not i else 1) for i, part in enumerate(parts))
    if rule.how == "divide":
        return float(parts[0][row, column]) / rule.factor
    if rule.how == "cap":
        return float(np.tanh(parts[0][row, column] / rule.factor)) * rule.factor
    if rule.how == "mask":
        return float(parts[0][row, column]) if parts[1][row, column] > 0.5 else -np.inf
    if rule.how == "softmax":
        among = parts[0][row] if rule.over == "row" else parts[0][:, column]
        return float(np.exp(parts[0][row, column]) / np.exp(among).sum())
    x, mean, deviation, gain, shift = parts
    return float((x[row, column] - mean[row, 0]) / deviation[row, 0] * gain[0, column] + shift[0, column])


def check_rules(screen: Screen, step: str) -> int:
    """Check every number of a screen by its rule; returns the number of rules."""
    for rule in screen.rules:
        values = next(block.values for block in screen.blocks if block.name == rule.of)
        for row in range(values.shape[0]):
            for column in range(min(values.shape[1], 8)):
                expected = apply_rule(screen, rule, row, column)
                assert values[row, column] == pytest.approx(expected, rel=1e-3, abs=3e-4), (step, rule.of)
    return len(screen.rules)


@pytest.mark.nightly("cross", "decoder_self", "build0")
@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("is_matrix", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_shown_number_follows_by_its_rule(kind, is_matrix, build):
    n_rules = 0
    for step in STEPS:
        for vector in VECTORS if step == "project" else ("query",):
            screen = screen_of(step, view_of(kind, is_matrix=is_matrix, build=build, vector=vector))
            n_rules += check_rules(screen, step)
    assert n_rules >= 13


@pytest.mark.parametrize("is_matrix", [False, True])
@pytest.mark.parametrize("step", STEPS)
def test_each_screen_begins_at_a_number_that_it_shows(step, is_matrix):
    screen = screen_of(step, view_of("cross", is_matrix=is_matrix))
    name, row, column = screen.focus
    block = next(block for block in screen.blocks if block.name == name)
    assert block.place is not None and row < block.values.shape[0] and column < block.values.shape[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", STEPS)
def test_no_part_of_a_screen_covers_another(step, kind):
    screen = screen_of(step, view_of(kind, is_matrix=True))
    rectangles = [part.place for part in (*screen.blocks, *screen.signs) if part.place]
    assert len(rectangles) == len(set(rectangles)) > 0


@pytest.mark.parametrize("vector", VECTORS)
def test_one_projection_is_cut_into_equal_parts_of_which_the_marked_one_is_this_heads(vector):
    view = view_of("cross", is_matrix=False, vector=vector)
    head_vectors = getattr(view.head, vector)  # (N, K)
    every = np.stack([head_vectors * 0, head_vectors])  # the screen shows head 1 of 2
    screen = screen_of("split", dataclasses.replace(view, every_head=every))
    whole, cut = (next(block for block in screen.blocks if block.name == name) for name in ("whole", "cut"))
    row = view.query if vector == "query" else view.key
    assert whole.values.shape == (1, cut.values.size) and cut.values.shape == (2, head_vectors.shape[1])
    assert np.array_equal(whole.values.reshape(cut.values.shape), cut.values)
    first, last = whole.marked or (0, 0)
    assert np.array_equal(whole.values[0, first : last + 1], head_vectors[row])


def test_a_row_that_was_switched_is_not_called_a_softmax():
    interventions = Interventions(heads_off=(HeadOff("cross", 1, 1, "uniform"),))
    assert not screen_of("softmax", view_of("cross", is_matrix=True, interventions=interventions)).rules
    assert screen_of("softmax", view_of("cross", is_matrix=True)).rules


def test_the_packet_holds_the_arrays_bit_by_bit():
    screen = screen_of("mask", view_of("decoder_self", is_matrix=True))
    packet = pack(screen, {"words": {"may_see": "</script>"}})
    length = int.from_bytes(packet[:4], "little")
    header = json.loads(packet[4 : 4 + length])
    assert (4 + length) % 4 == 0
    got = np.zeros((0, 0))
    for block, described in zip(screen.blocks, header["blocks"], strict=True):
        start = 4 + length + described["offset"]
        got = np.frombuffer(packet, np.float32, block.values.size, start).reshape(described["shape"])
        np.testing.assert_array_equal(got, block.values)
    assert np.isneginf(got[0, 1])


def test_leaving_out_the_scaling_shows_in_the_formula_and_in_the_divisor():
    screen = screen_of("scale", view_of("cross", is_matrix=True, variation=Variation(without_scaling=True)))
    assert screen.rules[0].factor == 1.0
    latex = formula("scale", lit="#112233", quiet="#445566", config=PRE, kind="cross", without=("without_scaling",))
    assert r"\cancel{\sqrt{d_k}}" in latex


@pytest.mark.parametrize("is_norm_first", [True, False])
@pytest.mark.parametrize("step", [*STEPS, "top"])
def test_each_step_lights_a_part_of_a_balanced_formula(step, is_norm_first):
    config = dataclasses.replace(PRE, decoder_norm_first=is_norm_first)
    latex = formula(step, lit="#112233", quiet="#445566", config=config, kind="cross")
    assert "#112233" in latex
    assert latex.count("{") == latex.count("}")
    assert r"\operatorname{LN}" in latex or (not is_norm_first and step == "top")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [*STEPS, "top"])
def test_parts_that_a_model_lacks_are_not_in_its_formula(step, kind):
    latex = formula(step, lit="#112233", quiet="#445566", config=tiny_config(**T5), kind=kind)
    assert "#112233" in latex and latex.count("{") == latex.count("}")
    assert "sqrt" not in latex and "LN" not in latex and "b_1" not in latex
    assert (r"\,+\,B" in latex) == (kind != "cross" and step not in ("feed", "top"))
    assert (r"\odot" in latex) == (step == "feed")


@pytest.mark.parametrize("kind", KINDS)
def test_scores_that_are_squeezed_are_so_in_numbers_and_formula(kind):
    inspection = view_of(kind, is_matrix=True, build=CAPPED).head
    assert inspection.cap == 0.5 > np.abs(inspection.scaled).max()
    assert np.abs(inspection.scores / inspection.divisor).max() > 0.5
    latex = formula("scale", lit="#112233", quiet="#445566", config=tiny_config(**CAPPED), kind=kind)
    assert r"0.5\,\tanh" in latex and latex.count("{") == latex.count("}")


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_each_step_is_named_read_and_explained_in_each_language(language):
    with speaking(language):
        for step in (*STEPS, "top"):
            for part in ("step", "read", "why"):
                assert tr(f"inside.{part}_{step}")


def test_in_cross_attention_keys_and_values_come_from_the_encoder():
    pairs: tuple[tuple[AttentionKind, str], ...] = (("cross", "z"), ("decoder_self", "y"))
    for kind, letter in pairs:
        latex = formula("scores", lit="#112233", quiet="#445566", config=PRE, kind=kind)
        assert rf"({letter}\,W_K)" in latex and rf"({letter}\,W_V)" in latex and r"(y\,W_Q)" in latex
    for vector in VECTORS:
        block = screen_of("project", view_of("cross", is_matrix=False, vector=vector)).blocks[0]
        assert block.symbol == ("y" if vector == "query" else "z")


@pytest.mark.parametrize("activation", get_args(Activation))
def test_every_activation_is_called_by_its_name(activation):
    config = dataclasses.replace(PRE, activation=activation)
    latex = formula("feed", lit="#112233", quiet="#445566", config=config, kind="cross")
    view = dataclasses.replace(view_of("cross", is_matrix=False), activation=activation)
    (wrapped,) = [rule.wrapped for rule in screen_of("feed", view).rules if rule.wrapped]
    assert activation.startswith(wrapped.lower().replace("²", "_squared")) and wrapped in latex


def test_as_many_heads_are_written_as_the_model_has():
    (block,) = screen_of("concat", view_of("cross", is_matrix=False)).blocks
    assert block.symbol == "[h_1 … h_H]"


@pytest.mark.parametrize("first", [0, 1])
def test_the_residual_stream_is_called_by_the_number_of_its_layer(first):
    view = dataclasses.replace(view_of("encoder_self", is_matrix=False), first_index=first)
    stream = next(block for block in screen_of("entrance", view).blocks if block.name == "stream")
    assert view.head.layer > 0 and str(view.head.layer + first) in stream.title
