"""What tests of the checkpoints page share: the page itself, a drop, and what the session has open."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

import model
from tests.checkpoint import save_tiny
from tests.checkpoints import golden
from tests.pages import go_to
from viz import cache

OPENED = "regard.private_models"
MAIN = str(Path(__file__).parents[2] / "viz/main.py")


def opened_page(tmp_path, monkeypatch):
    """The checkpoints page of a server whose own model is a tiny one; made a fixture where it is used."""
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    app = AppTest.from_file(MAIN, default_timeout=120)
    app.query_params["text"] = "the cat is sleeping"
    return go_to(app, "checkpoints")


def drop(page, *files: tuple[str, bytes]):
    """The page after these files were dropped."""
    page.file_uploader(key="checkpoint_files").set_value(
        [(name, raw, "application/octet-stream") for name, raw in files]
    )
    return page.run()


def golden_file(name: str, folder: Path) -> tuple[str, bytes]:
    """A golden checkpoint as it would be dropped."""
    path = golden.read(name).write(folder)
    return path.name, path.read_bytes()


def answer_first(page, heads: int):
    """The page after the question that waits was answered: how many heads the model has."""
    page.radio(key="first_n_heads").set_value(heads)
    return page.button(key="checkpoint_first_answer").click().run()


def private(page) -> dict[str, model.Bundle]:
    """The models that the session has opened."""
    state = page.session_state
    return state[OPENED] if OPENED in state else {}  # noqa: SIM401, AppTest's state has no get
