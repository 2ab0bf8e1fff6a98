"""One visitor attacks a public server at full speed while another clicks and a class votes.

    python -m tests.attack_server                     every attack, without nginx
    python -m tests.attack_server --nginx             behind nginx as deploy/ configures it
    python -m tests.attack_server --only "QR" --seconds 10

It starts a server with ``REGARD_PUBLIC=1``, Redis, and with ``--nginx`` the proxy, and prints a line per attack, as in
docs/security.md: the visitor's click before and during it (median, slowest), the slowest health check, the additional
memory of the server and its children, and the result of the attack. One phone of the class votes during each attack.
At the end the server gets a SIGTERM while a websocket sends as fast as it can. The exit code is 1 if a click took
``MOST_SECONDS`` longer than before, the server ``MOST_MB`` more memory, or its end longer than ``ENDS_WITHIN``; if the
class's votes differ from those sent; or if an attack reports that another visitor was affected. DNS queries of the
server are never answered, as in a class without internet.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from model.runs.limits import RUNS_VARIABLE
from model.runs.limits import VARIABLE as LIMITS_VARIABLE
from tests.attacks import ATTACKS, FAILED, Target, attack
from tests.checkpoints.watching import Clicks, Measurements, clicking, watch_memory
from tests.deploy.conftest import start_nginx
from tests.questions import make_question
from tests.resolver import silent_resolver
from tests.serving import free_port, redis_server, server, wait_until_healthy
from tests.session import connect_session
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import Room

MOST_SECONDS, MOST_MB = 1.0, 1024.0
ENDS_WITHIN = 10.0
"""Seconds from SIGTERM to the server's end."""
MOST_DISK = 128 << 20
LIMITS = {"undo_bytes": 4 << 20, "keep_bytes": MOST_DISK, "keep_bytes_per_session": MOST_DISK}
"""Limits that short runs can reach."""
PATIENCE = 400.0
LEAST_CLICKS = 40
HEAD = "| attack | click: median, slowest (s) | health (s) | server, children (MB) | what became of it |"


class Lesson:
    """A class of one phone, which follows the room and votes once per question."""

    def __init__(self, address: str, room: Room) -> None:
        self.address, self.room, self.number = address, room, 0
        self.device = self._post("join", {})["device"]
        url, request = urlsplit(address), f"GET /class/{room.code}/events HTTP/1.1\r\nHost: x\r\n"
        self._line = socket.create_connection((url.hostname or "", url.port or 80), 30)
        self._line.sendall(f"{request}Regard-Device: {self.device}\r\n\r\n".encode())
        self._line.recv(4_096)
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self) -> None:
        """Open the next question."""
        self.number += 1
        self.room.ask(make_question(f"q#{self.number}"))

    def vote(self) -> float:
        """Vote like a phone, with a retry when no answer comes; returns the seconds."""
        start, body = time.monotonic(), {"device": self.device, "question": f"q#{self.number}", "vote": "1"}
        while time.monotonic() - start < PATIENCE:
            with suppress(OSError, http.client.HTTPException, ValueError):
                if self._post("vote", body).get("vote") == "1":
                    break
            time.sleep(0.5)
        return time.monotonic() - start

    def is_exact(self) -> bool:
        """Whether the question has exactly this vote, and the room contains nothing else."""
        return self.room.tally(f"q#{self.number}") == {"1": 1} and not self.room.sentences()

    def _post(self, route: str, body: dict[str, str]) -> dict[str, str]:
        line = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=30)
        line.request("POST", f"/class/{self.room.code}/{route}", json.dumps(body))
        try:
            return json.loads(line.getresponse().read())
        finally:
            line.close()

    def _read(self) -> None:
        self._line.settimeout(None)
        with suppress(OSError):
            while self._line.recv(65_536):
                pass


def main() -> int:
    """Run the attacks; 0 when every one stayed within the limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nginx", action="store_true", help="put nginx in front")
    parser.add_argument("--only", default="", help="a part of the names of the attacks to run")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each attack lasts")
    chosen = parser.parse_args()
    names = [name for name in ATTACKS if chosen.only.lower() in name.lower()]
    with running(nginx=chosen.nginx) as (address, process, redis, folder), clicking(address) as clicks:
        lesson = Lesson(address, Room.open(RedisStore(redis), most_devices=500)[0])
        target = Target(address, redis, lesson.room.code, chosen.seconds, process, folder, MOST_DISK)
        warm(address)
        before = measure_baseline(clicks)
        print(f"{HEAD}\n|{' --- |' * 5}")
        print_line(before, "nobody attacks")
        results = [run_attack(name, target, lesson, clicks, process, before) for name in names]
        results.append(ends_under_attack(target))
    print("all within the limits" if all(results) else "NOT all within the limits")
    return 0 if all(results) else 1


@contextmanager
def running(*, nginx: bool) -> Iterator[tuple[str, int, str, Path]]:
    """Start the system; yields the server's address, process, Redis address and folder."""
    with ExitStack() as stack:
        folder = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="regard-attack-", ignore_cleanup_errors=True))
        )
        folder.chmod(0o755)  # nginx writes upload buffers there as another user
        redis = stack.enter_context(redis_server(folder))
        without_names, _ = silent_resolver(folder)
        environment = {**without_names, LIMITS_VARIABLE: json.dumps(LIMITS),
                       "REGARD_PUBLIC": "1", "REGARD_REDIS_URL": redis, RUNS_VARIABLE: str(folder / "runs"),
                       "TMPDIR": str(folder), "REGARD_REPLICA": "one",
                       **({"REGARD_PROXIES": "1"} if nginx else {})}  # fmt: skip
        address, process = stack.enter_context(server(environment=environment))
        if nginx:
            port, front = urlsplit(address).port or 0, free_port()
            proxy = start_nginx(folder, front, {"one": port, "two": port}, max_upload_mb=64)
            stack.callback(_end, proxy)
            address = f"http://127.0.0.1:{front}"
            wait_until_healthy(proxy, f"{address}/_stcore/health")
        yield address, process, redis, folder


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def warm(address: str) -> None:
    """Load everything that first visits load, so that it is not attributed to an attack."""
    with connect_session(address, patience=PATIENCE) as visitor:
        for page in ("", "corpus", "fine_tune", "room"):
            visitor.open(page, {})
    line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    line.request("GET", "/engine/setup/en")
    line.getresponse().read()
    line.close()


def measure_baseline(clicks: Clicks) -> Measurements:
    """The clicks without an attack."""
    clicks.forget()
    baseline = Measurements("before", 0, 0.0)
    while len(baseline.clicks) < LEAST_CLICKS:
        time.sleep(2)
        repeated = clicks.since_forget("before", 0)
        baseline.clicks += repeated.clicks
        baseline.beats += repeated.beats
    return baseline


def run_attack(name: str, target: Target, lesson: Lesson, clicks: Clicks, process: int, before: Measurements) -> bool:
    """Run an attack and print its line; returns whether it stayed within the limits."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    attacker = context.Process(target=attack, args=(name, target, results), daemon=True)
    lesson.ask()
    with watch_memory(process) as memory:
        attacker.start()
        time.sleep(3)  # the time that a new process needs for imports
        clicks.forget()
        voted = lesson.vote()
        became = results.get(timeout=PATIENCE + 10 * target.seconds)
        attacker.join()
        time.sleep(1)
    measured = clicks.since_forget(name, 0)
    measured.server_mb, measured.children_mb = memory
    is_exact = lesson.is_exact()
    print_line(measured, f"{became}; the class's vote {'counted' if is_exact else 'LOST OR INVENTED'} ({voted:.1f} s)")
    is_quick = bool(measured.clicks) and measured.worst <= before.worst + MOST_SECONDS
    return is_quick and is_exact and measured.server_mb <= MOST_MB and FAILED not in became


def ends_under_attack(target: Target) -> bool:
    """Send SIGTERM while a websocket sends as fast as it can; returns whether the server ends in time."""
    context = multiprocessing.get_context("spawn")
    attacker = context.Process(target=attack, args=(next(iter(ATTACKS)), target, context.Queue()), daemon=True)
    attacker.start()
    time.sleep(5)
    start = time.monotonic()
    os.kill(target.process, signal.SIGTERM)
    while is_running(target.process) and time.monotonic() - start < 6 * ENDS_WITHIN:
        time.sleep(0.05)
    took = time.monotonic() - start
    attacker.kill()
    attacker.join()
    print(f"SIGTERM under attack: ended after {took:.1f} s")
    return took <= ENDS_WITHIN


def is_running(process: int) -> bool:
    """Whether a process is running; zombies are not."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def print_line(measured: Measurements, result: str) -> None:
    """Print one line of the table."""
    beat, memory = max(measured.beats, default=0.0), f"{measured.server_mb:,.0f}, {measured.children_mb:,.0f}"
    print(
        f"| {measured.name} | {measured.usual:.2f}, {measured.worst:.2f} | {beat:.2f} | {memory} | {result} |",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
