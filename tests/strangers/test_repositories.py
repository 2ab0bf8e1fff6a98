"""Files as published repositories write them, which no family knows: each opens and computes what its code computes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.checkpoints.answers.heads import CLEAR, layout_nats
from model.checkpoints.basis.errors import AnswerWarning
from tests.strangers.network import Network
from tests.strangers.plain import Habit, made
from tests.strangers.repositories import REPOSITORIES

SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0]])
TARGET = torch.tensor([[1, 11, 12, 13], [1, 14, 15, 0]])


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_repositorys_file_opens_and_computes_the_same(name: str, tmp_path: Path) -> None:
    repository = REPOSITORIES[name]
    network = Network(repository)
    torch.save(network.state(), tmp_path / "mine.pt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        usual = {"norm_first": False, "norm_kind": "layer", "activation": "relu", "embedding_scale": 32**0.5,
                 "positions": "interleaved", "score_width": "head"}  # fmt: skip
        answers: dict[str, Any] = {"n_heads": repository.heads, **usual, **repository.hints}
        if repository.by_head:
            answers["fused_by_head"] = True
        bundle = model.load(tmp_path / "mine.pt", source_pad_id=0, target_pad_id=0, bos_id=1, eos_id=2, **answers)
    assert bundle.family == "named"
    logits, maps = network(SOURCE, TARGET)
    found: Any = model.attend(bundle, SOURCE.numpy(), TARGET.numpy())
    for kind, expected in maps.items():
        np.testing.assert_allclose(getattr(found, kind), expected, rtol=0, atol=1e-5, err_msg=kind)
    np.testing.assert_allclose(found.logits, logits, rtol=0, atol=1e-5)


def test_how_fused_projections_are_cut_is_asked_with_the_heads(tmp_path: Path) -> None:
    repository = REPOSITORIES["ajhalthor/Transformer-Neural-Network"]
    torch.save(Network(repository).state(), tmp_path / "mine.pt")
    with pytest.warns(AnswerWarning):
        report = model.load(tmp_path / "mine.pt").report
    assert report is not None and {"n_heads", "fused_by_head"} <= {question.hint for question in report.close}
    with pytest.warns(AnswerWarning, match="fused_by_head"):
        bundle = model.load(tmp_path / "mine.pt", n_heads=4)
    (asked,) = (question for question in bundle.report.questions if question.hint == "fused_by_head")  # type: ignore[union-attr]
    assert asked.value is True  # its authors call it qkv_layer
    thirds = model.load(tmp_path / "mine.pt", n_heads=4, fused_by_head=False)
    ids = np.array([[4, 5, 6]])
    first, second = (model.attend(each, ids, ids).encoder_self for each in (bundle, thirds))
    assert first is not None and second is not None and np.abs(first - second).max() > 0.01


@pytest.mark.nightly("fr", "True")
@pytest.mark.parametrize("by_head", [False, True])
@pytest.mark.parametrize("name", ["en-fr", "tiny"])
def test_the_rows_of_trained_fused_projections_tell_how_they_are_cut(name: str, by_head: bool) -> None:
    bundle = model.load(name)
    state, heads = bundle.model.state_dict(), bundle.config.n_encoder_heads
    cut = []
    for layer in range(bundle.config.n_encoder_layers):
        parts = [state[f"encoder.layers.{layer}.self_attention.{role}.weight"] for role in ("query", "key", "value")]
        rows = torch.stack(parts)  # (3, D, D)
        cut.append((rows.unflatten(1, (heads, -1)).transpose(0, 1).flatten(0, 2) if by_head else rows.flatten(0, 1), 3))
    nats = layout_nats(cut, heads)
    assert nats[by_head] == 0 and nats[not by_head] > CLEAR


def test_a_norm_that_its_layer_shares_serves_every_branch(tmp_path: Path) -> None:
    names = {"norm1.weight": "norm.weight", "norm1.bias": "norm.bias"}
    stranger = made(Habit())
    for side in ("encoder", "decoder"):
        for layer in getattr(stranger, side).layers:
            layer.norm2 = layer.norm1
            if side == "decoder":
                layer.norm3 = layer.norm1
    state = {name: tensor for name, tensor in stranger.state().items() if "norm2" not in name and "norm3" not in name}
    for last, shared in names.items():
        state = {name.replace(last, shared): tensor for name, tensor in state.items()}
    torch.save(state, tmp_path / "mine.pt")
    bundle = model.load(tmp_path / "mine.pt", n_heads=4, source_pad_id=0, target_pad_id=0, bos_id=1, eos_id=2)
    assert bundle.report is not None and any(
        '"encoder.layers.{i}.*_norm.weight"' in line for line in bundle.report.lines
    )
    with torch.inference_mode():
        logits, _ = stranger(SOURCE, TARGET)
    found: Any = model.attend(bundle, SOURCE.numpy(), TARGET.numpy()).logits
    np.testing.assert_allclose(found, logits, rtol=0, atol=1e-5)
