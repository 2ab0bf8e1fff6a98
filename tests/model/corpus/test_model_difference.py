"""What differs between two checkpoints is counted head by head and sentence by sentence."""

import copy
import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

import model
from model.text.links import CorpusError
from tests.checkpoint import tiny_bundle

PAIRS = [("the cat is sleeping .", "le chat dort ."), ("the dog", "le chien"), ("the sofa is on the dog", "le canapé")]


def tuned(bundle: model.Bundle) -> model.Bundle:
    """The model with the queries and keys of one decoder head changed, and nothing else."""
    changed = copy.deepcopy(bundle.model)
    with torch.no_grad():
        attention = changed.get_submodule("decoder.layers.1.cross_attention")
        width = attention.query.weight.shape[0] // 2
        attention.query.weight[width:] *= 3
    return dataclasses.replace(bundle, model=changed, name="tuned", fingerprint="tuned")


def test_heads_and_sentences_are_those_of_two_traces() -> None:
    before = tiny_bundle()
    after = tuned(before)
    found = model.model_difference(before, after, PAIRS)
    assert (found.before, found.after) == ("tiny", "tuned") and found.change.shape == (3,)
    for index, pair in enumerate(PAIRS):
        traces = [model.score(one, *pair) for one in (before, after)]
        sums = [float(trace.log_probs.sum()) for trace in traces]
        assert found.log_probs[index].tolist() == pytest.approx(sums, abs=1e-4)
        assert found.n_tokens[index] == len(traces[0].target)
        for kind in ("encoder_self", "decoder_self", "cross"):
            left, right = (np.asarray(trace.attention.of(kind)) for trace in traces)
            expected = 0.5 * np.abs(left - right).sum(-1).mean(-1)
            np.testing.assert_allclose(found.moved[kind][index], expected, atol=1e-5)
    cross = found.of_heads("cross")
    assert cross[1][1].mean > 0.01 and cross[1][0].mean == pytest.approx(0, abs=1e-6)
    assert cross[1][1].low <= cross[1][1].mean <= cross[1][1].high
    assert found.mean_change().mean == pytest.approx(found.change.mean(), abs=1e-5)
    heads, sentences = found.heads_frame(), found.sentences_frame()
    most = heads.loc[heads["moved"].idxmax()]
    assert (most["kind"], most["layer"], most["head"]) == ("cross", 1, 1)
    assert list(sentences["source"]) == [source for source, _ in PAIRS]


def test_a_model_is_no_different_from_itself_and_one_stack_is_compared_too() -> None:
    same = model.load("tiny-decoder")
    found = model.model_difference(same, same, ["The little boy ran.", "One day"])
    assert set(found.moved) == {"decoder_self"} and not found.moved["decoder_self"].any() and not found.change.any()


def test_other_shapes_and_other_tokens_are_refused() -> None:
    one = tiny_bundle()
    with pytest.raises(CorpusError, match="have different layers or heads"):
        model.model_difference(one, tiny_bundle(n_decoder_layers=1), PAIRS)
    words = model.WordTokenizer(("<pad>", "<unk>", "<s>", "</s>", *(f"w{i}" for i in range(16))))
    with pytest.raises(CorpusError, match="no pair is read as the same tokens"):
        model.model_difference(one, dataclasses.replace(one, source_tokenizer=words), PAIRS)


def test_a_file_is_read_and_a_pair_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("the cat\tle chat\n\tle chien\n", "utf-8")
    found = model.model_difference(tiny_bundle(), tuned(tiny_bundle()), tmp_path / "pairs.tsv")
    assert len(found.pairs) == 1 and found.skipped == ("pair 2: the source is empty: write a sentence",)
