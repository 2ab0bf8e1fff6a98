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
    """Parse a module's source without garbage collection.

    CPython 3.11 shares one recursion counter among all threads that build a tree (gh-106905); a collection could
    let another thread build one meanwhile, and parsing here would fail.
    """
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        gc.enable()


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """All modules that a file imports, anywhere in it, and the names imported from them: "a.b" and "a.b.c"."""
    text = path.read_text("utf-8")
    names = set(LIBRARY.findall(text))
    for node in statements(tree_of(text).body):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All statements, nested ones included, without the expressions, which are most of a tree."""
    for node in body:
        yield node
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(node, part, ())
            if isinstance(inner, list):
                yield from statements(inner)
