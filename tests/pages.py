"""The application's pages, read from the application."""

from __future__ import annotations

import ast
from pathlib import Path

_MAIN = Path(__file__).parents[1] / "viz/main.py"


def _pages() -> tuple[str, ...]:
    tree = ast.parse(_MAIN.read_text("utf-8"))
    assigned = (node for node in tree.body if isinstance(node, ast.Assign))
    return next(ast.literal_eval(node.value) for node in assigned if ast.unparse(node.targets[0]) == "PAGES")


PAGES = _pages()
"""Files of viz/pages in the order of the navigation."""
