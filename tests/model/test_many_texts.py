"""Lists of texts: each trace equals that of the text alone, order is kept, and a bad text does not affect others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import model
from model.text.tokens import TextError
from tests import checkpoint

TEXTS = ["the cat", "the dog is sleeping .", "dog", "the sofa", "the cat is on the sofa", "a dog", "the cat"]


def assert_same(left: model.Trace, right: model.Trace) -> None:
    assert (left.source_text, left.text, left.source, left.target) == (
        right.source_text, right.text, right.source, right.target
    )  # fmt: skip
    assert (left.prefix, left.is_truncated) == (right.prefix, right.is_truncated)
    np.testing.assert_allclose(left.log_probs, right.log_probs, atol=1e-5)
    for kind in left.attention.kinds:
        ours, theirs = left.attention.of(kind), right.attention.of(kind)
        assert ours is not None and theirs is not None
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize(
    "options", [{}, {"method": "beam"}, {"method": "sample"}, {"cached": False}, {"prefix": "le"}, {"max_length": 3}],
    ids=str,
)  # fmt: skip
def test_a_list_gives_what_each_text_gives_alone(options: dict[str, Any]) -> None:
    bundle = checkpoint.tiny_bundle()
    together = model.translate(bundle, TEXTS, **options)
    assert len(together) == len(TEXTS)
    for text, found in zip(TEXTS, together, strict=True):
        assert isinstance(found, model.Trace)
        assert_same(found, model.translate(bundle, text, **options))


def test_pairs_are_scored_as_one_by_one() -> None:
    bundle = checkpoint.tiny_bundle()
    said = ["le chat", "le chien dort .", "chien", "le chat dort .", "le chat", "chien", "le"]
    for source, target, found in zip(TEXTS, said, model.score(bundle, TEXTS, said), strict=True):
        assert isinstance(found, model.Trace)
        assert_same(found, model.score(bundle, source, target))
    with pytest.raises(TextError, match="7 sentences and 1 translations"):
        model.score(bundle, TEXTS, ["le"])


def test_a_bad_text_stands_in_its_place_and_costs_no_other() -> None:
    bundle = checkpoint.tiny_bundle()
    found = model.translate(bundle, ["the cat", "", "#999", "dog"])
    assert [type(one).__name__ for one in found] == ["Trace", "EmptyTextError", "TextError", "Trace"]
    assert model.translate(bundle, []) == []


def test_an_intervention_on_a_position_counts_where_the_position_is() -> None:
    bundle = checkpoint.tiny_bundle()
    edits = model.Interventions(blocked_keys=(model.BlockedKey("cross", 4),))
    together = model.translate(bundle, TEXTS, interventions=edits)
    for text, found in zip(TEXTS, together, strict=True):
        assert isinstance(found, model.Trace)
        has_key = len(found.source) > 4
        assert_same(found, model.translate(bundle, text, interventions=edits if has_key else model.NONE))


def test_rows_of_ids_are_texts_too() -> None:
    bundle = checkpoint.tiny_bundle()
    rows = [list(model.translate(bundle, text).source.ids) for text in TEXTS[:3]]
    for row, found in zip(rows, model.translate(bundle, rows), strict=True):
        assert isinstance(found, model.Trace) and list(found.source.ids) == row
