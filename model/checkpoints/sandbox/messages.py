"""JSON messages over a socket, each prefixed by its length, which is limited."""

import json
import socket
import struct
from typing import Any

MAX_BYTES = 32 << 20
_LENGTH = struct.Struct("<Q")


class ConnectionEnded(Exception):  # noqa: N818 - the other side is gone; whether that is an error depends on the side
    """The other process closed its end, or died."""


def send(connection: socket.socket, message: dict[str, Any]) -> None:
    """Send one message.

    Raises:
        ConnectionEnded: when the other side has closed.
    """
    content = json.dumps(message).encode()
    try:
        connection.sendall(_LENGTH.pack(len(content)) + content)
    except (BrokenPipeError, ConnectionResetError) as error:
        raise ConnectionEnded from error


def receive(connection: socket.socket) -> dict[str, Any]:
    """Receive the next message.

    Raises:
        ConnectionEnded: when the other side has closed, or sends an invalid message.
        TimeoutError: when nothing comes within the socket's timeout.
    """
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size))
    if length > MAX_BYTES:
        raise ConnectionEnded(f"a message of {length:,} bytes")
    try:
        message = json.loads(_exactly(connection, length))
    except (ValueError, RecursionError) as error:
        raise ConnectionEnded("the bytes received are not a message") from error
    if not isinstance(message, dict):
        raise ConnectionEnded("the bytes received are not a message")
    return message


def _exactly(connection: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        try:
            part = connection.recv(min(count, 1 << 20))
        except ConnectionResetError as error:
            raise ConnectionEnded from error
        if not part:
            raise ConnectionEnded
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
