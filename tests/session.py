"""A Streamlit client without a browser: messages over a websocket, uploads over HTTP, widgets found by key."""

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


def upload_head(url: str, *headers: str) -> bytes:
    """The head of an upload that is sent by hand; its parts are separated by ``--e``."""
    lines = [f"PUT {urlsplit(url).path} HTTP/1.1", "Host: x", *headers, "Content-Type: multipart/form-data; boundary=e",
             *(f"{name}: {value}" for name, value in UPLOAD_HEADERS.items())]  # fmt: skip
    return "\r\n".join([*lines, "", ""]).encode()


_ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass
class Session:
    """One visitor: the widgets of the open page and their states."""

    socket: ClientConnection
    address: str
    patience: float
    source: str = ""
    """The local address from which it connects."""
    name: str = ""
    """The server's name for the session."""
    page: str = ""
    """Hash of the page that is open."""
    widget_ids: dict[str, str] = field(default_factory=dict)
    """Widgets' ids by their keys."""
    texts: list[str] = field(default_factory=list)
    """Texts of the last run's elements."""
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
        return self._send_state(WidgetState(id=self.widget_ids[key], trigger_value=True))

    def write(self, key: str, text: str) -> float:
        """Fill a field."""
        return self._send_state(WidgetState(id=self.widget_ids[key], string_value=text))

    def unfold(self, key: str) -> float:
        """Open a popover whose content is only computed while it is open."""
        return self._send_state(WidgetState(id=self.widget_ids[key], bool_value=True))

    def send(self, key: str, event: str, value: Any) -> float:
        """Send a value as a component of the application does."""
        events = json.dumps([{"event": event, "value": value}])
        name = f"$$STREAMLIT_INTERNAL_KEY_{self.widget_ids[key]}__events"
        return self._send_state(WidgetState(id=name, json_trigger_value=events))

    def upload(self, key: str, files: Mapping[str, bytes]) -> float:
        """Drop files into a field, replacing earlier ones; returns the seconds from the first byte."""
        start = time.monotonic()
        state = FileUploaderState()
        for name, content in files.items():
            state.uploaded_file_info.append(self._sent(name, content))
        self.remove(key)
        self._files[key] = list(state.uploaded_file_info)
        self._send_state(WidgetState(id=self.widget_ids[key], file_uploader_state_value=state))
        return time.monotonic() - start

    def remove(self, key: str) -> None:
        """Remove the files of a field from the server, as clicking their crosses does."""
        for info in self._files.pop(key, []):
            self._http("DELETE", info.file_urls.delete_url)

    def upload_place(self, name: str) -> Any:
        """Where the server expects a file: its id and addresses."""
        request = BackMsg()
        request.file_urls_request.request_id = secrets.token_hex(4)
        request.file_urls_request.file_names.append(name)
        request.file_urls_request.session_id = self.name
        self.socket.send(request.SerializeToString())
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

    def _send_state(self, state: WidgetState) -> float:
        self._states[state.id] = state
        client = ClientState(page_script_hash=self.page, widget_states=WidgetStates(widgets=self._states.values()))
        if state.WhichOneof("value") in ("trigger_value", "json_trigger_value"):
            del self._states[state.id]  # these are triggers, sent once
        return self._run(BackMsg(rerun_script=client))

    def _run(self, message: BackMsg) -> float:
        """Send a message and wait until the run that it starts has ended, or until the timeout."""
        start = time.monotonic()
        self.socket.send(message.SerializeToString())
        while time.monotonic() - start < self.patience:
            try:
                reply = self._received()
            except TimeoutError:
                break
            kind = reply.WhichOneof("type")
            if kind == "new_session":
                self._begin(reply.new_session)
            elif kind == "navigation":
                self.page = reply.navigation.page_script_hash
            elif kind == "delta":
                self._record(reply.delta)
            elif kind == "script_finished" and reply.script_finished in _ENDED:
                break
        return time.monotonic() - start

    def _begin(self, new_session: Any) -> None:
        self.name = new_session.initialize.session_id or self.name
        self.widget_ids.clear()
        self.texts.clear()

    def _received(self) -> ForwardMsg:
        return ForwardMsg.FromString(self.socket.recv(timeout=self.patience, decode=False))

    def _record(self, delta: Any) -> None:
        kind = delta.WhichOneof("type")
        if kind not in ("new_element", "add_block"):
            return
        part = getattr(delta, kind)
        element = getattr(part, part.WhichOneof("type") or "", None)
        self._register_widget(getattr(part, "id", "") or getattr(element, "id", ""))
        if part.WhichOneof("type") == "exception":
            self.exceptions.append(part.exception.message)
        self.texts += [
            text for name in ("body", "label") if isinstance(text := getattr(element, name, ""), str) and text
        ]

    def _register_widget(self, identity: str) -> None:
        """Streamlit's ids end with the widget's key."""
        parts = identity.split("-", 2)
        if len(parts) == 3 and parts[2] != "None":
            self.widget_ids[parts[2]] = identity


@contextmanager
def connect_session(
    address: str, *, patience: float = 300.0, source: str = "", headers: Mapping[str, str] | None = None
) -> Iterator[Session]:
    """Open a new browser session, yield it, and close it afterwards.

    Args:
        address: the server's.
        patience: timeout of each step in seconds.
        source: the local address from which it connects.
        headers: additional headers of the first request.
    """
    stream_url, url = f"{address.replace('http', 'ws', 1)}/_stcore/stream", urlsplit(address)
    connection = create_connection((url.hostname, url.port), patience, (source, 0) if source else None)
    protocols = [Subprotocol("streamlit"), Subprotocol(_TOKEN)]
    with connect(stream_url, sock=connection, subprotocols=protocols, max_size=None, compression=None,
                 additional_headers={"Cookie": f"_streamlit_xsrf={_TOKEN}", **(headers or {})},
                 open_timeout=patience) as socket:  # fmt: skip
        yield Session(socket, address, patience, source)
