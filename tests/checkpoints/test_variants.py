"""The same weights read with another number of heads keep the widths of their projections."""

import dataclasses
from typing import Any

import pytest

import model
from model.bundle import Bundle
from model.checkpoints.answers.variants import with_answer
from model.nn.transformer import Transformer


@pytest.mark.nightly(but=("2",))
@pytest.mark.parametrize("factor", [2, 0.5])
def test_grouped_heads_keep_their_widths_and_still_compute(factor: float) -> None:
    bundle: Bundle = model.load("tiny-decoder")
    assert isinstance(bundle.model, Transformer)
    before = [spec.attention for spec in bundle.model.config.layer_specs]
    assert all(own.key_heads < own.n_heads for own in before), "the shipped decoder shares keys among heads"
    other = with_answer(bundle.model, "n_heads", int(before[0].n_heads * factor))
    after = [spec.attention for spec in other.config.layer_specs]
    for own, read in zip(before, after, strict=True):
        assert read.n_heads == own.n_heads * factor
        assert read.n_heads * read.d_key == own.n_heads * own.d_key
        assert read.n_heads * read.d_value == own.n_heads * own.d_value
        assert read.key_heads * read.d_key == own.key_heads * own.d_key
    trace: Any = model.translate(dataclasses.replace(bundle, model=other), "The cat", max_length=4)
    assert trace.attention.decoder_self.shape[1] == after[0].n_heads
