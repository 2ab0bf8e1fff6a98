"""The matrix that figures print is the one that the explorer draws, reading aids included."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from model.trace import Floats
from viz.components.attention import AttentionView
from viz.export import as_read, screen_figure
from viz.figures import Paper
from viz.i18n import speaking
from viz.view_state import ViewState

SOURCE, TARGET, FED = ("▁The", "▁sleep", "s", ".", "</s>"), ("▁Il", "▁dor", "t", "</s>"), ("<s>", "▁Il", "▁dor", "t")


def rows(*shape: int, seed: int = 0, causal: bool = False) -> Floats:
    raw = np.random.default_rng(seed).random(shape) + 0.05
    raw = raw * np.tri(shape[2], shape[3]) if causal else raw
    return (raw / raw.sum(-1, keepdims=True)).astype(np.float32)


VIEW = AttentionView.from_arrays(
    encoder_self=rows(1, 2, 5, 5, seed=1), decoder_self=rows(1, 2, 4, 4, seed=2, causal=True),
    cross=rows(2, 2, 4, 5, seed=3), source_tokens=SOURCE, target_tokens=TARGET, prefix_tokens=FED, is_causal=True,
    caption="It sleeps. → Il dort · tiny",
)  # fmt: skip


def weights(kind: str) -> Floats:
    found = VIEW.attention.of(kind)  # pyright: ignore[reportArgumentType]
    assert found is not None
    return found


def test_without_aids_it_is_the_head_itself() -> None:
    read = as_read(VIEW, ViewState(kind="cross", layer=1, head=1))
    assert read.weights == pytest.approx(weights("cross")[1, 1], rel=1e-6)
    assert (read.queries, read.keys) == (("Il", "dor", "t", "</s>"), ("The", "sleep", "s", ".", "</s>"))


def test_words_sum_keys_and_average_queries() -> None:
    read = as_read(VIEW, ViewState(kind="cross", unit="words"))
    whole = weights("cross")[0, 0]
    assert (read.queries, read.keys) == (("Il", "dort", "</s>"), ("The", "sleeps", ".", "</s>"))
    assert read.weights[1, 1] == pytest.approx(whole[1:3, 1:3].sum(1).mean(), rel=1e-6)
    assert np.allclose(read.weights.sum(-1), 1)


def test_removed_sinks_are_empty_and_the_rest_sums_to_one() -> None:
    read = as_read(VIEW, ViewState(kind="cross", sinks="removed", sink_kinds=("end",)))
    assert (read.weights[:, 4] == 0).all() and (read.weights[:, 3] > 0).all()
    assert np.allclose(read.weights.sum(-1), 1)


def test_weights_below_the_threshold_and_later_tokens_are_not_drawn() -> None:
    read = as_read(VIEW, ViewState(kind="decoder_self", threshold=0.3, head=1))
    whole = weights("decoder_self")[0, 1]
    assert np.array_equal(np.isnan(read.weights), (whole < 0.3) | (np.tri(4) == 0))


def test_rows_are_called_as_on_screen() -> None:
    read = as_read(VIEW, ViewState(kind="cross", rows="fed"))
    assert read.queries == ("<s>", "Il", "dor", "t") and "Rows are token fed in" in read.caption
    assert "Rows are" not in as_read(VIEW, ViewState(kind="encoder_self", rows="fed")).caption


@pytest.mark.parametrize("combine", ["mean", "max"])
def test_several_heads_are_one_matrix_and_all_are_named(combine: str) -> None:
    read = as_read(VIEW, ViewState(kind="cross", layer=0, head=0, heads=("1.1",), combine=combine), first_index=1)
    both = weights("cross")[[0, 1], [0, 1]]
    assert read.weights == pytest.approx(both.mean(0) if combine == "mean" else both.max(0), rel=1e-6)
    assert "layer 1, head 1; layer 2, head 2" in read.caption


def test_the_figure_prints_what_is_read_and_says_how() -> None:
    state = ViewState(kind="cross", sinks="removed", threshold=0.2)
    view = dataclasses.replace(VIEW, weighting="value_weighted")
    with speaking("en"):
        svg = screen_figure(view, state, file_format="svg").decode()
        source = screen_figure(view, state, file_format="tikz", paper=Paper(120)).decode()
    for words in ("sinks removed", "weights from 0.20", "× value norm", "It sleeps. → Il dort · tiny"):
        assert words in svg
    shown = as_read(view, state).weights
    drawn = [f"{weight:.2f}" for weight in shown[np.isfinite(shown)]]
    assert 0 < len(drawn) < shown.size
    assert sorted(drawn) == sorted(source_values(source)) and all(text in svg for text in drawn)


def source_values(source: str) -> list[str]:
    """The numbers in the cells of a TikZ figure."""
    return [line.rpartition("{")[2].rstrip("};") for line in source.splitlines() if line.startswith(r"\node[value")]
