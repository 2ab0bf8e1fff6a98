"""The unpacked wheel, also used from a folder that contains another ``model``."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import model
from model.cli.extras import EXTRA_OF
from tests.serving import free_port, wait_until_healthy
from tests.test_documents import NOT_RUN, docstring_examples

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(site: Path, tmp_path: Path) -> Run:
    """Runs Python in an empty folder with only the installed package on its path."""

    def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(map(str, (site, tmp_path)))
        environment = {**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path / "data")}
        return subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run_python


def test_nothing_but_regard_is_put_beside_other_packages(site):
    assert {path.name.split("-")[0] for path in site.iterdir()} == {"regard"}


def test_the_licences_of_the_code_and_of_the_weights_come_with_the_package(site):
    (about,) = site.glob("regard-*.dist-info")
    metadata = (about / "METADATA").read_text("utf-8")
    (expression,) = re.findall(r"^License-Expression: (.*)$", metadata, flags=re.MULTILINE)
    for path in (ROOT / "pretrained").glob("*/README.md"):
        assert (about / "licenses" / path.relative_to(ROOT)).read_bytes() == path.read_bytes()
        for licence in re.findall(
            r"^\| licence of .*?(CC BY[-A-Z]* \d\.\d)", path.read_text("utf-8"), flags=re.MULTILINE
        ):
            assert licence.replace(" ", "-") in expression, path
    assert "Apache-2.0" in expression and (about / "licenses" / "LICENSE").is_file()
    attribution = about / "licenses" / "pretrained" / "en-zh" / "attribution.txt"
    assert attribution.read_bytes() == (ROOT / "pretrained/en-zh/attribution.txt").read_bytes()


def test_nothing_but_the_product_is_in_the_package(site):
    inside = {path.relative_to(site / "regard") for path in (site / "regard").rglob("*") if path.is_file()}
    assert not [path for path in inside if "__pycache__" in path.parts or path.suffix in (".pyc", ".log", ".pt")]
    assert {path.parts[0] for path in inside if path.suffix != ".pyi"} == {
        "__init__.py", "__main__.py", "extras.py", "py.typed", "app.py", "model", "viz", "pretrained", ".streamlit",
    }  # fmt: skip
    tracked = subprocess.run(["git", "ls-files", "pretrained"], cwd=ROOT, capture_output=True, text=True, check=False)
    shipped = {Path(line) for line in tracked.stdout.splitlines()}
    assert not shipped or shipped == {path for path in inside if path.parts[0] == "pretrained"}


def test_type_checkers_find_the_package_typed(site):
    for package in ("regard", "regard/model", "regard/viz"):
        assert (site / package / "py.typed").is_file()


ABSENT = (
    "streamlit plotly altair pandas transformers accelerate sacrebleu rich yaml pyarrow duckdb faiss segno redis "
    "google pptx pypdf"
)
WITHOUT = f"""
import sys
for name in "{ABSENT}".split():
    sys.modules[name] = None  # importing it now fails as if it were not installed
"""


@pytest.fixture
def alone(run: Run, tmp_path: Path) -> Run:
    """``run`` with only the library's four dependencies importable."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    return run


LIBRARY = """
import regard
trace = regard.translate(regard.load(), "The cat is sleeping.")
regard.save(regard.load(), "copy")
print(trace.text)
"""


def assert_translates(process: subprocess.CompletedProcess[str]) -> None:
    assert process.stdout.strip() == model.translate(model.load(), "The cat is sleeping.").text, process.stderr


def test_the_library_needs_four_packages_alone(alone):
    assert_translates(alone("-c", LIBRARY))


def test_the_library_alone_translates_and_inspects_in_a_terminal(alone):
    assert_translates(alone("-m", "regard", "translate", "The cat is sleeping."))
    process = alone("-m", "regard", "inspect")
    assert process.returncode == 0 and "4 encoder, 4 decoder" in process.stdout and "[" not in process.stdout
    process = alone("-m", "regard", "--help")
    assert "regard translate" in process.stdout and "python -m" not in process.stdout


@pytest.mark.parametrize(
    ("command", "extra"),
    [([], "app"), (["gallery", "--out", "x"], "app"), (["train", "pairs.tsv"], "train"),
     (["evaluate", "pairs.tsv"], "train"), (["survey", "pairs.tsv"], "interpret"),
     (["translate", "--show", "Hello."], "train")],
)  # fmt: skip
def test_the_library_alone_names_a_commands_extra_in_one_line(alone, command, extra):
    process = alone("-m", "regard", *command)
    assert process.returncode == 1 and process.stdout == ""
    assert f'pip install "regard[{extra}]"' in process.stderr and process.stderr.count("\n") == 1


def test_under_uv_a_command_runs_in_an_environment_with_its_extra(alone, tmp_path, monkeypatch):
    uv = tmp_path / "uv"
    uv.write_text('#!/bin/sh\necho "$REGARD_COMPLETED" "$@"\n')
    uv.chmod(0o755)
    monkeypatch.setenv("UV", str(uv))
    process = alone("-m", "regard", "survey", "pairs.tsv")
    assert process.stdout == "1 tool run --from regard[interpret] regard survey pairs.tsv\n", process.stderr
    monkeypatch.setenv("REGARD_COMPLETED", "1")
    assert alone("-m", "regard", "survey", "pairs.tsv").returncode == 1


@pytest.mark.by_day
def test_each_extra_brings_the_packages_that_its_commands_need():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [word.partition(">")[0] for word in project["dependencies"]]
    assert needed == ["torch", "numpy", "sentencepiece", "safetensors"]
    brought = {
        extra: " ".join(words).replace("pyyaml", "yaml").replace("protobuf", "google")
        for extra, words in project["optional-dependencies"].items()
    }
    for package, extra in EXTRA_OF.items():
        assert package in brought[extra]
    # A survey scores its translations and shows a progress bar.
    assert {"pyarrow", "sacrebleu", "rich"} <= set(re.findall(r"[a-z]+", brought["interpret"]))


def test_nothing_imports_a_package_by_the_name_that_it_has_in_a_clone(site):
    for path in (site / "regard").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not {name.partition(".")[0] for name in names} & {"model", "viz"} or _is_for_types(path), path


def _is_for_types(path: Path) -> bool:
    """Whether an import is of a clone's name behind TYPE_CHECKING, for which the wheel has a stub."""
    return path.parent.name == "regard" and path.name == "__init__.py" and path.with_suffix(".pyi").is_file()


PATHS = """
import sys, regard
assert not {"torch", "streamlit"} & set(sys.modules), "light until it is used"
import regard.interpret.ablation as one
import regard.model.interpret.ablation as other
from regard import viz
from regard.figures import Paper
from regard.viz.export import head_figure
assert one is other is regard.interpret.ablation and one.__spec__.name == "regard.model.interpret.ablation"
assert not {"model", "viz"} & set(sys.modules)
regard.export_html(regard.translate(regard.load("tiny"), "The cat is sleeping."), "page.html")
print("well")
"""


def test_every_import_path_works_beside_other_modules_model_and_viz(hostile):
    process = hostile("-c", PATHS)
    assert process.stdout == "well\n", process.stderr


@pytest.fixture
def hostile(run: Run, tmp_path: Path) -> Run:
    """``run`` in a folder with a model.py and a viz.py that raise when they are imported."""
    for name in ("model", "viz"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong one')")
    return run


@pytest.mark.parametrize("page", ["README.md", "docs/research.md", "docs/survey.md", "docs/attention-files.md"])
def test_the_python_of_the_documents_runs(page, hostile, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    blocks = [block for block in blocks if not any(words in block for words in NOT_RUN)]
    (tmp_path / "survey").symlink_to(ROOT / "pretrained/en-fr-corpus/survey")
    begin = "import regard\nbundle = regard.load()\nregard.save(bundle, 'my-run/best.ckpt')\n"
    begin += "import numpy\nweights = numpy.full((2, 2, 3, 3), 1 / 3)\n"
    assert_runs(hostile, tmp_path, begin + "\n".join(blocks))


def assert_runs(run: Run, folder: Path, script: str) -> None:
    (folder / "script.py").write_text(script, "utf-8")
    process = run("script.py")
    assert process.returncode == 0, process.stderr[-3000:] + process.stdout[-3000:]


def test_the_python_of_docstrings_runs(site, hostile, tmp_path):
    examples = docstring_examples(site / "regard")
    assert len(examples) >= 3
    begin = "import regard\nbundle, pairs = regard.load('tiny'), [('The cat is sleeping.', 'Le chat dort.')]\n"
    assert_runs(hostile, tmp_path, begin + "\n".join(examples))


@pytest.mark.parametrize("path", sorted((ROOT / "docs/notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_where_regard_is_installed(path, hostile, tmp_path):
    cells = [cell["source"] for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    runner = (
        "import json\nfrom IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "for cell in json.load(open('cells.json')):\n    shell.run_cell(cell).raise_error()\n"
    )
    (tmp_path / "cells.json").write_text(json.dumps(["".join(cell) for cell in cells]))
    assert_runs(hostile, tmp_path, runner)


def test_an_editor_knows_the_types_of_the_installed_package(site, tmp_path):
    (tmp_path / "script.py").write_text(
        "from typing import reveal_type\nimport regard\nfrom regard.interpret.ablation import head_effects\n"
        "from regard.figures import Paper\n"
        "reveal_type(regard.load)\nreveal_type(regard.interpret.ablation.head_effects)\nreveal_type(head_effects)\n"
        "reveal_type(regard.show)\nreveal_type(Paper)\nregard.no_such_name\n"
    )
    (tmp_path / "pyrefly.toml").touch()  # without it pyrefly reports less
    options = ("--search-path", str(site), "--python-interpreter-path", sys.executable, "--output-format", "json")
    process = subprocess.run(
        [sys.executable, "-m", "pyrefly", "check", "script.py", *options], capture_output=True, text=True,
        check=False, cwd=tmp_path,
    )  # fmt: skip
    diagnostics = json.loads(process.stdout)["errors"]
    types = [diagnostic["description"] for diagnostic in diagnostics if diagnostic["name"] == "reveal-type"]
    assert len(types) == 5 and not [text for text in types if "Unknown" in text or text.endswith("Any")], types
    assert [diagnostic["description"] for diagnostic in diagnostics if diagnostic["severity"] == "error"] == [
        "No attribute `no_such_name` in module `regard`"
    ]


def test_commands_run_beside_another_model_module(hostile):
    assert_translates(hostile("-m", "regard", "translate", "The cat is sleeping."))


def test_the_command_prints_its_version(run):
    assert run("-m", "regard", "--version").stdout == f"regard {model.__version__}\n"


def test_the_command_alone_opens_the_application(site, tmp_path):
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": str(site), "XDG_DATA_HOME": str(tmp_path)}
    options = ("--", "--server.headless", "true", "--server.port", str(port))
    process = subprocess.Popen([sys.executable, "-m", "regard", *options], cwd=tmp_path, env=environment)
    try:
        wait_until_healthy(process, f"http://127.0.0.1:{port}/_stcore/health")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as page:
            assert b"<html" in page.read()
    finally:
        process.terminate()
        process.wait()


@pytest.mark.by_day
def test_the_citation_names_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == model.__version__
    assert f"## {model.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
