"""The beam as a tree, compared with its steps and with explicit forward passes."""

import numpy as np
import pytest
import torch

import model
from model.decoding.beam_search import length_norm
from model.decoding.beam_tree import BeamTree
from model.decoding.step import DecodingError
from model.inference.tree_search import beam_tree
from tests.model.test_ablation import TEXT, tiny_bundle


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
    bundle = tiny_bundle(1)
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
    tree = beam_tree(tiny_bundle(2), TEXT, beam_size=3, max_length=5)
    for depth in range(1, len(tree.searches[0])):
        scores = {
            fate: [node.score for node in tree.nodes if node.depth == depth and node.fate == fate]
            for fate in ("kept", "pruned")
        }
        assert len(scores["kept"]) == 3
        assert max(scores["pruned"]) <= min(scores["kept"])


def test_a_node_carries_the_attention_that_predicted_it() -> None:
    bundle = tiny_bundle(3)
    tree = beam_tree(bundle, TEXT, beam_size=3, max_length=5)
    for node in tree.nodes[1:]:
        path = tree.path(node.index)
        fed = torch.tensor([[bundle.config.bos_id, *path[:-1]]])
        with torch.no_grad():
            out = bundle.model(torch.tensor([tree.source.ids]), fed, capture=True)
        expected = torch.stack(out.cross, 1)[0, :, :, -1].numpy()
        found = tree.cross(node.index)
        assert found is not None
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_fork_goes_on_from_any_node_with_any_candidate() -> None:
    bundle = tiny_bundle(4)
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
        beam_tree(tiny_bundle(), TEXT, beam_size=99)


def test_width_8_on_a_long_sentence_answers() -> None:
    text = " ".join(f"#{4 + i % 15}" for i in range(200))
    tree = beam_tree(tiny_bundle(5), text, beam_size=8, max_length=40)
    assert max(node.depth for node in tree.nodes) == 40
    assert len(tree.source) == 201
