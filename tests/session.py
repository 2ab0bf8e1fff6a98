"""A browser session without a browser: Streamlit's messages over its websocket, and uploads over HTTP.

It uses the widgets that a page has drawn and finds them by the keys that the application gives them.
"""

import http.client
import json
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from socket import create_connection
from typing import Any
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileUploaderState, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

_TOKEN = f"2|00000000|{secrets.token_hex(16)}|{int(time.time())}"
"""Streamlit only compares the cookie with the header, so any equal pair is accepted."""
UPLOAD_HEADERS = {"Cookie": f"_streamlit_xsrf={_TOKEN}", "X-Xsrftoken": _TOKEN}
"""What an upload carries beside its content."""
_ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass
class Session:
    """One visitor: what the page has drawn so far, and the choices made in it."""

    socket: ClientConnection
    address: str
    patience: float
    source: str = ""
    """The address of this machine from which it connects."""
    name: str = ""
    """The server's name for the session."""
    page: str = ""
    """Hash of the page that is open."""
    drawn: dict[str, str] = field(default_factory=dict)
    """Widgets' ids by their keys."""
    texts: list[str] = field(default_factory=list)
    """Text drawn by the last run."""
    exceptions: list[str] = field(default_factory=list)
    """Unexpected errors of all runs."""
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _files: dict[str, list[UploadedFileInfo]] = field(default_factory=dict)

    def open(self, page: str, query: Mapping[str, str]) -> float:
        """Open a page by its address; returns the time in seconds."""
        state = ClientState(query_string=urlencode(query), page_name=page)
        return self._run(BackMsg(rerun_script=state))

    def press(self, key: str) -> float:
        """Press a button."""
        return self._changed(WidgetState(id=self.drawn[key], trigger_value=True))

    def write(self, key: str, text: str) -> float:
        """Fill a field."""
        return self._changed(WidgetState(id=self.drawn[key], string_value=text))

    def unfold(self, key: str) -> float:
        """Open a popover that draws nothing while it is closed."""
        return self._changed(WidgetState(id=self.drawn[key], bool_value=True))

    def send(self, key: str, event: str, value: Any) -> float:
        """Send a value as a component of the application does."""
        events = json.dumps([{"event": event, "value": value}])
        name = f"$$STREAMLIT_INTERNAL_KEY_{self.drawn[key]}__events"
        return self._changed(WidgetState(id=name, json_trigger_value=events))

    def upload(self, key: str, files: Mapping[str, bytes]) -> float:
        """Drop files into a field, replacing earlier ones; returns the seconds from the first byte."""
        began = time.monotonic()
        state = FileUploaderState()
        for name, content in files.items():
            state.uploaded_file_info.append(self._sent(name, content))
        self.remove(key)
        self._files[key] = list(state.uploaded_file_info)
        self._changed(WidgetState(id=self.drawn[key], file_uploader_state_value=state))
        return time.monotonic() - began

    def remove(self, key: str) -> None:
        """Remove the files of a field from the server, as clicking their crosses does."""
        for info in self._files.pop(key, []):
            self._http("DELETE", info.file_urls.delete_url)

    def upload_place(self, name: str) -> Any:
        """Where the server expects a file: its id and addresses."""
        asked = BackMsg()
        asked.file_urls_request.request_id = secrets.token_hex(4)
        asked.file_urls_request.file_names.append(name)
        asked.file_urls_request.session_id = self.name
        self.socket.send(asked.SerializeToString())
        while True:
            message = self._received()
            if message.WhichOneof("type") == "file_urls_response":
                return message.file_urls_response.file_urls[0]

    def _sent(self, name: str, content: bytes) -> UploadedFileInfo:
        urls = self.upload_place(name)
        edge = secrets.token_hex(8)
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{edge}--\r\n".encode()
        status = self._http("PUT", urls.upload_url, body, f"multipart/form-data; boundary={edge}")
        if status != 204:
            raise RuntimeError(f"the upload of {len(content):,} bytes was answered with {status}")
        return UploadedFileInfo(name=name, size=len(content), file_id=urls.file_id, file_urls=urls)

    def _http(self, method: str, path: str, body: bytes = b"", kind: str = "text/plain") -> int:
        source = (self.source, 0) if self.source else None
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=self.patience,
                                                source_address=source)  # fmt: skip
        headers = {**UPLOAD_HEADERS, "Content-Type": kind}
        try:
            connection.request(method, urlsplit(path).path, body, headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def _changed(self, state: WidgetState) -> float:
        self._states[state.id] = state
        client = ClientState(page_script_hash=self.page, widget_states=WidgetStates(widgets=self._states.values()))
        if state.WhichOneof("value") in ("trigger_value", "json_trigger_value"):
            del self._states[state.id]  # these are triggers, sent once
        return self._run(BackMsg(rerun_script=client))

    def _run(self, message: BackMsg) -> float:
        """Send a message and wait until the run that it starts has ended, or until the timeout."""
        began = time.monotonic()
        self.socket.send(message.SerializeToString())
        while time.monotonic() - began < self.patience:
            try:
                came = self._received()
            except TimeoutError:
                break
            kind = came.WhichOneof("type")
            if kind == "new_session":
                self._begin(came.new_session)
            elif kind == "navigation":
                self.page = came.navigation.page_script_hash
            elif kind == "delta":
                self._note(came.delta)
            elif kind == "script_finished" and came.script_finished in _ENDED:
                break
        return time.monotonic() - began

    def _begin(self, told: Any) -> None:
        self.name = told.initialize.session_id or self.name
        self.drawn.clear()
        self.texts.clear()

    def _received(self) -> ForwardMsg:
        return ForwardMsg.FromString(self.socket.recv(timeout=self.patience, decode=False))

    def _note(self, delta: Any) -> None:
        kind = delta.WhichOneof("type")
        if kind not in ("new_element", "add_block"):
            return
        part = getattr(delta, kind)
        held = getattr(part, part.WhichOneof("type") or "", None)
        self._keep(getattr(part, "id", "") or getattr(held, "id", ""))
        if part.WhichOneof("type") == "exception":
            self.exceptions.append(part.exception.message)
        self.texts += [text for name in ("body", "label") if isinstance(text := getattr(held, name, ""), str) and text]

    def _keep(self, identity: str) -> None:
        """An id ends with the key that the application gave."""
        parts = identity.split("-", 2)
        if len(parts) == 3 and parts[2] != "None":
            self.drawn[parts[2]] = identity


@contextmanager
def session(
    address: str, *, patience: float = 300.0, source: str = "", headers: Mapping[str, str] | None = None
) -> Iterator[Session]:
    """Open a new browser session, yield it, and close it afterwards.

    Args:
        address: the server's.
        patience: seconds that any step may take.
        source: the address of this machine from which it connects.
        headers: sent with the first request beside the usual ones.
    """
    place, url = f"{address.replace('http', 'ws', 1)}/_stcore/stream", urlsplit(address)
    line = create_connection((url.hostname, url.port), patience, (source, 0) if source else None)
    with connect(place, sock=line, subprotocols=[Subprotocol("streamlit"), Subprotocol(_TOKEN)], max_size=None,
                 compression=None, additional_headers={"Cookie": f"_streamlit_xsrf={_TOKEN}", **(headers or {})},
                 open_timeout=patience) as socket:  # fmt: skip
        yield Session(socket, address, patience, source)
