"""``make test-fast``: the selection of related tests, and the time budget."""

import subprocess
from pathlib import Path

import pytest

from tests.fast import TimeBudget, changed, nearest

pytest_plugins = ["pytester"]


def test_a_change_is_what_differs_from_main_with_what_is_not_committed(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    git("init", "-q", "-b", "main")
    for name in ("same", "removed", "edited"):
        (tmp_path / name).write_text(name)
    git("add", ".")
    git("commit", "-qm", "first")
    git("checkout", "-qb", "mine")
    (tmp_path / "committed").write_text("new")
    (tmp_path / "removed").unlink()
    git("add", "-A")
    git("commit", "-qm", "second")
    (tmp_path / "edited").write_text("other")
    (tmp_path / "untracked").write_text("new")
    assert changed(tmp_path) == ["committed", "edited", "untracked"]
    assert changed(tmp_path, main="nowhere") == ["edited", "untracked"]


def test_the_tests_of_a_file_come_before_those_further_away_and_no_browser_is_needed() -> None:
    files = nearest(["model/inference/causal.py", "docs/pages.md", "viz/state/turns.py"])
    assert files[0] == "tests/model/test_causal.py"
    assert not [name for name in files if "browser" in name]
    assert nearest(["tests/test_fast.py", "tests/browser/test_room.py"]) == ["tests/test_fast.py"]


def test_no_test_begins_after_the_time_and_the_others_are_counted(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.parametrize('i', range(3))\ndef test_it(i): pass\n")
    within = TimeBudget(-1)
    result = pytester.runpytest_inprocess("-p", "no:xdist", plugins=[within])
    assert within.left_out == 3
    result.stdout.fnmatch_lines(["3 tests were left out for time: make test runs them"])
    assert pytester.runpytest_inprocess("-p", "no:xdist", plugins=[TimeBudget(600)]).parseoutcomes() == {"passed": 3}
