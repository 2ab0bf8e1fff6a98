"""Simulated phones of a class, in a process of their own: plain sockets and asyncio, so that hundreds cost little."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlsplit

LATEST = 15.0
"""Seconds after which a device that has no news is taken to have missed it."""
QUIET = 1.0
"""Seconds without news after which a change has arrived everywhere."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How long after a click each device held what was shown."""

    n: int
    times: list[float]


@dataclass
class Device:
    """One phone: what it holds, and when it got it."""

    address: str
    code: str
    name: str = ""
    packet: str = ""
    at: float = 0.0
    """When it last held everything of a new state."""
    question: dict[str, Any] | None = None
    packets: set[str] = field(default_factory=set)

    async def join(self) -> None:
        """Take part."""
        self.name = (await self.post("join", {}))["device"]

    async def follow(self) -> None:
        """Hold the stream of events for ever, and fetch each new packet."""
        reader, writer = await _open(self.address)
        await _send(writer, f"GET /class/{self.code}/events HTTP/1.1\r\nHost: x\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        while True:
            line = await reader.readline()
            if not line:
                return
            if line.startswith(b"data: "):
                await self._take(json.loads(line[6:]))

    async def _take(self, snapshot: dict[str, Any]) -> None:
        name = snapshot["shown"].get("packet", "")
        if name and name not in self.packets:
            status, _ = await _request(self.address, f"GET /class/{self.code}/packet/{name}")
            if status != 200:
                return
            self.packets.add(name)
        self.packet, self.question, self.at = name, snapshot["question"], time.monotonic()

    async def vote(self, after: float) -> bool:
        """Answer the open question a moment later; whether the answer was taken."""
        await asyncio.sleep(after)
        if self.question is None:
            return False
        choice = str(random.randrange(max(1, self.question["n"])))
        said = await self.post("vote", {"device": self.name, "question": self.question["id"], "vote": choice})
        return said.get("vote") == choice

    async def post(self, what: str, content: dict[str, Any]) -> dict[str, Any]:
        """Send a few words; the answer."""
        _, body = await _request(self.address, f"POST /class/{self.code}/{what}", json.dumps(content).encode())
        return json.loads(body)


def run(pipe: Connection, addresses: list[str], code: str, n: int) -> None:
    """Be so many devices until the process is ended; commands come and answers go through the pipe."""
    asyncio.run(_run(pipe, addresses, code, n))


async def _run(pipe: Connection, addresses: list[str], code: str, n: int) -> None:
    devices = [Device(addresses[i % len(addresses)], code) for i in range(n)]
    for first in range(0, n, 50):
        await asyncio.gather(*(device.join() for device in devices[first : first + 50]))
    following = [asyncio.create_task(device.follow()) for device in devices]
    while not all(device.packet for device in devices):
        await asyncio.sleep(0.05)
    while True:
        what, *given = await asyncio.to_thread(pipe.recv)
        if what == "ready":
            pipe.send(len(following))
        elif what == "arrived":
            pipe.send(await _arrived(devices, given[0]))
        elif what == "vote":
            await _everyone_asked(devices)
            taken = await asyncio.gather(*(device.vote(random.random() * given[0]) for device in devices))
            pipe.send({"tried": n, "taken": sum(taken)})


async def _arrived(devices: list[Device], begun: float) -> Seen:
    """Wait until every device has news, and nothing comes any more."""
    while time.monotonic() < begun + LATEST and not all(device.at > begun for device in devices):
        await asyncio.sleep(0.05)
    while max(device.at for device in devices) > time.monotonic() - QUIET:
        await asyncio.sleep(0.1)
    times = [device.at - begun for device in devices if device.at > begun]
    return Seen(len(times), times)


async def _everyone_asked(devices: list[Device]) -> None:
    while not all(device.question for device in devices):
        await asyncio.sleep(0.05)


async def _open(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    url = urlsplit(address)
    return await asyncio.open_connection(url.hostname, url.port, limit=2**22)


async def _send(writer: asyncio.StreamWriter, head: str, body: bytes = b"") -> None:
    writer.write(head.encode() + body)
    await writer.drain()


async def _request(address: str, line: str, body: bytes = b"") -> tuple[int, bytes]:
    """One request on a connection of its own, and its whole answer."""
    reader, writer = await _open(address)
    head = f"{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    await _send(writer, f"{head}\r\n", body)
    answer = await reader.read()
    writer.close()
    top, _, rest = answer.partition(b"\r\n\r\n")
    return int(top.split()[1]), rest
