"""Helpers for tests of the checkpoints page."""

import io
from pathlib import Path

import torch
from streamlit.testing.v1 import AppTest

import model
from tests.checkpoint import save_tiny
from tests.checkpoints import golden
from tests.pages import go_to
from viz import cache

PRIVATE_MODELS_KEY = "regard.private_models"
MAIN = str(Path(__file__).parents[2] / "viz/main.py")


def open_checkpoints_page(tmp_path, monkeypatch, language=None):
    """Open the checkpoints page of a server whose default model is a tiny one."""
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    app = AppTest.from_file(MAIN, default_timeout=120)
    app.query_params["text"] = "the cat is sleeping"
    if language is not None:
        app.query_params["language"] = language
    return go_to(app, "checkpoints")


def drop(page, *files: tuple[str, bytes]):
    """Drop files on the page, which must not raise."""
    page.file_uploader(key="checkpoint_files").set_value(
        [(name, raw, "application/octet-stream") for name, raw in files]
    )
    page.run()
    assert not page.exception, [name for name, _ in files]
    return page


def torch_file(name: str, state: dict[str, torch.Tensor]) -> tuple[str, bytes]:
    """Tensors saved by ``torch.save``, to be dropped."""
    stream = io.BytesIO()
    torch.save(state, stream)
    return name, stream.getvalue()


def golden_upload(name: str, folder: Path) -> tuple[str, bytes]:
    """A golden checkpoint's file, to be dropped."""
    return file_upload(golden.read(name).write(folder))


def file_upload(path: Path) -> tuple[str, bytes]:
    """A file's name and content, to be dropped."""
    return path.name, path.read_bytes()


def answer_first_question(page, heads: int):
    """Answer the pending question for the number of heads."""
    page.radio(key="first_n_heads").set_value(heads)
    return page.button(key="checkpoint_first_answer").click().run()


def private_models(page) -> dict[str, model.Bundle]:
    """The models opened in this session."""
    state = page.session_state
    return state[PRIVATE_MODELS_KEY] if PRIVATE_MODELS_KEY in state else {}  # noqa: SIM401, AppTest's state has no get
