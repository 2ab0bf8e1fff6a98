"""Submodules as attributes of their package, imported when they are first used."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from types import ModuleType


def submodules(package: str, path: Iterable[str]) -> Callable[[str], ModuleType]:
    """The ``__getattr__`` of a package that returns its own modules (PEP 562), so that ``model.interpret.ablation``
    needs no import of its own and ``import model`` stays light.
    """
    names = frozenset(found.name for found in pkgutil.iter_modules(path))

    def find(name: str) -> ModuleType:
        if name in names:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
