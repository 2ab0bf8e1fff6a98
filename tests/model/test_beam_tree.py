"""The beam as a tree, compared with its steps and with explicit forward passes."""

import numpy as np
import pytest
import torch

import model
from model.decoding.beam_search import length_norm
from model.decoding.beam_tree import BeamTree
from model.decoding.loops import LEAST_TIMES, LONGEST, end_in_loop, find_loop, repeats_itself
from model.decoding.step import DecodingError
from model.decoding.strategies import DecodingOptions, greedy
from model.inference.trace_building import best_hypotheses
from model.inference.tree_search import beam_tree
from model.interpret.confidence import looped_text
from tests.checkpoint import tiny_bundle
from tests.model.test_explanations import TEXT
from tests.tiny import bundle_of_ids


def check_tree(bundle, tree: BeamTree) -> None:
    """Parents precede their children, and every node's score equals a forward pass over its path."""
    source = torch.tensor([tree.source.ids])
    for node in tree.nodes[1:]:
        assert 0 <= node.parent < node.index
        path = tree.path(node.index)
        assert len(path) == node.depth
        with torch.no_grad():
            rows = bundle.model(source, torch.tensor([[bundle.config.bos_id, *path[:-1]]])).logits[0].log_softmax(-1)
        total = rows[range(len(path)), list(path)].sum().item()
        assert node.score == pytest.approx(total, abs=1e-4)
        assert node.normalised == pytest.approx(total / length_norm(node.depth, tree.length_penalty), abs=1e-4)
    assert len({(node.parent, node.token_id) for node in tree.nodes}) == len(tree.nodes)


def test_the_tree_holds_every_hypothesis_with_its_score() -> None:
    bundle = bundle_of_ids(1)
    tree = beam_tree(bundle, TEXT, beam_size=3, max_length=6)
    check_tree(bundle, tree)
    best = model.translate(bundle, TEXT, method="beam", beam_size=3, max_length=6)
    assert tree.path(tree.best[0]) == best.target.ids
    ends = [node for node in tree.nodes if node.fate in ("ended", "cut")]
    assert max(ends, key=lambda node: node.normalised).index == tree.best[0]
    for depth in range(1, len(tree.searches[0]) + 1):
        level = [node for node in tree.nodes if node.depth == depth]
        assert sum(node.fate == "kept" for node in level) <= 3
        assert sum(node.fate == "pruned" for node in level) == 3


def test_pruned_hypotheses_scored_below_those_kept() -> None:
    tree = beam_tree(bundle_of_ids(2), TEXT, beam_size=3, max_length=5)
    for depth in range(1, len(tree.searches[0])):
        scores = {
            fate: [node.score for node in tree.nodes if node.depth == depth and node.fate == fate]
            for fate in ("kept", "pruned")
        }
        assert len(scores["kept"]) == 3
        assert max(scores["pruned"]) <= min(scores["kept"])


def test_a_node_carries_the_attention_that_predicted_it() -> None:
    bundle = bundle_of_ids(3)
    tree = beam_tree(bundle, TEXT, beam_size=3, max_length=5)
    for node in tree.nodes[1:]:
        path = tree.path(node.index)
        fed = torch.tensor([[bundle.config.bos_id, *path[:-1]]])
        with torch.no_grad():
            out = bundle.model(torch.tensor([tree.source.ids]), fed, capture=True)
        expected = torch.stack(out.cross, 1)[0, :, :, -1].numpy()
        result = tree.cross(node.index)
        assert result is not None
        np.testing.assert_allclose(result, expected, atol=1e-6)


def test_a_fork_goes_on_from_any_node_with_any_candidate() -> None:
    bundle = bundle_of_ids(4)
    plain = beam_tree(bundle, TEXT, beam_size=2, max_length=6)
    pruned = next(node for node in plain.nodes if node.fate == "pruned" and node.depth == 2)
    path = plain.path(pruned.index)
    forked = beam_tree(bundle, TEXT, beam_size=2, max_length=6, forks=(path,))
    check_tree(bundle, forked)
    assert [plain.path(node.index) for node in plain.nodes] == [forked.path(index) for index in range(len(plain.nodes))]
    assert forked.path(forked.best[1])[:2] == path
    alone = model.translate(bundle, TEXT, method="beam", beam_size=2, max_length=6, prefix=path)
    assert forked.path(forked.best[1]) == alone.target.ids
    grown = next(node for node in forked.nodes if forked.path(node.index) == path)
    assert grown.fate == "kept" and grown.seen is not None
    assert {node.search for node in forked.nodes} == {0, 1}


def test_a_beam_too_wide_is_refused() -> None:
    with pytest.raises(DecodingError, match=r"beam_size \(99\) must be between 1 and 16"):
        beam_tree(bundle_of_ids(), TEXT, beam_size=99)


def test_width_8_on_a_long_sentence_answers() -> None:
    text = " ".join(f"#{4 + i % 15}" for i in range(200))
    tree = beam_tree(bundle_of_ids(5), text, beam_size=8, max_length=40)
    assert max(node.depth for node in tree.nodes) == 40
    assert len(tree.source) == 201


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


def test_a_repetitive_source_is_recognised() -> None:
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
    collected = []
    for seed in range(12):
        bundle = tiny_bundle(seed=seed)
        texts = ["the cat", "the dog is on the sofa .", "sleeping", "the cat is sleeping on the sofa ."]
        alone = [model.translate(bundle, text, max_length=2 * 9 + 16) for text in texts]
        ids = [[*trace.source.ids, *[0] * (9 - len(trace.source))] for trace in alone]
        options = DecodingOptions(max_length=2 * 9 + 16, stop_loops=True, capture=False)
        together = best_hypotheses(list(greedy(bundle.model, torch.tensor(ids), options)), len(ids))
        assert [hypothesis.ids for hypothesis in together] == [trace.target.ids for trace in alone]
        collected.append({looped_text(trace) is not None for trace in alone})
    assert {True, False} in collected, "some batch must hold both kinds"


def test_a_translation_that_ends_by_itself_has_no_loop() -> None:
    trace = model.translate(tiny_bundle(), "the cat is sleeping")
    assert looped_text(trace) is None
