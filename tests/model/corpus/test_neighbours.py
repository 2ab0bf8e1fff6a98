"""Neighbours of a state: exact, by an index, from a stored survey, and projected onto a plane."""

import sys
from pathlib import Path

import numpy as np
import pytest

import model
from model.corpus.neighbours import (
    States,
    gather_states,
    project,
    read_states,
    searchable,
    state_names,
    states_of,
    stored_states,
)
from model.corpus.survey import survey
from model.text.links import CorpusError
from tests.model.corpus.pairs import THREE as PAIRS


def made(vectors: np.ndarray) -> States:
    n = len(vectors)
    return States("decoder.1", vectors.astype(np.float16), np.arange(n), np.zeros(n, np.int32), ("a",) * n, ("b",) * n)


def clustered(n: int, seed: int = 0) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.normal(size=(40, 32))[draw.integers(0, 40, n)] + 0.5 * draw.normal(size=(n, 32)) + 3


def test_states_worked_out_are_those_that_a_survey_keeps(bundle: model.Bundle, tmp_path: Path) -> None:
    names = ("encoder.2", "decoder.0", "decoder.2")
    found = survey(bundle, PAIRS, tmp_path / "s", states=names)
    assert stored_states(found) == names
    now = gather_states(bundle, PAIRS, names)
    for name in names:
        kept = read_states(found, name)
        np.testing.assert_allclose(kept.vectors.astype(float), now[name].vectors.astype(float), atol=2e-2)
        assert (kept.tokens, kept.next_tokens) == (now[name].tokens, now[name].next_tokens)
        assert kept.ids.tolist() == now[name].ids.tolist() and kept.positions.tolist() == now[name].positions.tolist()
    with pytest.raises(CorpusError, match=r"no states “encoder\.1”: survey again with --states"):
        read_states(found, "encoder.1")


def test_a_sentence_of_the_corpus_is_its_own_nearest_neighbour(bundle: model.Bundle) -> None:
    trace = model.score(bundle, PAIRS[1].source, PAIRS[1].target)
    for name in ("encoder.2", "decoder.2"):
        states = gather_states(bundle, PAIRS, [name])[name]
        for position, vector in enumerate(states_of(bundle, trace, name)):
            places, cosines = searchable(states).nearest(vector, 3)
            assert (states.ids[places[0]], states.positions[places[0]]) == (1, position)
            assert cosines[0] == pytest.approx(1, abs=2e-3) and (np.diff(cosines) <= 0).all()


def test_every_layer_has_a_name(bundle: model.Bundle) -> None:
    assert state_names(bundle) == ("encoder.0", "encoder.1", "encoder.2", "decoder.0", "decoder.1", "decoder.2")


def test_the_index_finds_what_comparing_all_finds() -> None:
    pytest.importorskip("faiss", reason="the index is an extra")
    states = made(clustered(6_000))
    exact, indexed = searchable(states), searchable(states, exact=1_000)
    assert exact.index is None and indexed.index is not None
    shared = []
    for vector in clustered(20, seed=1):
        few, many = exact.nearest(vector, 10)[0], indexed.nearest(vector, 10)[0]
        shared.append(len(set(few) & set(many)) / 10)
    assert np.mean(shared) > 0.85


def test_without_the_library_all_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    assert searchable(made(clustered(50)), exact=10).index is None


def test_a_plane_shows_where_states_differ_most() -> None:
    draw = np.random.default_rng(0)
    vectors = draw.normal(size=(300, 32)) * np.array([9, 5, *[0.1] * 30])
    found = project(made(vectors[:100]), made(vectors[100:]))
    assert found.points.shape == (300, 2) and found.share > 0.98
    assert abs(np.corrcoef(found.points[:, 0], vectors[:, 0])[0, 1]) > 0.99
    np.testing.assert_allclose(found.place(vectors[7]), found.points[7], atol=0.05)
    with pytest.raises(CorpusError, match="a plane needs 3 states, but got"):
        project(made(vectors[:2]))
