"""Losses, schedules and optimisers."""

import math
import sys
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from model import optimisers
from model.nn.dropout import Dropout
from model.training.loss import SLICE, smoothed_cross_entropy
from model.training.settings import TrainingConfig, TrainingError, learning_rate
from tests.training.jobs import trainer


def test_loss_equals_the_sum_over_the_smoothed_distribution() -> None:
    torch.manual_seed(0)
    hidden, weight, bias, targets = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5), torch.tensor([1, 4, 0])
    expected = 0.0
    for row in range(3):
        logits = [float(hidden[row] @ weight[v] + bias[v]) for v in range(5)]
        log_total = math.log(sum(map(math.exp, logits)))
        for v in range(5):
            q = 0.1 / 5 + (0.9 if v == targets[row] else 0.0)
            expected -= q * (logits[v] - log_total)
    assert float(smoothed_cross_entropy(hidden, weight, bias, targets, smoothing=0.1)) == pytest.approx(expected, 1e-5)


@pytest.mark.parametrize("has_bias", [True, False])
def test_loss_and_gradients_equal_pytorchs_own(has_bias: bool) -> None:
    torch.manual_seed(1)
    n = SLICE + 37
    hidden = torch.randn(n, 8, requires_grad=True)
    weight = torch.randn(50, 8, requires_grad=True)
    bias = torch.randn(50, requires_grad=True) if has_bias else None
    targets = torch.randint(50, (n,))
    leaves = [hidden, weight] if bias is None else [hidden, weight, bias]
    ours = smoothed_cross_entropy(hidden, weight, bias, targets, smoothing=0.1)
    expected = torch.nn.functional.cross_entropy(
        torch.nn.functional.linear(hidden, weight, bias), targets, reduction="sum", label_smoothing=0.1
    )
    assert_close(ours, expected, rtol=1e-5, atol=0)
    for mine, other in zip(
        torch.autograd.grad(ours * 0.3, leaves), torch.autograd.grad(expected * 0.3, leaves), strict=True
    ):
        assert_close(mine, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("p", [0.001, 0.0019, 0.998, 0.9985, 0.999])
def test_dropout_near_its_bounds_drops_its_share_and_stays_finite(p: float) -> None:
    torch.manual_seed(0)
    dropped = Dropout(p).train()(torch.ones(400_000))
    assert torch.isfinite(dropped).all()
    assert float((dropped == 0).float().mean()) == pytest.approx(p, rel=0.5 if p < 0.5 else 0.003)
    assert float(dropped.mean()) == pytest.approx(1, abs=0.15)


def test_noam_is_equation_3() -> None:
    config = TrainingConfig(schedule="noam", warmup_steps=400)
    for step in (1, 10, 399, 400, 401, 4000):
        assert learning_rate(step, config, 512) == pytest.approx(512**-0.5 * min(step**-0.5, step * 400**-1.5))
    peak = max(range(1, 2000), key=lambda step: learning_rate(step, config, 512))
    assert peak == 400


@pytest.mark.parametrize("schedule", ["trapezoid", "cosine"])
def test_other_schedules_climb_in_a_line_and_fall_to_almost_nothing(schedule: Any) -> None:
    config = TrainingConfig(schedule=schedule, steps=1000, warmup_steps=100, learning_rate=2e-3, decay_share=0.4)
    rates = [learning_rate(step, config, 64) for step in range(1, 1001)]
    assert rates[49] == pytest.approx(1e-3) and max(rates) == pytest.approx(2e-3)
    assert 0 < rates[-1] < 2e-3 / 100
    assert all(later <= earlier for earlier, later in pairwise(rates[100:]))


def test_the_trapezoid_stays_at_its_peak_until_it_falls_in_a_line() -> None:
    config = TrainingConfig(steps=1000, warmup_steps=100, learning_rate=1e-3, decay_share=0.4)
    assert learning_rate(101, config, 64) == learning_rate(600, config, 64) == 1e-3
    assert learning_rate(801, config, 64) == pytest.approx(0.5e-3)


def test_a_constant_rate_stays() -> None:
    config = TrainingConfig(schedule="constant", warmup_steps=10, learning_rate=3e-4)
    assert learning_rate(5, config, 64) == pytest.approx(1.5e-4)
    assert learning_rate(10, config, 64) == learning_rate(3999, config, 64) == 3e-4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": 0}, "steps (0) must be at least 1"),
        ({"dropout": 1.0}, "dropout (1.0) must lie in [0, 1)"),
        ({"learning_rate": 0.0}, "learning_rate (0.0) must be positive: 1e-3 to train, 1e-4 to fine-tune"),
        ({"learning_rate": float("nan")}, "learning_rate (nan) must be positive"),
        ({"schedule": "linear"}, "schedule (linear) must be one of noam, trapezoid, cosine, constant"),
        ({"decay_share": 0.0}, "decay_share (0.0) must lie in (0, 1]"),
    ],
)
def test_settings_out_of_range_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TrainingError) as caught:
        TrainingConfig(**changes)
    assert message in str(caught.value)


@pytest.mark.parametrize("steps", [1, 2, 3, 50, 500, 900])
def test_a_cosine_shorter_than_its_warm_up_ends_near_zero_too(steps: int) -> None:
    config = TrainingConfig(schedule="cosine", steps=steps)
    rates = [learning_rate(step, config, 64) for step in range(1, steps + 1)]
    assert max(rates) <= config.learning_rate
    assert rates[-1] < 4 * config.learning_rate / steps


def train(kind: Any, steps: int, state: dict | None = None) -> tuple[Tensor, dict]:
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
    weight, state = train(expected, 3)
    assert_close(train(own, 3)[0], weight, rtol=0, atol=0)
    assert train(own, 3)[1]["param_groups"] == state["param_groups"]
    assert_close(train(own, 2, state)[0], train(expected, 2, state)[0], rtol=0, atol=0)


@pytest.mark.nightly
def test_training_imports_neither_the_compiler_nor_distributed_tensors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch._dynamo", "torch.distributed.tensor"):
        monkeypatch.setitem(sys.modules, name, None)  # to import it is an error now
    list(trainer(tmp_path / "run", steps=2, validate_every=2).run())
