"""The computations of the laboratory: masks, contexts, windows, word lists, a toy, loss curves, optimisation."""

import math

import numpy as np
import pytest
import torch

import model
from model.checkpoints.recurrent import load_recurrent, shipped_folders
from model.interpret.inspection import InspectionError
from model.teaching.alternatives import context_steps, layers_to_reach, window_weights
from model.teaching.loss_curves import RUNS, loss_curves, read_run
from model.teaching.masks import decoder_mask, future_effect, hidden_weights, padding_effect
from model.teaching.optimisation import depth_spread, drop_weights, gradient_norms, smoothed_target, xavier_bound
from model.teaching.toy import toy_pairs, train_toy
from model.training.loss import smoothed_cross_entropy
from model.training.settings import TrainingError
from model.training.vocabularies.textbook import (
    SPECIAL,
    frequencies,
    random_partition,
    sequential_partition,
    word_vocabulary,
)
from tests.checkpoint import tiny_bundle
from tests.tiny import heterogeneous_stacks, tiny_model


def test_the_mask_shown_is_the_mask_the_decoder_uses():
    network = tiny_model()
    pad = network.config.target_pad_id
    fed = torch.tensor([[network.config.bos_id, 5, 6, 7, pad, pad]])
    encoded = network.encode(torch.tensor([[5, 6, network.config.eos_id]]))
    weights = network.decode(fed, encoded, capture=True).self_attention[0][0, 0].detach().numpy()  # (T, T)
    mask = decoder_mask(4, 2)
    assert np.array_equal(weights[:4] > 0, mask.both[:4])
    assert np.array_equal(mask.both, mask.not_later & mask.not_padding)


def test_minus_infinity_and_a_large_number_differ_only_where_all_is_hidden():
    by_name = {
        (hidden_weight.precision, math.isinf(hidden_weight.fill)): hidden_weight for hidden_weight in hidden_weights()
    }
    for precision in ("float32", "bfloat16", "float16"):
        assert by_name[precision, True].one_hidden == by_name[precision, False].one_hidden
        assert by_name[precision, True].one_hidden[2] == 0
        assert all(map(math.isnan, by_name[precision, True].all_hidden))
    assert by_name["float32", False].all_hidden == pytest.approx((1 / 3,) * 3)
    assert math.isinf(by_name["float16", False].stored)
    assert all(map(math.isnan, by_name["float16", False].all_hidden))


def test_the_context_vector_is_the_one_the_gru_reads():
    bundle = load_recurrent(shipped_folders()["attention"])
    trace = model.translate(bundle, "The cat is sleeping on the sofa.")
    result = context_steps(bundle, source_ids=trace.source.ids, prefix_ids=trace.prefix.ids)
    assert trace.attention.cross is not None
    assert np.allclose(result.weights, trace.attention.cross[0, 0], atol=1e-5)
    assert np.allclose(result.context, result.weights @ result.memory, atol=1e-5)
    assert np.allclose(result.weights, np.exp(result.scores) / np.exp(result.scores).sum(1, keepdims=True), atol=1e-5)


def test_a_model_without_a_context_vector_is_refused():
    with pytest.raises(InspectionError, match="GRU with attention"):
        context_steps(load_recurrent(shipped_folders()["without"]), source_ids=(5,), prefix_ids=(2,))


@pytest.mark.parametrize(("n", "width"), [(2, 3), (9, 3), (9, 5), (12, 9), (30, 7)])
def test_a_window_reaches_the_last_token_after_layers_to_reach(n, width):
    weights = window_weights(n, width)
    assert np.allclose(weights.sum(1), 1)
    reached = np.linalg.matrix_power((weights > 0).astype(int), layers_to_reach(n, width))
    assert reached[-1, 0] > 0
    if layers_to_reach(n, width) > 1:
        assert np.linalg.matrix_power((weights > 0).astype(int), layers_to_reach(n, width) - 1)[-1, 0] == 0


@pytest.mark.parametrize("width", [0, 1, 4])
def test_a_window_without_a_middle_is_refused(width):
    with pytest.raises(ValueError, match="must be odd"):
        window_weights(5, width)


def test_a_vocabulary_of_words_begins_with_special_tokens_and_drops_rare_words():
    words = "the cat saw the dog and the bird".split()  # noqa: SIM905
    everything, frequent = word_vocabulary(words), word_vocabulary(words, min_count=2)
    assert everything.tokens[: len(SPECIAL) + 1] == (*SPECIAL, "the")
    assert (everything.n_kept, everything.unknown_share) == (6, 0)
    assert frequent.tokens == (*SPECIAL, "the")
    assert frequent.unknown_share == pytest.approx(5 / 8)


@pytest.mark.nightly
def test_the_toy_learns_both_word_orders_and_two_sentences_it_never_saw():
    toy = train_toy()
    translations = {pair.source: model.translate(toy.bundle, pair.source).text for pair in toy_pairs()}
    assert translations == {pair.source: pair.target for pair in toy_pairs()}
    assert sum(pair.is_held_out for pair in toy_pairs()) == 2
    assert sum(values.size for values in toy.tensors.values()) == toy.n_parameters < 600
    assert toy.losses[-1] < 0.05 < toy.losses[0]


def test_the_toy_is_the_same_for_a_seed_and_leaves_the_random_state_alone():
    before = torch.random.get_rng_state()
    first, again = train_toy(seed=3, steps=20), train_toy(seed=3, steps=20)
    assert first.bundle.fingerprint == again.bundle.fingerprint != train_toy(seed=4, steps=20).bundle.fingerprint
    assert torch.equal(before, torch.random.get_rng_state())


def test_the_shipped_loss_curves_have_their_described_shapes():
    result = loss_curves()
    assert list(result) == list(RUNS)
    fits, overfits, underfits, too_fast = result.values()
    assert fits.validation[-1] == min(fits.validation)
    assert fits.validation[-1] < fits.validation[0] / 1.5
    best = overfits.validation.index(min(overfits.validation))
    assert best < len(overfits.validation) / 2
    assert overfits.validation[-1] > overfits.validation[best] + 1 > overfits.training[-1] + 3
    assert min(underfits.validation) > fits.validation[-1] + 2
    assert abs(underfits.training[-1] - underfits.validation[-1]) < 0.3
    assert too_fast.training[0] > math.log(800)
    assert all(4 < loss < 6.5 for loss in too_fast.training[5:])
    assert too_fast.validation[-1] > fits.validation[-1] + 1


def test_a_curve_is_read_from_a_runs_events():
    step = '{"kind": "StepDone", "step": %d, "loss": %d, "gradient_norm": %d}'
    lines = [step % (i, i, i) for i in range(1, 13)] + ['{"kind": "Validated", "step": 12, "loss": 3.0, "bleu": 1.0}']
    assert read_run(iter(lines)) == {
        "steps": [10, 12], "training": [5.5, 11.5], "validation_steps": [12], "validation": [3.0],
        "gradient_norms": [10, 12],
    }  # fmt: skip


TEXTS = ("the cat", "the dog is on the sofa .", "cat")


def test_with_its_mask_a_batch_translates_as_its_sentences_alone():
    bundle = tiny_bundle()
    effect = padding_effect(bundle, texts=TEXTS)
    alone = [model.translate(bundle, text, max_length=64) for text in TEXTS]
    assert effect.with_mask == tuple(trace.text for trace in alone)
    assert effect.lengths == tuple(len(trace.source) for trace in alone)


def test_without_it_padding_takes_its_share_where_there_is_padding():
    effect = padding_effect(tiny_bundle(), texts=TEXTS)
    longest = int(np.argmax(effect.lengths))
    assert (effect.share[longest] == 0).all() and effect.drift[longest] < 1e-6
    others = [i for i in range(3) if i != longest]
    assert (effect.share[others] > 0).all() and (effect.drift[others] > 1e-3).all()


@pytest.mark.parametrize("changes", [
    {"positions": "relative", "norm_kind": "rms", "score_scale": 1.0}, heterogeneous_stacks(), {},
], ids=["T5", "layers of their own", "plain"])  # fmt: skip
def test_the_share_of_padding_is_that_of_the_first_layer_without_its_mask(changes):
    bundle = tiny_bundle(**changes)
    effect = padding_effect(bundle, texts=TEXTS)
    run = bundle.model
    with torch.no_grad():
        _, weights = run.encoder.layers[0](run.encoder.embed(torch.tensor(effect.ids), 0), None, capture=True)
    for row, length in enumerate(effect.lengths):
        by_hand = weights[row, :, :length, length:].sum(-1).mean(-1)
        np.testing.assert_allclose(effect.share[row], by_hand, atol=1e-6)


def test_the_future_gets_a_share_only_when_the_mask_is_lifted():
    bundle = tiny_bundle()
    trace = model.translate(bundle, "the cat is on the sofa .")
    result = future_effect(bundle, source_ids=trace.source.ids, target_ids=trace.target.ids, layer=1, head=0)
    assert trace.attention.decoder_self is not None
    np.testing.assert_allclose(result.masked, trace.attention.decoder_self[1, 0], atol=1e-6)
    assert not np.triu(result.masked, 1).any() and np.triu(result.lifted, 1).any()
    by_hand = np.triu(result.lifted, 1).sum(1).mean()
    assert result.share[1, 0] == pytest.approx(by_hand)
    assert result.log_probs[0] == pytest.approx(float(trace.log_probs.mean()), abs=1e-5)


def test_post_norm_gradients_differ_from_layer_to_layer_more_than_pre_norm_ones():
    bundle = tiny_bundle(n_encoder_layers=6, n_decoder_layers=6, d_model=32)
    result = gradient_norms(bundle, seed=0)
    assert len(result.names) == 12 and result.names[0] == "encoder.0" and result.names[-1] == "decoder.5"
    assert (result.post_norm > 0).all() and (result.pre_norm > 0).all()

    def growth(norms):
        return norms[11] / norms[6]

    assert growth(result.post_norm) > growth(result.pre_norm)
    again = gradient_norms(bundle, seed=0)
    np.testing.assert_array_equal(result.post_norm, again.post_norm)


def test_heterogeneous_layers_are_compared_with_pre_and_post_norm():
    norms = gradient_norms(tiny_bundle(**heterogeneous_stacks()), seed=0)
    assert len(norms.names) == 4 and (norms.post_norm > 0).all() and (norms.pre_norm > 0).all()
    before = gradient_norms(tiny_bundle(**heterogeneous_stacks(norm_place="pre")), seed=0)
    np.testing.assert_array_equal(norms.pre_norm, before.pre_norm)


def test_first_weights_lie_within_xaviers_bound():
    made = tiny_bundle().model
    made.reset_parameters()
    weight = made.encoder.layers[0].feed_forward.fc1.weight.detach()
    bound = xavier_bound(weight.shape[1], weight.shape[0])
    assert float(weight.abs().max()) <= bound
    assert float(weight.std()) == pytest.approx(bound / 3**0.5, rel=0.1)


def test_xavier_keeps_the_size_of_a_signal():
    result = depth_spread(width=256, depth=12, seed=0)
    assert 0.5 < result.xavier[-1] / result.xavier[0] < 2
    assert result.small[-1] < 1e-6 and result.large[-1] > 1e3


def test_the_loss_is_the_cross_entropy_with_the_smoothed_target():
    target = smoothed_target(20, 7, 0.1)
    assert target.sum() == pytest.approx(1) and target[7] == pytest.approx(0.905)
    hidden, weight = torch.randn(1, 4), torch.randn(20, 4)
    loss = smoothed_cross_entropy(hidden, weight, None, torch.tensor([7]), smoothing=0.1)
    by_hand = -(torch.tensor(target) * (hidden @ weight.T).log_softmax(-1)[0].double()).sum()
    assert float(loss) == pytest.approx(float(by_hand), rel=1e-5)


def test_dropout_zeroes_and_scales():
    weights = np.full((200, 200), 0.005, np.float32)
    result = drop_weights(weights, 0.25, seed=1)
    assert set(np.unique(result.round(6))) == {np.float32(0), np.float32(0.006667)}
    assert result.mean() == pytest.approx(0.005, rel=0.02)


def test_random_sequences_are_disjoint_and_sequential_ones_go_on():
    result = random_partition(100, n_rows=3, length=7, seed=1)
    starts = result.starts.ravel()
    assert len(set(starts)) == len(starts) and set((starts - starts[0]) % 7) == {0}
    assert starts.max() + 7 < 100
    ordered = sequential_partition(100, n_rows=3, length=7)
    assert (np.diff(ordered.starts, axis=0) == 7).all()
    assert ordered.starts.max() + 7 < 100
    with pytest.raises(TrainingError, match="too few"):
        sequential_partition(10, n_rows=3, length=7)


def test_words_are_counted_and_ordered():
    assert frequencies(["b", "a", "b", "c"]) == (("b", 2), ("a", 1), ("c", 1))
