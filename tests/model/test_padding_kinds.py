"""How toolkits treat padding: positions that skip it, queries with no visible key, and an id beyond the vocabulary."""

import numpy as np
import pytest
import torch

import model
from model.config import ConfigError
from model.inference.attending import attend
from tests.checkpoint import tiny_bundle
from tests.tiny import tiny_config, tiny_model

LEFT, RIGHT = [[0, 0, 5, 6, 7]], [[5, 6, 7, 0, 0]]


def test_positions_that_skip_padding_are_the_same_on_either_side() -> None:
    network = tiny_model(skip_padding=True, position_offset=2, embedding_norm=True)
    left, right = (network.encode(torch.tensor(ids)).memory for ids in (LEFT, RIGHT))
    torch.testing.assert_close(left[0, 2:], right[0, :3])
    ordinary = tiny_model(position_offset=2, embedding_norm=True)
    assert not torch.allclose(ordinary.encode(torch.tensor(LEFT)).memory[0, 2:], right[0, :3])


def test_padding_that_is_skipped_enters_the_encoder_as_zeros() -> None:
    network = tiny_model(skip_padding=True, embedding_norm=True)
    embedded = network.encoder.embed(torch.tensor(RIGHT), 0)
    assert not embedded[0, 3:].any() and embedded[0, :3].any()


def test_a_blank_query_weighs_every_position_alike() -> None:
    network = tiny_model(blank_target_padding=True, mask_target_padding=False)
    target = torch.tensor([[2, 6, 7, 0]])
    weights = network(torch.tensor(RIGHT), target, capture=True).decoder_self[0]
    torch.testing.assert_close(weights[0, :, 3], torch.full((2, 4), 0.25))
    assert not weights[0, :, 2, 3].any()
    whole, captured = (network(torch.tensor(RIGHT), target, capture=capture).logits for capture in (False, True))
    torch.testing.assert_close(whole, captured)


def test_the_id_past_the_vocabulary_is_zeros_padding_and_start() -> None:
    bundle = tiny_bundle(starts_from_zero=True, bos_id=20, source_pad_id=20, target_pad_id=20,
                         mask_target_padding=False)  # fmt: skip
    fed = np.array([[20, 5, 6], [20, 7, 20]])
    found = attend(bundle, np.array([[5, 6, 7], [5, 20, 20]]), fed)
    alone = attend(bundle, np.array([[5]]), np.array([[20, 7]]))
    assert found.logits is not None and found.logits.shape[-1] == 20 and alone.logits is not None
    np.testing.assert_allclose(found.logits[1, :2], alone.logits[0], atol=1e-5)
    assert found.encoder_self is not None and not found.encoder_self[1, ..., 1:].any()
    assert model.translate(bundle, "the cat").prefix_tokens[0] == "#20"


def test_an_id_past_the_vocabulary_needs_the_setting() -> None:
    assert tiny_config(starts_from_zero=True, bos_id=20).bos_id == 20
    with pytest.raises(ConfigError, match=r"bos_id \(20\) must lie in \[0, 20\)"):
        tiny_config(bos_id=20)


@pytest.mark.parametrize("name", ["relu", "gelu", "gelu_tanh", "gelu_sigmoid", "silu"])
def test_every_activation_computes(name: str) -> None:
    network = tiny_model(activation=name)
    assert bool(network(torch.tensor(RIGHT), torch.tensor([[2, 5]])).logits.isfinite().all())
