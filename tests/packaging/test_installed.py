"""The wheel, unpacked as pip would, and used from a folder that has a ``model`` of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import model
from benchmarks.serving import free_port, wait_until_healthy

ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that stands for site-packages, with the wheel in it and nothing else of ours."""
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT], check=True)
    (wheel,) = out.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(out / "site")
    return out / "site"


@pytest.fixture
def run(site: Path, tmp_path: Path) -> Run:
    """Runs Python in an empty folder with the installed package alone on its path."""

    def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(site), "XDG_DATA_HOME": str(tmp_path / "data")}
        return subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return ran


def test_nothing_but_regard_is_put_beside_other_packages(site):
    assert {path.name.split("-")[0] for path in site.iterdir()} == {"regard"}


def test_the_library_answers_under_its_own_name(run):
    ran = run("-c", "import regard; print(regard.translate(regard.load(), 'The cat is sleeping.').text)")
    assert ran.stdout.strip() == model.translate(model.load(), "The cat is sleeping.").text, ran.stderr


WITHOUT = """
import sys
for name in "streamlit plotly altair pandas transformers accelerate sacrebleu rich yaml pyarrow duckdb".split():
    sys.modules[name] = None  # importing it now fails as if it were not installed
import regard
trace = regard.translate(regard.load(), "The cat is sleeping.")
regard.save(regard.load(), "copy")
print(trace.text)
"""


def test_the_library_needs_four_packages_alone(run):
    ran = run("-c", WITHOUT)
    assert ran.stdout.strip() == model.translate(model.load(), "The cat is sleeping.").text, ran.stderr


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


@pytest.mark.parametrize(("command", "extra"), [([], "app"), (["translate", "Hello."], "train")])
def test_the_library_alone_says_which_extra_a_command_needs(command, extra, monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("regard_main", ROOT / "packaging/regard/__main__.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    monkeypatch.setattr(module.sys, "argv", ["regard", *command])
    assert module.main() == 1
    assert f'pip install "regard[{extra}]"' in capsys.readouterr().err
