"""Optimisers step as PyTorch's do, and training imports neither its compiler nor its distributed tensors."""

import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from model import optimisers
from tests.training.runs import trainer


def trained(kind: Any, steps: int, state: dict | None = None) -> tuple[Tensor, dict]:
    torch.manual_seed(0)
    layer = nn.Linear(3, 2)
    optimiser = kind(layer.parameters(), lr=0.1, weight_decay=0.1)
    if state is not None:
        optimiser.load_state_dict(deepcopy(state))
    for step in range(steps):
        optimiser.zero_grad()
        layer(torch.arange(3.0) + step).square().sum().backward()
        optimiser.step()
    return layer.weight.detach(), optimiser.state_dict()


@pytest.mark.parametrize("name", ["Adam", "AdamW"])
def test_a_step_and_its_state_are_those_of_pytorch(name: str) -> None:
    own, expected = getattr(optimisers, name), getattr(torch.optim, name)
    weight, state = trained(expected, 3)
    assert_close(trained(own, 3)[0], weight, rtol=0, atol=0)
    assert trained(own, 3)[1]["param_groups"] == state["param_groups"]
    assert_close(trained(own, 2, state)[0], trained(expected, 2, state)[0], rtol=0, atol=0)


@pytest.mark.nightly
def test_training_imports_neither_the_compiler_nor_distributed_tensors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch._dynamo", "torch.distributed.tensor"):
        monkeypatch.setitem(sys.modules, name, None)  # to import it is an error now
    list(trainer(tmp_path / "run", steps=2, validate_every=2).run())
