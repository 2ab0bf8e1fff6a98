"""Large weights: mapped into memory, kept in their file's type, counted before they are opened."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import model
from model.checkpoints import room
from model.checkpoints.basis import precision
from model.checkpoints.basis.errors import LimitError
from model.checkpoints.basis.precision import WeightDtypePolicy
from model.checkpoints.formats import safetensors_file
from model.checkpoints.formats.safetensors_file import read_weights
from tests.checkpoints.library import make

ids = [5, 6, 7, 8, 2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make("bart", tmp_path)
    return tmp_path


def _in_half(folder: Path) -> None:
    path = folder / "model.safetensors"
    save_file({name: tensor.bfloat16() for name, tensor in load_file(path).items()}, path, {"format": "pt"})


def _types(bundle: model.Bundle) -> set[torch.dtype]:
    return {parameter.dtype for parameter in bundle.model.parameters()}


def test_a_small_file_in_bfloat16_is_computed_in_float32(folder: Path) -> None:
    _in_half(folder)
    opened = model.load(folder)
    assert _types(opened) == {torch.float32}
    stored = load_file(folder / "model.safetensors")["model.shared.weight"]
    assert torch.equal(opened.model.encoder.embedding.weight, stored.float())


def test_auto_and_a_large_file_keep_the_type_of_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _in_half(folder)
    assert _types(model.load(folder, dtype="auto")) == {torch.bfloat16}
    monkeypatch.setattr(precision, "LARGE", 1000)
    large = model.load(folder)
    assert _types(large) == {torch.bfloat16}
    assert _types(model.load(folder, dtype="float32")) == {torch.float32}
    rows: Any = model.score(large, ids, ids).attention.cross
    np.testing.assert_allclose(rows.sum(-1), 1, atol=1e-5)


def test_a_mapped_file_gives_the_same_and_changes_never_reach_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (folder / "model.safetensors").read_bytes()
    copied = model.load(folder)
    monkeypatch.setattr(safetensors_file, "MAPPED_FROM", 0)
    mapped = model.load(folder)
    assert mapped.fingerprint == copied.fingerprint
    a, b = (model.score(item, ids, ids) for item in (mapped, copied))
    assert np.array_equal(a.log_probs, b.log_probs)
    with torch.no_grad():
        for parameter in mapped.model.parameters():
            parameter.zero_()
    assert (folder / "model.safetensors").read_bytes() == before


def test_a_mapped_file_is_not_copied(tmp_path: Path) -> None:
    path = tmp_path / "large.safetensors"
    n = safetensors_file.MAPPED_FROM // 2
    save_file({"a": torch.zeros(n, dtype=torch.bfloat16), "b": torch.ones(8, 8)}, path)
    before = _anonymous_kb()
    result = read_weights([path], WeightDtypePolicy(as_stored=True, is_mapped=True))
    assert result["a"].dtype == torch.bfloat16
    assert result["a"].numel() == n
    assert result["b"].dtype == torch.bfloat16  # one type for all
    assert _anonymous_kb() - before < 20_000


def _anonymous_kb() -> int:
    match: Any = re.search(r"RssAnon:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(match[1])


def test_a_fingerprint_is_computed_lazily_and_once() -> None:
    calls: list[int] = []
    tiny = model.load("tiny")
    late = tiny.but(fingerprint=lambda: str(calls.append(1)))
    renamed = late.but(name="renamed")
    assert not calls
    assert renamed.fingerprint == renamed.fingerprint == "None"
    assert len(calls) == 1


def test_weights_that_do_not_fit_are_refused_before_they_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_SMALL", 0)
    size = sum(tensor.numel() * 4 for tensor in load_file(folder / "model.safetensors").values())
    assert room.memory_of(folder) == size
    assert room.memory_of(folder, WeightDtypePolicy(torch.bfloat16)) == size // 2
    monkeypatch.setattr(room, "free_bytes", lambda: size // 2 + 100)
    with pytest.raises(
        LimitError, match=r'would take .* MiB of memory, and .* MiB are free here: give dtype="bfloat16"'
    ):
        model.load(folder)
    assert _types(model.load(folder, dtype="bfloat16")) == {torch.bfloat16}
    monkeypatch.setattr(room, "free_bytes", lambda: 0)
    with pytest.raises(LimitError, match="close other programs, or take a smaller model"):
        model.load(folder)
    monkeypatch.setattr(room, "free_bytes", lambda: None)
    assert model.load(folder).name


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_model_of_sixteen_gigabytes_is_refused_by_its_headers_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, is_cut: bool
) -> None:
    """Eight billion numbers in bfloat16 that are only described: the files have a header and a hole."""
    (folder / "model.safetensors").unlink()
    parts = [f"model-{i}-of-2.safetensors" for i in (1, 2)] if is_cut else ["model.safetensors"]
    rows, width = 8_000_000_000 // len(parts) // 1000, 1000
    for part in parts:
        described = {
            part[6:7] + "weight": {"dtype": "BF16", "shape": [rows, width], "data_offsets": [0, 2 * rows * width]}
        }
        header = json.dumps(described).encode()
        with (folder / part).open("wb") as file:
            file.write(len(header).to_bytes(8, "little") + header)
            file.truncate(8 + len(header) + 2 * rows * width)
    if is_cut:
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {part: part for part in parts}}))
    monkeypatch.setattr(room, "free_bytes", lambda: 4 << 30)
    with pytest.raises(LimitError, match=r"would take 15,258 MiB of memory, and 4,096 MiB are free here: close other"):
        model.load(folder)


def test_free_memory_is_what_linux_says() -> None:
    from model.files.memory import free_bytes

    free = free_bytes()
    assert free is None or 0 < free < 1 << 50
