"""What tests of the checkpoints page share: the page itself, a drop, and what the session has open."""

import io
from pathlib import Path

import torch
from streamlit.testing.v1 import AppTest

import model
from tests.checkpoint import save_tiny
from tests.checkpoints import golden
from tests.pages import go_to
from viz import cache

OPENED = "regard.private_models"
MAIN = str(Path(__file__).parents[2] / "viz/main.py")


def opened_page(tmp_path, monkeypatch, language=None):
    """The checkpoints page of a server whose own model is a tiny one; made a fixture where it is used."""
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    app = AppTest.from_file(MAIN, default_timeout=120)
    app.query_params["text"] = "the cat is sleeping"
    if language is not None:
        app.query_params["language"] = language
    return go_to(app, "checkpoints")


def drop(page, *files: tuple[str, bytes]):
    """The page after these files were dropped, which no file may end."""
    page.file_uploader(key="checkpoint_files").set_value(
        [(name, raw, "application/octet-stream") for name, raw in files]
    )
    page.run()
    assert not page.exception, [name for name, _ in files]
    return page


def saved(name: str, state: dict[str, torch.Tensor]) -> tuple[str, bytes]:
    """Tensors as a file of ``torch.save``, to be dropped."""
    stream = io.BytesIO()
    torch.save(state, stream)
    return name, stream.getvalue()


def golden_file(name: str, folder: Path) -> tuple[str, bytes]:
    """A golden checkpoint as it would be dropped."""
    return as_file(golden.read(name).write(folder))


def as_file(path: Path) -> tuple[str, bytes]:
    """A file's name and content, to be dropped."""
    return path.name, path.read_bytes()


def answer_first(page, heads: int):
    """The page after the question that waits was answered: how many heads the model has."""
    page.radio(key="first_n_heads").set_value(heads)
    return page.button(key="checkpoint_first_answer").click().run()


def private(page) -> dict[str, model.Bundle]:
    """The models that the session has opened."""
    state = page.session_state
    return state[OPENED] if OPENED in state else {}  # noqa: SIM401, AppTest's state has no get
