"""Regard, installed: the library under one name that no other package has.

    import regard
    trace = regard.translate(regard.load(), "The cat is sleeping.")

The packages ``model`` and ``viz`` stand in a folder of this package: in site-packages itself such plain names could
overwrite somebody else's. The folder goes to the end of the search path on first use, so a package of that name in the
reader's own project keeps its place; the first use then says so instead of taking the wrong package.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

HOUSE = Path(__file__).with_name("house")
"""The folder of app.py, model, viz, pretrained and .streamlit."""


def __getattr__(name: str) -> Any:
    """``model`` and ``viz``, and the public names of both. PyTorch is imported on first use."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    if name in ("model", "viz"):
        return _ours(name)
    library = _ours("model")
    if hasattr(library, name):
        return getattr(library, name)
    screen = _ours("viz")
    if name in screen.__all__:
        return getattr(screen, name)
    raise AttributeError(f"module 'regard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({"model", "viz", *_ours("model").__all__, *_ours("viz").__all__})


def _ours(name: str) -> ModuleType:
    if str(HOUSE) not in sys.path:
        sys.path.append(str(HOUSE))
    module = importlib.import_module(name)
    found = Path(module.__file__ or "")
    if HOUSE not in found.parents:
        raise ImportError(
            f"regard needs its own package '{name}' and found {found}: "
            f"rename that one, or run this script from a folder that does not hold it"
        )
    return module
