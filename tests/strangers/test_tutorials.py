"""Two often copied tutorials: their files open as families and compute what plain PyTorch with their names computes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from tests.strangers.authors import Author, Written
from tests.strangers.tutorials import FROM_SCRATCH, TUTORIAL_6, as_convolutions, tutorial_6_of

SOURCE = torch.tensor([[2, 6, 7, 8, 3], [2, 10, 3, 1, 1]])
TARGET = torch.tensor([[2, 11, 12, 13], [2, 14, 15, 1]])


def assert_same(bundle: model.Bundle, written: Written, source: torch.Tensor, target: torch.Tensor) -> None:
    logits, maps = written(source, target, bundle.config.source_pad_id)
    attended: Any = model.attend(bundle, source.numpy(), target.numpy())
    for name, expected in {**maps, "logits": logits}.items():
        np.testing.assert_allclose(getattr(attended, name), expected, rtol=0, atol=1e-5, err_msg=name)


@pytest.mark.nightly(but=("aladdin",))
@pytest.mark.parametrize(("family", "author", "pad"), [("bentrevett", TUTORIAL_6, 1), ("aladdin", FROM_SCRATCH, 0)],
                         ids=["bentrevett", "aladdin"])  # fmt: skip
def test_a_tutorials_file_equals_its_code(family: str, author: Author, pad: int, tmp_path: Path) -> None:
    written = Written(author)
    torch.save(written.state(), tmp_path / "model.pt")
    hints: dict[str, Any] = {"n_heads": 4} if family == "bentrevett" else {}
    bundle = model.load(tmp_path / "model.pt", **hints)
    assert bundle.family == family and bundle.config.n_encoder_heads == 4 and bundle.config.source_pad_id == pad
    assert_same(bundle, written, *(ids.masked_fill(ids == 1, pad) for ids in (SOURCE, TARGET)))


@pytest.mark.nightly(but=("12", "03"))
@pytest.mark.parametrize("month", ["2019-09", "2019-10", "2019-12", "2020-03"])
def test_an_earlier_tutorial_6_opens_with_its_shared_norms(month: str, tmp_path: Path) -> None:
    written = Written(tutorial_6_of(month))
    state = as_convolutions(written.state()) if month == "2019-09" else written.state()
    torch.save(state, tmp_path / "tut6-model.pt")
    bundle = model.load(tmp_path / "tut6-model.pt", n_heads=4)
    assert bundle.family == "bentrevett" and bundle.report is not None
    assert all(mark in state for mark in bundle.report.recognised_by)
    assert_same(bundle, written, SOURCE, TARGET)


def test_masks_that_hide_nothing_are_a_question_and_can_be_refused(tmp_path: Path) -> None:
    torch.save(Written(FROM_SCRATCH).state(), tmp_path / "model.pt")
    report = model.load(tmp_path / "model.pt").report
    assert report is not None and "masks_hide" in report.guesses
    with pytest.raises(model.CheckpointError, match="1e-20 or -1e-20 hide nothing: each token reads those after it"):
        model.load(tmp_path / "model.pt", masks_hide=False)
