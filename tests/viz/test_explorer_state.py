"""The explorer's state from the browser is accepted only if the browser had the server's last change."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from viz.components.attention import ViewState
from viz.panels import explorer
from viz.panels.explorer import Projection


class Desk:
    """A session with one explorer, seen from the page and from the browser."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.stored: dict[str, Any] = {}
        self.report: Any = None
        self.state = ViewState.parse({})
        self.view = cast(Any, SimpleNamespace(nearest=lambda state: state))
        self.copy = Projection("one", lambda: self.state, self.write)
        session = SimpleNamespace(
            recall=lambda name, new: self.stored.setdefault(name, new()),
            remember=self.stored.__setitem__,
            component_value=lambda key, name: self.report,
        )
        monkeypatch.setattr(explorer, "session", session)

    def write(self, state: ViewState) -> None:
        self.state = state

    def reports(self, head: int, revision: int) -> None:
        self.report = {"state": {"head": head}, "revision": revision}
        self.copy.take(self.view)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(monkeypatch)


def test_a_report_on_the_last_revision_is_stored_and_not_sent_back(desk: Desk):
    first = desk.copy.shared(desk.view)
    desk.reports(3, first.revision)
    assert desk.state.head == 3
    assert desk.copy.shared(desk.view).revision == first.revision


def test_a_report_from_before_a_change_on_the_server_is_refused(desk: Desk):
    first = desk.copy.shared(desk.view)
    desk.state = replace(desk.state, head=5)
    second = desk.copy.shared(desk.view)
    assert second.revision == first.revision + 1
    desk.reports(3, first.revision)
    assert desk.state.head == 5
    desk.reports(4, second.revision)
    assert desk.state.head == 4


def test_a_report_on_a_revision_that_was_never_sent_is_refused(desk: Desk):
    first = desk.copy.shared(desk.view)
    desk.reports(3, first.revision + 1)
    assert desk.state.head == ViewState.parse({}).head
