"""A decoder in low precision is compared with the library's in its first layers, a few neurons and a few rows."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional

import model
from model.checkpoints.families.huggingface import stacks
from model.checkpoints.families.huggingface.stacks import agrees
from model.nn.transformer import Transformer
from tests.checkpoints.architectures import ARCHITECTURES, save

WIDE: dict[str, dict[str, Any]] = {"llama": {"intermediate_size": 160, "vocab_size": 90}, "gpt2": {"n_inner": 160}}


def _pair(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Transformer, Any]:
    """Our model in bfloat16 and the library's, around the same tensors."""
    known = ARCHITECTURES[name]
    save(replace(known, fields=known.fields | WIDE[name]), folder)
    pairs: list[tuple[Transformer, Any]] = []
    monkeypatch.setattr(stacks, "agrees", lambda *pair: bool(pairs.append(pair)) or agrees(*pair))
    assert isinstance(model.load(folder, dtype="bfloat16").model, Transformer)
    return pairs[0]


@pytest.mark.parametrize("name", WIDE)
def test_a_difference_in_code_shows_in_the_compared_part(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, expected = _pair(name, tmp_path, monkeypatch)
    layer: Any = ours.decoder.layers[0]
    assert agrees(ours, expected)
    right, layer.feed_forward.activation = layer.feed_forward.activation, functional.relu
    assert not agrees(ours, expected)
    layer.feed_forward.activation = right
    assert agrees(ours, expected)
    layer.residual_scale = 0.2
    assert not agrees(ours, expected)


def test_the_part_has_one_layer_of_a_kind_and_the_same_neurons_in_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = _pair("llama", tmp_path, monkeypatch)
    ours, expected = stacks._small(*pair)
    assert len(ours.decoder.layers) == len(expected.model.layers) == 1
    own_layer: Any = ours.decoder.layers[0]
    assert own_layer.feed_forward.fc2.weight.shape == (16, 64)
    assert expected.model.layers[0].mlp.down_proj.weight.shape == (16, 64)
    assert ours.output.weight.shape == expected.lm_head.weight.shape == (64, 16)
    assert pair[0].output.weight.shape == pair[1].lm_head.weight.shape == (90, 16)  # those stay as they were
    assert len(pair[0].decoder.layers) == 3


def test_the_comparison_leaves_the_number_of_threads_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        _pair("llama", tmp_path, monkeypatch)
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
