"""Lists of texts: each trace equals that of the text alone, order is kept, and a bad text does not affect others."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import model
from model.inference.batches import LEAST_FULL
from model.interventions import KINDS
from tests import checkpoint
from tests.checkpoints.library import SEQ2SEQ, make
from tests.model.test_cached_and_batched import same_traces

TEXTS = ["the cat", "the dog is sleeping .", "dog", "the sofa", "the cat is on the sofa", "a dog", "the cat"]


def test_each_text_of_a_list_may_have_its_limit() -> None:
    bundle, limits = checkpoint.tiny_bundle(), [3, None, 1, 5, None, 2, 4]
    together = model.translate(bundle, TEXTS, max_length=limits)
    assert len({len(trace.target) for trace in together if isinstance(trace, model.Trace)}) > 2
    for text, limit, trace in zip(TEXTS, limits, together, strict=True):
        assert isinstance(trace, model.Trace)
        same_traces(trace, model.translate(bundle, text, max_length=limit))
    with pytest.raises(ValueError, match="shorter"):
        model.translate(bundle, TEXTS, max_length=[3])


def test_a_bad_text_gives_an_error_at_its_index_and_does_not_affect_the_others() -> None:
    bundle = checkpoint.tiny_bundle()
    trace = model.translate(bundle, ["the cat", "", "#999", "dog"])
    assert [type(item).__name__ for item in trace] == ["Trace", "EmptyTextError", "TextError", "Trace"]
    assert model.translate(bundle, []) == []
    lines: Any = ["the cat", None, float("nan"), ["a"], b"dog", "dog"]  # as a table with empty cells gives them
    trace = model.translate(bundle, lines)
    assert [type(item).__name__ for item in trace] == ["Trace", *["TextError"] * 4, "Trace"]
    assert "nan is neither a text nor token ids: give a string" in str(trace[2])
    scored = model.score(bundle, ["the cat", "dog"], lines[:2])
    assert [type(item).__name__ for item in scored] == ["Trace", "TextError"]
    with pytest.raises(model.TextError, match="7 sentences and 1 translations"):
        model.score(bundle, TEXTS, ["le"])


def within(edits: model.Interventions, trace: model.Trace, n_target: int) -> model.Interventions:
    return edits.within(n_source=len(trace.source), n_target=n_target)


@pytest.mark.nightly(but=("changes6",))
@pytest.mark.parametrize(
    ("kind", "changes"), [*((kind, {}) for kind in SEQ2SEQ), ("bart", {"activation_function": "laplace"})]
)
def test_texts_of_any_length_share_a_pass_in_every_family_of_the_library(
    kind: str, changes: dict[str, Any], tmp_path: Path
) -> None:
    """The last one runs in the library's own code, behind an adapter."""
    make(kind, tmp_path, **changes)
    bundle = model.load(tmp_path)
    rows = [[5 + (7 * n + index) % 30 for index in range(n)] + [2] for n in (9, 7, 8, 6)]
    edits = model.Interventions(model.HeadOff("cross", 1, 0, "uniform"), blocked_keys=model.BlockedKey("cross", 8))
    for chosen in (model.NONE, edits):
        ways: tuple[dict[str, Any], ...] = ({"max_length": 12}, {"method": "beam", "max_length": 7})
        for options in ways:
            together = model.translate(bundle, rows, interventions=chosen, **options)
            for row, trace in zip(rows, together, strict=True):
                assert isinstance(trace, model.Trace)
                fitting = within(chosen, trace, options["max_length"])
                same_traces(trace, model.translate(bundle, row, interventions=fitting, **options))
    targets = [row[:length] for row, length in zip(rows, (5, 9, 3, 6), strict=True)]
    for row, target, trace in zip(rows, targets, model.score(bundle, rows, targets), strict=True):
        assert isinstance(trace, model.Trace)
        same_traces(trace, model.score(bundle, row, target))


def count_calls(bundle: model.Bundle, name: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shapes of the ids that one of the model's functions is given, call by call."""
    shapes: list[tuple[int, ...]] = []
    original = getattr(bundle.model, name)

    def count(ids: Any, *rest: Any, **options: Any) -> Any:
        shapes.append(tuple(ids.shape))
        return original(ids, *rest, **options)

    monkeypatch.setattr(bundle.model, name, count)
    return shapes


def test_texts_of_like_length_share_every_pass_and_leave_it_when_they_end(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = checkpoint.tiny_bundle()
    rows = [[4 + (index * 5 + length) % 16 for index in range(length)] for length in (6, 8, 7, 9, 8)]
    encoded, decoded = (count_calls(bundle, name, monkeypatch) for name in ("encode", "decode"))
    results = [trace for trace in model.translate(bundle, rows) if isinstance(trace, model.Trace)]
    assert encoded == [(5, 10)]
    lengths = [len(trace.target) for trace in results]
    assert len(set(lengths)) > 1
    assert decoded == [(sum(length > step for length in lengths), 1) for step in range(max(lengths))]
    encoded.clear()
    decoded.clear()
    model.score(bundle, rows, rows[::-1])
    assert encoded == [(5, 10)] and decoded == [(5, 10)]


def test_a_pass_is_mostly_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = checkpoint.tiny_bundle()
    encoded = count_calls(bundle, "encode", monkeypatch)
    rows = [[5] * length for length in (1, 1, 2, 20, 22, 3, 1, 2, 18)]
    model.translate(bundle, rows, max_length=2)
    n_tokens = sum(len(row) + 1 for row in rows)
    assert n_tokens >= LEAST_FULL * sum(texts * tokens for texts, tokens in encoded) and len(encoded) < 5


def test_a_text_that_is_cut_is_cut_where_it_would_be_alone() -> None:
    bundle = checkpoint.tiny_bundle()
    bundle.model.output.weight.data[bundle.config.eos_id] = 0.0
    rows = [[5, 6, 7], [5, 6, 7, 8], [9, 6, 5, 8, 4]]
    result = model.translate(bundle, rows, stop_loops=False)
    lengths = [len(trace.target) for trace in result if isinstance(trace, model.Trace) and trace.is_truncated]
    assert lengths == [2 * 4 + 16, 2 * 5 + 16, 2 * 6 + 16]
    for row, trace in zip(rows, result, strict=True):
        assert isinstance(trace, model.Trace)
        same_traces(trace, model.translate(bundle, row, stop_loops=False))


def test_a_trace_holds_its_own_weights_and_not_the_batch() -> None:
    bundle = checkpoint.tiny_bundle()
    rows = [[5, 6, 7], [5, 6, 7, 8]]
    for result in (model.translate(bundle, rows), model.score(bundle, rows, rows)):
        for trace in result:
            assert isinstance(trace, model.Trace)
            for kind in KINDS:
                weights = trace.attention.of(kind)
                assert weights is not None and weights.base is None
                np.testing.assert_allclose(weights.sum(-1), 1.0, atol=1e-6)
