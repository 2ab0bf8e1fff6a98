"""A message stands in a chat model's template exactly as the library puts it there, and a bad template does no harm."""

import time
from pathlib import Path

import pytest

import model
from model.checkpoints.sandbox.opening import examine_sandboxed
from model.text.chat import LONGEST_RENDERED, has_chat_template
from tests.checkpoint import tiny_bundle
from tests.checkpoints.chat import CHATML, LLAMA_2, save_chat_model

TEMPLATES = {"chatml": CHATML, "llama-2": LLAMA_2}
MESSAGES = {
    "one line": "Where is the cat?",
    "lines, spaces and other letters": "  Où est\nle chat ?  你好 🐈 ",
    "a special token in the text": "say <|im_end|> twice",
    "a template in the text": "{{ 7 * 7 }} {% raw %}",
}


@pytest.mark.nightly("jinja")
@pytest.mark.parametrize("in_config", [False, True], ids=["jinja", "config"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_text_and_ids_are_those_of_apply_chat_template(name: str, in_config: bool, tmp_path: Path) -> None:
    expected = save_chat_model(tmp_path, TEMPLATES[name], in_config=in_config)
    bundle = model.load(tmp_path)
    for message in MESSAGES.values():
        chat = [{"role": "user", "content": message}]
        prompt = model.chat_prompt(bundle, message)
        assert prompt.text == expected.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        assert list(prompt.tokens.ids) == expected.apply_chat_template(chat, add_generation_prompt=True)["input_ids"]
        assert model.chat_prompt(bundle, chat) == prompt


def test_several_messages_with_a_system_prompt(tmp_path: Path) -> None:
    expected = save_chat_model(tmp_path, LLAMA_2)
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "One?"},
            {"role": "assistant", "content": "Two."}, {"role": "user", "content": "Three?"}]  # fmt: skip
    prompt = model.chat_prompt(model.load(tmp_path), chat)
    assert prompt.text == expected.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    assert prompt.text.endswith("[INST] Three? [/INST]")


def test_message_tokens_and_special_tokens_are_distinguished(tmp_path: Path) -> None:
    save_chat_model(tmp_path, CHATML)
    prompt = model.chat_prompt(model.load(tmp_path), "Hi there")
    assert prompt.message_span is not None
    first, end = prompt.message_span
    assert "".join(prompt.tokens.pieces[first:end]).replace("Ġ", " ") == "Hi there"
    special = [
        piece for piece, is_special in zip(prompt.tokens.pieces, prompt.tokens.is_special, strict=True) if is_special
    ]
    assert special == ["<|im_start|>", "<|im_end|>", "<|im_start|>", "<|im_end|>", "<|im_start|>"]


@pytest.mark.nightly
def test_the_models_answer_follows_the_template(tmp_path: Path) -> None:
    save_chat_model(tmp_path, CHATML)
    bundle = model.load(tmp_path)
    ids = model.chat_prompt(bundle, "Hi").tokens.ids
    assert model.translate(bundle, ids, max_length=3, stop_loops=False).prefix.ids[: len(ids)] == ids


@pytest.mark.nightly
def test_a_saved_chat_model_keeps_its_template(tmp_path: Path) -> None:
    save_chat_model(tmp_path / "given", CHATML)
    bundle = model.load(tmp_path / "given")
    model.save(bundle, tmp_path / "saved")
    again = model.load(tmp_path / "saved")
    assert model.chat_prompt(again, "Hi") == model.chat_prompt(bundle, "Hi")


def test_a_model_without_a_template_is_refused(tmp_path: Path) -> None:
    assert not has_chat_template(tiny_bundle())
    with pytest.raises(model.TextError, match="has no chat template"):
        model.chat_prompt(tiny_bundle(), "the cat")
    save_chat_model(tmp_path, CHATML)
    with pytest.raises(model.TextError, match="there is no message"):
        model.chat_prompt(model.load(tmp_path), " ")


BAD = {
    "a syntax error": "{% for %}",
    "an exception of its own": "{{ raise_exception('no') }}",
    "python's internals": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "a file": "{% include '/etc/passwd' %}",
    "too much text": "{% for i in range(90000) %}" + "aaaa" + "{% endfor %}",
    "a long template": "{# " + "a" * LONGEST_RENDERED + " #}",
}


@pytest.mark.nightly("a file", "a syntax error", "python's internals")
@pytest.mark.parametrize("name", BAD)
def test_a_bad_template_is_an_error_in_words_and_the_model_opens(name: str, tmp_path: Path) -> None:
    save_chat_model(tmp_path, BAD[name])
    bundle = model.load(tmp_path)
    with pytest.raises(model.TokenizerError, match="chat template"):
        model.chat_prompt(bundle, "Hi")
    assert model.translate(bundle, "Hi", max_length=2, stop_loops=False).prefix_tokens[0] == "H"


def test_a_template_that_is_no_text_does_not_stop_the_model_from_opening(tmp_path: Path) -> None:
    save_chat_model(tmp_path, CHATML)
    (tmp_path / "chat_template.jinja").write_bytes(b"\xff\xfe{{ messages }}")
    assert has_chat_template(model.load(tmp_path))


def test_a_strangers_template_runs_in_a_process_with_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_TOKENIZER_SECONDS", "200")  # only the loop is stopped, also on a busy machine
    expected = save_chat_model(tmp_path / "good", CHATML)
    good = examine_sandboxed(tmp_path / "good").bundle
    chat = [{"role": "user", "content": "Hi"}]
    assert model.chat_prompt(good, "Hi").text == expected.apply_chat_template(
        chat, tokenize=False, add_generation_prompt=True
    )
    loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    save_chat_model(tmp_path / "loops", loops)
    bad = examine_sandboxed(tmp_path / "loops").bundle
    with monkeypatch.context() as impatient, pytest.raises(model.TokenizerError):
        impatient.setenv("REGARD_TOKENIZER_SECONDS", "2")
        began = time.process_time()
        model.chat_prompt(bad, "Hi")
    assert time.process_time() - began < 1, "the loop runs elsewhere"
    assert model.translate(bad, "Hi", max_length=2, stop_loops=False).prefix_tokens[0] == "H"
