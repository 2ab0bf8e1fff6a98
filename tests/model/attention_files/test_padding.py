"""The padding of a batch can be left out of a record."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model.attention_files import RecordError
from viz.notebook import record_of


def test_the_padding_of_one_sentence_of_a_batch_is_left_out() -> None:
    weights = torch.zeros(2, 1, 4, 4)
    weights[1, :, :, :2] = 0.5
    tokens = ["a", "b", "<pad>", "<pad>"]
    record = record_of({"attentions": (weights,)}, source_tokens=tokens, batch=1, padding="<pad>")
    assert (record.source_tokens or record.target_tokens) == ("a", "b")
    (kind,) = record.maps.kinds
    np.testing.assert_array_equal(record.maps.of(kind), np.full((1, 1, 2, 2), 0.5, np.float32))
    with pytest.raises(RecordError, match="every token is"):
        record_of({"attentions": (weights,)}, source_tokens=["x"] * 4, batch=1, padding="x")
