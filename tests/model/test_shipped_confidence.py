"""The shipped calibration belongs to the shipped weights, is accurate enough, and accepts everyday sentences."""

from __future__ import annotations

import pytest

import model
from model.interpret.confidence import confidence
from viz.panels.opening import EXAMPLES


@pytest.fixture(scope="module")
def shipped() -> model.Bundle:
    return model.load()


def test_the_constants_are_those_of_the_shipped_weights_and_tell_poor_translations(shipped: model.Bundle) -> None:
    assert shipped.calibration is not None, "run benchmarks/confidence.py again: the model has changed"
    assert shipped.calibration.measured["auc"] >= 0.84


@pytest.mark.parametrize("text", EXAMPLES["en"])
def test_the_examples_of_the_app_are_not_doubted(shipped: model.Bundle, text: str) -> None:
    found = confidence(shipped, model.translate(shipped, text))
    assert found is not None and not found.is_doubtful


@pytest.mark.nightly(but=("xq zzkw vbrt plmq",))
@pytest.mark.parametrize(
    "text",
    [
        "The defendant's counsel filed a motion to suppress the evidence obtained during the search.",
        "The judgment of the constitutional court has been described as a watershed in comparative jurisprudence.",
        "xq zzkw vbrt plmq",
        "我今天很累。",
        "Привет, как дела?",
        "😂😂😂",
    ],
)
def test_what_it_cannot_translate_is_doubted(shipped: model.Bundle, text: str) -> None:
    found = confidence(shipped, model.translate(shipped, text))
    assert found is not None and found.is_doubtful
