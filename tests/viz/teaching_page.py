"""What tests of the teaching pages share: a page of a tiny model, and of a model with one stack."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import torch
import transformers
from streamlit.testing.v1 import AppTest

from tests.checkpoint import save_tiny
from tests.pages import go_to
from viz import cache

ROOT = Path(__file__).parents[2]
OF_MODEL = {("positions", "pair"), ("laboratory", "cell"), ("laboratory", "steps")}
"""Numbers that end where the model or the sentence in use does."""
SENTENCE = "the cat is sleeping on the sofa ."


def tiny_checkpoint(tmp_path_factory):
    """Made a fixture named "checkpoint" where it is used."""
    return save_tiny(tmp_path_factory.mktemp("teaching") / "tiny")


def page_opener(checkpoint, monkeypatch):
    """Opens a page of a server whose own model is a tiny one; made a fixture where it is used."""
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(checkpoint))

    def opened(page: str, **params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
        app.query_params.update({"text": SENTENCE} | params)
        go_to(app, page)
        assert not app.exception, [error.message for error in app.exception]
        return app

    return opened


def single_stack_opener(request, tmp_path, monkeypatch):
    """Opens a page of a server whose own model is an encoder-only or decoder-only model; made a fixture where it is
    used."""
    torch.manual_seed(0)
    if request.param == "bert":
        config = transformers.BertConfig(
            vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24
        )
        transformers.BertModel(config).save_pretrained(tmp_path / "single_stack")
    else:
        config = transformers.GPT2Config(vocab_size=40, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
        transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path / "single_stack")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "single_stack"))

    def opened(page: str, **params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
        app.query_params.update({"text": "#5 #6 #7"} | params)
        go_to(app, page)
        assert not app.exception, [error.message for error in app.exception]
        return app

    return opened


def numbers_match_links(app: AppTest, kinds: dict[str, Any], *, hold_more: bool = False) -> set[str]:
    """Check that each slider and field of numbers offers what a link may hold; the choices that they are for.

    Args:
        kinds: the class of each area's choices.
        hold_more: whether links hold further numbers too, which stand for what is suggested.
    """
    seen: set[str] = set()
    for widget in (*app.slider, *app.number_input):
        _, area, field = (*(widget.key or "").split("."), "", "")[:3]
        if area in kinds and field:
            rule = next(each.metadata["rule"].form for each in dataclasses.fields(kinds[area]) if each.name == field)
            offered: Any = (widget.min, widget.max)
            held = (rule["low"], rule["high"])
            is_of_model = hold_more or (area, field) in OF_MODEL
            assert held[0] <= offered[0] and offered[1] <= held[1] if is_of_model else offered == held, widget.key
            seen.add(field)
    return seen
