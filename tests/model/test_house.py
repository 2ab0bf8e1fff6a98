"""What packages of ``model`` hand on, how many modules a folder has, and that ``import model`` stays light."""

import importlib
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import model

ROOT = Path(__file__).parents[2]


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


def test_pages_import_no_library_of_figures_before_they_draw_one() -> None:
    script = "import sys, viz.figures; print([name for name in ('altair', 'pandas') if name in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.strip() == "[]"


@pytest.mark.nightly
def test_opening_the_shipped_model_imports_no_compiler_and_no_other_library() -> None:
    script = (
        "import sys, model; model.load('tiny'); model.interpret; "
        "print([name for name in ('torch._dynamo', 'transformers', 'accelerate', 'sacrebleu', 'pyarrow', 'duckdb', "
        "'model.training', 'model.corpus') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.strip() == "[]"
