"""The text that a written word is kept as: in links, caches and histories."""

from __future__ import annotations

import re

import numpy as np
import pytest

import model
from model import Picture, PictureSource
from model.picture import is_picture, runs

SOURCE = PictureSource()
WORD = Picture.drawn([[(0, 0), (0, 40)], [(10, 40), (20, 10), (30, 40)], [(50, 20)]], SOURCE)


def test_a_picture_is_the_same_after_its_text() -> None:
    again = Picture.of_text(WORD.text).prepared(SOURCE)
    assert again == WORD
    assert again.text == WORD.text
    assert is_picture(WORD.text)
    assert len(WORD.text) < 400


def test_nothing_of_a_pictures_text_is_escaped_in_an_address() -> None:
    assert re.fullmatch(r"[A-Za-z0-9._-]+", WORD.text)


@pytest.mark.parametrize(
    "text", ["ink.é", "ink.a b", f"{WORD.text}!", "ink." + "P" * 5000, "ink." + "A" * 6001, "ink.\n", "ink. "]
)
def test_a_damaged_text_is_refused(text: str) -> None:
    with pytest.raises(model.TextError, match="copy the whole of it"):
        Picture.of_text(text)


def test_a_picture_without_ink_is_refused_by_name() -> None:
    for text in ("ink.", "ink.PPPP"):
        with pytest.raises(model.TextError, match="no ink"):
            Picture.of_text(text).prepared(SOURCE)


def test_noise_takes_no_more_than_the_longest_text() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (32, 384), np.uint8)
    text = Picture(noise).text
    assert len(text) <= runs.MOST_CHARACTERS + 4
    assert runs.read(text).shape[0] == 32


def test_the_shipped_reader_reads_a_picture_and_its_text_alike() -> None:
    bundle = model.load("reader")
    picture = (model.checkpoints.loading.PRETRAINED / "reader" / "examples.tsv").read_text("utf-8").split("\t")[2]
    trace = model.translate(bundle, picture.split("\n")[0])
    again = model.translate(bundle, trace.source_text)
    assert trace.text == again.text == "beauty"
    assert again.source_text == trace.source_text
    assert trace.attention.cross is not None and again.attention.cross is not None
    assert (trace.attention.cross == again.attention.cross).all()
