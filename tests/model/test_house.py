"""What packages of ``model`` hand on, how many modules a folder has, and that ``import model`` stays light."""

import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import model
from model import RegardError
from model.checkpoints.basis.report import Report
from model.text.tokens import source_tokens
from tests.checkpoint import tiny_bundle

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


def test_a_missing_name_of_a_package_is_an_attribute_error() -> None:
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


def test_explanations_are_at_the_top_and_take_a_trace() -> None:
    bundle = tiny_bundle()
    off = model.Interventions(model.HeadAblation("cross", 0, 1))
    trace = model.translate(bundle, "the cat is on the sofa .", interventions=off)
    assert model.attribute(bundle, trace, method="alti").source.shape == (len(trace.target), len(trace.source))
    assert model.head_effects(bundle, trace).done == 12
    assert model.contributions(bundle, trace, step=0).values.size
    lens = model.logit_lens(bundle, trace)
    ids = (trace.source.ids, trace.prefix.ids)
    np.testing.assert_array_equal(lens.logits, model.logit_lens(bundle, ids, interventions=off).logits)
    assert not np.array_equal(lens.logits, model.logit_lens(bundle, ids).logits)


def test_every_error_of_the_library_has_one_base() -> None:
    result = {
        kind
        for module in pkgutil.walk_packages(model.__path__, "model.")
        if not module.name.startswith(("model.cli", "model.__main__")) and not module.ispkg
        for _, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        if issubclass(kind, ValueError) and kind.__module__.startswith("model.")
    }
    assert len(result) > 20
    wrong = {kind.__name__ for kind in result if not issubclass(kind, RegardError)}
    assert wrong <= {"DifferentError", "NotOursError"}, "which never leave their package"
    with pytest.raises(RegardError):
        model.translate(tiny_bundle(), "")


def test_an_earlier_name_works_and_warns() -> None:
    bundle = tiny_bundle()
    with pytest.warns(DeprecationWarning, match="activation_names"):
        assert model.names(bundle) == model.activation_names(bundle)
    with pytest.warns(DeprecationWarning, match="message_span"):
        assert model.ChatPrompt("Hi", source_tokens(bundle, "cat"), (0, 1)).own == (0, 1)
    with pytest.warns(DeprecationWarning, match="stated"):
        assert Report("own", stated=("n_heads=4 (config.num_heads)",)).told == ("n_heads=4 (config.num_heads)",)
    with pytest.warns(DeprecationWarning, match="chrf"):
        assert model.Steered((1.0,), ("a",), (100.0,), (50.0,)).own == (100.0,)


@pytest.mark.parametrize("name", ["greedy", "beam", "sample", "forced"])
def test_steps_of_decoding_are_in_decoding_and_at_the_top_with_a_warning(name: str) -> None:
    assert name not in model.__all__
    with pytest.warns(DeprecationWarning, match=rf"model\.{name} is now model\.decoding\.{name}"):
        assert getattr(model, name) is getattr(model.decoding, name)
