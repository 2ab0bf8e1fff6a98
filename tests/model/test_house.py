"""The packages of ``model`` import downwards, no module imports in a circle, and ``import model`` stays light."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import model
from tests.trees import tree_of

ROOT = Path(__file__).parents[2]
FLOORS = (
    ("errors", "lazy"),
    ("activations", "localizable", "device"),
    ("arrays",),
    ("patch", "layer_spec", "config_json"),
    ("picture_source", "grid_source"),
    ("config", "interventions", "files", "optimisers", "progress", "deployment"),
    ("intervention_text",),
    ("trace_file",),
    ("trace", "calibration", "picture", "sound"),
    ("nn", "text"),
    ("bundle", "decoding", "analysis"),
    ("attention_files", "provenance"),
    ("inference",),
    ("interpret", "checkpoints.basis"),
    ("checkpoints.formats",),
    ("checkpoints.vocabularies",),
    ("checkpoints.families",),
    ("checkpoints.answers",),
    ("checkpoints",),
    ("checkpoints.sandbox",),
    ("runs",),
    ("teaching", "training"),
    ("corpus",),
    ("cli",),
    ("__main__",),
)
"""Layers from the bottom up: a module imports only from lower layers or from its own package."""
FLOOR = {f"model.{name}": floor for floor, names in enumerate(FLOORS) for name in names}
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "model").rglob("*.py"))
}


@cache
def _imports(name: str) -> frozenset[str]:
    """The modules of ``model`` that a module imports, including imports inside its functions."""
    tree = tree_of(FILES[name].read_text("utf-8"))
    return frozenset(found for found in _named(tree) if found in FILES and found != name)


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        parts = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from [part for part in parts if part in FILES] or [node.module]
    for child in ast.iter_child_nodes(node):
        yield from _named(child)


def _group(name: str) -> str:
    return max((group for group in FLOOR if name == group or name.startswith(f"{group}.")), key=len, default="")


def test_a_module_imports_what_stands_below() -> None:
    places = {name: _group(name) for name in FILES if name != "model"}
    assert not [name for name, group in places.items() if not group], "give them a floor"
    upwards = [
        f"{name} -> {other}" for name, group in places.items() for other in _imports(name)
        if (there := _group(other)) and there != group and FLOOR[there] >= FLOOR[group]
    ]  # fmt: skip
    assert not upwards


def test_no_module_imports_itself_by_way_of_others() -> None:
    done: set[str] = set()

    def walk(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path[path.index(name) :], name))
        if name not in done:
            for other in sorted(_imports(name)):
                walk(other, (*path, name))
            done.add(name)

    for name in FILES:
        if name != "model":
            walk(name, ())


@pytest.mark.parametrize("name", ["analysis", "corpus", "decoding", "inference", "interpret", "teaching"])
def test_packages_are_attributes_of_model(name: str) -> None:
    package = getattr(model, name)
    assert package is importlib.import_module(f"model.{name}")
    for part in (ROOT / "model" / name).glob("[!_]*.py"):
        if part.stem not in getattr(package, "__all__", ()):  # rollout is a function in a module of the same name
            assert getattr(package, part.stem) is importlib.import_module(f"model.{name}.{part.stem}")


def test_no_folder_has_more_than_two_dozen_modules() -> None:
    files = (path for layer in ("model", "viz") for path in (ROOT / layer).rglob("*.py"))
    floors = Counter(path.parent for path in files if path.name != "__init__.py")
    assert not [(folder.name, n) for folder, n in floors.items() if n > 24]


def test_what_a_package_lacks_is_an_attribute_error() -> None:
    for package in (model, model.interpret):
        with pytest.raises(AttributeError, match="has no attribute 'nowhere'"):
            package.nowhere  # noqa: B018


@pytest.mark.nightly
def test_opening_the_shipped_model_imports_no_compiler_and_no_other_library() -> None:
    script = (
        "import sys, model; model.load('tiny'); model.interpret; "
        "print([name for name in ('torch._dynamo', 'transformers', 'accelerate', 'sacrebleu', 'pyarrow', 'duckdb', "
        "'model.training', 'model.corpus') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.strip() == "[]"
