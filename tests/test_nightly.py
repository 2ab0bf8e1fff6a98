"""The marks ``nightly`` and ``by_day``, tried on a small suite."""

import pytest

from benchmarks.serving import ROOT

pytest_plugins = ["pytester"]
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


def test_by_day_a_test_runs_in_english_and_one_other_language_of_its_own(pytester: pytest.Pytester) -> None:
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


def test_in_a_file_that_is_marked_tests_with_a_mark_of_their_own_keep_it(pytester: pytest.Pytester) -> None:
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
