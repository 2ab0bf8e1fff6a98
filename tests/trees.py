"""The syntax trees of Python sources, for the tests that read the code."""

import ast
import gc
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

LIBRARY = re.compile(r"\bLibrary\(\"([\w.]+)\"")
"""A module that is imported when it is first used (model/lazy.py)."""


def tree_of(source: str) -> ast.Module:
    """Parse a module's source.

    CPython 3.11 counts the depth of the trees that it builds once for all threads (gh-106905). The garbage collector
    could let another thread build one in the middle, which would fail here, so that it waits.
    """
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        gc.enable()


@cache
def imported(path: Path) -> frozenset[str]:
    """All modules that a file imports, anywhere in it, and each with what is taken from it: "a.b" and "a.b.c"."""
    text = path.read_text("utf-8")
    found = set(LIBRARY.findall(text))
    for node in statements(tree_of(text).body):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All statements there and inside of them, without the expressions, which are most of a tree."""
    for node in body:
        yield node
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(node, part, ())
            if isinstance(inner, list):
                yield from statements(inner)
