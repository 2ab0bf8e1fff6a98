"""The ASGI application: routes beside Streamlit's, and startup."""

import asyncio
import ctypes
import logging
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn.config
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import SessionInfo
from streamlit.testing.v1 import AppTest

from tests.serving import server
from viz.components import code
from viz.environment import CHECKPOINT_VARIABLE, METRICS_VARIABLE, PROXIES_VARIABLE, SURVEY_VARIABLE, VISITOR_COOKIE
from viz.export.engine import EngineError
from viz.server import patches, phone
from viz.server.faults import on_script_error
from viz.server.garbage import collect, end_abandoned_sessions
from viz.server.lifespan import take_arguments
from viz.server.middleware import FirstStyle, middleware, style
from viz.server.routes import CHUNK, chunks, routes
from viz.server.visitors import THIS_MACHINE

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _components_carry_their_code(monkeypatch):
    monkeypatch.setattr(code, "_base", None)  # ``routes`` sets it for the whole process


@pytest.fixture
def client():
    return TestClient(Starlette(routes=routes(), middleware=middleware()))


def test_a_components_code_is_served_under_its_digest_for_ever(client):
    answer = client.get(f"/code/{code.digest()}/sentence/component.js")
    assert answer.status_code == 200
    assert answer.text == (ROOT / "viz/components/sentence/component.js").read_text("utf-8")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    ["sentence/__init__.py", "../cache.py", "..%2fcache.py", "%2e%2e/session.py", "nothing.js", "/etc/passwd", ""],
)
def test_nothing_but_code_of_components_is_served(client, path):
    assert client.get(f"/code/{code.digest()}/{path}").status_code == 404


def test_code_of_another_version_is_not_answered(client):
    answer = client.get("/code/0123456789/sentence/component.js")
    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("cache-control", "")


def test_messages_carry_a_loader_where_the_route_is_and_the_code_where_it_is_not(monkeypatch):
    js, css = "export default function () {}", "a { color: red }"
    assert code.code("test.inline", js=js, css=css) == {"js": js, "css": css}
    monkeypatch.setattr(code, "_base", "/below")
    arguments = code.code("test.served", js=js, css=css)
    assert set(arguments) == {"js"} and len(arguments["js"]) < 1_000
    assert f'"/below/code/{code.digest()}/"' in arguments["js"]
    paths = {Path(path).suffix: path for path in re.findall(r'"(joined/test\.served\.[^"]+)"', arguments["js"])}
    assert code.text_of(paths[".js"]) == js
    assert code.text_of(paths[".css"]) == css


def test_other_code_has_another_address_even_when_the_files_are_the_same(monkeypatch):
    monkeypatch.setattr(code, "_base", "")
    first, second = (code.code("test.words", js=f"export default {words}", css="")["js"] for words in ("1", "2"))
    assert first != second


@pytest.mark.parametrize(("option", "variable"), [("--checkpoint", CHECKPOINT_VARIABLE), ("--survey", SURVEY_VARIABLE)])
def test_the_file_of_the_command_line_is_opened(monkeypatch, option, variable):
    monkeypatch.setenv(variable, "")
    take_arguments([option, "some/where", "--unknown"])
    assert os.environ[variable] == str(Path("some/where"))


def test_the_front_door_imports_nothing_heavy():
    process = subprocess.run(
        [sys.executable, "-c", "import app, sys; print({'torch', 'pandas', 'viz.cache'} & set(sys.modules))"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert process.stdout.strip() == "set()"


def test_a_fault_is_logged_with_page_and_choices_and_without_typed_text(caplog):
    def page():
        from viz.server.faults import on_script_error
        from viz.state import session

        session.change(text="a secret sentence", layer=3)
        try:
            raise ValueError("a secret sentence is wrong")
        except ValueError as error:
            on_script_error(error)

    with caplog.at_level(logging.ERROR, logger="viz.server.faults"):
        AppTest.from_function(page).run()
    (record,) = caplog.records
    message = record.getMessage()
    assert message.startswith("ValueError at ") and "layer=3" in message
    assert "secret" not in message and "\n" not in message and record.exc_info is None


def test_a_fault_outside_of_any_page_is_logged_too(caplog):
    on_script_error(KeyError("x"))
    assert "KeyError at an unknown place" in caplog.text


def test_a_browser_is_named_once_with_a_cookie_that_scripts_cannot_read():
    async def page(_):
        return HTMLResponse("<p>")

    client = TestClient(Starlette(routes=[Route("/", page), *routes()], middleware=middleware()))
    assert "set-cookie" not in client.get(f"/code/{code.digest()}/sentence/component.css").headers
    cookie = client.get("/").headers["set-cookie"]
    assert VISITOR_COOKIE in cookie and "HttpOnly" in cookie and "SameSite=Lax" in cookie
    assert "set-cookie" not in client.get("/").headers


def test_pages_may_load_from_this_server_alone(client):
    policy = client.get(f"/code/{code.digest()}/sentence/component.js").headers["content-security-policy"]
    assert policy.startswith("default-src 'self' data: blob:") and "http" not in policy


def test_no_page_tells_another_server_its_address_and_no_other_site_frames_it(client):
    headers = client.get(f"/code/{code.digest()}/sentence/component.js").headers
    assert headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize(
    ("proxies", "peer", "headers", "expected"),
    [
        ("", ("8.8.8.8", 5), {"X-Forwarded-For": "1.1.1.1", "X-Forwarded-Proto": "https"}, ("8.8.8.8", "http")),
        ("", ("192.168.1.5", 5), {"X-Forwarded-For": "1.1.1.1"}, ("192.168.1.5", "http")),
        # a proxy's address, or a part of it, does not make a client local
        ("", ("192.168.1.5", 5), {"X-Forwarded-For": "192.168.1.5"}, ("192.168.1.5", "http")),
        ("", ("8.8.8.8", 5), {"X-Forwarded-For": "18.8.8.81"}, ("8.8.8.8", "http")),
        # a local program, which uvicorn would trust
        ("", ("127.0.0.1", 5), {"X-Forwarded-For": "8.8.8.8", "X-Forwarded-Proto": "https"}, (THIS_MACHINE, "http")),
        ("", ("127.0.0.1", 5), {}, (THIS_MACHINE, "http")),
        ("", ("::1", 5), {}, (THIS_MACHINE, "http")),
        ("", ("0:0:0:0:0:0:0:1", 5), {}, (THIS_MACHINE, "http")),
        ("", ("::ffff:127.0.0.1", 5), {}, (THIS_MACHINE, "http")),
        ("1", ("127.0.0.1", 5), {"X-Forwarded-For": "127.0.0.1"}, (THIS_MACHINE, "http")),
        ("1", ("172.18.0.4", 5), {"X-Forwarded-For": "1.1.1.1, 8.8.8.8", "X-Forwarded-Proto": "https"},
         ("8.8.8.8", "https")),
        ("1", ("8.8.8.8", 0), {"X-Forwarded-For": "1.1.1.1, 8.8.8.8"}, ("8.8.8.8", "http")),
        ("1", ("172.18.0.4", 5), {"X-Forwarded-For": "8.8.8.8", "X-Forwarded-Proto": "gopher"}, ("8.8.8.8", "http")),
        ("2", ("172.18.0.4", 5), {"X-Forwarded-For": "8.8.8.8, 10.0.0.1"}, ("8.8.8.8", "http")),
    ],
)  # fmt: skip
def test_a_visitor_has_the_address_that_a_proxy_saw_and_none_that_it_forges(
    monkeypatch, proxies, peer, headers, expected
):
    addresses = []

    async def page(request):
        addresses.append((request.client.host, request.url.scheme))
        return Response()

    monkeypatch.setenv(PROXIES_VARIABLE, proxies)
    monkeypatch.setattr(uvicorn.config, "ProxyHeadersMiddleware", uvicorn.config.ProxyHeadersMiddleware)
    patches.ask_and_believe_nobody()
    served = uvicorn.Config(Starlette(routes=[Route("/", page)], middleware=middleware()))
    served.load()
    app: Any = served.loaded_app
    TestClient(app, client=peer).get("/", headers=headers)
    assert addresses == [expected]


def test_a_proxy_that_nobody_named_is_noticed_in_the_log_once(caplog):
    client = TestClient(Starlette(routes=routes(), middleware=middleware()))
    with caplog.at_level(logging.WARNING, logger="viz.server.visitors"):
        for _ in range(3):
            client.get("/", headers={"X-Forwarded-For": "8.8.8.8"})
    (record,) = caplog.records
    assert PROXIES_VARIABLE in record.getMessage()


@pytest.mark.nightly
@pytest.mark.server
def test_files_that_a_killed_server_left_are_removed_when_the_next_one_starts(tmp_path):
    leftover = tmp_path / f"regard-{os.getuid()}" / "999999-dead" / "uploads-x"
    leftover.mkdir(parents=True)
    (leftover / "model.pt").write_bytes(bytes(1_000))
    (leftover.parents[1]).chmod(0o700)
    with server(environment={"TMPDIR": str(tmp_path)}):
        deadline = time.monotonic() + 120
        while leftover.parent.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
        assert not leftover.parent.exists(), "without any visitor"


def test_the_model_of_phones_is_sent_in_parts_and_a_server_without_one_answers_404(monkeypatch):
    content = bytes(range(256)) * 1_000
    monkeypatch.setattr(phone, "_page_files", lambda: (("m", True), {"w.bin": content}))
    client = TestClient(Starlette(routes=routes()))
    answer = client.get("/engine/model/w.bin")
    assert answer.content == content and answer.headers["content-length"] == str(len(content))
    assert answer.headers["content-encoding"] == "identity", "not compressed for each phone"
    assert len(content) > CHUNK
    assert client.head("/engine/model/w.bin").content == b""
    monkeypatch.setattr(phone, "_page_files", lambda: EngineError("no model"))
    assert client.get("/engine/model/w.bin").status_code == client.get("/engine/setup/en").status_code == 404


@pytest.mark.parametrize("base", ["", "/below"])
def test_metrics_are_closed_unless_asked_for(monkeypatch, base):
    routes = [Route(f"{base}/_stcore/metrics", lambda request: Response("how many visitors"))]

    def status_of() -> int:
        return TestClient(Starlette(routes=routes, middleware=middleware())).get(f"{base}/_stcore/metrics").status_code

    assert status_of() == 404
    monkeypatch.setenv(METRICS_VARIABLE, "1")
    assert status_of() == 200


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system does not list its sockets there")
@pytest.mark.server
def test_a_server_listens_only_on_loopback_by_default():
    with server(bind=None) as (address, _):
        suffix = f":{int(address.rpartition(':')[2]):04X}"
        rows = [row.split() for table in ("tcp", "tcp6") for row in Path(f"/proc/net/{table}").read_text().splitlines()]
        listening = [row[1] for row in rows if row[1].endswith(suffix) and row[3] == "0A"]
    assert listening == [f"0100007F{suffix}"]


@pytest.mark.parametrize(
    ("listens", "printed"),
    [
        ("127.0.0.1", ["http://127.0.0.1:8501"]),
        ("0.0.0.0", ["http://localhost:8501", "http://192.168.1.5:8501"]),
        ("", ["http://localhost:8501", "http://192.168.1.5:8501"]),
    ],
)
def test_the_addresses_to_open_are_printed_without_asking_anybody(monkeypatch, listens, printed):
    monkeypatch.setattr(patches.net_util, "get_internal_ip", lambda: "192.168.1.5")
    before = patches.config.get_option("server.address")
    patches.config.set_option("server.address", listens)
    try:
        assert patches.own_addresses() == printed
    finally:
        patches.config.set_option("server.address", before)


def test_the_server_may_have_more_connections_open_than_one_client_can_take():
    import resource

    limit = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 65_536)
    command = [sys.executable, "-c", f"""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, {resource.getrlimit(resource.RLIMIT_NOFILE)[1]}))
from viz.server.lifespan import _allow_many_connections
_allow_many_connections()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""]  # fmt: skip
    assert int(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout) == limit


@pytest.mark.parametrize("size", [0, 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_all_parts_together_are_the_whole(size):
    content = bytes(range(256)) * (size // 256) + bytes(range(size % 256))

    async def received() -> list[memoryview]:
        return [chunk async for chunk in chunks(content)]

    parts = asyncio.run(received())
    assert b"".join(parts) == content and all(0 < len(part) <= CHUNK for part in parts)


@dataclass
class Session:
    id: str
    calls: list[str] = field(default_factory=list)

    def shutdown(self) -> None:
        self.calls.append(self.id)


def session_info(session: Any) -> SessionInfo:
    return SessionInfo(client=None, session=session, script_run_count=1)


def test_a_session_that_nobody_can_return_to_is_shut_down_without_a_next_visitor() -> None:
    now = 0.0
    storage = MemorySessionStorage(ttl_seconds=120)
    sessions = storage._cache
    assert isinstance(sessions, TTLCache)
    sessions._timer = lambda: now
    disconnected, connected = Session("gone"), Session("here")
    storage.save(session_info(disconnected))
    now = 100.0
    storage.save(session_info(connected))
    end_abandoned_sessions(storage)
    assert not disconnected.calls
    now = 130.0
    end_abandoned_sessions(storage)
    end_abandoned_sessions(storage)
    assert (disconnected.calls, connected.calls) == (["gone"], []) and storage.get("here") is not None
    end_abandoned_sessions(None)


def resident() -> int:
    """Resident memory of this process in MiB."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) >> 10


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc keeps and returns freed memory")
def test_freed_memory_goes_back_to_the_system() -> None:
    collect()
    before = resident()
    blocks = [bytes([1]) * 60_000 for _ in range(4_000)]  # below the size from which glibc uses mmap
    survivors = blocks[::200]
    del blocks
    allocated = resident() - before
    collect()
    assert allocated > 150 and resident() - before < 60 and len(survivors) == 20


PART = "part"
FINISHED = ForwardMsg.ScriptFinishedStatus


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> ForwardMsgQueue:
    monkeypatch.setattr(ForwardMsgQueue, "clear", ForwardMsgQueue.clear)  # restored at the end
    patches.keep_messages_of_full_runs()
    return ForwardMsgQueue()


def text_delta(words: str, place: int = 0) -> ForwardMsg:
    message = ForwardMsg()
    message.delta.fragment_id = PART
    message.delta.new_element.text.body = words
    message.metadata.delta_path.extend((0, place))
    return message


def flushed_texts(queue: ForwardMsgQueue) -> list[str | int]:
    return [
        message.delta.new_element.text.body if message.HasField("delta") else message.script_finished
        for message in queue.flush()
    ]


def test_a_full_runs_messages_of_a_fragment_are_sent_before_its_end(queue: ForwardMsgQueue) -> None:
    queue.enqueue(text_delta("whole"))
    queue.enqueue(ForwardMsg(script_finished=FINISHED.FINISHED_SUCCESSFULLY))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    queue.enqueue(text_delta("part"))
    assert flushed_texts(queue) == ["whole", FINISHED.FINISHED_SUCCESSFULLY, "part"]


def test_the_next_fragment_run_drops_messages_of_an_unfinished_one(queue: ForwardMsgQueue) -> None:
    queue.enqueue(text_delta("early"))
    queue.enqueue(ForwardMsg(script_finished=FINISHED.FINISHED_FRAGMENT_RUN_SUCCESSFULLY))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[PART])
    assert flushed_texts(queue) == [FINISHED.FINISHED_EARLY_FOR_RERUN]


def test_the_next_run_of_the_whole_page_drops_all_that_waits(queue: ForwardMsgQueue) -> None:
    queue.enqueue(text_delta("whole"))
    queue.enqueue(ForwardMsg(script_finished=FINISHED.FINISHED_SUCCESSFULLY))
    queue.clear(retain_lifecycle_msgs=True)
    assert flushed_texts(queue) == [FINISHED.FINISHED_EARLY_FOR_RERUN]
    queue.enqueue(text_delta("again"))
    queue.clear()
    assert queue.is_empty()


PAGE = [b"<html><head><title>x</title></he", b"ad><body></body></html>"]


def response_of(headers: dict[str, str], parts: list[bytes], accept: str = "text/html") -> tuple[dict[str, str], bytes]:
    """Headers and body of a response in parts after the middleware."""
    flushed_texts: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert "accept-encoding" not in dict(scope["headers"]) or "html" not in accept
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        for place, part in enumerate(parts):
            await send({"type": "http.response.body", "body": part, "more_body": place + 1 < len(parts)})

    async def send(message: Any) -> None:
        flushed_texts.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"accept", accept.encode())]}
    receive: Any = None
    asyncio.run(FirstStyle(app)(scope, receive, send))
    received = {name.decode(): value.decode() for name, value in flushed_texts[0]["headers"]}
    return received, b"".join(message["body"] for message in flushed_texts[1:])


def test_a_page_sent_in_parts_has_the_style_in_its_head_and_a_content_length() -> None:
    length = str(sum(map(len, PAGE)))
    headers, body = response_of({"content-type": "text/html", "content-length": length, "etag": "x"}, PAGE)
    assert body == b"".join(PAGE).replace(b"</head>", style() + b"</head>")
    assert headers["content-length"] == str(len(body)) and "etag" not in headers
    assert b".st-key-top_bar" in style() and b"/*" not in style()


@pytest.mark.parametrize(
    ("headers", "accept"),
    [({"content-type": "application/javascript"}, "text/html"), ({"content-type": "text/html"}, "*/*"),
     ({"content-type": "text/html", "content-encoding": "gzip"}, "text/html")],
)  # fmt: skip
def test_any_other_answer_passes_unchanged(headers: dict[str, str], accept: str) -> None:
    assert response_of(headers, PAGE, accept) == (headers, b"".join(PAGE))
