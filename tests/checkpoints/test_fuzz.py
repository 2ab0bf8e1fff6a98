"""Two thousand damaged files, and whatever hypothesis makes of headers and configurations."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import model
from model.checkpoints.safetensors_file import read_safetensors
from model.config import TransformerConfig
from tests.checkpoint import tiny_bundle
from tests.checkpoints.fuzz import NAMED, run

QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=8),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
HEADERS = JSON | some.dictionaries(
    some.text(max_size=4),
    some.fixed_dictionaries({
        "dtype": some.sampled_from(["F32", "F16", "I64", "BOOL", "F8_E4M3", "x"]) | JSON,
        "shape": some.lists(some.integers(-2, 2**66), max_size=4) | JSON,
        "data_offsets": some.lists(some.integers(-8, 2**66), min_size=1, max_size=3) | JSON,
    }),
    max_size=3,
)  # fmt: skip


def test_two_thousand_damaged_files_open_or_are_refused_by_name(tmp_path: Path) -> None:
    figures = run(2_000, 1, tmp_path)
    assert figures.opened + figures.refused.total() == 2_000
    assert figures.opened > 100 and figures.refused.total() > 1_000
    assert figures.growth_mb < 200, figures
    print(figures)


@QUICK
@given(header=HEADERS, body=some.binary(max_size=64))
def test_any_safetensors_header_is_read_or_refused(header: object, body: bytes, tmp_path: Path) -> None:
    text = json.dumps(header).encode()
    path = tmp_path / "m.safetensors"
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
    try:
        found = read_safetensors(path)
    except NAMED:
        return
    assert sum(tensor.numel() * tensor.element_size() for tensor in found.values()) == len(body)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return model.save(tiny_bundle(), tmp_path_factory.mktemp("saved") / "own")


FIELDS = [field for field in TransformerConfig.__dataclass_fields__ if field != "dropout"]


@QUICK
@given(
    changes=some.dictionaries(some.sampled_from(FIELDS), JSON | some.integers(-(2**70), 2**70), min_size=1, max_size=3)
)
def test_any_configuration_opens_or_is_refused(changes: dict, saved: Path) -> None:
    original = (saved / "config.json").read_text()
    described = json.loads(original)
    described["transformer"] |= changes
    (saved / "config.json").write_text(json.dumps(described))
    try:
        bundle = model.load(saved)
        model.attend(bundle, [[4, 5]], [[2, 4]])  # type: ignore[arg-type]
    except NAMED:
        pass
    finally:
        (saved / "config.json").write_text(original)
