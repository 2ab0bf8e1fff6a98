"""``prune``."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.mark.nightly
def test_json_has_every_head_and_every_curve(command: Command, checkpoint: Path, pairs: Path) -> None:
    found = json.loads(command("prune", pairs, "--checkpoint", checkpoint, "--json").out)
    assert found["n_pairs"] == 4
    for way in ("zero", "mean", "keep_one"):
        assert len(found[way]["rows"]) == len(found[way]["bleu"]["rows"]) == 12
        kind, layer, head, mean, low, high = found[way]["rows"][0]
        assert (kind, layer, head) == ("encoder_self", 0, 0) and low <= mean <= high
    chance = {f"random_{seed}" for seed in range(5)}
    assert set(found["curves"]) == {"importance", *chance, "encoder_self", "decoder_self", "cross"}
    whole = found["curves"]["importance"]
    assert whole["removed"][0] == 0 and whole["removed"][-1] == len(whole["order"]) == 12
    assert whole["log_probs"][0] == pytest.approx(found["zero"]["before"])
    for curve in found["curves"].values():
        for value, (low, high) in zip(curve["log_probs"], curve["bounds"], strict=True):
            assert low <= value <= high
        for point in curve["quality"]:
            assert all(
                point[f"{name}_bounds"][0] <= point[name] <= point[f"{name}_bounds"][1] for name in ("bleu", "chrf")
            )


def test_the_costliest_heads_are_named(command: Command, checkpoint: Path, pairs: Path) -> None:
    result = command("prune", pairs, "--checkpoint", checkpoint, "--no-translate", "--limit", "2")
    assert result.code == 0 and "2 pairs" in result.out and "of 12 cost something" in result.out
    assert "nats a token" in result.out and "least important first   0: " in result.out and "BLEU" not in result.out
