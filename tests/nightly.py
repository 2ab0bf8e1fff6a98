"""Which tests are left to the night, so that every change is tested in a quarter of an hour.

``@pytest.mark.nightly`` stands at what repeats a tested behaviour at a high price, in another language, width or model
or on another page, and at what few changes can break, such as a server that is killed. ``pytest`` and ``make test-all``
run these tests, ``make test`` does not (docs/decisions/0028). Of every file something stays by day, unless all of it is
marked: ``pytestmark = pytest.mark.nightly``.

    @pytest.mark.nightly                        this test
    @pytest.mark.nightly("fr", "zh")            with these parameters, as pytest names them
    @pytest.mark.nightly(but=("marian", "t5"))  with all parameters but these
"""

from __future__ import annotations

from collections import defaultdict

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of the night by day.

    Raises:
        pytest.UsageError: for a parameter that its test does not have, and for a file that has no test by day though
            it is not marked as a whole. Only a run of the whole suite sees all parameters.
    """
    by_day = [item for item in items if not is_nightly(item)]
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        _check(items, by_day)
    if config.getoption("by_day"):
        at_night = [item for item in items if is_nightly(item)]
        config.hook.pytest_deselected(items=at_night)
        items[:] = by_day


def is_nightly(item: pytest.Item) -> bool:
    """Whether it is left to the night."""
    marker = item.get_closest_marker("nightly")
    if marker is None:
        return False
    parts = _parameters(item)
    if "but" in marker.kwargs:
        return not parts & set(marker.kwargs["but"])
    return not marker.args or bool(parts & set(marker.args))


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
        marker = item.get_closest_marker("nightly")
        if marker is not None:
            function = item.nodeid.partition("[")[0]
            named[function] = {*marker.args, *marker.kwargs.get("but", ())}
            known[function] |= _parameters(item)
    unknown = {
        function: sorted(names - known[function]) for function, names in named.items() if names - known[function]
    }
    if unknown:
        raise pytest.UsageError(f"nightly names parameters that a test does not have: {unknown}")
