"""The checkpoints page: dropped files, the report, its questions, and refusals."""

import re
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save
from streamlit.testing.v1 import AppTest

import model
from model.checkpoints import hub, room
from model.checkpoints.basis.errors import AnswerWarning
from tests.checkpoint import save_tiny
from tests.checkpoints import golden
from tests.checkpoints.bad_input import BAD, sound
from tests.checkpoints.fuzz import marian
from tests.pages import go_to
from tests.viz.page import (
    answer_first_question,
    drop,
    file_upload,
    golden_upload,
    new_app,
    open_checkpoints_page,
    private_models,
)
from viz import cache
from viz.checkpoints import draft as checkpoint_draft
from viz.i18n import tr

page = pytest.fixture(name="page")(open_checkpoints_page)


def test_a_dropped_checkpoint_is_examined_and_listed_in_the_picker(page, tmp_path):
    drop(page, golden_upload("jadore-projection", tmp_path))
    assert "attention-is-all-you-need-pytorch" in page.subheader[1].value
    assert list(private_models(page)) == ["jadore"]  # such files are always called model.chkpt
    assert any("rows of attention sum to 1" in line.value for line in page.markdown)


def test_missing_settings_are_asked_with_their_evidence_and_the_answer_is_applied(page, tmp_path):
    drop(page, golden_upload("annotated-plain", tmp_path))
    assert private_models(page)["annotated"].config.n_encoder_heads == 4
    question = page.radio(key="first_n_heads")
    assert question.value is None and sorted(question.options, key=int) == ["1", "2", "4", "8"]
    assert any("entropy of the heads" in line for line in question.proto.captions)
    answer_first_question(page, 2)
    assert private_models(page)["annotated"].config.n_encoder_heads == 2
    page.selectbox(key="ask_n_heads").set_value(4)
    page.button(key="checkpoint_answer").click().run()
    assert private_models(page)["annotated"].config.n_encoder_heads == 4
    original = golden.read("annotated-plain")
    attention: Any = model.attend(private_models(page)["annotated"], original.source, original.target)
    np.testing.assert_allclose(attention.cross, original.cross, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("language", "words_per_file"),
    [
        ("en", ("used", "not understood", "ignored")),
        ("zh", ("已使用", "无法理解", "已忽略")),
        ("fr", ("utilisé", "pas compris", "ignoré")),
    ],
)
def test_each_dropped_file_has_a_line_that_states_whether_it_is_used(tmp_path, monkeypatch, language, words_per_file):
    page = open_checkpoints_page(tmp_path, monkeypatch, language=language)
    words = "\n".join(["<pad>", "<bos>", "<eos>", *(f"w{i}" for i in range(10))]).encode()
    drop(page, golden_upload("d2l-plain", tmp_path), ("mine.lst", words), ("broken.json", b"{"), ("notes.md", b"a\nb"))
    (report,) = [text.value for text in page.markdown if "`mine.lst`" in text.value]
    lines = {line.split("`")[1]: line for line in report.split("  \n")}
    for name, word in zip(("mine.lst", "broken.json", "notes.md"), words_per_file, strict=True):
        assert word in lines[name]


def test_nothing_is_drawn_before_a_close_question_is_answered(page, tmp_path):
    name, content = golden_upload("annotated-plain", tmp_path)
    drop(page, (name, content))
    keys = {button.key for button in page.button}
    assert "checkpoint_look" not in keys and page.button(key="use_annotated").disabled
    assert any("Not drawn before its question is answered" in line.value for line in page.caption)
    assert "annotated" not in {option for radio in page.radio for option in radio.options}  # the model picker
    page.button(key="checkpoint_first_answer").click().run()
    assert any("Choose one of the answers first" in line.value for line in page.caption)
    assert "checkpoint_look" not in {button.key for button in page.button}
    answer_first_question(page, 4)
    assert "first_n_heads" not in {radio.key for radio in page.radio}
    page.button(key="checkpoint_look").click().run()
    assert page.session_state["regard.choices"].params["model"] == "annotated"


@pytest.mark.nightly
def test_a_link_to_a_model_that_waits_for_an_answer_shows_another(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    path = golden.read("annotated-plain").write(tmp_path)
    app = new_app(model="waiting")
    with pytest.warns(AnswerWarning):
        app.session_state["regard.private_models"] = {"waiting": model.load(path)}
    go_to(app, "positions")
    assert any("made with the model “waiting”" in line.value for line in app.text)


def test_a_guess_is_marked_until_it_is_confirmed(page, tmp_path):
    drop(page, golden_upload("annotated-plain", tmp_path))
    assert any("× 4 (a guess)" in line.value for line in page.markdown)
    assert any("Guessed until you confirm it: Heads" in line.value for line in page.markdown)
    assert any("n_encoder_heads          4 (a guess)" in line.value for line in page.code)
    answer_first_question(page, 8)
    page.button(key="checkpoint_answer").click().run()
    assert any("× 8**" in line.value for line in page.markdown)
    assert not any("guess" in line.value.lower() for line in (*page.markdown, *page.code))


@pytest.mark.nightly
def test_a_guess_is_marked_on_the_other_pages_until_it_is_confirmed(page, tmp_path):
    drop(page, golden_upload("hkproj-plain", tmp_path))
    answer_first_question(page, 2)
    assert "with these guesses" in page.button(key="checkpoint_look").label
    page.button(key="use_tmodel_07").click().run()
    page.switch_page("positions/positions.py").run()
    assert any("Guessed for this model: Source padding id" in line.value for line in page.markdown)
    page.switch_page("checkpoints/checkpoints.py").run()
    assert not any("Guessed for this model" in line.value for line in page.markdown)
    page.button(key="checkpoint_answer").click().run()
    assert "guesses" not in page.button(key="checkpoint_look").label
    page.switch_page("positions/positions.py").run()
    assert not any("Guessed for this model" in line.value for line in page.markdown)


def test_a_translation_weighs_the_answers(page, tmp_path):
    drop(page, golden_upload("annotated-plain", tmp_path))
    page.text_input(key="weigh_source").set_value("#4 #5 #6")
    page.text_input(key="weigh_target").set_value("#7 #8")
    page.button(key="weigh_do").click().run()
    assert any("loss of your translation" in line for line in page.radio(key="first_n_heads").proto.captions)
    answer_first_question(page, 4)
    page.button(key="weigh_do").click().run()
    (table,) = [line.value for line in page.caption if "your translation" in line.value]
    assert table.count("**") == 2  # the best number stands out
    page.text_input(key="weigh_source").set_value("#4000")
    page.button(key="weigh_do").click().run()
    assert any("4000" in line.value for line in (*page.text, *page.error))


def test_a_hostile_file_gives_a_message_and_changes_nothing_that_is_open(page, tmp_path):
    drop(page, golden_upload("d2l-plain", tmp_path))
    before = private_models(page)
    drop(page, ("bad.pt", b"\x80\x04cos\nsystem\n."))
    assert any("none of it was run" in line.value for line in page.text)
    assert private_models(page) == before


def test_missing_tensors_are_named_on_screen(page, tmp_path):
    original = golden.read("d2l-plain")
    del original.tensors["decoder.blks.block1.addnorm2.ln.bias"]
    drop(page, file_upload(original.write(tmp_path)))
    assert any("decoder.blks.block1.addnorm2.ln.bias" in line.value for line in page.text)


def test_several_files_are_one_checkpoint(page, tmp_path):
    (tmp_path / "run").mkdir()
    drop(page, *map(file_upload, golden.read("joeynmt-pre").write(tmp_path / "run").iterdir()))
    bundle = private_models(page)["joeynmt"]
    assert bundle.family == "joeynmt"
    assert bundle.target_tokenizer is not None


def test_tokens_can_be_added_afterwards(page, tmp_path):
    drop(page, golden_upload("d2l-plain", tmp_path))
    words = "\n".join(["<pad>", "<bos>", "<eos>", *(f"w{i}" for i in range(10))]).encode()
    page.file_uploader(key="tokens_source_1").set_value(("source.txt", words, "text/plain")).run()
    tokenizer = private_models(page)["translation"].source_tokenizer
    assert tokenizer is not None and tokenizer.encode("w2").ids == (5,)


def test_tokens_that_cannot_be_read_are_tried_once(page, tmp_path, monkeypatch):
    drop(page, golden_upload("d2l-plain", tmp_path))
    looked: list[str] = []
    examine = checkpoint_draft.examine_sandboxed
    monkeypatch.setattr(
        checkpoint_draft, "examine_sandboxed", lambda path, **hints: looked.append(path.name) or examine(path, **hints)
    )
    page.file_uploader(key="tokens_source_1").set_value(("/a/words.json", b"{", "application/json")).run()
    assert len(looked) == 1
    assert any("words.json" in line.value for line in page.text)
    assert private_models(page)["translation"].source_tokenizer is None


def test_the_hub_is_off_by_default_and_asked_for_the_size_first(tmp_path, monkeypatch):
    folder = marian(tmp_path / "tiny-mt")
    offer = hub.Offer("helsinki/tiny-mt", "abcdef0123456", (("model.safetensors", 3 << 20),))
    monkeypatch.setattr(hub, "ask", lambda name: offer)
    monkeypatch.setattr(hub, "fetch", lambda offer, on_bytes: (on_bytes(3 << 20), folder)[1])
    monkeypatch.delenv(hub.VARIABLE, raising=False)
    page = open_checkpoints_page(tmp_path, monkeypatch)
    assert not any(field.key == "hub_name" for field in page.text_input)
    monkeypatch.setenv(hub.VARIABLE, "1")
    page.run()
    page.text_input(key="hub_name").set_value("helsinki/tiny-mt")
    page.button(key="hub_ask").click().run()
    assert any("revision abcdef01: 1 file, 3 MB" in line.value for line in page.caption) and not private_models(page)
    page.button(key="hub_fetch").click().run()
    assert private_models(page)["tiny-mt"].family == "huggingface/marian"


def test_nan_weights_are_named_and_the_page_is_drawn(page, tmp_path):
    original = golden.read("d2l-plain")
    original.tensors["decoder.dense.weight"][0, 0] = torch.nan
    drop(page, file_upload(original.write(tmp_path)))
    assert any("output.weight" in line.value for line in page.markdown)


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_settings_that_the_file_cannot_reveal_are_in_the_report(page, tmp_path, language):
    page.query_params["language"] = language
    drop(page, golden_upload("xtransformers-plain", tmp_path))
    (line,) = [text.value for text in page.markdown if "`attn_qk_norm=False`" in text.value]
    assert "`ff_relu_squared=False`" in line
    assert any("26" in fold.label for fold in page.expander)
    assert page.selectbox(key="ask_activation").value == "gelu"


def _refusal(language: str, kind: str) -> None:
    """AppTest script: shows one refusal."""
    from model import CheckpointError, ConfigError, TokenizerError
    from model.checkpoints.basis import errors
    from viz.checkpoints.report import problem
    from viz.i18n import speaking

    error_classes = {"ConfigError": ConfigError, "TokenizerError": TokenizerError, "CheckpointError": CheckpointError}
    with speaking(language):
        if kind in ("TensorsError", "MappingError"):
            problem(vars(errors)[kind]("w.pt", missing=("a", "b"), misshapen=("c is 2, not 3",)))
        else:
            problem((vars(errors) | error_classes)[kind](f"message of {kind}"))


_REFUSED = ("FamilyError", "UnshownError", "QuantisedError", "AdapterError", "NewerError", "LackingPartError",
            "UnrecognisedError", "CodeError", "UnsafeFileError", "LimitError", "HintError", "TokenizerError",
            "ConfigError", "CheckpointError", "MappingError", "TensorsError")  # fmt: skip


@pytest.mark.parametrize(
    ("language", "family", "tensors"),
    [
        ("en", "This file could not be opened by the names", "2 missing, 0 unexpected, 1 of another shape"),
        ("zh", "无法按张量名称打开这个文件", "缺少 2 个，多出 0 个，形状不同的有 1 个"),
        ("fr", "Ce fichier ne s'ouvre pas d'après les noms", "2 en moins, 0 en trop, 1 d'une autre forme"),
    ],
)
def test_a_refusal_gives_its_rule_and_remedy_in_the_readers_language_and_the_exact_message(language, family, tensors):
    apps = [AppTest.from_function(_refusal, args=(language, kind)).run() for kind in _REFUSED]
    leads, messages = zip(*((app.text[0].value, app.text[1].value) for app in apps), strict=True)
    assert family in leads[0] and tensors in leads[-1]
    # A contradictory configuration is explained like wrong settings.
    assert len(set(leads)) == len(_REFUSED) - 1 and leads[-3] == leads[-4]
    assert messages[0] == "message of FamilyError" and "2 missing: a, b" in messages[-1]


def _refused_by_its_suspicion(advice: str) -> None:
    """AppTest script: refuses weights with a suspected toolkit."""
    from model.checkpoints.answers.kinds import Suspicion
    from model.checkpoints.basis.errors import FamilyError
    from viz.checkpoints.report import problem

    problem(FamilyError("of no family"), Suspicion("a toolkit", advice))


def test_a_recurrent_model_is_refused_as_that():
    def refusal(advice: str) -> str:
        return AppTest.from_function(_refused_by_its_suspicion, args=(advice,)).run().text[0].value

    assert refusal("recurrent") == tr("refusal.recurrent")
    assert refusal("map") == tr("refusal.family")


def test_weights_of_no_family_are_refused_in_the_language_of_the_page(tmp_path, monkeypatch):
    page = open_checkpoints_page(tmp_path, monkeypatch, language="zh")
    drop(page, ("odd.safetensors", save({"fc.weight": torch.ones(2, 3), "fc.bias": torch.ones(3)})))
    texts = "\n".join(element.value for element in page.text)
    assert "无法按张量名称打开这个文件" in texts and "odd.safetensors is a file without attention layers" in texts


@pytest.mark.nightly(but=("en",))
@pytest.mark.parametrize(
    ("language", "leads"),
    [
        (
            "en",
            ("These weights are quantised", "This is an adapter (LoRA)", "not all of them are here", "not known here"),
        ),
        ("zh", ("这些权重经过量化", "这是一个适配器（LoRA）", "这里缺少其中一部分", "这里不认识这种模型")),
        ("fr", ("Ces poids sont quantifiés", "C'est un adaptateur (LoRA)", "il en manque", "n'est pas connu ici")),
    ],
)
def test_bad_files_are_refused_one_after_the_other_and_leave_nothing_open(tmp_path, monkeypatch, language, leads):
    page = open_checkpoints_page(tmp_path, monkeypatch, language=language)
    names = ("GPTQ, not in its configuration", "adapter", "a part missing", "newer")
    for name, lead in zip(names, leads, strict=True):
        folder = sound(tmp_path / name)
        BAD[name].make(folder)
        drop(page, *map(file_upload, sorted(folder.iterdir())))
        texts = [element.value for element in page.text]
        assert any(lead in text for text in texts), texts
        assert any(re.search(BAD[name].said, text) for text in texts), texts
        assert not private_models(page)
        drop(page)
    drop(page, golden_upload("jadore-projection", tmp_path))
    assert list(private_models(page)) == ["jadore"]


def test_bad_uploads_are_refused_by_their_reasons_and_the_model_before_them_stays(page, tmp_path):
    names = ("wider", "heads", "bitsandbytes", "four bits, not in its configuration", "eight-bit floats", "GGUF",
             "damaged tokenizer", "hubert")  # fmt: skip
    drop(page, golden_upload("jadore-projection", tmp_path))
    for name in names:
        folder = sound(tmp_path / name)
        BAD[name].make(folder)
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        if len(files) == 1 and "config.json" in files:
            files["model.safetensors"] = save({"model.weight": torch.ones(2, 3)})
        drop(page, *files.items())
        texts = [element.value for element in page.text]
        assert any(re.search(BAD[name].said, text) for text in texts), (name, texts)
        assert list(private_models(page)) == ["jadore"], name


def test_a_model_beyond_the_account_is_refused_before_any_process_reads_it(page, tmp_path, monkeypatch):
    monkeypatch.setattr(room, "_SMALL", 0)
    monkeypatch.setenv("REGARD_SESSION_MEMORY_MB", "1")
    monkeypatch.setattr(checkpoint_draft, "examine_sandboxed", None)
    numbers = torch.zeros(1 << 20, dtype=torch.bfloat16)  # 2 MiB in the file, 4 MiB in float32
    drop(page, ("model.safetensors", save({"a.weight": numbers})))
    texts = [element.value for element in page.text]
    assert any("4 MiB of models do not fit" in text and "REGARD_SESSION_MEMORY_MB" in text for text in texts), texts
    assert not private_models(page)
