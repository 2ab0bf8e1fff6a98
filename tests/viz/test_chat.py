"""A chat model's prompt is wrapped in its template, unless it is switched off or fails."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import model
from tests.checkpoints.chat import CHATML, save_chat_model
from tests.viz.page import page_text, run_page
from viz import cache

TEXT = "Where is\nthe cat?"


def open_chat(folder: Path, monkeypatch: pytest.MonkeyPatch, page: str = "decode", **params: str) -> AppTest:
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(folder))
    return run_page(page, **{"text": TEXT} | params)


def test_the_prompt_is_wrapped_in_the_template_until_it_is_switched_off(tmp_path, monkeypatch):
    save_chat_model(tmp_path, CHATML)
    page = open_chat(tmp_path, monkeypatch)
    prompt = model.chat_prompt(cache.bundle(tmp_path.name), TEXT)
    assert prompt.message_span is not None
    before, after = prompt.message_span[0], len(prompt.tokens) - prompt.message_span[1]
    assert f"puts {before} tokens before your text and {after} after it" in page_text(page)
    assert [block.value for block in page.code] == [prompt.text.strip()]
    page.toggle(key="choice.chat.is_used").set_value(False).run()
    assert "tokens before your text" not in page_text(page)
    assert page.query_params["chat.is_used"] == "0" and not page.code


@pytest.mark.nightly("overview")
@pytest.mark.parametrize("page", ["", "decode", "inside", "overview", "causal"])
def test_pages_read_the_same_prompt_and_causal_the_plain_one(page, tmp_path, monkeypatch):
    save_chat_model(tmp_path, CHATML)
    prompts = []
    original = cache.read if page in ("", "inside") else cache.translate
    monkeypatch.setattr(
        cache, original.__name__, lambda b, text, **o: (prompts.append(text), original(b, text, **o))[1]
    )
    open_chat(tmp_path, monkeypatch, page or "explore")
    ids = model.chat_prompt(cache.bundle(tmp_path.name), TEXT).tokens.ids
    templated = " ".join(f"#{index}" for index in ids)
    assert set(prompts) == ({"Where is the cat?"} if page == "causal" else {templated})


def test_a_failing_template_is_reported_and_the_text_is_used_without_it(tmp_path, monkeypatch):
    save_chat_model(tmp_path, "{{ raise_exception('no users here') }}")
    page = open_chat(tmp_path, monkeypatch)
    assert "The chat template could not be used" in page_text(page)
    assert "Reason given by the template: no users here" in page_text(page)
    assert "模板给出的原因：no users here" in page_text(open_chat(tmp_path, monkeypatch, language="zh"))


@pytest.mark.nightly
def test_ids_are_read_as_they_are_and_a_model_without_a_template_has_no_switch(tmp_path, monkeypatch):
    save_chat_model(tmp_path / "chat", CHATML)
    page = open_chat(tmp_path / "chat", monkeypatch, text="#72 #105")
    assert "tokens before your text" not in page_text(page) and page.toggle(key="choice.chat.is_used").value
    save_chat_model(tmp_path / "plain", None)
    page = open_chat(tmp_path / "plain", monkeypatch)
    assert "choice.chat.is_used" not in [toggle.key for toggle in page.toggle]
