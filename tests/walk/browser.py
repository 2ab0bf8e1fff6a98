"""A browser simulated with AppTest: components that send values, an address and a history."""

import itertools
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest, app_test
from streamlit.testing.v1.element_tree import Element
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from model import Bundle
from tests.pages import open_drawers
from tests.walk.widgets import pressable, state
from viz.i18n.catalogue import matching_language

ROOT = Path(__file__).parents[2]
HOST = "http://localhost:8501"
FRONT = "explore"
"""The page that has no name in the address."""
PATIENCE = 600.0
_numbers = itertools.count()
_running = threading.local()


class _Runner(LocalScriptRunner):
    """Distinct session names; AppTest gives all sessions the same, so that they would share session state."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._session_id = getattr(_running, "session", self._session_id)


app_test.LocalScriptRunner = _Runner


class Session(AppTest):
    """AppTest that also sends the components' values."""

    def __init__(self) -> None:
        super().__init__(str(ROOT / "viz/main.py"), default_timeout=PATIENCE)
        self.name = f"session {next(_numbers)}"
        self.component_states: list[WidgetState] = []

    def run(self, *, timeout: float | None = None) -> AppTest:
        """Run the page; AppTest's method would first ask every widget for its state."""
        return self._run(timeout=timeout)

    def _run(self, widget_state: WidgetStates | None = None, timeout: float | None = None) -> AppTest:
        """Run with the components' values and dropped files; the server has everything else.

        AppTest would send every widget's state again, with the options' labels in the wrong language.
        """
        files = [uploader._widget_state for uploader in self._tree.file_uploader]
        states = WidgetStates(widgets=[*files, *self.component_states])
        self.component_states.clear()
        _running.session = self.name
        try:
            return super()._run(states, timeout)
        finally:
            del _running.session
            self._page_hash = ""  # from now on the current page is the one on which the run ended


@dataclass(slots=True)
class Entry:
    """One entry of the browser's history."""

    page: str
    params: dict[str, str]


class Browser:
    """One reader: a session, and the state of their browser.

    Args:
        page: the first page.
        params: the link's parameters.
        theme: "light" or "dark".
        locale: of the browser.
        private: models that the session has opened.
    """

    def __init__(
        self, *, page: str = FRONT, params: dict[str, str] | None = None, theme: str = "light",
        locale: str = "en-US", private: dict[str, Bundle] | None = None,
    ) -> None:  # fmt: skip
        self.theme, self.locale = theme, locale
        self.app = Session()
        self.app.session_state["regard.private_models"] = dict(private or {})
        self.page = FRONT
        self.history: list[Entry] = []
        self.states: dict[str, dict[str, Any]] = {}
        self.forms: dict[str, dict[str, WidgetState]] = {}
        """Form values that have not been submitted yet."""
        self.packets: dict[str, tuple[dict[str, Any], bytes]] = {}
        """Explorer packets by name, as the browser stores them."""
        self._arrive(page, params or {})

    @property
    def params(self) -> dict[str, str]:
        """The parameters in the address bar."""
        return {name: text if isinstance(text, str) else text[-1] for name, text in self.app.query_params.items()}

    @property
    def language(self) -> str:
        """The language that the page must be in."""
        return matching_language(filter(None, (self.params.get("language"), self.locale)))

    def run(self) -> None:
        """Run the page with all changes to its widgets."""
        before = self._now()
        self._run()
        self._write_history(before)

    def go(self, page: str) -> None:
        """Choose a page of the navigation: Streamlit opens it without parameters."""
        if page != self.page:
            before = self._now()
            self._visit(page, {})
            self._write_history(before)

    def back(self) -> bool:
        """Press Back; return False if there is no earlier entry."""
        if len(self.history) < 2:
            return False
        self.history.pop()
        entry = self.history[-1]
        if entry.page != self.page:
            self._visit(entry.page, dict(entry.params))
        else:
            self.app.query_params = dict(entry.params)
        self.say("sentence", "address", f"?{urlencode(entry.params)}" if entry.params else "")
        self.run()
        return True

    def reload(self) -> None:
        """Refresh: a new session from the address."""
        page, params = self.page, self.params
        self.app = Session()
        self.states, self.packets = {}, {}
        self._arrive(page, params)

    def write(self, text: str) -> None:
        """Send another sentence from the stage."""
        self.say("sentence", "text", text)
        self.run()

    def press(self, name: str, value: Any = True) -> None:
        """Press a button, or choose a value of another widget."""
        self.app.component_states.append(state(pressable(self.elements())[name], value))
        self.run()

    def drop(self, name: str, content: bytes) -> None:
        """Drop a ZIP file on the page of checkpoints."""
        self.app.file_uploader(key="checkpoint_files").set_value([(name, content, "application/zip")])
        self.run()

    def say(self, key: str, event: str, value: Any) -> None:
        """Let a component send a trigger with the next run."""
        place = self.component(key).id
        event_state = WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{place}__events")
        event_state.json_trigger_value = json.dumps([{"event": event, "value": value}])
        self.app.component_states.append(event_state)

    def report(self, key: str, **values: Any) -> None:
        """Set a component's state from the next run on."""
        self.states.setdefault(key, {}).update(values)
        self.app.component_states.append(
            WidgetState(id=self.component(key).id, json_value=json.dumps(self.states[key]))
        )

    def components(self) -> dict[str, Any]:
        """The data of the components on screen, by key."""
        return {node.key or "": node.proto for node in self.elements() if node.type == "bidi_component"}

    def component(self, key: str) -> Any:
        """The data of one component.

        Raises:
            KeyError: when it is not on screen.
        """
        return self.components()[key]

    def elements(self) -> Iterator[Any]:
        """Everything on screen."""
        return (node for node in self.app._tree if isinstance(node, Element))

    def explorer(self) -> tuple[dict[str, Any], dict[str, Any], bytes] | None:
        """The explorer's data, the packet's header, and the packet's arrays; None if there is no explorer."""
        proto = self.components().get("explorer")
        if proto is None:
            return None
        fields, _ = unpack(proto.bytes)
        if fields["name"] not in self.packets:
            raise AssertionError(f"the explorer was not sent packet {fields['name']}, which this browser never had")
        return (fields, *self.packets[fields["name"]])

    def look(self) -> dict[str, Any]:
        """The explorer's state: the browser's, unless the server has changed it since."""
        explorer = self.explorer()
        assert explorer is not None
        report = self.states.get("explorer", {}).get("report")
        return report["state"] if report and report["revision"] == explorer[0]["revision"] else explorer[0]["state"]

    def choose_head(self, kind: str, layer: int, head: int, **fields: Any) -> None:
        """Choose a head in the explorer, and set further fields of its state."""
        explorer = self.explorer()
        assert explorer is not None
        fields_sent = explorer[0]
        fields["pins"] = [pin for pin in fields.get("pins", self.look()["pins"]) if self._can_pin(kind, pin)]
        state = self.look() | {"kind": kind, "heads": [[layer, head]]} | fields
        self.report(
            "explorer", report={"state": state, "revision": fields_sent["revision"], "holds": fields_sent["name"]}
        )
        self.run()

    def _can_pin(self, kind: str, pin: str) -> bool:
        """Whether the map has this row or column."""
        stage = data_of(self.component("sentence"))
        n_source = len(stage["source"])
        n_target = len(stage["target"]) or n_source
        queries, keys = {"encoder_self": (n_source, n_source), "decoder_self": (n_target, n_target)}.get(
            kind, (n_target, n_source)
        )
        return int(pin[1:]) < (queries if pin[0] == "q" else keys)

    def act(self, name: str, kind: str, layer: int, head: int) -> None:
        """Trigger an action in the explorer: switch a head off, open it, present."""
        self.say("explorer", "action", {"name": name, "kind": kind, "layer": layer, "head": head})
        self.run()

    @staticmethod
    def query(params: dict[str, str]) -> str:
        """Parameters as they appear in an address."""
        return urlencode(params)

    def _arrive(self, page: str, params: dict[str, str]) -> None:
        self.page = FRONT
        self.app.query_params = dict(params)
        if page == FRONT:
            self.run()
            return
        self._visit(page, params)
        self._write_history(self._now() if self.history else None)

    def _visit(self, page: str, params: dict[str, str]) -> None:
        self.app.query_params = dict(params)
        self.app.switch_page(f"{page}/{page}.py")
        self.states.clear()
        self.page = page
        self._run()

    def _run(self) -> None:
        place = "" if self.page == FRONT else self.page
        url = f"{HOST}/{place}?{urlencode(self.params)}"
        open_drawers(self.app)
        self.app.context = {"url": url, "theme": self.theme, "locale": self.locale}
        self.app.run()
        self.page = self._page_on_screen() or self.page
        self._take_packets()

    def _page_on_screen(self) -> str:
        info = self.app._registered_pages.get(self.app._finished_page_script_hash)
        return Path(str(info["script_path"])).stem if info else ""

    def _now(self) -> Entry:
        return Entry(self.page, self.params)

    def _write_history(self, before: Entry | None) -> None:
        """Update the history as ``shared/address.js`` does: another page or sentence adds an entry, else the last is
        replaced."""
        now = self._now()
        is_new = before is None or before.page != now.page or before.params.get("text") != now.params.get("text")
        if not is_new and self.history:
            self.history.pop()
        self.history.append(now)

    def _take_packets(self) -> None:
        proto = self.components().get("explorer")
        if proto is None:
            return
        fields, arrays = unpack(proto.bytes)
        offset, size = fields["packet"]
        if size:
            self.packets[fields["name"]] = unpack(arrays[offset : offset + size])


def unpack(packet: bytes) -> tuple[dict[str, Any], bytes]:
    """A packet's header and its arrays."""
    length = int.from_bytes(packet[:4], "little")
    return json.loads(packet[4 : 4 + length]), packet[4 + length :]


def data_of(proto: Any) -> dict[str, Any]:
    """The data of a component: its JSON, or the header of its packet."""
    kind = proto.WhichOneof("data")
    if kind == "bytes":
        return unpack(proto.bytes)[0]
    if kind == "mixed":
        return json.loads(proto.mixed.json)
    return json.loads(proto.json) if kind == "json" else {}
