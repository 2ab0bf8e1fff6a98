"""Files of attention: a round trip changes nothing, and hostile files are refused with a reason."""

import contextlib
import dataclasses
import json
import pickle
import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.attention_files import (
    AttentionFileError,
    AttentionRecord,
    RecordError,
    json_bytes,
    npz_bytes,
    read_attention,
)
from model.trace import AttentionMaps
from tests.nightly import examples
from tests.tiny import random_rows

HOSTILE = ("<img src=x onerror=alert(1)>", "</script>", "\u202egnp.exe", "x" * 5000, "\ud800", "", "👩‍👩‍👧", "日本")


def record(**changes: Any) -> AttentionRecord:
    fields: dict[str, Any] = {
        "maps": AttentionMaps(random_rows(3, 2, 8, 8), None, random_rows(2, 4, 3, 8, seed=1)),
        "source_tokens": HOSTILE,
        "target_tokens": ("x", "y", "</s>"),
        "prefix_tokens": ("<s>", "x", "y"),
        "source_text": 'quoted " and \n broken',
        "model": "tiny",
        "target_language": "fra_Latn",
        "fingerprint": "ab" * 32,
        "changes": "off:x.1.0 begin:1",
        "log_probs": np.array([-0.5, -1.25, -3], np.float32),
    }
    return AttentionRecord(**fields | changes)


def npz(**arrays: Any) -> bytes:
    buffer = BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


@pytest.mark.parametrize("write", [npz_bytes, json_bytes])
def test_a_record_comes_back_as_it_was(write: Any) -> None:
    sent = record()
    back = read_attention(write(sent))
    for field in dataclasses.fields(AttentionRecord):
        if field.name not in ("maps", "log_probs"):
            assert getattr(back, field.name) == getattr(sent, field.name), field.name
    assert back.maps.kinds == ("encoder_self", "cross")
    assert back.maps.cross == pytest.approx(sent.maps.cross, rel=1e-5)
    assert back.log_probs == pytest.approx(sent.log_probs)


@settings(max_examples=examples(25), deadline=None)
@given(
    st.lists(st.text(max_size=8).filter(lambda text: "\x00" not in text), min_size=1, max_size=6), st.integers(0, 99)
)
def test_any_tokens_survive_the_json(tokens: list[str], seed: int) -> None:
    n = len(tokens)
    sent = AttentionRecord(
        maps=AttentionMaps(random_rows(1, 1, n, n, seed=seed), None, None), source_tokens=tuple(tokens)
    )
    assert read_attention(json_bytes(sent)).source_tokens == tuple(tokens)


def test_a_file_from_elsewhere_needs_little() -> None:
    plain = {"encoder_self": random_rows(2, 2, 3, 3).tolist(), "source_tokens": ["a", "b", "c"]}
    assert read_attention(json.dumps(plain).encode()).maps.kinds == ("encoder_self",)
    batch = npz(
        cross=random_rows(2, 2, 2, 3), source_tokens=np.array(["a", "b", "c"]), target_tokens=np.array(["x", "y"])
    )
    assert read_attention(batch).prefix_tokens is None


def test_an_older_file_calls_its_weighting_a_reading() -> None:
    older = json_bytes(dataclasses.replace(record(), weighting="rollout")).replace(b'"weighting"', b'"reading"')
    assert read_attention(older).weighting == "rollout"


def test_a_file_is_read_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(npz_bytes(record(source_tokens=("t",) * 8)))
    assert read_attention(path).model == "tiny"
    with pytest.raises(AttentionFileError, match="cannot read"):
        read_attention(tmp_path / "missing.npz")


def test_nothing_is_ever_unpickled(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "touched",)

    with pytest.raises(AttentionFileError, match="without pickle"):
        read_attention(npz(encoder_self=np.array([Bomb()], dtype=object)))
    with pytest.raises(AttentionFileError, match="neither"):
        read_attention(pickle.dumps(Bomb()))
    assert not (tmp_path / "touched").exists()


def test_a_header_that_lies_about_its_size_allocates_nothing() -> None:
    header = BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**6, 10**6)})
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("encoder_self.npy", header.getvalue())
    with pytest.raises(AttentionFileError, match="has fewer numbers"):
        read_attention(archive.getvalue())


def test_a_zip_bomb_is_refused_by_its_directory() -> None:
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in ("encoder_self", "cross", "decoder_self"):
            with file.open(f"{name}.npy", "w") as stream:
                for _ in range(200):
                    stream.write(bytes(1 << 20))
    with pytest.raises(AttentionFileError, match="unpacked it has"):
        read_attention(archive.getvalue())


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", AttentionFileError, "neither"),
        (b"PK\x03\x04rubbish", AttentionFileError, "damaged"),
        (b"{" * 100_000, AttentionFileError, "cannot be read"),
        (b"[" * 10, AttentionFileError, "neither"),
        (b"{}", AttentionFileError, "give encoder_self"),
        (b'{"schema": "other/2"}', AttentionFileError, "other/2"),
        (b'{"schema": 3}', AttentionFileError, "must be text"),
        (b'{"encoder_self": [[[[1, 0], [1]]]], "source_tokens": ["a", "b"]}', RecordError, "ragged"),
        (b'{"encoder_self": "1", "source_tokens": ["a"]}', RecordError, "array of numbers"),
        (b'{"encoder_self": [[[[NaN]]]], "source_tokens": ["a"]}', RecordError, "is nan"),
        (b'{"encoder_self": [[[[1e300]]]], "source_tokens": ["a"]}', RecordError, "is inf"),
        (b'{"encoder_self": [[[[1]]]], "source_tokens": "a"}', AttentionFileError, "list of text"),
        (b'{"encoder_self": [[[[1]]]], "source_tokens": [7]}', AttentionFileError, "list of text"),
        (b'{"encoder_self": [[[[1]]]], "source_tokens": ["a", "b"]}', RecordError, "1 × 1 for 2"),
        (b'{"encoder_self": [[[[1]]]], "source_tokens": ["a"], "reading": "guess"}', AttentionFileError, "guess"),
        (b'{"encoder_self": [[1]], "source_tokens": ["a"]}', RecordError, "layer, head, query, key"),
    ],
)  # fmt: skip
def test_files_without_attention_are_refused_with_a_reason(data: bytes, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_attention(data)


def test_a_name_that_is_no_text_is_damage() -> None:
    directory = bytearray(npz_bytes(record(source_tokens=("t",) * 8)))
    entry = directory.rindex(b"PK\x01\x02")
    directory[entry + 9] |= 0x08  # the flag that declares the name as UTF-8
    directory[entry + 46] = 0xFF
    with pytest.raises(AttentionFileError, match="damaged"):
        read_attention(bytes(directory))


def test_a_place_before_the_beginning_is_damage() -> None:
    directory = bytearray(npz_bytes(record(source_tokens=("t",) * 8)))
    directory[-3] = 0xFF  # the directory's offset lies beyond the end of the file
    with pytest.raises(AttentionFileError, match="damaged"):
        read_attention(bytes(directory))


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_a_damaged_file_is_refused_or_read_and_nothing_else(data: st.DataObject) -> None:
    whole = bytearray(npz_bytes(record(source_tokens=("t",) * 8)))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(2, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(AttentionFileError, RecordError):
        read_attention(bytes(whole))


def test_small_files_of_attention_stay_small() -> None:
    """Texts of width zero, zeros compressed a thousand times, and a list whose items NumPy would pad to one width."""
    wide = json.dumps(
        {"encoder_self": [[[[1]]]], "source_tokens": ["a"], "is_causal": ["x" * 1_000_000] + ["y"] * 2_000}
    )
    nested = json.dumps({"encoder_self": [["x" * 1_000_000] + ["y"] * 2_000]})
    for data in (
        _raw_npz(source_tokens=_header("<U0", (300_000_000,)), encoder_self=_npy(np.ones((1, 1, 1, 1)))),
        _raw_npz(encoder_self=_npy(np.zeros((64, 64, 128, 128), np.uint8))),
        wide.encode(), nested.encode(),
    ):  # fmt: skip
        tracemalloc.start()
        with pytest.raises((AttentionFileError, RecordError)):
            read_attention(data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100 * 2**20, (peak, data[:60])


@pytest.mark.parametrize("header", [b"{" * 50, b"'\\", b"{'descr': '<f4'", b"\x00", b"{'descr': 'V9', 'shape': -1}"])
def test_a_header_that_is_no_header_is_a_named_error(header: bytes) -> None:
    raw = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    with pytest.raises(AttentionFileError):
        read_attention(_raw_npz(encoder_self=raw))


def _npy(array: np.ndarray) -> bytes:
    stream = BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _header(kind: str, shape: tuple[int, ...]) -> bytes:
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


def _raw_npz(**members: bytes) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return stream.getvalue()
