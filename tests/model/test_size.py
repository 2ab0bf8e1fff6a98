"""The size of folders in which others write and delete."""

import os
from pathlib import Path

import pytest

from model.files.size import size_of


def test_file_sizes_are_summed_and_missing_files_count_zero(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "one").write_bytes(b"12345")
    (tmp_path / "below" / "two").write_bytes(b"123")
    assert size_of(tmp_path) == 8 and size_of(tmp_path / "one") == 5
    assert size_of(tmp_path / "none") == 0


def test_a_file_that_another_visitor_deletes_meanwhile_counts_as_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("kept", "deleted"):
        (tmp_path / name).write_bytes(b"123")
    walk = os.walk

    def deleting(folder: Path):
        result = list(walk(folder))
        (tmp_path / "deleted").unlink()
        yield from result

    monkeypatch.setattr(os, "walk", deleting)
    assert size_of(tmp_path) == 3
