"""A few of the attacks with a fixed seed; ``python -m tests.checkpoints.attack`` runs all of them."""

from pathlib import Path

from model.files.workspace import workspace
from tests.checkpoints.attack import Row, attack, leftovers
from tests.checkpoints.crafts import CRAFTED


def test_no_small_file_takes_the_server_or_leaves_anything(tmp_path: Path) -> None:
    before = frozenset(workspace().iterdir())
    table = attack(6, len(CRAFTED), seed=5, folder=tmp_path, slow=0)
    assert sum(row.files for row in table.values()) >= 6
    assert all(row.is_good for row in table.values()), table
    assert sum(row.refused for row in table.values()) > 3
    assert leftovers(tmp_path, before) == []


def test_the_table_notices_what_goes_wrong() -> None:
    assert Row(files=1).is_good
    assert not Row(unnamed=1).is_good and not Row(seconds=11).is_good and not Row(megabytes=2000).is_good
