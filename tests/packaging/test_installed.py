"""The wheel, unpacked as pip would do it, and used from a folder that has its own ``model``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import model
from benchmarks.serving import free_port, wait_until_healthy
from model.cli.extras import EXTRA_OF

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in place of site-packages that contains only the wheel."""
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT], check=True)
    (wheel,) = out.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(out / "site")
    return out / "site"


@pytest.fixture
def run(site: Path, tmp_path: Path) -> Run:
    """Runs Python in an empty folder with only the installed package on its path."""

    def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(map(str, (site, tmp_path)))
        environment = {**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path / "data")}
        return subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return ran


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
    assert {path.parts[1] for path in inside if path.parts[0] == "house"} == {
        "app.py", "model", "viz", "pretrained", ".streamlit",
    }  # fmt: skip
    tracked = subprocess.run(["git", "ls-files", "pretrained"], cwd=ROOT, capture_output=True, text=True, check=False)
    shipped = {Path("house") / line for line in tracked.stdout.splitlines()}
    assert not shipped or shipped == {path for path in inside if path.parts[1:2] == ("pretrained",)}


def test_type_checkers_find_the_package_typed(site):
    for package in ("regard", "regard/house/model", "regard/house/viz"):
        assert (site / package / "py.typed").is_file()


def test_the_library_answers_under_its_own_name(run):
    ran = run("-c", "import regard; print(regard.translate(regard.load(), 'The cat is sleeping.').text)")
    assert ran.stdout.strip() == model.translate(model.load(), "The cat is sleeping.").text, ran.stderr


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
    """Like ``run``, but only the library's four dependencies can be imported."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    return run


LIBRARY = """
import regard
trace = regard.translate(regard.load(), "The cat is sleeping.")
regard.save(regard.load(), "copy")
print(trace.text)
"""


def test_the_library_needs_four_packages_alone(alone):
    ran = alone("-c", LIBRARY)
    assert ran.stdout.strip() == model.translate(model.load(), "The cat is sleeping.").text, ran.stderr


def test_the_library_alone_translates_and_inspects_in_a_terminal(alone):
    ran = alone("-m", "regard", "translate", "The cat is sleeping.")
    assert ran.stdout.strip() == model.translate(model.load(), "The cat is sleeping.").text, ran.stderr
    ran = alone("-m", "regard", "inspect")
    assert ran.returncode == 0 and "4 encoder, 4 decoder" in ran.stdout and "[" not in ran.stdout
    ran = alone("-m", "regard", "--help")
    assert "regard translate" in ran.stdout and "python -m" not in ran.stdout


@pytest.mark.parametrize(
    ("command", "extra"),
    [([], "app"), (["gallery", "--out", "x"], "app"), (["train", "pairs.tsv"], "train"),
     (["evaluate", "pairs.tsv"], "train"), (["survey", "pairs.tsv"], "interpret"),
     (["translate", "--show", "Hello."], "train")],
)  # fmt: skip
def test_the_library_alone_says_in_one_line_what_a_command_needs(alone, command, extra):
    ran = alone("-m", "regard", *command)
    assert ran.returncode == 1 and ran.stdout == ""
    assert f'pip install "regard[{extra}]"' in ran.stderr and ran.stderr.count("\n") == 1


def test_under_uv_a_command_goes_on_where_its_extra_is(alone, tmp_path, monkeypatch):
    uv = tmp_path / "uv"
    uv.write_text('#!/bin/sh\necho "$REGARD_COMPLETED" "$@"\n')
    uv.chmod(0o755)
    monkeypatch.setenv("UV", str(uv))
    ran = alone("-m", "regard", "survey", "pairs.tsv")
    assert ran.stdout == "1 tool run --from regard[interpret] regard survey pairs.tsv\n", ran.stderr
    monkeypatch.setenv("REGARD_COMPLETED", "1")
    assert alone("-m", "regard", "survey", "pairs.tsv").returncode == 1


def test_each_extra_brings_the_packages_that_its_commands_need():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [word.partition(">")[0] for word in project["dependencies"]] == [
        "torch",
        "numpy",
        "sentencepiece",
        "safetensors",
    ]
    brought = {
        extra: " ".join(words).replace("pyyaml", "yaml").replace("protobuf", "google")
        for extra, words in project["optional-dependencies"].items()
    }
    for package, extra in EXTRA_OF.items():
        assert package in brought[extra]
    # A survey scores what it translates, and shows how far it is.
    assert {"pyarrow", "sacrebleu", "rich"} <= set(re.findall(r"[a-z]+", brought["interpret"]))


def test_a_model_of_the_readers_own_is_not_taken_for_ours(run, tmp_path):
    (tmp_path / "model.py").write_text("mine = True")
    ran = run("-c", "import regard; regard.load()")
    assert ran.returncode
    assert "regard needs its own package 'model' and found" in ran.stderr
    assert "rename" in ran.stderr


def test_commands_run_beside_a_model_of_the_readers_own(run, tmp_path):
    (tmp_path / "model.py").write_text("raise SystemExit('the wrong model')")
    ran = run("-m", "regard", "translate", "The cat is sleeping.")
    assert ran.stdout.strip() == model.translate(model.load(), "The cat is sleeping.").text, ran.stderr


def test_the_command_says_its_version(run):
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


def test_the_citation_names_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == model.__version__
    assert f"## {model.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
