"""Imports on first use: submodules as attributes of their package, and libraries that take long to import."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any


def submodules(package: str, path: Iterable[str]) -> Callable[[str], ModuleType]:
    """A ``__getattr__`` for a package that imports its modules (PEP 562), so that ``model.interpret.ablation`` needs no
    import statement and ``import model`` stays light.
    """
    names = frozenset(module.name for module in pkgutil.iter_modules(path))

    def find(name: str) -> ModuleType:
        if name in names:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find


START_CHILD = (
    "import pathlib, runpy, sys, types\nfolder, child = sys.argv.pop(), sys.argv.pop()\nparts = child.split('.')\n"
    "for n in range(1, max(2, len(parts) - 2)):\n"
    "    package = types.ModuleType('.'.join(parts[:n]))\n"
    "    package.__path__ = [str(pathlib.Path(folder, *parts[:n]))]\n    sys.modules[package.__name__] = package\n"
    "runpy.run_module(child, run_name='__main__')"
)
"""Arguments of Python to run a module by name from the code's folder without ``model/__init__.py``, which would import
PyTorch."""


def code_folder() -> Path:
    """The folder from which this package is imported, for processes started with ``-m``."""
    package = sys.modules[__name__.partition(".")[0]]
    return Path(str(package.__file__)).resolve().parents[1]


class Library:
    """A library that is imported on first access to an attribute; thread-safe."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)


if TYPE_CHECKING:
    import accelerate as accelerate
    import pandas as pandas
    import sacrebleu as sacrebleu
else:
    accelerate, pandas, sacrebleu = map(Library, ("accelerate", "pandas", "sacrebleu"))
