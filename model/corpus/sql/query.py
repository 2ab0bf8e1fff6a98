"""SQL over the files of a survey in DuckDB: read-only, with a time limit, and without access to other files.

A query may read only tables of the survey, names that it defines itself, and ranges of numbers. DuckDB parses it
(``json_serialize_sql``), and its names are resolved scope by scope as DuckDB binds them: a name of a WITH clause is
known in the query after it, and in its own definition only if it is recursive. Whatever is not known to be harmless is
refused, because DuckDB's catalogue contains paths of this machine. Each error has a case that pages translate.
"""

import json
import re
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from model.corpus.shards import DamagedShardError, can_be_read, damage_error
from model.text.links import CorpusError

_READ = re.compile(r"""(?:read file|Parquet file|end of file) ["'](?P<path>[^"']+\.parquet)["']""")
"""Matches a file name in DuckDB's messages about unreadable files."""
_OF_A_KIND = re.compile(r"[A-Z][A-Za-z ]* Error: ")
"""Beginnings of messages about a query; messages about a file's bytes often begin otherwise."""
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
"""The most frequent messages of DuckDB: (beginning, further content, case)."""
_TABLE_FUNCTIONS = frozenset({"generate_series", "range", "unnest"})
_SETTINGS = re.compile(r"current_setting|getvariable|getenv|json_serialize_plan|write_log|pg_.+")
"""Functions that reveal settings, plans and definitions, and thereby paths."""
_QUERIES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE"})
_TABLES = frozenset(
    {"BASE_TABLE", "EMPTY", "EXPRESSION_LIST", "JOIN", "PIVOT", "SHOW_REF", "SUBQUERY", "TABLE_FUNCTION"}
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters, at which two parsers might disagree."""
Node = dict[str, Any]
SECONDS = 20.0
MEMORY_MB = 1_000
Frame = Any
"""A ``pandas.DataFrame``, whose type would not describe its columns."""
_VECTOR = 2048
"""Rows per batch from DuckDB."""


class QueryError(CorpusError):
    """A query was refused or failed; the message is DuckDB's, or states the rule."""


def slow(seconds: float) -> QueryError:
    """The error for a query that exceeded its time."""
    return QueryError(
        f"the query ran longer than {seconds:g} s: select fewer rows, or add conditions", "slow", n=f"{seconds:g}"
    )


def from_duckdb(error: Exception, tables: Mapping[str, Sequence[Path]]) -> CorpusError:
    """DuckDB's error with its case, and its message up to the first empty line: after that follows the query.

    Args:
        tables: the files that were read; if one of them is damaged, the error says so.
    """
    first_line, message = str(error).partition("\n")[0], " ".join(str(error).split("\n\n")[0].split())
    cases = (name for start, part, name in _CASES if message.startswith(start) and part in message)
    case = next(cases, "duckdb")
    if case == "memory":
        message = first_line  # the rest says how to configure DuckDB
    return _damage(str(error), tables) or QueryError(message, case, message=message)


def _damage(message: str, tables: Mapping[str, Sequence[Path]]) -> DamagedShardError | None:
    """The damaged file behind an error, if any: the file that DuckDB names, or the first incomplete file."""
    named = _READ.search(message)
    if named:
        return damage_error(Path(named["path"]))
    if _OF_A_KIND.match(message):
        return None
    files = (path for listed in tables.values() for path in listed)
    return next((damage_error(path) for path in files if not can_be_read(path)), None)


def check(connection: Any, sql: str, tables: Collection[str]) -> None:
    """Check that a query is one SELECT over these tables.

    Args:
        connection: a DuckDB connection, of which only the parser is used.
        tables: names in lower case.

    Raises:
        QueryError: when it is anything else; the message states the rule.
        duckdb.Error: when the query is not SQL.
    """
    import duckdb

    if strange := _CONTROLS.search(sql):
        code = f"U+{ord(strange[0]):04X}"
        raise QueryError(f"the query contains {code}, which is not text: remove it", "characters", code=code)
    statements = duckdb.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise QueryError("a query must be one SELECT statement, because a survey can only be read", "select")
    tree = json.loads(connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchall()[0][0])
    if tree["error"]:
        raise QueryError(f"{tree['error_message']}: correct the query", "syntax", message=tree["error_message"])
    _Reader(tables).read(tree, frozenset(tables))


class _Reader:
    """Walks a parsed query with the names in scope at each place."""

    def __init__(self, tables: Collection[str]) -> None:
        self.tables = tables
        self.named = ", ".join(tables)

    def read(self, part: object, known: frozenset[str]) -> None:
        """Check an object of the tree and everything inside it."""
        if isinstance(part, list):
            for item in part:
                self.read(item, known)
        if not isinstance(part, dict):
            return
        self._check(part, known)
        inner, recurring = known, ""
        if "cte_map" in part:
            for entry in part["cte_map"]["map"]:
                self.read(entry["value"], inner)
                inner |= {_fold_case(entry["key"])}
        if part.get("type") == "RECURSIVE_CTE_NODE":
            recurring = _fold_case(part["cte_name"])
        for name, value in part.items():
            if name != "cte_map":
                self.read(value, inner | {recurring} if recurring and name == "right" else inner)

    def _check(self, node: Node, known: frozenset[str]) -> None:
        kind = node.get("type")
        if "cte_map" in node and kind not in _QUERIES:
            raise self._no_table(str(kind))
        if "sample" in node and kind not in _TABLES | _QUERIES:
            raise self._no_table(str(kind))
        if kind == "BASE_TABLE":
            self._check_table(node, known)
        if kind == "SHOW_REF" and not node.get("query"):
            self._check_table(node, frozenset(self.tables))
        if kind == "TABLE_FUNCTION":
            function = _fold_case(str(node["function"].get("function_name", "")))
            if function not in _TABLE_FUNCTIONS:
                raise QueryError(
                    f"{function}() is not allowed: read only {self.named}", "function", name=function, tables=self.named
                )
        function = _fold_case(str(node.get("function_name", "")))
        if _SETTINGS.fullmatch(function):
            raise QueryError(f"{function}() is not allowed: a query may not read settings", "settings", name=function)

    def _check_table(self, node: Node, known: frozenset[str]) -> None:
        name = str(node.get("table_name", ""))
        is_plain = not (node.get("schema_name") or node.get("catalog_name") or node.get("at_clause"))
        if not is_plain or _fold_case(name) not in known:
            raise self._no_table(name)

    def _no_table(self, name: str) -> QueryError:
        return QueryError(
            f"there is no table {name}: a survey has {self.named}", "table", table=name, tables=self.named
        )


def _fold_case(name: str) -> str:
    """A name in the form that DuckDB compares: with ASCII letters, and only these, in lower case."""
    return name.encode().lower().decode()


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
    with connect(resolved, views or {}, memory_mb=MEMORY_MB) as connection:
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
def connect(
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
            listed = ", ".join(map(_quote, files))
            made = views.get(name, "SELECT * FROM {files}").format(files=f"read_parquet([{listed}])")
            connection.execute(f"CREATE VIEW {name} AS {made}")
        allowed = ", ".join(_quote(path) for files in tables.values() for path in files)
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET python_enable_replacements = false")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection
    except duckdb.Error as error:
        raise from_duckdb(error, tables) from error
    finally:
        connection.close()


def _quote(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
