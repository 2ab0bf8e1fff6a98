"""The encoder's drift, and the untrained twin."""

from __future__ import annotations

import numpy as np
import torch

from model.interpret.context import context_drift, untrained_weights
from model.interventions import BlockedKey, Interventions
from tests.checkpoint import tiny_bundle

SOURCE = (4, 5, 7, 8, 9, 3)


def test_the_drift_is_the_cosine_with_the_first_vector():
    bundle = tiny_bundle()
    found = context_drift(bundle, (SOURCE, ()))
    states = bundle.model.encode(torch.tensor([SOURCE]), capture=True).hidden_states
    first, last = (states[i][0, 2].detach().numpy() for i in (0, -1))
    by_hand = first @ last / (np.linalg.norm(first) * np.linalg.norm(last))
    assert abs(found.cosine[-1, 2] - by_hand) < 1e-5
    np.testing.assert_allclose(found.cosine[0], 1, atol=1e-6)


def test_hiding_a_word_moves_the_others():
    bundle = tiny_bundle()
    hidden = Interventions(blocked_keys=(BlockedKey("encoder_self", 1),))
    plain, changed = (context_drift(bundle, (SOURCE, ()), interventions=i).cosine for i in (Interventions(), hidden))
    assert np.abs(plain - changed)[-1].max() > 1e-3


def test_untrained_attention_is_seeded_and_leaves_the_random_state_alone():
    bundle = tiny_bundle()
    torch.manual_seed(3)
    before = torch.get_rng_state()
    one, again, other = (untrained_weights(bundle, (SOURCE, (2, 6)), seed=s) for s in (0, 0, 1))
    assert torch.equal(before, torch.get_rng_state())
    np.testing.assert_array_equal(one, again)
    assert one.shape == (2, 2, 2, 6) and not np.array_equal(one, other)
    np.testing.assert_allclose(one.sum(-1), 1, atol=1e-5)
