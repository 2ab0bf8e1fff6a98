"""Errors of a query, each with a case that pages translate to the reader's language."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from model.corpus.shards import DamagedShardError, can_be_read, damaged
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
        return damaged(Path(named["path"]))
    if _OF_A_KIND.match(message):
        return None
    files = (path for listed in tables.values() for path in listed)
    return next((damaged(path) for path in files if not can_be_read(path)), None)
