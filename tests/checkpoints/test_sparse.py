"""Encoder-decoders whose encoder computes some pairs of tokens alone: LED, LongT5 and BigBird-Pegasus."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.checkpoints.basis.errors import UnshownError
from model.nn.transformer import Transformer
from tests.checkpoints.architectures import ARCHITECTURES, save

IDS = list(range(5, 25))


@pytest.mark.nightly("led")
@pytest.mark.parametrize(("name", "window"), [("led", 3), ("longt5", 3)])
def test_pairs_beyond_the_window_are_never_computed(name: str, window: int, tmp_path: Path) -> None:
    save(ARCHITECTURES[name], tmp_path / "given")
    bundle = model.load(tmp_path / "given")
    assert isinstance(bundle.model, Transformer) and bundle.config.encoder_window == window
    result: Any = model.attend(bundle, [IDS], [[2, 5]]).encoder_self
    apart = np.abs(np.subtract.outer(range(len(IDS)), range(len(IDS))))
    assert (result[0][..., apart >= window] == 0).all() and (result[0][..., apart < window] > 0).all()
    np.testing.assert_allclose(result.sum(-1), 1, atol=1e-6)
    again = model.load(model.save(bundle, tmp_path / "saved"))
    assert again.fingerprint == bundle.fingerprint and again.config == bundle.config


@pytest.mark.nightly(but=("led", "3-bigbird_pegasus"))
@pytest.mark.parametrize("name", ["led", "longt5", "bigbird_pegasus"])
@pytest.mark.parametrize("beams", [1, 3])
def test_greedy_ids_equal_the_librarys(name: str, beams: int, tmp_path: Path) -> None:
    original = save(ARCHITECTURES[name], tmp_path)
    method = "beam" if beams > 1 else "greedy"
    trace = model.translate(model.load(tmp_path), [*IDS, 2], method=method, beam_size=beams, length_penalty=0.0,
                            max_length=8, stop_loops=False)  # fmt: skip
    value = torch.tensor([[*IDS, 2]])
    expected = original.generate(
        value, attention_mask=torch.ones_like(value), do_sample=False, num_beams=beams, length_penalty=0.0,
        max_new_tokens=8, use_cache=False, forced_eos_token_id=None, early_stopping=False,
    )  # fmt: skip
    assert list(trace.target.ids) == expected[0, 1:].tolist()


def test_bigbird_reads_texts_of_which_it_computes_every_pair(tmp_path: Path) -> None:
    fields = {"block_size": 2, "num_random_blocks": 1}
    architecture = ARCHITECTURES["bigbird_pegasus"]
    save(type(architecture)(architecture.class_name, "both", architecture.fields | fields), tmp_path)
    assert model.load(tmp_path).config.max_positions == 14  # (5 + 2 · 1) · 2: beyond it computes blocks


def test_summaries_of_blocks_are_no_tokens(tmp_path: Path) -> None:
    save(ARCHITECTURES["longt5, transient-global"], tmp_path)
    with pytest.raises(UnshownError, match=r"summaries of blocks.*save its attention as a file"):
        model.load(tmp_path)
