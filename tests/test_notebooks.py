"""Every cell of the gallery runs on the shipped model, from its own folder, as a reader would run it."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SAID = {
    "1-explore": ("Le chat dort", "EmptyTextError"),
    "2-ablate": ("needed most", "(same uncached)"),
    "3-patch": ("Le chat dort.", "rank correlation"),
    "4-align": ("▁red–▁rouge", "AER 0.0"),
    "5-your-own-model": ("'M')", "shift    changes log-probabilities by up to 0.0000", "True"),
}
"""What a reader must see somewhere in the outputs."""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_its_text_speaks_of(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = "\n".join(str(output.get("text") or output.get("data", {}).get("text/plain", "")) for output in outputs)
    assert [said for said in SAID[path.stem] if said not in shown] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in book.cells)


def test_the_gallery_names_every_notebook() -> None:
    listed = (FOLDER / "README.md").read_text("utf-8")
    assert len(NOTEBOOKS) == 5 and all(f"({path.name})" in listed for path in NOTEBOOKS)
