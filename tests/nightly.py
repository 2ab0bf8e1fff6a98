"""Which tests are left to the night, so that every change is tested in a quarter of an hour.

``@pytest.mark.nightly`` stands at what repeats a tested behaviour at a high price, in another language, width or model
or on another page, and at what few changes can break, such as a server that is killed. ``pytest`` and ``make test-all``
run these tests, ``make test`` does not (docs/decisions/0028). Of every file something stays by day, unless all of it is
marked.

    @pytest.mark.nightly                        this test
    @pytest.mark.nightly("fr", "zh")            with these parameters, as pytest names them
    @pytest.mark.nightly(but=("marian", "t5"))  with all parameters but these
    pytestmark = pytest.mark.nightly            every test of this file that is not marked itself
    @pytest.mark.by_day                         not this test of such a file

A test with the parameter ``language`` runs by day in English and in one other language, another one for another test
and always the same for one test, so that all languages are read by some test in every run.
"""

import zlib
from collections import defaultdict

import pytest

ALWAYS = "en"
"""The language in which every test runs by day."""
_by_day = False


def pytest_configure(config: pytest.Config) -> None:
    """Remember for ``examples`` what kind of run this is, before any test is imported."""
    global _by_day
    _by_day = bool(config.getoption("by_day", False))


def examples(at_night: int) -> int:
    """How many generated examples a test tries: all of them at night, the first fifth by day."""
    return -(-at_night // 5) if _by_day else at_night


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of the night by day.

    Raises:
        pytest.UsageError: for a parameter that its test does not have, and for a file that has no test by day though
            it is not marked as a whole. Only a run of the whole suite sees all parameters.
    """
    others = _other_languages(items)
    by_day = [item for item in items if item not in others and not is_nightly(item)]
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        _check(items, by_day)
    if config.getoption("by_day"):
        stays = set(by_day)
        config.hook.pytest_deselected(items=[item for item in items if item not in stays])
        items[:] = by_day


def is_nightly(item: pytest.Item) -> bool:
    """Whether it is left to the night."""
    marker = _marker(item)
    if marker is None:
        return False
    parts = _parameters(item)
    if "but" in marker.kwargs:
        return not parts & set(marker.kwargs["but"])
    return not marker.args or bool(parts & set(marker.args))


def _marker(item: pytest.Item) -> pytest.Mark | None:
    return None if item.get_closest_marker("by_day") else item.get_closest_marker("nightly")


def _other_languages(items: list[pytest.Item]) -> set[pytest.Item]:
    """Items in a language that is neither English nor the one of their test's name."""
    by_test: dict[str, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        language = parameters.get("language")
        if isinstance(language, str) and _marker(item) is None:
            by_test[item.nodeid.partition("[")[0]][language].append(item)
    left: set[pytest.Item] = set()
    for test, languages in by_test.items():
        others = sorted(set(languages) - {ALWAYS})
        if ALWAYS in languages and others:
            stays = others[zlib.crc32(test.encode()) % len(others)]
            left.update(item for language in others if language != stays for item in languages[language])
    return left


def _parameters(item: pytest.Item) -> set[str]:
    """The parameters of a test as pytest names them, each alone and all together."""
    name = item.callspec.id if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ""
    return {name, *name.split("-")}


def _is_whole(item: pytest.Item) -> bool:
    """Whether its file leaves all its tests to the night."""
    module = item.getparent(pytest.Module)
    return module is not None and any(marker.name == "nightly" for marker in module.own_markers)


def _check(items: list[pytest.Item], by_day: list[pytest.Item]) -> None:
    empty = {item.path.name for item in items if not _is_whole(item)} - {item.path.name for item in by_day}
    if empty:
        raise pytest.UsageError(f"no test by day, and no pytestmark: {sorted(empty)}")
    named: dict[str, set[str]] = {}
    known: dict[str, set[str]] = defaultdict(set)
    for item in items:
        marker = _marker(item)
        if marker is not None:
            function = item.nodeid.partition("[")[0]
            named[function] = {*marker.args, *marker.kwargs.get("but", ())}
            known[function] |= _parameters(item)
    unknown = {
        function: sorted(names - known[function]) for function, names in named.items() if names - known[function]
    }
    if unknown:
        raise pytest.UsageError(f"nightly names parameters that a test does not have: {unknown}")
