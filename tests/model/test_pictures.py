"""A picture as a source: its pixels and text form, and a model that reads its strips."""

import dataclasses
import io
import math
import re
import struct
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import model
from model.picture import Picture, is_picture, png, runs
from tests.tiny import tiny_model

ROOT = Path(__file__).parents[2]
EXAMPLES = [line.split("\t") for line in (ROOT / "pretrained/reader/examples.tsv").read_text("utf-8").splitlines()]
SOURCE = model.PictureSource(height=8, width=24, strip=4, right=0)


@cache
def reader() -> model.Bundle:
    return model.load("reader")


@cache
def tiny_reader() -> model.Bundle:
    made = tiny_model(3, picture=SOURCE, source_vocab_size=257, source_pad_id=256, source_has_eos=False,
                      tie_embeddings=False, tie_output=False, embedding_scale=8.0)  # fmt: skip
    return model.Bundle("tiny-reader", made, made.config, None, model.WordTokenizer([*"abcdefghijklmnopqrst"]))


def scribble(n_strips: int, seed: int) -> Picture:
    """A prepared picture of random ink for the tiny reader."""
    pixels = np.zeros((8, 4 * n_strips), np.uint8)
    pixels[2:-2, 4:-1] = 17 * np.random.default_rng(seed).integers(1, 16, (4, 4 * n_strips - 5))
    pixels[3, -1] = 17
    return Picture(pixels).prepared(SOURCE)


# -- the network --


@pytest.mark.nightly
def test_the_shipped_reader_reads_its_examples():
    texts, _, pictures = zip(*EXAMPLES, strict=True)
    traces = model.translate(reader(), list(pictures))
    read = sum(trace.text == text for trace, text in zip(traces, texts, strict=True))  # type: ignore[union-attr]
    assert read == len(EXAMPLES) == 24


# -- everything else works on it unchanged --


def test_a_trace_of_a_picture_is_written_and_read_back(tmp_path: Path):
    trace = model.translate(tiny_reader(), scribble(5, 3), max_length=4)
    assert model.Trace.load(trace.save(tmp_path / "picture")) == trace
    assert is_picture(trace.source_text) and "a picture" in repr(trace)
    assert model.translate(tiny_reader(), trace.source_text, max_length=4) == trace


def test_a_model_of_pictures_is_saved_and_opened(tmp_path: Path):
    model.save(tiny_reader(), tmp_path / "saved")
    opened = model.load(tmp_path / "saved")
    assert opened.config == tiny_reader().config and opened.picture == SOURCE
    for name, tensor in tiny_reader().model.state_dict().items():
        torch.testing.assert_close(opened.model.state_dict()[name], tensor)


def test_weights_of_a_batch_of_strips():
    trace = model.translate(tiny_reader(), scribble(4, 4), max_length=3)
    batch = model.attend(tiny_reader(), [trace.source.ids], [trace.prefix.ids])
    assert batch.cross is not None
    np.testing.assert_allclose(batch.cross[0], np.asarray(trace.attention.cross), atol=1e-6)
    with pytest.raises(model.TextError, match="strips of 32 pixels from 0 to 255"):
        strips: Any = [[(300,) * 32]]
        model.attend(tiny_reader(), strips, [[2]])
    with pytest.raises(model.TextError, match="a list of strips"):
        model.attend(tiny_reader(), [[5, 6]], [[2]])


# -- what is refused --


def test_a_text_is_no_picture_and_a_picture_is_no_text():
    with pytest.raises(model.TextError, match=r"reader reads pictures, and 'hello' is a text: give model\.Picture"):
        model.translate(reader(), "hello")
    with pytest.raises(model.EmptyTextError, match="write a word"):
        model.translate(reader(), " ")
    for value in (scribble(4, 1), scribble(4, 1).text):
        with pytest.raises(model.TextError, match="reads text: open a model that reads pictures, such as reader"):
            model.translate(model.load("tiny"), value)
        with pytest.raises(model.TextError, match="open a model that reads pictures"):
            model.translate(model.load("tiny-decoder"), value)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_empty_picture_has_no_ink(level: int):
    with pytest.raises(model.EmptyTextError, match="there is no ink"):
        model.translate(reader(), Picture.of(np.full((50, 80), level, np.uint8)))
    with pytest.raises(model.EmptyTextError, match="there is no ink"):
        Picture.drawn([])


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"source_pad_id": 0}, "source_pad_id"), ({"source_vocab_size": 300}, "source_vocab_size"),
     ({"source_has_eos": True}, "source_has_eos"), ({"n_encoder_layers": 0}, "n_encoder_layers")],
)  # fmt: skip
def test_a_configuration_of_pictures_that_does_not_fit(changes: dict[str, Any], message: str):
    with pytest.raises(model.ConfigError, match=message):
        dataclasses.replace(tiny_reader().config, **changes)


def test_a_picture_in_a_configuration_is_checked():
    fields = {"source_vocab_size": 257, "target_vocab_size": 9, "picture": {"height": 32, "strip": 5}}
    with pytest.raises(model.ConfigError, match="must be a multiple of its strips"):
        model.TransformerConfig.from_mapping(fields)
    for wrong in ({"height": True}, {"depth": 3}, {"width": "6"}):
        with pytest.raises(model.ConfigError, match="picture"):
            model.TransformerConfig.from_mapping(fields | {"picture": wrong})


# -- the pixels --


def _png(picture: Image.Image) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "LA", "P", "1"])
def test_small_pngs_are_read_as_pillow_reads_them(mode: str):
    rng = np.random.default_rng(1)
    smooth = Image.fromarray(rng.integers(0, 256, (9, 13, 3), np.uint8)).resize((67, 41), Image.Resampling.BILINEAR)
    picture = smooth.convert("RGB").convert(mode)
    read = png.read(_png(picture))
    has_colours = mode in ("RGB", "RGBA", "P")
    np.testing.assert_array_equal(read, np.asarray(picture.convert("RGB" if has_colours else "L")))
    grey = png.as_grey(read).astype(int)
    assert np.abs(grey - np.asarray(picture.convert("RGB").convert("L"))).max() <= 1
    assert Picture.of_text(Picture.of(picture).exact_text) == Picture(read)


def test_transparent_pixels_are_white():
    picture = Image.new("RGBA", (9, 8), (0, 0, 0, 0))
    picture.putpixel((4, 4), (0, 0, 0, 255))
    read = png.read(_png(picture))
    assert read[4, 4] == 0 and (np.delete(read.ravel(), 4 * 9 + 4) == 255).all()


def test_the_text_form_holds_a_prepared_picture_exactly():
    for text in (EXAMPLES[0][2], scribble(5, 8).text):
        picture = Picture.of_text(text)
        assert picture.text == text and Picture.of(text) == picture
    prepared = Picture.of_text(EXAMPLES[3][2]).prepared(model.PictureSource())
    assert prepared.prepared(model.PictureSource()) == prepared


def test_a_picture_is_prepared_alike_however_it_was_made():
    source = model.PictureSource()
    word = Picture.of_text(EXAMPLES[0][2]).pixels
    wide = np.pad(word, ((40, 20), (70, 30)))
    made = [
        Picture.of(wide),
        Picture.of(255 - wide),
        Picture.of(1 - wide / 255),
        Picture.of(Image.fromarray(255 - wide)),
    ]
    first, *others = [item.prepared(source) for item in made]
    assert first.pixels.shape == (32, 384) and (first.pixels % 17 == 0).all()
    for other in others:
        assert np.abs(first.pixels.astype(int) - other.pixels).max() <= 85
    assert {model.translate(reader(), item).text for item in made} == {EXAMPLES[0][0]}


@pytest.mark.nightly(but=("latin",))
@pytest.mark.parametrize("example", EXAMPLES[2:5], ids=lambda example: example[0])
def test_a_photo_with_a_shadow_is_read(example: tuple[str, str, str], tmp_path: Path):
    pixels = Picture.of_text(example[2]).pixels
    wide = 4 * pixels.shape[1]
    word = Image.fromarray(pixels).resize((wide, 128), Image.Resampling.BILINEAR)
    paper = np.full((600, 1700), 210.0) - np.linspace(0, 90, 1700)
    paper += np.random.default_rng(0).normal(0, 3, paper.shape)
    paper[200:328, 80 : 80 + wide] -= 0.5 * np.asarray(word)
    Image.fromarray(paper.clip(0, 255).astype(np.uint8)).convert("RGB").save(tmp_path / "photo.jpg", quality=80)
    assert model.translate(reader(), Picture.open(tmp_path / "photo.jpg")).text == example[0]


def test_the_width_follows_the_ink_where_the_model_wants_it():
    source = model.PictureSource(right=8)
    picture = Picture.drawn([[(0, 0), (0, 20)], [(30, 0), (30, 20)]], source)
    ink = int(np.flatnonzero(picture.pixels.any(0))[-1])
    assert picture.pixels.shape[1] == 6 * math.ceil((ink + 1 + 8) / 6) and len(picture.strips(source)) < 64


def test_strokes_have_one_thickness_however_large_they_were_written():
    small = Picture.drawn([[(0, 0), (10, 40), (20, 0)]])
    large = Picture.drawn([[(100, 100), (350, 1100), (600, 100)]])
    assert small == large
    across = Picture.drawn([[(0, 0), (0, 10)], [(100, 0), (100, 10)]]).pixels[16]
    thick = across[: len(across) // 2].astype(int).sum() / 255
    assert 2.5 <= thick <= 3.5


def _bad_files() -> dict[str, bytes]:
    whole = _png(Image.new("L", (30, 20)))
    huge = whole[:16] + struct.pack(">II", 100_000, 100_000) + whole[24:]
    wild = png.SIGNATURE + whole[8:33] + _chunk(b"IDAT", zlib.compress(b"\x09" * 700)) + whole[-12:]
    return {"nothing": b"", "text": b"hello", "cut": whole[:50], "huge": huge, "bad filter": wild,
            "no pixels": whole[:16] + bytes(8) + whole[24:]}  # fmt: skip


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


@pytest.mark.parametrize("name", list(_bad_files()))
def test_a_damaged_picture_is_an_error_in_words(name: str):
    with pytest.raises(model.TextError, match="give a PNG or a JPEG"):
        Picture.of(_bad_files()[name])


def test_a_strangers_picture_is_decoded_in_a_child_process(monkeypatch: pytest.MonkeyPatch):
    from model.picture import opening

    whole, requested = opening.decoded_apart, []
    monkeypatch.setattr(
        opening, "decoded_apart", lambda module, content: requested.append(module) or whole(module, content)
    )
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), (200, 30, 60)).save(stream, "JPEG", quality=95)
    picture = Picture.of(stream.getvalue())
    assert requested == ["model.picture.child"] and picture.pixels.shape == (30, 40, 3)
    assert np.abs(picture.pixels.astype(int) - (200, 30, 60)).max() <= 4


def test_a_picture_that_would_fill_the_memory_is_refused():
    stream = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(stream, "PNG")
    assert len(stream.getvalue()) < 200_000
    with pytest.raises(model.TextError, match="cannot be read"):
        Picture.of(stream.getvalue())


@pytest.mark.parametrize(
    ("value", "message"),
    [(np.zeros((3, 4, 5)), "is not a picture"), (np.zeros(4), "is not a picture"), (np.full((3, 3), 2.0), "0 and 1"),
     (np.full((3, 3), 300), "0 and 255"), (np.zeros((0, 3)), "is not a picture"), ("no/such.png", "No such file"),
     ("data:image/png;base64,%%%%", "damaged"), ("data:image/png,abc", "is not a picture")],
)  # fmt: skip
def test_other_values_than_pictures_are_refused(value: Any, message: str):
    with pytest.raises(model.TextError, match=message):
        Picture.of(value)


# -- its text form, as links, caches and histories keep it --

USUAL = model.PictureSource()
WORD = Picture.drawn([[(0, 0), (0, 40)], [(10, 40), (20, 10), (30, 40)], [(50, 20)]], USUAL)


def test_a_picture_is_the_same_after_its_text() -> None:
    again = Picture.of_text(WORD.text).prepared(USUAL)
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
            Picture.of_text(text).prepared(USUAL)


def test_noise_takes_no_more_than_the_longest_text() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (32, 384), np.uint8)
    text = Picture(noise).text
    assert len(text) <= runs.MOST_CHARACTERS + 4
    assert runs.read(text).shape[0] == 32
