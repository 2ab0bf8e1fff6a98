"""Repetition loops: how they are detected, and that decoding ends at one."""

import numpy as np
import pytest
import torch

import model
from model.decoding.loops import LEAST_TIMES, LONGEST, end_in_loop, find_loop, repeats_itself
from model.decoding.strategies import DecodingOptions, greedy
from model.inference.trace_building import best_hypotheses
from model.interpret.confidence import looped_text
from tests.checkpoint import tiny_bundle


@pytest.mark.parametrize("period", LEAST_TIMES)
def test_a_unit_is_a_loop_from_its_least_number_of_times_on(period: int) -> None:
    unit, before, least = list(range(10, 10 + period)), [1, 2, 3], LEAST_TIMES[period]
    loop = find_loop([*before, *unit * least])
    assert loop is not None and (loop.start, loop.period, loop.times) == (3, period, least)
    assert find_loop([*before, *unit * (least - 1)]) is None
    assert find_loop([*unit * least, 99]) is None


def test_rows_are_judged_as_one_by_one() -> None:
    generator = np.random.default_rng(0)
    rows = generator.integers(0, 2, (400, LONGEST))
    for length in (1, 5, 12, LONGEST):
        expected = [find_loop(row[:length]) is not None for row in rows]
        assert end_in_loop(rows[:, :length]).tolist() == expected
    assert any(expected) and not all(expected)


def test_a_source_that_repeats_itself_is_told_from_one_that_does_not() -> None:
    assert repeats_itself([5, 9, 9, 9, 7]) and repeats_itself([1, 2, 1, 2, 1, 2])
    assert not repeats_itself([5, 9, 9, 7]) and not repeats_itself([4]) and not repeats_itself([])


def stubborn() -> model.Bundle:
    """A model whose next token depends only on its output bias."""
    bundle = tiny_bundle(output_bias=True)
    with torch.no_grad():
        bundle.model.output.bias.zero_()
        bundle.model.output.bias[13] = 1e4
    return bundle


def test_a_greedy_translation_that_repeats_itself_ends_early_and_is_named() -> None:
    bundle = stubborn()
    stopped = model.translate(bundle, "the cat is sleeping on the sofa .")
    assert stopped.target_tokens == ("chat",) * LEAST_TIMES[1] and stopped.is_truncated
    assert looped_text(stopped) == "chat"
    whole = model.translate(bundle, "the cat is sleeping on the sofa .", stop_loops=False)
    assert len(whole.target) == 2 * len(whole.source) + 16
    np.testing.assert_array_equal(whole.log_probs[:6], stopped.log_probs)


def test_a_loop_is_named_before_a_last_full_stop_too() -> None:
    bundle = tiny_bundle()
    assert bundle.target_tokenizer is not None
    stop = bundle.target_tokenizer.encode(".").ids[-1]
    looping = [13] * LEAST_TIMES[1]
    for ids, named in (([*looping, stop], "chat"), ([*looping, 14], None), ([stop], None)):
        assert looped_text(model.score(bundle, "cat", bundle.target_tokenizer.decode(ids))) == named


def test_a_source_that_repeats_itself_may_be_translated_so() -> None:
    trace = model.translate(stubborn(), "cat cat cat cat", max_length=12)
    assert len(trace.target) == 12


@pytest.mark.nightly
def test_a_loop_in_one_row_leaves_the_others_of_its_batch_alone() -> None:
    found = []
    for seed in range(12):
        bundle = tiny_bundle(seed=seed)
        texts = ["the cat", "the dog is on the sofa .", "sleeping", "the cat is sleeping on the sofa ."]
        alone = [model.translate(bundle, text, max_length=2 * 9 + 16) for text in texts]
        ids = [[*trace.source.ids, *[0] * (9 - len(trace.source))] for trace in alone]
        options = DecodingOptions(max_length=2 * 9 + 16, stop_loops=True, capture=False)
        together = best_hypotheses(list(greedy(bundle.model, torch.tensor(ids), options)), len(ids))
        assert [hypothesis.ids for hypothesis in together] == [trace.target.ids for trace in alone]
        found.append({looped_text(trace) is not None for trace in alone})
    assert {True, False} in found, "some batch must hold both kinds"


def test_a_translation_that_ends_by_itself_has_no_loop() -> None:
    trace = model.translate(tiny_bundle(), "the cat is sleeping")
    assert looped_text(trace) is None
