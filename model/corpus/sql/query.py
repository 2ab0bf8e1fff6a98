"""SQL over the files of a survey in DuckDB: read-only, with a time limit, and without access to other files."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from model.corpus.sql.errors import from_duckdb, slow
from model.corpus.sql.sources import check

SECONDS = 20.0
MEMORY_MB = 1_000
Frame = Any
"""A ``pandas.DataFrame``, whose type would not describe its columns."""
_VECTOR = 2048
"""Rows per batch from DuckDB."""


def run_query(
    tables: Mapping[str, Sequence[Path]],
    sql: str,
    parameters: Sequence[object] = (),
    *,
    views: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    most_rows: int | None = None,
) -> Frame:
    """The rows of one SELECT over views of the given files.

    Args:
        tables: a view's name and its Parquet files.
        views: SQL of views that are not just their files; ``{files}`` is replaced by these.
        parameters: values for the question marks in the SQL.
        most_rows: maximum rows of the answer; None for all.

    Raises:
        QueryError: for anything but one SELECT, for an error in it, and when time or memory runs out.
        DamagedShardError: when a file cannot be read.
    """
    import duckdb

    resolved = {name: tuple(path.resolve() for path in files) for name, files in tables.items()}
    with connected(resolved, views or {}, memory_mb=MEMORY_MB) as connection:
        check(connection, sql, tables)
        timer = threading.Timer(seconds, connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            relation = connection.execute(sql, list(parameters))
            if most_rows is None:
                return relation.df()
            return relation.fetch_df_chunk(-(-most_rows // _VECTOR)).head(most_rows)
        except duckdb.InterruptException as error:
            raise slow(seconds) from error
        finally:
            timer.cancel()


@contextmanager
def connected(
    tables: Mapping[str, Sequence[Path]], views: Mapping[str, str], *, memory_mb: int, threads: int | None = None
) -> Iterator[Any]:
    """A connection to a database with these views that can open no other file; DuckDB's errors become ours."""
    import duckdb

    config: dict[str, Any] = {"memory_limit": f"{memory_mb}MB", "temp_directory": ""}
    if threads:
        config["threads"] = threads
    connection = duckdb.connect(":memory:", config=config)
    try:
        for name, files in tables.items():
            listed = ", ".join(map(_quoted, files))
            made = views.get(name, "SELECT * FROM {files}").format(files=f"read_parquet([{listed}])")
            connection.execute(f"CREATE VIEW {name} AS {made}")
        allowed = ", ".join(_quoted(path) for files in tables.values() for path in files)
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET python_enable_replacements = false")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection
    except duckdb.Error as error:
        raise from_duckdb(error, tables) from error
    finally:
        connection.close()


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
