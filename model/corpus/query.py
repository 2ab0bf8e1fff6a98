"""SQL over the files of a survey, by DuckDB: read-only, with a time limit, and without access to anything outside the
survey."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from model.corpus.gold import CorpusError
from model.corpus.shards import DamagedShardError, can_be_read, damaged

SECONDS = 20.0
MEMORY = "1GB"
Frame = Any
"""A ``pandas.DataFrame``: its annotations say nothing of its columns, so the name gains nothing."""
_VECTOR = 2048
"""Rows that DuckDB returns in one batch."""
_TABLE_FUNCTIONS = frozenset({"generate_series", "range", "unnest"})
"""Other functions read files and DuckDB's catalogue, which contains paths of this machine."""
_SETTINGS = re.compile(r"current_setting|getvariable|getenv|pg_.+", re.IGNORECASE)
"""Functions that tell settings and definitions, and paths with them."""


_READ = re.compile(r'read file "(?P<path>[^"]+\.parquet)"|Parquet file "(?P<other>[^"]+\.parquet)"')
"""How DuckDB names a file that it cannot read."""
_OF_A_KIND = re.compile(r"[A-Z][A-Za-z ]* Error: ")
"""How messages about a query begin; those about a file's bytes often begin otherwise."""
_CASES = (
    ("Parser Error", "", "syntax"),
    ("Binder Error: Referenced column", "", "column"),
    ("Binder Error: Table ", " does not have a column", "column"),
    ("Catalog Error: Table ", "", "no_table"),
    ("Catalog Error: ", "Function ", "no_function"),
    ("Permission Error", "", "files"),
    ("", "file system operations are disabled", "files"),
    ("Out of Memory Error", "", "memory"),
)
"""The messages of DuckDB that a reader meets most: how each begins, what else it contains, and its case."""


class QueryError(CorpusError):
    """SQL that is refused; the message is DuckDB's, or states the rule."""


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
        views: SQL of a view that is not just its files; ``{files}`` is replaced by them.
        parameters: values for the question marks in the SQL.
        most_rows: of the answer; None for all.

    Raises:
        QueryError: for anything but one SELECT, for an error in it, and when time or memory runs out.
        DamagedShardError: when a file cannot be read to its end.
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
        _refuse_all_but_the_survey(connection, sql, tables)
        return _timed(connection, sql, parameters, seconds, most_rows)
    except duckdb.InterruptException as error:
        raise QueryError(
            f"the query ran longer than {seconds:g} s: select fewer rows, or add conditions", "slow", n=f"{seconds:g}"
        ) from error
    except duckdb.Error as error:
        raise _damage(str(error), tables) or _query_error(error) from error
    finally:
        connection.close()


def _damage(message: str, tables: Mapping[str, Sequence[Path]]) -> DamagedShardError | None:
    """The file that is to blame for an error, if one is: the one that DuckDB names, or the first that is not whole."""
    named = _READ.search(message)
    if named:
        return damaged(Path(named["path"] or named["other"]))
    if _OF_A_KIND.match(message):
        return None
    files = (path for listed in tables.values() for path in listed)
    return next((damaged(path) for path in files if not can_be_read(path)), None)


def _query_error(error: Exception) -> QueryError:
    """DuckDB's error with its case, and its message up to the first empty line: then follows the query."""
    message = " ".join(str(error).split("\n\n")[0].split())
    cases = (name for start, part, name in _CASES if message.startswith(start) and part in message)
    case = next(cases, "duckdb")
    return QueryError(message, case, message=message)


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
        raise QueryError("a query must be one SELECT statement, because a survey can only be read", "select")


def _refuse_all_but_the_survey(connection, sql: str, tables: Mapping[str, Sequence[Path]]) -> None:
    """Every source must be a table of the survey, a name defined in the query, or a range of numbers."""
    tree = json.loads(connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone()[0])
    if tree["error"]:
        raise QueryError(f"{tree['error_message']}: correct the query", "syntax", message=tree["error_message"])
    nodes = list(_nodes(tree))
    own = {entry["key"].lower() for node in nodes for entry in node.get("cte_map", {}).get("map", ())}
    for node in nodes:
        name = str(node.get("table_name", "")).lower()
        is_table = node.get("type") == "BASE_TABLE"
        if is_table and (node.get("schema_name") or node.get("catalog_name") or name not in {*tables, *own}):
            named = ", ".join(tables)
            raise QueryError(f"there is no table {name}: a survey has {named}", "table", table=name, tables=named)
        function = str(node.get("function_name", "")).lower()
        if _SETTINGS.fullmatch(function):
            raise QueryError(f"{function}() is not allowed: a query may not read settings", "settings", name=function)
        read = str(node["function"].get("function_name", "")) if node.get("type") == "TABLE_FUNCTION" else "range"
        if read.lower() not in _TABLE_FUNCTIONS:
            named = ", ".join(tables)
            raise QueryError(f"{read}() is not allowed: read only {named}", "function", name=read, tables=named)


def _nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Every object of a parsed query."""
    if isinstance(tree, dict):
        yield tree
    if isinstance(tree, dict | list):
        for child in tree.values() if isinstance(tree, dict) else tree:
            yield from _nodes(child)


def _quoted(path: Path) -> str:
    return "'" + str(path.resolve()).replace("'", "''") + "'"
