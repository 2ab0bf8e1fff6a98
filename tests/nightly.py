"""Leaves some tests to the night, so that every change is tested in a quarter of an hour.

``@pytest.mark.nightly`` marks expensive tests that repeat a tested behaviour in another language, width, model or
page, and tests of what few changes can break, such as a killed server. ``pytest`` and ``make test-all`` run them,
``make test`` does not (docs/decisions/0028). Every file keeps a test by day, unless it is marked as a whole.

    @pytest.mark.nightly                        this test
    @pytest.mark.nightly("fr", "zh")            with these parameters, by their pytest ids
    @pytest.mark.nightly(but=("marian", "t5"))  with all parameters but these
    pytestmark = pytest.mark.nightly            every test of this file without a mark
    @pytest.mark.by_day                         an exception in such a file

By day a test with the parameter ``language`` runs in English and in one other language, which differs between tests
but is always the same for a test, so that every run covers all languages.
"""

import zlib
from collections import defaultdict

import pytest

ALWAYS = "en"
"""The language in which every test also runs by day."""
_by_day = False


def pytest_configure(config: pytest.Config) -> None:
    """Store for ``examples`` whether this is a run by day, before any test is imported."""
    global _by_day
    _by_day = bool(config.getoption("by_day", False))


def examples(at_night: int) -> int:
    """The number of generated examples of a test: all at night, a fifth by day."""
    return -(-at_night // 5) if _by_day else at_night


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """By day deselect the tests of the night.

    Raises:
        pytest.UsageError: in a run of the whole suite, for a marked parameter that a test does not have, and for a
            file without a test by day that is not marked as a whole.
    """
    in_other_languages = _other_languages(items)
    by_day = [item for item in items if item not in in_other_languages and not is_nightly(item)]
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        _check(items, by_day)
    if config.getoption("by_day"):
        selected = set(by_day)
        config.hook.pytest_deselected(items=[item for item in items if item not in selected])
        items[:] = by_day


def is_nightly(item: pytest.Item) -> bool:
    """Whether a test is left to the night."""
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
    """Items whose language is neither English nor the one chosen for their test."""
    by_test: dict[str, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        language = parameters.get("language")
        if isinstance(language, str) and _marker(item) is None:
            by_test[item.nodeid.partition("[")[0]][language].append(item)
    deselected: set[pytest.Item] = set()
    for test, languages in by_test.items():
        other_languages = sorted(set(languages) - {ALWAYS})
        if ALWAYS in languages and other_languages:
            chosen = other_languages[zlib.crc32(test.encode()) % len(other_languages)]
            deselected.update(
                item for language in other_languages if language != chosen for item in languages[language]
            )
    return deselected


def _parameters(item: pytest.Item) -> set[str]:
    """The ids of a test's parameters, single and joined."""
    name = item.callspec.id if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ""
    return {name, *name.split("-")}


def _is_whole(item: pytest.Item) -> bool:
    """Whether all tests of the item's file are left to the night."""
    module = item.getparent(pytest.Module)
    return module is not None and any(marker.name == "nightly" for marker in module.own_markers)


def _check(items: list[pytest.Item], by_day: list[pytest.Item]) -> None:
    empty = {item.path.name for item in items if not _is_whole(item)} - {item.path.name for item in by_day}
    if empty:
        raise pytest.UsageError(f"no test by day, and no pytestmark: {sorted(empty)}")
    marked: dict[str, set[str]] = {}
    parameters: dict[str, set[str]] = defaultdict(set)
    for item in items:
        marker = _marker(item)
        if marker is not None:
            function = item.nodeid.partition("[")[0]
            marked[function] = {*marker.args, *marker.kwargs.get("but", ())}
            parameters[function] |= _parameters(item)
    unknown = {
        function: sorted(names - parameters[function])
        for function, names in marked.items()
        if names - parameters[function]
    }
    if unknown:
        raise pytest.UsageError(f"nightly names parameters that a test does not have: {unknown}")
