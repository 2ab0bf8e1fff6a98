"""The child process of a visitor's query: reads the request from standard input, writes the answer to standard output.

It works in the survey's folder with relative file names, so that its database contains no path of this machine. It
imports neither PyTorch nor pandas: it starts in a quarter of a second and takes 110 MB.
"""

import json
import os
import sys
from bisect import bisect_right
from pathlib import Path
from typing import Any

import pyarrow as pa

from model.corpus.sql.query import QueryError, check, connect, from_duckdb
from model.files.confinement import confine
from model.text.links import CorpusError

NICENESS = 10
_BATCH = 256
"""Rows per fetched batch."""


def main() -> int:
    """Answer one request: a line of JSON, and after it the rows as an Arrow stream."""
    request = json.load(sys.stdin.buffer)
    os.nice(NICENESS)
    confine(Path(request["folder"]), **request["limits"], can_write=False)
    try:
        rows, is_whole = first_rows(request)
        header: dict[str, Any] = {"is_whole": is_whole}
    except CorpusError as error:
        rows, header = None, {"error": str(error), "case": error.case, "values": error.values}
    except MemoryError:
        message = "Out of Memory Error: no memory left in the process"
        rows, header = None, {"error": message, "case": "memory", "values": {"message": message}}
    sys.stdout.buffer.write(json.dumps(header).encode() + b"\n")
    if rows is not None:
        with pa.ipc.new_stream(sys.stdout.buffer, rows.schema) as stream:
            stream.write_table(rows)
    sys.stdout.buffer.flush()
    return 0


def first_rows(request: dict[str, Any]) -> tuple[pa.Table, bool]:
    """The answer's first rows, within the request's limits of rows and bytes, and whether these are all.

    Raises:
        QueryError: for a refused query, and when a single row exceeds the limit of bytes.
    """
    tables = {name: tuple(map(Path, files)) for name, files in request["tables"].items()}
    with connect(tables, request["views"], memory_mb=request["memory_mb"], threads=1) as connection:
        check(connection, request["sql"], tables)
        try:
            reader = connection.sql(request["sql"]).to_arrow_reader(_BATCH)
            return _limit_table(reader, request["most_rows"], request["most_bytes"])
        except (OSError, pa.ArrowException) as error:  # what DuckDB's errors become while rows are fetched
            raise from_duckdb(error, tables) from error


def _limit_table(reader: pa.RecordBatchReader, most_rows: int, most_bytes: int) -> tuple[pa.Table, bool]:
    batches: list[pa.RecordBatch] = []
    n_rows = n_bytes = 0
    for batch in reader:
        room = min(len(batch), most_rows - n_rows)
        fits = range(1, room + 1)
        room = bisect_right(fits, most_bytes - n_bytes, key=lambda n, whole=batch: whole.slice(0, n).nbytes)
        part = batch.slice(0, room)
        batches.append(part)
        n_rows, n_bytes = n_rows + len(part), n_bytes + part.nbytes
        if room < len(batch):
            if not n_rows and most_rows:
                mb = f"{most_bytes / 1e6:.0f}"
                raise QueryError(f"one row takes more than {mb} MB: select less of it", "wide", mb=mb)
            return pa.Table.from_batches(batches, reader.schema), False
    return pa.Table.from_batches(batches, reader.schema), True


if __name__ == "__main__":
    sys.exit(main())
