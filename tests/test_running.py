"""Running the tests: related tests, missing programs, checks of many cases, tests left to the night, flaky tests."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cases import for_each
from tests.fast import TimeBudget, changed_files, nearest
from tests.programs import PROGRAMS, untested_line
from tests.serving import ROOT

pytest_plugins = ["pytester"]


def test_changed_files_differ_from_main_or_are_not_committed(tmp_path: Path) -> None:
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
    assert changed_files(tmp_path) == ["committed", "edited", "untracked"]
    assert changed_files(tmp_path, main="nowhere") == ["edited", "untracked"]


def test_the_tests_of_a_file_come_before_those_further_away_and_no_browser_is_needed() -> None:
    files = nearest(["model/inference/causal.py", "docs/pages.md", "viz/state/turns.py"])
    assert files[0] == "tests/model/test_causal.py"
    assert not [name for name in files if "browser" in name]
    assert nearest(["tests/test_running.py", "tests/browser/test_room.py"]) == ["tests/test_running.py"]


def test_no_test_begins_after_the_time_and_the_others_are_counted(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.parametrize('i', range(3))\ndef test_it(i): pass\n")
    within = TimeBudget(-1)
    result = pytester.runpytest_inprocess("-p", "no:xdist", plugins=[within])
    assert within.left_out == 3
    result.stdout.fnmatch_lines(["3 tests were left out for time: make test runs them"])
    assert pytester.runpytest_inprocess("-p", "no:xdist", plugins=[TimeBudget(600)]).parseoutcomes() == {"passed": 3}


def last_lines(folder: Path, *programs: str) -> list[str]:
    """pytest's output for tests that need Redis when only these programs are installed."""
    for name in programs:
        (folder / name).write_text("#!/bin/sh\n", "utf-8")
        (folder / name).chmod(0o755)
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/rooms/test_redis.py"],
        cwd=ROOT, env={**os.environ, "PATH": str(folder)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return process.stdout.splitlines()


def test_the_last_line_names_untested_programs_and_the_command_that_installs_them(tmp_path: Path):
    lines = last_lines(tmp_path, "node", "pdflatex")
    assert lines[-2] == (
        "Not tested: rooms on Redis, two replicas behind nginx. To test them: apt install redis-server nginx-light"
    )
    assert "skipped" in lines[-1] and sum(line.startswith("Not tested") for line in lines) == 1


def test_without_a_missing_program_there_is_no_line():
    assert untested_line([]) == ""


def test_every_program_is_installed_by_the_checks_or_named_as_not_tested():
    run = (ROOT / ".ci/run").read_text("utf-8")
    assert [name for name in PROGRAMS if f"command -v {name} " not in run] == ["pdflatex"]


def test_a_foreign_package_of_the_name_tests_hides_none_of_these_programs(tmp_path: Path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").touch()
    subprocess.run(
        [sys.executable, "-m", "tests.programs"], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True
    )


def test_a_failure_names_each_wrong_case_and_the_others_are_checked_too() -> None:
    checked = []

    def check(name: str, number: int) -> None:
        """What is checked."""
        checked.append(name)
        assert number > 1, "too small"

    test = for_each([("first", 1), ("second", 2), ("third", 0)])(check)
    assert (test.__name__, test.__doc__) == ("check", "What is checked.")
    with pytest.raises(AssertionError) as failed:
        test()
    assert checked == ["first", "second", "third"]
    assert "first 1" in str(failed.value) and "third 0" in str(failed.value) and "second" not in str(failed.value)
    for_each(["one"])(lambda case: None)()
    with pytest.raises(AssertionError, match="there is no case"):
        for_each([])(lambda case: None)()


CONFTEST = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests import nightly
def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: not by day")
    config.addinivalue_line("markers", "by_day: by day all the same")
    config.pluginmanager.register(nightly)
def pytest_addoption(parser):
    parser.addoption("--by-day", action="store_true")
"""


def names(pytester: pytest.Pytester, suite: str, *words: str) -> list[str]:
    """The names of the selected tests, or the error line."""
    pytester.makeconftest(CONFTEST)
    pytester.makeini("[pytest]\ntestpaths = .")
    pytester.makepyfile("import pytest\nnightly = pytest.mark.nightly\n" + suite)
    # In a new process, because plug-ins of this one may write lines as well.
    result = pytester.runpytest_subprocess("--collect-only", "-q", *words)
    errors = [line for line in result.errlines if line.startswith("ERROR: ")]
    return errors or [line.partition("::")[2] for line in result.outlines if "::" in line]


SUITE = """
def test_plain(): pass
@nightly
def test_whole(): pass
@nightly("fr", "zh-x")
@pytest.mark.parametrize("language", ["en", "fr", "zh-x"])
def test_some(language): pass
@nightly(but=("t5",))
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("model", ["marian", "t5"])
def test_all_but(model, side): pass
"""


def test_marks_leave_out_tests_and_parameters_by_day_alone(pytester: pytest.Pytester) -> None:
    all_but = [f"test_all_but[{model}-{side}]" for model in ("marian", "t5") for side in ("left", "right")]
    in_languages = [f"test_some[{language}]" for language in ("en", "fr", "zh-x")]
    assert names(pytester, SUITE) == ["test_plain", "test_whole", *in_languages, *all_but]
    assert names(pytester, SUITE, "--by-day") == ["test_plain", "test_some[en]", *all_but[2:]]


LANGUAGES = """
@pytest.mark.parametrize("language", ["en", "fr", "zh"])
def test_{name}(language): pass
"""


def test_by_day_a_test_runs_in_english_and_one_other_fixed_language(pytester: pytest.Pytester) -> None:
    suite = "".join(LANGUAGES.format(name=name) for name in "abcdef")
    assert len(names(pytester, suite)) == 18
    by_day = names(pytester, suite, "--by-day")
    assert [name for name in by_day if "[en]" in name] == [f"test_{name}[en]" for name in "abcdef"]
    not_english = [name for name in by_day if "[en]" not in name]
    assert len(not_english) == 6 and {name[-4:] for name in not_english} == {"[fr]", "[zh]"}


def test_a_parameter_that_no_test_has_and_a_file_without_a_test_by_day_are_refused(pytester: pytest.Pytester) -> None:
    assert "'it'" in names(pytester, SUITE.replace('@nightly("fr"', '@nightly("it"'))[0]
    suite = "@nightly\ndef test_whole(): pass\n"
    assert "no test by day" in names(pytester, suite)[0]
    assert names(pytester, f"pytestmark = nightly\n{suite}") == ["test_whole"]
    assert names(pytester, f"pytestmark = nightly\n{suite}", "--by-day") == []


def test_marks_of_tests_take_precedence_over_the_mark_of_their_file(pytester: pytest.Pytester) -> None:
    day = "@pytest.mark.by_day\ndef test_day(): pass\n@pytest.mark.by_day" + LANGUAGES.format(name="spoken")
    selected = names(pytester, f"pytestmark = nightly\n{SUITE}{day}", "--by-day")
    assert selected[:5] == [
        "test_some[en]",
        "test_all_but[t5-left]",
        "test_all_but[t5-right]",
        "test_day",
        "test_spoken[en]",
    ]
    assert len(selected) == 6


FLAKY_CONFTEST = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests import flaky
pytest_addoption = flaky.add_options
pytest_configure = flaky.register
"""
INI = "[pytest]\nmarkers = browser\n    server\n"
FLAKY_SUITE = """
import os, pathlib, pytest

def fails_before(time, name):
    '''Counts the runs, and fails in all before this one.'''
    with pathlib.Path(name).open("a") as file:
        file.write(".")
    assert os.stat(name).st_size >= time, f"{name} fails"

@pytest.fixture
def ends_badly():
    yield
    fails_before(2, "end")

@pytest.mark.parametrize("odd", ["a b@c::d"])
@pytest.mark.browser
def test_first(odd): fails_before(2, "first")
@pytest.mark.server
def test_end(ends_badly): pass
@pytest.mark.browser
def test_passes(): fails_before(1, "passes")
"""
TWICE = "@pytest.mark.browser\ndef test_twice(): fails_before(3, 'twice')\n"
UNIT = "def test_unit(): fails_before(2, 'unit')\n"
CRASH = "@pytest.mark.browser\ndef test_crash():\n    pathlib.Path('crash').exists() and os._exit(3)\n    "
CRASH += "pathlib.Path('crash').touch()\n    assert False\n"


class FinishedRun(NamedTuple):
    """A finished run: exit status, output, the counts of its last line, and the number of runs of each test."""

    status: int
    text: str
    counts: dict[str, int]
    times: dict[str, int]


def run(pytester: pytest.Pytester, suite: str, *words: str) -> FinishedRun:
    """Run a suite in a new process."""
    pytester.makeconftest(FLAKY_CONFTEST)
    pytester.makefile(".ini", pytest=INI)
    pytester.makepyfile(suite)
    result = pytester.runpytest_subprocess(*words)
    text = "\n".join(result.outlines)
    counts = {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", result.outlines[-1].split(" in ")[0])}
    times = {path.name: path.stat().st_size for path in pytester.path.iterdir() if not path.suffix}
    return FinishedRun(result.ret, text, counts, times)


@pytest.mark.nightly("workers")
@pytest.mark.parametrize("workers", [(), ("-n2", "--dist=loadfile")], ids=["one", "workers"])
def test_a_test_that_passes_alone_is_reported_as_flaky_and_one_that_fails_twice_has_failed(
    pytester: pytest.Pytester, workers
) -> None:
    result = run(pytester, FLAKY_SUITE, "--flaky=pass", *workers)
    assert result.status == 0
    assert result.counts == {"passed": 1, "flaky": 2}
    assert (result.times["first"], result.times["end"], result.times["passes"]) == (2, 2, 1)
    last = result.text.rpartition("flaky: failed among the others")[2]
    for line in ("AssertionError: first fails", "AssertionError: end fails", "test_first[a b@c::d]"):
        assert line in last


def test_only_a_test_of_a_browser_or_server_is_tried_again(pytester: pytest.Pytester) -> None:
    result = run(pytester, FLAKY_SUITE + TWICE + UNIT + CRASH, "--flaky=pass")
    assert result.status == 1
    assert result.counts == {"passed": 1, "failed": 3, "flaky": 2}
    assert (result.times["twice"], result.times["unit"], result.times["first"]) == (2, 1, 2)
    assert "AssertionError: twice fails" in result.text


@pytest.mark.nightly
def test_at_night_what_is_flaky_fails(pytester: pytest.Pytester) -> None:
    result = run(pytester, FLAKY_SUITE, "--flaky=fail")
    assert result.status == 1
    assert result.counts == {"passed": 1, "failed": 1, "error": 1}
    assert result.text.count("FLAKY") == 2
    assert (result.times["first"], result.times["end"], result.times["passes"]) == (2, 2, 1)
    assert run(pytester, FLAKY_SUITE + TWICE).times["twice"] == 1  # without the option
