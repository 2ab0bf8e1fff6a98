"""Figures of a record: what they show, and what they fall back to."""

from __future__ import annotations

import numpy as np
import pytest

from model.attention_files import AttentionRecord
from model.trace import AttentionMaps, Floats
from viz.export import grid_figure, head_figure
from viz.i18n import speaking


def rows(*shape: int) -> Floats:
    raw = np.random.default_rng(0).random(shape)
    return (raw / raw.sum(-1, keepdims=True)).astype(np.float32)


RECORD = AttentionRecord(
    maps=AttentionMaps(None, None, rows(2, 2, 2, 3)), source_tokens=("The", "cat", "</s>"),
    target_tokens=("Chat", "</s>"), source_text="The cat", text="Chat", model="tiny",
)  # fmt: skip


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "cross-attention · layer 2, head 1"), ("fr", "couche 2, tête 1"), ("zh", "第 2 层，第 1 头")],
)
def test_the_caption_says_sentence_model_kind_layer_and_head(language: str, words: str) -> None:
    with speaking(language):
        svg = head_figure(RECORD, kind="cross", layer=1, head=0, first_index=1, file_format="svg").decode()
    assert "The cat → Chat · tiny · " in svg
    assert words in svg
    assert f"{RECORD.maps.cross[1, 0, 0, 0]:.2f}" in svg  # pyright: ignore[reportOptionalSubscript]


def test_a_head_that_is_not_there_gives_way_to_the_nearest() -> None:
    svg = head_figure(RECORD, kind="encoder_self", layer=9, head=9, file_format="svg").decode()
    assert "cross-attention · layer 1, head 1" in svg


def test_gradients_keep_their_sign() -> None:
    signed = AttentionRecord(
        maps=AttentionMaps(None, None, rows(1, 1, 2, 3) - 0.5), source_tokens=RECORD.source_tokens,
        target_tokens=RECORD.target_tokens, reading="gradient",
    )  # fmt: skip
    svg = head_figure(signed, kind="cross", layer=0, head=0, file_format="svg").decode()
    assert "−0." in svg and "+0." in svg
    assert "gradient × attention" in svg


def test_both_figures_are_pdf_unless_told_otherwise() -> None:
    assert head_figure(RECORD, kind="cross", layer=0, head=0).startswith(b"%PDF")
    assert grid_figure(RECORD, kind="cross").startswith(b"%PDF")
