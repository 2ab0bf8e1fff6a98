"""What the laboratory computes without the current model: masks, contexts, windows, word lists, a toy, loss curves."""

import math

import numpy as np
import pytest
import torch

import model
from model.checkpoints.recurrent import load_recurrent, shipped
from model.interpret.inspection import InspectionError
from model.teaching.alternatives import context_steps, layers_to_reach, window_weights
from model.teaching.loss_curves import RUNS, loss_curves, read_run
from model.teaching.masks import decoder_mask, hidden_weights
from model.teaching.toy import toy_pairs, train_toy
from model.training.vocabularies.textbook import SPECIAL, word_vocabulary
from tests.tiny import tiny_model


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
    found = {(each.precision, math.isinf(each.fill)): each for each in hidden_weights()}
    for precision in ("float32", "bfloat16", "float16"):
        assert found[precision, True].one_hidden == found[precision, False].one_hidden
        assert found[precision, True].one_hidden[2] == 0
        assert all(map(math.isnan, found[precision, True].all_hidden))
    assert found["float32", False].all_hidden == pytest.approx((1 / 3,) * 3)
    assert math.isinf(found["float16", False].stored)
    assert all(map(math.isnan, found["float16", False].all_hidden))


def test_the_context_vector_is_the_one_the_gru_reads():
    bundle = load_recurrent(shipped()["attention"])
    trace = model.translate(bundle, "The cat is sleeping on the sofa.")
    found = context_steps(bundle, source_ids=trace.source.ids, prefix_ids=trace.prefix.ids)
    assert trace.attention.cross is not None
    assert np.allclose(found.weights, trace.attention.cross[0, 0], atol=1e-5)
    assert np.allclose(found.context, found.weights @ found.memory, atol=1e-5)
    assert np.allclose(found.weights, np.exp(found.scores) / np.exp(found.scores).sum(1, keepdims=True), atol=1e-5)


def test_a_model_without_a_context_vector_is_refused():
    with pytest.raises(InspectionError, match="GRU with attention"):
        context_steps(load_recurrent(shipped()["without"]), source_ids=(5,), prefix_ids=(2,))


@pytest.mark.parametrize(("n", "width"), [(2, 3), (9, 3), (9, 5), (12, 9), (30, 7)])
def test_a_window_reaches_the_last_token_after_as_many_layers_as_it_says(n, width):
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


def test_the_shipped_loss_curves_show_what_is_said_of_them():
    found = loss_curves()
    assert list(found) == list(RUNS)
    fits, overfits, underfits, too_fast = found.values()
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


def test_a_curve_is_read_from_what_a_run_writes():
    step = '{"kind": "StepDone", "step": %d, "loss": %d, "gradient_norm": %d}'
    lines = [step % (i, i, i) for i in range(1, 13)] + ['{"kind": "Validated", "step": 12, "loss": 3.0, "bleu": 1.0}']
    assert read_run(iter(lines)) == {
        "steps": [10, 12], "training": [5.5, 11.5], "validation_steps": [12], "validation": [3.0],
        "gradient_norms": [10, 12],
    }  # fmt: skip
