"""Simulated phones of a class in one separate process, on plain sockets and asyncio, so that hundreds use little CPU.

Like a browser, each phone keeps one connection for the event stream and one for everything else. The process runs at
the lowest priority (``nice``), because real phones use none of the server's processor time.
"""

import asyncio
import json
import os
import random
import statistics
import time
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlsplit

from viz.rooms.room import blobs_of

MISSED_AFTER = 15.0
"""Seconds after which a device that has received nothing has missed the change."""
QUIET = 1.0
"""Seconds without a message to any device after which a change counts as delivered."""


@dataclass
class Device:
    """One phone."""

    address: str
    code: str
    name: str = ""
    state: bytes = b""
    """The last complete state, as received."""
    completed: dict[bytes, float] = field(default_factory=dict)
    """When each state since the last change was first complete."""
    question: dict[str, Any] | None = None
    packets: set[str] = field(default_factory=set)
    line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def join(self) -> None:
        self.name = (await self.post("join"))["device"]

    async def follow(self) -> None:
        """Read the event stream until cancelled, and fetch each packet that was not sent with it."""
        reader, writer = await _open(self.address)
        head = f"GET /class/{self.code}/events HTTP/1.1\r\nHost: x\r\nRegard-Device: {self.name}\r\n\r\n"
        writer.write(head.encode())
        await reader.readuntil(b"\r\n\r\n")
        while True:
            line = await reader.readline()
            if not line:
                return
            if line.startswith(b"event: packet"):
                name, _, _ = (await reader.readline())[6:].partition(b" ")
                self.packets.add(name.decode())
            elif line.startswith(b"data: "):
                await self._take(line)

    async def _take(self, line: bytes) -> None:
        snapshot = _snapshot(line)
        self.question = snapshot["question"]
        for name in blobs_of(snapshot):
            if name not in self.packets:
                status, _ = await self._request(f"GET /class/{self.code}/packet/{name}")
                if status != 200:
                    return
                self.packets.add(name)
        self.state = line
        self.completed.setdefault(line, time.monotonic())

    async def vote(self, after: float) -> bool:
        """Answer the open question a moment later; return whether the server accepted the answer."""
        await asyncio.sleep(after)
        if self.question is None:
            return False
        choice = str(random.randrange(max(1, self.question["n"])))
        answer = await self.post("vote", device=self.name, question=self.question["id"], vote=choice)
        return answer.get("vote") == choice

    async def post(self, path: str, **content: str) -> dict[str, Any]:
        """Send JSON and return the answer."""
        _, body = await self._request(f"POST /class/{self.code}/{path}", json.dumps(content).encode())
        return json.loads(body)

    async def _request(self, line: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send one request and return its complete answer."""
        if self.line is None or self.line[1].is_closing() or self.line[0].at_eof():
            self.line = await _open(self.address)
        reader, writer = self.line
        head = f"{line} HTTP/1.1\r\nHost: x\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}\r\n".encode() + body)
        top = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(field.lower().split(": ", 1) for field in top[1:] if field)
        return int(top[0].split()[1]), await reader.readexactly(int(headers["content-length"]))


@lru_cache(8)
def _snapshot(line: bytes) -> dict[str, Any]:
    """The parsed line, parsed once for all devices."""
    return json.loads(line.removeprefix(b"data: "))


def run(*arguments: Any) -> None:
    """``_run`` as the target of a process, with the lowest priority."""
    os.nice(19)
    asyncio.run(_run(*arguments))


async def _run(pipe: Connection, addresses: list[str], code: str, n: int) -> None:
    """Run the devices until the process is ended. Commands and answers are sent through the pipe."""
    devices = [Device(addresses[i % len(addresses)], code) for i in range(n)]
    for first in range(0, n, 50):
        await asyncio.gather(*(device.join() for device in devices[first : first + 50]))
    following = [asyncio.create_task(device.follow()) for device in devices]
    while not all(device.state for device in devices):
        await asyncio.sleep(0.05)
    while True:
        command, number = await asyncio.to_thread(pipe.recv)
        if command == "ready":
            pipe.send(len(following))
        elif command == "watch":
            for device in devices:
                device.completed.clear()
            pipe.send(n)
        elif command == "arrived":
            pipe.send(await _wait_for_change(devices, number))
        elif command == "vote":
            while not all(device.question for device in devices):
                await asyncio.sleep(0.05)
            pipe.send(sum(await asyncio.gather(*(device.vote(random.random() * number) for device in devices))))


async def _wait_for_change(devices: list[Device], begun: float) -> list[float]:
    """Wait until every device has the change and nothing more arrives; return each one's seconds from a click to the
    final state, which is the most frequent one, with its packet."""
    while time.monotonic() < begun + MISSED_AFTER and not all(device.completed for device in devices):
        await asyncio.sleep(0.05)
    while max(max(device.completed.values(), default=0.0) for device in devices) > time.monotonic() - QUIET:
        await asyncio.sleep(0.1)
    last = statistics.mode(device.state for device in devices)
    return [device.completed[last] - begun for device in devices if last in device.completed]


async def _open(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    url = urlsplit(address)
    return await asyncio.open_connection(url.hostname, url.port, limit=2**22)
