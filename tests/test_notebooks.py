"""Every cell of the notebooks runs on the shipped model from the notebooks' folder."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import model
from model.checkpoints.loading import PRETRAINED

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
EXPECTED_OUTPUT = {
    "1-explore": ("Le chat dort", "EmptyTextError"),
    "2-ablate": ("needed most", "(same uncached)"),
    "3-patch": ("Le chat dort.", "3 Le chat dort.", "correlation with the exact map"),
    "4-align": ("▁red–▁rouge", "AER 0.0"),
    "6-steer": ("20 pairs", "change from tu to vous", "others 100.0", "a random direction of the same length"),
    "7-circuit": ("pairs, such as", "through what is written", "kept by them alone", "of the 50 best edges"),
    "8-published-curves": ("without a fifth of all heads", "norms minus weights", "rank correlation of confidence"),
    "5-your-own-model": ("'M')", "shift    changes log-probabilities by up to 0.0000", "True"),
}
"""Texts that must occur in the outputs."""


@pytest.fixture(scope="module")
def kernel() -> Iterator[NotebookClient]:
    """One kernel for all notebooks, so that libraries are imported once."""
    client = NotebookClient(nbformat.v4.new_notebook(), timeout=300, resources={"metadata": {"path": str(FOLDER)}})
    with client.setup_kernel():
        yield client


@pytest.mark.nightly(but=("1-explore",))
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_the_results_that_its_text_names(path: Path, kernel: NotebookClient) -> None:
    book: Any = nbformat.read(path, as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))  # deletes the previous notebook's variables
    kernel.nb = book
    kernel.execute(cleanup_kc=False)
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    output_text = "\n".join(
        str(output.get("text") or output.get("data", {}).get("text/plain", "")) for output in outputs
    )
    assert [expected for expected in EXPECTED_OUTPUT[path.stem] if expected not in output_text] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    book: Any = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in book.cells)


def _setup(path: Path) -> str:
    book: Any = nbformat.read(path, as_version=4)
    return next(cell.source for cell in book.cells if cell.cell_type == "code")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_first_cell_finds_the_clone_or_the_installed_package(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.path", list(sys.path))
    monkeypatch.chdir(FOLDER)
    exec(_setup(path), {})
    assert sys.path[0] == "../.."
    sys.path.pop(0)
    monkeypatch.chdir(tmp_path)
    original_path = list(sys.path)
    exec(_setup(path), {})
    assert sys.path == original_path, "it is found already"
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="install Regard first"):
        exec(_setup(path), {})


def test_the_gallery_names_every_notebook() -> None:
    listed = (FOLDER / "README.md").read_text("utf-8")
    assert len(NOTEBOOKS) == 8 and all(f"({path.name})" in listed for path in NOTEBOOKS)


def test_heads_of_the_shipped_model_look_where_the_notebooks_say() -> None:
    trace = model.translate(model.load(), "The cat is sleeping on the sofa.")
    row = trace.target_tokens.index("▁chat")
    cross = trace.attention.cross
    assert cross is not None
    attended = {place: trace.source_tokens[cross[(*place, row)].argmax()] for place in ((0, 2), (2, 3))}
    assert attended == {(0, 2): "▁The", (2, 3): "▁cat"}


def test_one_head_of_the_shipped_model_aligns_better_than_the_mean_of_any_layer_and_most_do_not() -> None:
    measured = json.loads((PRETRAINED / "en-fr-corpus" / "figures.json").read_text("utf-8"))["alignment"]
    rates = sorted(head["aer"] for head in measured["heads"])
    assert (measured["best"]["layer"], measured["best"]["head"]) == (0, 2)
    assert rates[0] < min(head["aer"] for head in measured["layers"]) and rates[len(rates) // 2] > 0.5
