"""SQL over the files of a survey, by DuckDB: read-only, for a limited time, and nothing outside the survey."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from model.corpus.gold import CorpusError

SECONDS = 20.0
MEMORY = "1GB"
Frame = Any
"""A ``pandas.DataFrame``: its annotations say nothing of its columns, so the name gains nothing."""
_VECTOR = 2048
"""Rows that DuckDB hands over together."""


class QueryError(CorpusError):
    """SQL that is not answered; the message is DuckDB's, or says the rule."""


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
        views: SQL of a view where it is more than its files, which stand in it as ``{files}``.
        parameters: values for the question marks in the SQL.
        most_rows: of the answer; None for all.

    Raises:
        QueryError: for anything but one SELECT, for a mistake in it, and when time or memory runs out.
    """
    import duckdb

    connection = duckdb.connect(":memory:", config={"memory_limit": MEMORY, "temp_directory": ""})
    try:
        for name, files in tables.items():
            listed = ", ".join(_quoted(path) for path in files)
            made = (views or {}).get(name, "SELECT * FROM {files}").format(files=f"read_parquet([{listed}])")
            connection.execute(f"CREATE VIEW {name} AS {made}")
        allowed = ", ".join(_quoted(path) for files in tables.values() for path in files)
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET python_enable_replacements = false")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        _refuse_all_but_select(sql)
        return _timed(connection, sql, parameters, seconds, most_rows)
    except duckdb.InterruptException as error:
        raise QueryError(f"the query ran longer than {seconds:g} s: ask for less, or add conditions") from error
    except duckdb.Error as error:
        raise QueryError(str(error).splitlines()[0]) from error
    finally:
        connection.close()


def _timed(connection, sql: str, parameters: Sequence[object], seconds: float, most_rows: int | None) -> Frame:
    timer = threading.Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        found = connection.execute(sql, list(parameters))
        if most_rows is None:
            return found.df()
        return found.fetch_df_chunk(-(-most_rows // _VECTOR)).head(most_rows)
    finally:
        timer.cancel()


def _refuse_all_but_select(sql: str) -> None:
    import duckdb

    statements = duckdb.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise QueryError("only one SELECT is answered: a survey is read here, not changed")


def _quoted(path: Path) -> str:
    return "'" + str(path.resolve()).replace("'", "''") + "'"
