"""Two often copied tutorials: their files open as families and compute what plain PyTorch with their names computes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from tests.strangers.tutorials import FromScratch, Tutorial6, as_of

SOURCE = torch.tensor([[2, 6, 7, 8, 3], [2, 10, 3, 1, 1]])
TARGET = torch.tensor([[2, 11, 12, 13], [2, 14, 15, 1]])


@pytest.mark.nightly(but=("aladdin",))
@pytest.mark.parametrize(("family", "kind"), [("bentrevett", Tutorial6), ("aladdin", FromScratch)])
@torch.inference_mode()
def test_a_tutorials_file_computes_what_its_code_computes(family: str, kind: Any, tmp_path: Path) -> None:
    torch.manual_seed(0)
    original = kind().eval()
    for parameter in original.parameters():
        parameter.add_(torch.randn_like(parameter) * 0.1)
    torch.save(original.state_dict(), tmp_path / "model.pt")
    pad = 1 if family == "bentrevett" else 0
    source, target = ((ids if pad else ids.masked_fill(ids == 1, 0)) for ids in (SOURCE, TARGET))
    hints: dict[str, Any] = {"n_heads": 4} if family == "bentrevett" else {}
    bundle = model.load(tmp_path / "model.pt", **hints)
    assert bundle.family == family and bundle.config.n_encoder_heads == 4 and bundle.config.source_pad_id == pad
    logits, maps = original(source, target)
    found: Any = model.attend(bundle, source.numpy(), target.numpy())
    for name, expected in maps.items():
        np.testing.assert_allclose(getattr(found, name), torch.stack(expected, 1), rtol=0, atol=1e-5, err_msg=name)
    np.testing.assert_allclose(found.logits, logits, rtol=0, atol=1e-5)


@pytest.mark.nightly(but=("12", "03"))
@pytest.mark.parametrize("month", ["2019-09", "2019-10", "2019-12", "2020-03"])
@torch.inference_mode()
def test_an_earlier_tutorial_6_opens_with_its_shared_norms(month: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    original = Tutorial6(shares_norms=True).eval()
    for parameter in original.parameters():
        parameter.add_(torch.randn_like(parameter) * 0.1)
    state = as_of(month, original)
    torch.save(state, tmp_path / "tut6-model.pt")
    bundle = model.load(tmp_path / "tut6-model.pt", n_heads=4)
    assert bundle.family == "bentrevett" and bundle.report is not None
    assert all(mark in state for mark in bundle.report.recognised_by)
    logits, maps = original(SOURCE, TARGET)
    found: Any = model.attend(bundle, SOURCE.numpy(), TARGET.numpy())
    for name, expected in maps.items():
        np.testing.assert_allclose(getattr(found, name), torch.stack(expected, 1), rtol=0, atol=1e-5, err_msg=name)
    np.testing.assert_allclose(found.logits, logits, rtol=0, atol=1e-5)


def test_masks_that_hide_nothing_are_asked_about_and_refused(tmp_path: Path) -> None:
    torch.save(FromScratch().state_dict(), tmp_path / "model.pt")
    report = model.load(tmp_path / "model.pt").report
    assert report is not None and "masks_hide" in report.guesses
    with pytest.raises(model.CheckpointError, match="1e-20 or -1e-20 hide nothing: each token reads those after it"):
        model.load(tmp_path / "model.pt", masks_hide=False)
