"""The gold alignment that is shipped, and how attention, saliency and others find it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.analysis.intervals import Interval, resamples
from model.corpus.alignment import against_gold as gold_alignment
from model.corpus.alignment.against_gold import alignment_table
from model.corpus.alignment.aligners import Aligner, Counts, Measured, Part, difference, mutual
from model.corpus.batches import read_rows
from model.interpret.attribution import value_weighted
from model.text.links import CorpusError, Links
from model.text.pairs import Pair, decode_lines, linked, read_gold

GOLD = (
    linked("the cat is sleeping .", "le chat dort .", "0-0 1-1 2p2 3-2 4-3", where="test"),
    linked("the dog is on the sofa .", "le chien est sur le canapé .", "0-0 1-1 2-2 3p3 4-4 5-5 6-6", where="test"),
    linked("the cat", "un chat", "0p0 1-1", where="test"),
)


def by_hand(bundle: model.Bundle, *, layer: int, head: int, row: str, weights: str) -> Counts:
    """One pair at a time; the vocabulary consists of whole words, so each piece is a word."""
    total = np.zeros(4, int)
    for pair in GOLD:
        assert pair.links is not None
        trace = model.score(bundle, pair.source, pair.target)
        maps = trace.attention if weights == "raw" else value_weighted(bundle, trace)
        assert maps.cross is not None
        for word in range(len(trace.target) - 1):
            shown = maps.cross[layer, head, word + (row == "fed"), : len(trace.source) - 1]
            link = (int(shown.argmax()), word)
            total += [0, 1, link in pair.links.sure, link in pair.links.possible]
        total[0] += len(pair.links.sure)
    return Counts(*map(int, total))


@pytest.mark.nightly(but=("raw-predicted",))
@pytest.mark.parametrize("row", ["fed", "predicted"])
@pytest.mark.parametrize("weights", ["raw", "value_weighted"])
def test_each_head_counts_as_by_hand(bundle: model.Bundle, row: str, weights: str) -> None:
    table = alignment_table(bundle, GOLD)
    for result in table.heads:
        part = result.aligner.parts[0]
        if part.row == row and result.aligner.weights == weights:
            assert result.counts == by_hand(bundle, layer=part.layer, head=part.head, row=row, weights=weights)
    assert len(table.heads) == 2 * 2 * 4 and len(table.layers) == 2 * 2 * 2
    assert table.best_head.aer == min(result.aer for result in table.heads)


def test_a_number_of_first_heads_is_their_mean_read_as_predicted(bundle: model.Bundle) -> None:
    table = alignment_table(bundle, GOLD)
    assert [len(result.aligner.parts) for result in table.firsts] == [1, 2, 1, 2]
    alone = {(*result.aligner.parts, result.aligner.weights): result.counts for result in table.heads}
    means = {result.aligner.parts: result.counts for result in table.layers if result.aligner.weights == "raw"}
    for result in table.firsts:
        parts = result.aligner.parts
        assert [(part.row, part.head) for part in parts] == [("predicted", head) for head in range(len(parts))]
        assert result.counts == (means[parts] if len(parts) == 2 else alone[(*parts, "raw")])
    assert table.best_first.aer == min(result.aer for result in table.firsts)


def test_the_diagonal_links_words_at_the_same_place(bundle: model.Bundle) -> None:
    result = alignment_table(bundle, GOLD, most_heads=0).diagonal
    assert (result.sure, result.points) == (11, 13)  # 4 + 7 + 2 words of targets
    assert (result.sure_hits, result.possible_hits) == (11, 13)
    crossed = linked("the cat", "chat le", "0-1 1p0", where="test")
    result = alignment_table(bundle, [crossed], most_heads=0).diagonal
    assert (result.sure, result.points, result.sure_hits, result.possible_hits) == (1, 2, 0, 0)


def test_error_precision_and_recall_follow_their_definitions() -> None:
    counts = Counts(sure=4, points=5, sure_hits=3, possible_hits=4)
    assert counts.aer == pytest.approx(1 - 7 / 9)
    assert (counts.precision, counts.recall) == (0.8, 0.75)
    assert counts.f1 == pytest.approx(2 * 0.8 * 0.75 / 1.55)
    assert Counts(0, 0, 0, 0).aer == 1


def test_an_interval_is_of_the_corpus_rate_over_resamples_of_its_pairs() -> None:
    """AER is no mean over pairs: of each resample the counts are added up first."""
    per_pair = np.random.default_rng(0).integers(0, 3, (40, 4)) + np.array([3, 3, 0, 0])
    first = Measured(Aligner((), "raw"), Counts(*map(int, per_pair.sum(0))), per_pair)
    result, rates = first.interval, []
    for weights in resamples(40)[1:]:
        counts = Counts(*map(int, np.repeat(per_pair, weights, axis=0).sum(0)))
        rates.append(counts.aer)
    assert result.mean == pytest.approx(first.aer)
    assert (result.low, result.high) == pytest.approx(tuple(np.percentile(rates, (2.5, 97.5))))
    better = per_pair + np.array([0, 0, 1, 1])
    second = Measured(first.aligner, Counts(*map(int, better.sum(0))), better)
    tested = difference(second, first)
    assert tested.mean == pytest.approx(second.aer - first.aer) and tested.high < 0
    assert tested.high - tested.low < result.high - result.low  # the same resamples: what the pairs share cancels
    assert difference(first, first) == Interval(0, 0, 0)
    with pytest.raises(ValueError, match="40 pairs and 39 cannot be compared"):
        difference(first, Measured(first.aligner, first.counts, per_pair[1:]))


def test_the_best_weighted_head_is_compared_with_the_best_raw_one(bundle: model.Bundle) -> None:
    table = alignment_table(bundle, GOLD)
    lowest = {
        weights: min(head.aer for head in table.heads if head.aligner.weights == weights)
        for weights in ("raw", "value_weighted")
    }
    assert table.weighted_against_raw is not None
    assert table.weighted_against_raw.mean == pytest.approx(lowest["value_weighted"] - lowest["raw"])
    assert all(np.array_equal(head.per_pair.sum(0)[:2], [head.counts.sure, head.counts.points]) for head in table.heads)


def test_a_column_that_every_row_looks_at_loses_when_read_both_ways() -> None:
    maps = torch.tensor([[[0.5, 0.4, 0.1], [0.5, 0.05, 0.45]]])
    assert maps.argmax(-1).tolist() == [[0, 0]]
    assert mutual(maps).argmax(-1).tolist() == [[1, 2]]


def test_pieces_of_one_word_are_read_together(bundle: model.Bundle) -> None:
    """Two pieces without a space between them are one word: their rows are averaged, their columns added."""
    pair = linked("the cat.", "le chat.", "0-0 1-1", where="test")
    trace = model.score(bundle, pair.source, pair.target)
    cross = trace.attention.cross
    assert cross is not None and len(trace.source) == 4 and len(trace.target) == 4
    rows = np.stack([cross[:, :, 0], cross[:, :, 1:3].mean(2)], 2)
    words = np.stack([rows[..., 0], rows[..., 1:3].sum(-1)], -1)  # (L, H, 2, 2)
    table = alignment_table(bundle, [pair])
    for result in table.heads:
        part = result.aligner.parts[0]
        if part.row == "predicted" and result.aligner.weights == "raw":
            hits = sum(int(words[part.layer, part.head, word].argmax()) == word for word in range(2))
            assert result.counts == Counts(2, 2, hits, hits)


def test_sets_grow_by_one_head_and_are_counted_on_other_pairs(bundle: model.Bundle) -> None:
    table = alignment_table(bundle, GOLD * 4, most_heads=3)
    assert [len(result.aligner.parts) for result in table.sets] == [1, 2, 3]
    assert table.sets[0].aligner.parts == table.sets[2].aligner.parts[:1]
    assert len(set(table.sets[2].aligner.parts)) == 3
    assert table.n_counted_for_sets == 6 and table.n_pairs == 12
    elsewhere = alignment_table(bundle, GOLD, choose_on=GOLD * 2)
    assert elsewhere.n_counted_for_sets == 3


def test_sets_are_chosen_on_no_more_pairs_than_memory_allows(bundle: model.Bundle, monkeypatch: Any) -> None:
    calls = []
    monkeypatch.setattr(gold_alignment, "_passes", spy(gold_alignment._passes, calls))
    monkeypatch.setattr(gold_alignment, "MAX_MAP_NUMBERS", 8 * (2 * 2 + 2 * 2) + 1)  # 8 maps, two pairs of 2 by 2 words
    table = alignment_table(bundle, GOLD[2:] * 4, choose_on=GOLD[2:] * 9)
    assert [len(result.aligner.parts) for result in table.sets] == [1, 2, 3]
    assert 2 in calls and max(calls) == 4
    monkeypatch.setattr(gold_alignment, "MAX_MAP_NUMBERS", 0)
    assert alignment_table(bundle, GOLD).sets == ()


def test_the_table_does_not_depend_on_the_size_of_its_batches(bundle: model.Bundle, monkeypatch: Any) -> None:
    together = alignment_table(bundle, GOLD * 2)
    monkeypatch.setattr(gold_alignment, "MOST_WEIGHTS", 1)
    sizes = [len(result.rows) for result, _ in gold_alignment._passes(bundle, read_rows(bundle, GOLD * 2)[0])]
    assert sizes == [1] * 6
    assert alignment_table(bundle, GOLD * 2) == together


def spy(passes: Callable[..., Any], requested: list[int]) -> Callable[..., Any]:
    def noted(bundle: model.Bundle, rows: Sequence[Any]) -> Any:
        requested.append(len(rows))
        return passes(bundle, rows)

    return noted


def test_the_end_token_may_take_a_word_away(bundle: model.Bundle) -> None:
    table = alignment_table(bundle, GOLD)
    with_end = next(result for result in table.variants if result.aligner.has_end)
    assert with_end.counts.points <= table.best_head.counts.points
    assert Aligner((Part("fed", 0, 0),), "raw") != Aligner((Part("fed", 0, 0),), "raw", has_end=True)


def test_pairs_without_links_are_refused(bundle: model.Bundle) -> None:
    with pytest.raises(CorpusError, match="alignment needs links"):
        alignment_table(bundle, [Pair("the cat", "le chat")])


def test_sure_links_are_possible_as_well() -> None:
    links = Links.parse("0-0 1p2", n_source=2, n_target=3)
    assert links.sure == {(0, 0)} and links.possible == {(0, 0), (1, 2)}
    assert links.pharaoh == "0-0 1p2"


def test_a_file_is_read_and_its_long_pairs_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("the cat\tle\u00a0chat\t0-0\n\na b c\td\t2p0\n", "utf-8")
    with_both = read_gold(path)
    assert [pair.source for pair in with_both] == ["the cat", "a b c"]
    assert [pair.source for pair in read_gold(path, max_words=2)] == ["the cat"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"the cat\tle chat\t0-0 2-1\n", "line 1: the link 2-1 names source word 2, but the source has 2 words"),
        (b"the cat\tle chat\t0-2\n", "names target word 2"),
        (b"the cat\tle chat\t0:0\n", "“0:0” is not a link"),
        (b"the cat\tle chat\n", "line 1 has 2 of 3 columns"),
        (b"the cat\tle chat\t0-0\ncaf\xe9\tx\t0-0\n", "line 2 is not UTF-8"),
        (b"\n", "holds no aligned pair"),
    ],
)
def test_a_wrong_gold_file_is_refused_by_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "gold.tsv"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        read_gold(path)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(end: str) -> None:
    assert decode_lines(f"\ufeffthe cat\tle chat{end}{end}the dog\tle chien{end}".encode(), "pairs") == [
        "the cat\tle chat", "", "the dog\tle chien",
    ]  # fmt: skip
