"""The effects of masks, and the measures of optimisation, compared with the model itself."""

import numpy as np
import pytest
import torch

import model
from model.teaching.masks import future_effect, padding_effect
from model.teaching.optimisation import depth_spread, dropped, gradient_norms, smoothed_target, xavier_bound
from model.training.loss import smoothed_cross_entropy
from model.training.settings import TrainingError
from model.training.vocabularies.textbook import frequencies, random_partition, sequential_partition
from tests.checkpoint import tiny_bundle
from tests.tiny import heterogeneous_stacks

TEXTS = ("the cat", "the dog is on the sofa .", "cat")


def test_with_its_mask_a_batch_translates_as_its_sentences_alone():
    bundle = tiny_bundle()
    found = padding_effect(bundle, texts=TEXTS)
    alone = [model.translate(bundle, text, max_length=64) for text in TEXTS]
    assert found.with_mask == tuple(trace.text for trace in alone)
    assert found.lengths == tuple(len(trace.source) for trace in alone)


def test_without_it_padding_takes_its_share_where_there_is_padding():
    found = padding_effect(tiny_bundle(), texts=TEXTS)
    longest = int(np.argmax(found.lengths))
    assert (found.share[longest] == 0).all() and found.drift[longest] < 1e-6
    others = [i for i in range(3) if i != longest]
    assert (found.share[others] > 0).all() and (found.drift[others] > 1e-3).all()


@pytest.mark.parametrize("changes", [
    {"positions": "relative", "norm_kind": "rms", "score_scale": 1.0}, heterogeneous_stacks(), {},
], ids=["T5", "layers of their own", "plain"])  # fmt: skip
def test_the_share_of_padding_is_that_of_the_first_layer_without_its_mask(changes):
    bundle = tiny_bundle(**changes)
    found = padding_effect(bundle, texts=TEXTS)
    run = bundle.model
    with torch.no_grad():
        _, weights = run.encoder.layers[0](run.encoder.embed(torch.tensor(found.ids), 0), None, capture=True)
    for row, length in enumerate(found.lengths):
        by_hand = weights[row, :, :length, length:].sum(-1).mean(-1)
        np.testing.assert_allclose(found.share[row], by_hand, atol=1e-6)


def test_the_future_gets_a_share_only_when_the_mask_is_lifted():
    bundle = tiny_bundle()
    trace = model.translate(bundle, "the cat is on the sofa .")
    found = future_effect(bundle, source_ids=trace.source.ids, target_ids=trace.target.ids, layer=1, head=0)
    assert trace.attention.decoder_self is not None
    np.testing.assert_allclose(found.masked, trace.attention.decoder_self[1, 0], atol=1e-6)
    assert not np.triu(found.masked, 1).any() and np.triu(found.lifted, 1).any()
    by_hand = np.triu(found.lifted, 1).sum(1).mean()
    assert found.share[1, 0] == pytest.approx(by_hand)
    assert found.log_probs[0] == pytest.approx(float(trace.log_probs.mean()), abs=1e-5)


def test_post_norm_gradients_differ_from_layer_to_layer_more_than_pre_norm_ones():
    bundle = tiny_bundle(n_encoder_layers=6, n_decoder_layers=6, d_model=32)
    found = gradient_norms(bundle, seed=0)
    assert len(found.names) == 12 and found.names[0] == "encoder.0" and found.names[-1] == "decoder.5"
    assert (found.post_norm > 0).all() and (found.pre_norm > 0).all()

    def growth(norms):
        return norms[11] / norms[6]

    assert growth(found.post_norm) > growth(found.pre_norm)
    again = gradient_norms(bundle, seed=0)
    np.testing.assert_array_equal(found.post_norm, again.post_norm)


def test_layers_of_their_own_are_compared_with_norms_before_and_after_too():
    found = gradient_norms(tiny_bundle(**heterogeneous_stacks()), seed=0)
    assert len(found.names) == 4 and (found.post_norm > 0).all() and (found.pre_norm > 0).all()
    before = gradient_norms(tiny_bundle(**heterogeneous_stacks(norm_place="pre")), seed=0)
    np.testing.assert_array_equal(found.pre_norm, before.pre_norm)


def test_first_weights_lie_within_xaviers_bound():
    made = tiny_bundle().model
    made.reset_parameters()
    weight = made.encoder.layers[0].feed_forward.fc1.weight.detach()
    bound = xavier_bound(weight.shape[1], weight.shape[0])
    assert float(weight.abs().max()) <= bound
    assert float(weight.std()) == pytest.approx(bound / 3**0.5, rel=0.1)


def test_xavier_keeps_the_size_of_a_signal():
    found = depth_spread(width=256, depth=12, seed=0)
    assert 0.5 < found.xavier[-1] / found.xavier[0] < 2
    assert found.small[-1] < 1e-6 and found.large[-1] > 1e3


def test_the_smoothed_target_is_what_the_loss_aims_at():
    target = smoothed_target(20, 7, 0.1)
    assert target.sum() == pytest.approx(1) and target[7] == pytest.approx(0.905)
    hidden, weight = torch.randn(1, 4), torch.randn(20, 4)
    loss = smoothed_cross_entropy(hidden, weight, None, torch.tensor([7]), smoothing=0.1)
    by_hand = -(torch.tensor(target) * (hidden @ weight.T).log_softmax(-1)[0].double()).sum()
    assert float(loss) == pytest.approx(float(by_hand), rel=1e-5)


def test_dropout_zeroes_and_scales():
    weights = np.full((200, 200), 0.005, np.float32)
    found = dropped(weights, 0.25, seed=1)
    assert set(np.unique(found.round(6))) == {np.float32(0), np.float32(0.006667)}
    assert found.mean() == pytest.approx(0.005, rel=0.02)


def test_random_sequences_are_disjoint_and_sequential_ones_go_on():
    found = random_partition(100, n_rows=3, length=7, seed=1)
    starts = found.starts.ravel()
    assert len(set(starts)) == len(starts) and set((starts - starts[0]) % 7) == {0}
    assert starts.max() + 7 < 100
    ordered = sequential_partition(100, n_rows=3, length=7)
    assert (np.diff(ordered.starts, axis=0) == 7).all()
    assert ordered.starts.max() + 7 < 100
    with pytest.raises(TrainingError, match="too few"):
        sequential_partition(10, n_rows=3, length=7)


def test_words_are_counted_and_ordered():
    assert frequencies(["b", "a", "b", "c"]) == (("b", 2), ("a", 1), ("c", 1))
