"""Runs a visitor's query in a child process, which is killed when its time is over or the visitor has gone."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from model.corpus.shards import DamagedShardError
from model.corpus.sql.query import SECONDS, Frame, QueryError, slow
from model.corpus.survey import Survey
from model.files.confinement import CAN_CONFINE
from model.lazy import START_CHILD, code_folder

MOST_ROWS, MOST_BYTES = 2_000, 4_000_000
DUCKDB_MB, PROCESS_MB = 200, 300
"""Memory limits in MB: of DuckDB's tables, and of the process in addition to its size at the start."""
AT_ONCE = 2
"""Maximum queries that run at the same time, of all visitors."""
_POLL_SECONDS = 0.1
_MOST_MESSAGE = 4 * MOST_BYTES
"""Maximum bytes accepted from the child."""
OnWait = Callable[[int, float], object]
"""Called several times a second with the number of earlier queries and the seconds that this query has run; an
exception from it ends the query."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows of a query."""

    frame: Frame
    is_whole: bool
    """False when the answer has more rows than are returned."""


class Line:
    """A queue of queries: ``at_once`` run at the same time, at most one per visitor."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._guard = threading.Lock()
        self._waiting: list[tuple[str, object]] = []

    @contextmanager
    def place(self, visitor: str, on_wait: OnWait) -> Iterator[None]:
        """Wait for a turn and hold it; an exception from ``on_wait`` leaves the queue."""
        mine = (visitor, object())
        with self._guard:
            self._waiting.append(mine)
        try:
            while (before := self._before(mine)) is not None:
                on_wait(before, 0.0)
                time.sleep(_POLL_SECONDS)
            yield
        finally:
            with self._guard:
                self._waiting.remove(mine)

    def _before(self, mine: tuple[str, object]) -> int | None:
        """Number of earlier queries, or None when this one may run."""
        with self._guard:
            running: dict[str, tuple[str, object]] = {}
            for entry in self._waiting:
                if len(running) < self.at_once:
                    running.setdefault(entry[0], entry)
            return None if running.get(mine[0]) is mine else self._waiting.index(mine)


LINE = Line(AT_ONCE)
"""The line of this server."""


def ask_sandboxed(
    survey: Survey,
    sql: str,
    *,
    visitor: str,
    on_wait: OnWait = lambda before, seconds: None,
    seconds: float = SECONDS,
    most_rows: int = MOST_ROWS,
    most_bytes: int = MOST_BYTES,
) -> Answer:
    """The first rows of one SELECT over a survey's tables.

    Args:
        visitor: identifies the visitor, who runs one query at a time.
        on_wait: see ``OnWait``.
        seconds: maximum wall-clock time once the query has begun.
        most_bytes: maximum bytes of the rows in Arrow format.

    Raises:
        QueryError: for anything but one SELECT, for an error in it, and when time or memory runs out.
        DamagedShardError: when a file cannot be read.
    """
    if not CAN_CONFINE:
        raise QueryError(
            "a visitor's query runs in a process with limits, which this system cannot make: start Regard on Linux, on "
            "macOS, or on Windows in WSL", "system",
        )  # fmt: skip
    request = {
        "folder": str(survey.folder.resolve()), "sql": sql, "views": survey.views,
        "tables": {name: [path.name for path in files] for name, files in survey.tables.items()},
        "most_rows": most_rows, "most_bytes": most_bytes, "memory_mb": DUCKDB_MB,
        "limits": {"memory_mb": PROCESS_MB, "seconds": int(seconds) + 5, "wall_seconds": int(seconds) + 10,
                   "file_mb": 0},
    }  # fmt: skip
    with LINE.place(visitor, on_wait):
        content = _content(json.dumps(request).encode(), seconds, on_wait)
    return _answer(content)


def _content(request: bytes, seconds: float, on_wait: OnWait) -> bytes:
    """The child's output."""
    began = time.monotonic()
    command = [sys.executable, "-I", "-c", START_CHILD, "model.corpus.sql.child", str(code_folder())]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    try:
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write(request)
        output, content = process.stdout.fileno(), bytearray()
        ready = select.poll()  # unlike select.select it takes any number of open files
        ready.register(output, select.POLLIN)
        while len(content) <= _MOST_MESSAGE:
            if ready.poll(1000 * _POLL_SECONDS):
                part = os.read(output, 1 << 20)
                if not part:
                    return bytes(content)
                content += part
            elif time.monotonic() - began > seconds:
                raise slow(seconds)
            else:
                on_wait(0, time.monotonic() - began)
        raise _end_error()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _answer(content: bytes) -> Answer:
    head, _, rows = content.partition(b"\n")
    if not head:
        raise _end_error()
    header = json.loads(head)
    if header.get("case") == "damaged":
        raise DamagedShardError(header["error"], header["case"], **header["values"])
    if "error" in header:
        raise QueryError(header["error"], header["case"], **header["values"])
    return Answer(_frame(rows), header["is_whole"])


def _frame(rows: bytes) -> Frame:
    """The rows as a pandas frame: decimals and large integers as floats, duplicate column names made unique."""
    import pyarrow as pa

    try:
        with pa.ipc.open_stream(rows) as stream:
            table = stream.read_all()
        for place, field in enumerate(table.schema):
            if pa.types.is_decimal(field.type):
                table = table.set_column(place, field.name, table.column(place).cast(pa.float64()))
        names = table.column_names
        unique = [name if name not in names[:n] else f"{name}_{names[:n].count(name)}" for n, name in enumerate(names)]
        return table.rename_columns(unique).to_pandas()
    except (pa.ArrowException, ValueError, NotImplementedError) as error:
        message = str(error)
        raise QueryError(f"the answer cannot be shown as a table: {message}", "duckdb", message=message) from error


def _end_error() -> QueryError:
    message = "Out of Memory Error: the process ended"
    return QueryError(message, "memory", message=message)
