"""Checks the sources of a query: only tables of the survey, names that it defines itself, and ranges of numbers.

The query is parsed by DuckDB (``json_serialize_sql``), and its names are resolved scope by scope as DuckDB binds them:
a name of a WITH clause is known in the query after it, and in its own definition only if it is recursive. Whatever is
not known to be harmless is refused, because DuckDB's catalogue contains paths of this machine.
"""

import json
import re
from collections.abc import Collection
from typing import Any

from model.corpus.sql.errors import QueryError

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
                inner |= {_folded(entry["key"])}
        if part.get("type") == "RECURSIVE_CTE_NODE":
            recurring = _folded(part["cte_name"])
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
            function = _folded(str(node["function"].get("function_name", "")))
            if function not in _TABLE_FUNCTIONS:
                raise QueryError(
                    f"{function}() is not allowed: read only {self.named}", "function", name=function, tables=self.named
                )
        function = _folded(str(node.get("function_name", "")))
        if _SETTINGS.fullmatch(function):
            raise QueryError(f"{function}() is not allowed: a query may not read settings", "settings", name=function)

    def _check_table(self, node: Node, known: frozenset[str]) -> None:
        name = str(node.get("table_name", ""))
        is_plain = not (node.get("schema_name") or node.get("catalog_name") or node.get("at_clause"))
        if not is_plain or _folded(name) not in known:
            raise self._no_table(name)

    def _no_table(self, name: str) -> QueryError:
        return QueryError(
            f"there is no table {name}: a survey has {self.named}", "table", table=name, tables=self.named
        )


def _folded(name: str) -> str:
    """A name in the form that DuckDB compares: with ASCII letters, and only these, in lower case."""
    return name.encode().lower().decode()
