"""Keeps the explorer in the browser and the session in step: a change made by Python is sent with a higher revision."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from model.interventions import AttentionKind
from viz.components.attention import AttentionView, ViewState
from viz.components.attention.explorer import held_packet, report_of
from viz.state import session


@dataclass(frozen=True, slots=True)
class Shared:
    """The state last sent to the browser, and the state it has reported since.

    ``sent`` stays the same until Python changes the state: Streamlit mounts a component anew whenever its data differ.
    """

    sent: ViewState
    reported: ViewState
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Projection:
    """One explorer, and how the choices that it mirrors are read and written."""

    key: str
    """The explorer's key in the page."""
    read: Callable[[], ViewState]
    write: Callable[[ViewState], None]

    def shared(self, view: AttentionView) -> Shared:
        """The state to send to the browser: the same as before, unless something other than the browser changed it."""
        now = view.nearest(self.read())
        shared = session.recall(self._memory, lambda: Shared(now, now))
        if now != shared.reported:
            shared = Shared(now, now, shared.revision + 1)
            session.remember(self._memory, shared)
        return shared

    def take(self, view: AttentionView) -> None:
        """Store the browser's report, if the browser had received the last change made here."""
        report = report_of(session.component_value(self.key, "report"))
        shared = self.shared(view)
        if report is None or report.revision != shared.revision:
            return
        state = view.nearest(report.state)
        self.write(state)
        session.remember(self._memory, dataclasses.replace(shared, reported=state))

    def held(self) -> str:
        """The packet that the browser holds."""
        return held_packet(session.component_value(self.key, "report"))

    @property
    def _memory(self) -> str:
        return f"{self.key}.shared"


def look_at(kind: AttentionKind, layer: int, head: int) -> None:
    """Open a head in the explorer from elsewhere; links name it even where it is layer 0, head 0."""
    session.merge_params({"layer": str(layer), "head": str(head)})
    session.change(kind=kind, layer=layer, head=head, heads=())
