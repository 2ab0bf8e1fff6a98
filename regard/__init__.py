"""Regard: see what a Transformer attends to.

    import regard
    trace = regard.translate(regard.load(), "The cat is sleeping.")

The same name where the package is installed and in a clone. The code is in two packages, ``model`` and ``viz``: in a
clone they stand beside this one, and in the wheel within it, with their imports rewritten when it is built, so that an
installation adds no other name and a ``model.py`` of the reader's own is never imported. ``regard.interpret.ablation``
is the module ``interpret.ablation`` of ``model``; ``regard.figures`` draws, and ``regard.viz`` is the whole of ``viz``.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model import *  # noqa: F403
    from viz import export_html as export_html
    from viz import figures as figures
    from viz import show as show

HOUSE = Path(__file__).parent if (Path(__file__).parent / "model").is_dir() else Path(__file__).parents[1]
"""The folder of app.py, model, viz, pretrained and .streamlit."""
_BEFORE = "regard." if Path(__file__).parent == HOUSE else ""
MODEL, VIZ = f"{_BEFORE}model", f"{_BEFORE}viz"
"""What the two packages are called here."""
_SCREEN = ("show", "export_html")
_OWN = ("extras", "__main__", "model", "viz") if _BEFORE else ("extras", "__main__")


class _SameModule:
    """Finds ``regard.interpret`` as the module ``interpret`` of ``model``: the same object, never a copy."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Where a module of this package is, for Python's import system; None for what it finds by itself."""
        first, _, rest = name.removeprefix("regard.").partition(".")
        if not name.startswith("regard.") or first in _OWN:
            return None
        if first in ("model", "viz", "figures"):
            real = {"model": MODEL, "viz": VIZ, "figures": f"{VIZ}.figures"}[first] + (f".{rest}" if rest else "")
        else:
            real = f"{MODEL}.{name.removeprefix('regard.')}"
        try:
            is_there = importlib.util.find_spec(real) is not None
        except ModuleNotFoundError:
            is_there = False
        return ModuleSpec(name, _Loader(real)) if is_there else None


class _Loader(Loader):
    """Hands out a module that has another name too."""

    def __init__(self, real: str) -> None:
        self._real = real
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module itself."""
        module = importlib.import_module(self._real)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run already, and keeps its name."""
        module.__spec__ = self._spec


sys.meta_path.insert(0, _SameModule)


def __getattr__(name: str) -> Any:
    """``model`` and ``viz``, and the public names of both. PyTorch is imported on first use."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    if name in ("model", "viz", "figures"):
        return importlib.import_module(f"regard.{name}")
    if name in _SCREEN:
        return getattr(importlib.import_module(VIZ), name)
    library = importlib.import_module(MODEL)
    if hasattr(library, name):
        return getattr(library, name)
    raise AttributeError(f"module 'regard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({"model", "viz", "figures", *importlib.import_module(MODEL).__all__, *_SCREEN})
