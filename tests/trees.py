"""The syntax trees of Python sources, for the tests that read the code."""

from __future__ import annotations

import ast
import gc


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
