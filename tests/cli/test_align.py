"""``align``."""

import json
from pathlib import Path

from tests.cli.conftest import Command


def test_json_names_every_head_in_both_row_meanings(command: Command, checkpoint: Path, gold: Path) -> None:
    found = json.loads(command("align", gold, "--checkpoint", checkpoint, "--json").out)
    assert len(found["heads"]) == 2 * 2 * 4
    assert set(found["heads"][0]) == {
        "kind", "layer", "head", "row", "weights", "aer", "precision", "recall", "f1",
        "aer_low", "aer_high",
    }  # fmt: skip
    assert {(row["row"], row["weights"]) for row in found["heads"]} == {
        (row, weights) for row in ("fed", "predicted") for weights in ("raw", "value_weighted")
    }
    lowest = min(found["heads"], key=lambda row: row["aer"])
    assert found["best"]["aer"] == lowest["aer"]
    assert found["best"]["alignment_layer"] == lowest["layer"]
    assert found["best"]["alignment_heads"] == [[lowest["layer"], lowest["head"]]]
    assert set(found["best_first_heads"]) == {"alignment_layer", "alignment_heads", "aer", "precision", "recall", "f1"}


def test_the_table_names_the_best_head_for_copying(command: Command, checkpoint: Path, gold: Path) -> None:
    result = command("align", gold, "--checkpoint", checkpoint)
    assert result.code == 0 and "alignment_layer:" in result.out and "AER 0." in result.out
    assert "alignment_heads: [[" in result.out
