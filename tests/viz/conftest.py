"""Fixtures for the tests of the interface."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from streamlit.testing.v1 import AppTest

import model
from model.runs.queue import RunQueue
from tests.checkpoint import save_tiny
from tests.viz.page import SENTENCE, run_page
from viz import cache


@pytest.fixture(autouse=True)
def idle_run_queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each test an empty queue in which runs wait and none starts: the process has only one."""
    cache.run_queue.clear()
    monkeypatch.setattr(RunQueue, "_serve", lambda queue, device: None)
    monkeypatch.setattr(RunQueue, "warm", lambda queue, worker: None)
    yield
    cache.run_queue.clear()


@pytest.fixture(autouse=True)
def fail_on_page_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test after a run that shows an exception on the page."""
    run = AppTest._run

    def checked_run(app: AppTest, *args: Any, **kwargs: Any) -> AppTest:
        run(app, *args, **kwargs)
        assert not app.exception, [error.message for error in app.exception]
        return app

    monkeypatch.setattr(AppTest, "_run", checked_run)


@pytest.fixture(scope="session")
def shipped() -> model.Bundle:
    return model.load()


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("server") / "tiny")


@pytest.fixture
def tiny_server(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a tiny checkpoint the server's default model."""
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(checkpoint))


@pytest.fixture
def open_page(tiny_server: None) -> Callable[..., AppTest]:
    """Opens a page of that server with a sentence of the tiny model's vocabulary."""
    return lambda page="explore", /, **params: run_page(page, **{"text": SENTENCE} | params)


@pytest.fixture(params=["bert", "gpt2"])
def single_stack_page(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., AppTest]:
    """Opens a page of a server whose default model is an encoder-only or a decoder-only one."""
    torch.manual_seed(0)
    if request.param == "bert":
        config = transformers.BertConfig(
            vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24
        )
        transformers.BertModel(config).save_pretrained(tmp_path / "bert")
    else:
        config = transformers.GPT2Config(vocab_size=40, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
        transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path / "gpt2")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / request.param))
    return lambda page="explore", /, **params: run_page(page, **{"text": "#5 #6 #7"} | params)
