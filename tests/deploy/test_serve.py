"""``regard serve --workers 2``: two servers behind one port, and visitors who stay with one of them."""

import asyncio
import itertools
import math
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from tests.loops import wait_until
from tests.programs import require_programs
from tests.serving import ROOT, free_port, wait_until_healthy
from viz.environment import METRICS_VARIABLE
from viz.serve import nginx, workers
from viz.serve.__main__ import main
from viz.serve.workers import MAX_STARTS, Front, Program, ServeError

pytestmark = pytest.mark.nightly
PATIENCE = 90_000


@dataclass
class Served:
    """The running command, its address, and the address of each server."""

    process: subprocess.Popen[bytes]
    address: str
    servers: dict[str, str]

    def sessions(self, name: str) -> int:
        """The number of sessions that have connected to a server since its start."""
        with urllib.request.urlopen(f"{self.servers[name]}/_stcore/metrics", timeout=30) as answer:
            text = answer.read().decode()
        match = re.search(r'^session_events_total\{type="connect"\} (\d+)', text, re.MULTILINE)
        return int(match[1]) if match else 0


def start_command(folder: Path, **environment: str) -> Served:
    """Start the command with two servers and wait until it is ready."""
    port, log = free_port(), folder / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "viz.serve", "--workers", "2", "--port", str(port)], cwd=ROOT, stderr=file,
            env={**os.environ, METRICS_VARIABLE: "1", "OMP_NUM_THREADS": "1", "REGARD_RUNS": str(folder / "runs"),
                 "TMPDIR": str(folder), **environment},
        )  # fmt: skip
    wait_until_healthy(process, f"http://127.0.0.1:{port}/_stcore/health")
    servers = dict(re.findall(r"^(w\d) answers at (\S+)$", log.read_text("utf-8"), re.MULTILINE))
    return Served(process, f"http://127.0.0.1:{port}", servers)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    require_programs("nginx", "redis-server")
    command = start_command(tmp_path_factory.mktemp("serve"))
    try:
        yield command
    finally:
        command.process.kill()  # its children end with it
        command.process.wait()


def answered_by(address: str, cookie: str = "") -> str:
    request = urllib.request.Request(address, headers={"Cookie": cookie} if cookie else {})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers["X-Regard-Replica"]


def is_answering(address: str) -> bool:
    with suppress(OSError):
        urllib.request.urlopen(f"{address}/_stcore/health", timeout=5).close()
        return True
    return False


def on_server(browser: Browser, served: Served, name: str) -> BrowserContext:
    context = browser.new_context(locale="en-US", reduced_motion="reduce")  # the page changes nothing by itself
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "regard_replica", "value": name, "url": served.address}])
    return context


@pytest.mark.by_day
def test_a_program_that_dies_at_every_start_is_restarted_ever_later_and_then_abandoned(monkeypatch, caplog) -> None:
    clock = [1000.0]
    monkeypatch.setattr(workers.time, "monotonic", lambda: clock[0])
    program = Program("w1", [sys.executable, "-S", "-c", "raise SystemExit(3)"])
    program.start()
    starts = []
    for _ in range(200):
        assert program.process is not None
        program.process.wait()
        if program.restart(clock[0]):
            starts.append(clock[0])
        clock[0] += 1.0
    assert program.is_given_up
    pauses = [later - earlier for earlier, later in itertools.pairwise(starts)]
    assert pauses == sorted(pauses) and len(set(pauses)) > 2 and len(starts) < MAX_STARTS
    assert "given up" in caplog.text and "status 3" in caplog.text


@pytest.mark.by_day
@pytest.mark.parametrize("n_alive", [1, 0])
def test_serving_ends_with_a_reason_only_when_nobody_can_be_served(n_alive: int) -> None:
    sleeps = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
    front = Front.__new__(Front)
    front.redis, front.nginx = None, Program("nginx", sleeps)
    front.workers = [Program("w1", sleeps), Program("w2", sleeps)]
    for program in front.workers[n_alive:]:
        program.due = math.inf
    try:
        if n_alive:
            assert front.restart() == ["w1", "nginx"]
        else:
            with pytest.raises(ServeError, match=r"w1 .*w2 .*every start failed"):
                front.restart()
    finally:
        front.end()


def test_new_visitors_are_shared_out_and_old_ones_come_back(served: Served) -> None:
    assert {answered_by(served.address) for _ in range(40)} == {"w1", "w2"} == set(served.servers)
    for name in served.servers:
        assert {answered_by(served.address, f"regard_replica={name}") for _ in range(5)} == {name}


@pytest.mark.by_day
def test_a_session_and_all_that_follow_it_stay_with_one_server(served: Served) -> None:
    before = {name: served.sessions(name) for name in served.servers}

    async def visit() -> None:
        for _ in range(6):
            async with connect(
                f"{served.address.replace('http', 'ws')}/_stcore/stream", subprotocols=[Subprotocol("streamlit")],
                additional_headers={"Cookie": "regard_replica=w2"},
            ):  # fmt: skip
                pass

    with ThreadPoolExecutor(1) as executor:  # a browser of other tests may run an event loop in this thread
        executor.submit(asyncio.run, visit()).result()
    now = {name: served.sessions(name) - count for name, count in before.items()}
    assert now == {"w1": 0, "w2": 6}


def test_phones_of_one_server_join_a_room_of_the_other(served: Served, browser: Browser) -> None:
    context = on_server(browser, served, "w1")
    teacher = context.new_page()
    teacher.goto(f"{served.address}/room?text=The+dog+is+sleeping.")
    teacher.get_by_role("button", name="Open a room").click()
    code = teacher.locator(".st-key-room_code h1").inner_text().replace(" ", "")
    headers = {"Cookie": "regard_replica=w2"}
    request = urllib.request.Request(f"{served.address}/class/{code}/join", data=b"{}", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200 and answer.headers["X-Regard-Replica"] == "w2"
    context.close()


def test_a_server_that_dies_is_started_again_and_its_visitor_goes_on(served: Served, browser: Browser) -> None:
    context = on_server(browser, served, "w1")
    page = context.new_page()
    page.goto(f"{served.address}/?text=The+dog+is+sleeping.&kind=encoder_self")
    expect(page.get_by_text("dort", exact=False).first).to_be_visible(timeout=PATIENCE)
    page.wait_for_function("new URLSearchParams(location.search).get('text') === 'The dog is sleeping.'")
    port = served.servers["w1"].rpartition(":")[2]
    (pid,) = [
        int(entry.name) for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and f"--server.port\0{port}\0" in _command(entry)
    ]  # fmt: skip
    os.kill(pid, signal.SIGKILL)
    page.reload()
    expect(page.get_by_text("dort", exact=False).first).to_be_visible(timeout=PATIENCE)
    wait_until(lambda: is_answering(served.servers["w1"]))
    context.close()


def _command(process: Path) -> str:
    with suppress(OSError):
        return (process / "cmdline").read_text("utf-8", "replace")
    return ""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent has ended")
def test_nothing_is_left_running_where_the_command_is_killed(tmp_path: Path) -> None:
    require_programs("nginx", "redis-server")
    served = start_command(tmp_path)
    served.process.kill()
    served.process.wait()
    for address in (served.address, *served.servers.values()):
        wait_until(lambda address=address: not is_answering(address))


def test_a_usage_error_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["--workers", "0"]) == 2
    assert "--workers (0) must lie between 1 and" in capsys.readouterr().err
    monkeypatch.setattr("viz.serve.workers._SYSTEM_PROGRAMS", "")
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["--port", str(free_port())]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1 and "apt install nginx-light redis-server" in message


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    import socket

    with socket.socket() as occupied:
        occupied.bind(("127.0.0.1", 0))
        occupied.listen()
        port = occupied.getsockname()[1]
        with pytest.raises(ServeError, match=f"127.0.0.1:{port} cannot be used .*choose another --port"):
            Front(2, address="127.0.0.1", port=port, folder=tmp_path)


def test_the_containers_nginx_has_the_same_configuration() -> None:
    assert (ROOT / "deploy/nginx/regard.conf.template").read_text("utf-8") == nginx.site(nginx.CONTAINERS)


def test_nginx_reads_its_files_from_the_folder_in_which_they_were_written(tmp_path: Path) -> None:
    main = nginx.write(tmp_path, nginx.CONTAINERS, {}, files=1024)
    assert main.parent == tmp_path and str(tmp_path) in main.read_text("utf-8")
    assert (tmp_path / "site.conf").read_text("utf-8") == nginx.site(nginx.CONTAINERS, {})
