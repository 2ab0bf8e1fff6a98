"""The checkpoints page: dropping files, the report, the questions, the shelf, and what stays private."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import model
from model.checkpoints import hub
from model.checkpoints.limits import limits
from tests.checkpoint import save_tiny, tiny_bundle
from tests.checkpoints import golden
from tests.checkpoints.fuzz import marian
from tests.checkpoints.test_mapping import CONFIG, own_code
from viz import cache
from viz.panels import checkpoint_draft, shelf
from viz.panels.shelf import zipped
from viz.uploads import plain_name

OPENED = "regard.private_models"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
    app.query_params["text"] = "the cat is sleeping"
    return app.run().switch_page("pages/checkpoints.py").run()


def drop(page, *files: tuple[str, bytes]):
    page.file_uploader(key="checkpoint_files").set_value(
        [(name, raw, "application/octet-stream") for name, raw in files]
    )
    return page.run()


def golden_file(name: str, folder: Path) -> tuple[str, bytes]:
    path = golden.read(name).write(folder)
    return path.name, path.read_bytes()


def private(page) -> dict[str, model.Bundle]:
    state = page.session_state
    return state[OPENED] if OPENED in state else {}  # noqa: SIM401, AppTest's state has no get


def test_a_dropped_checkpoint_is_examined_and_stands_in_the_picker(page, tmp_path):
    drop(page, golden_file("jadore-projection", tmp_path))
    assert not page.exception
    assert "attention-is-all-you-need-pytorch" in page.subheader[1].value
    assert list(private(page)) == ["model"]
    assert any("rows of attention sum to 1" in line.value for line in page.markdown)


def test_what_a_file_lacks_is_asked_with_its_evidence_and_the_answer_is_taken(page, tmp_path):
    drop(page, golden_file("annotated-plain", tmp_path))
    assert private(page)["weights"].config.n_encoder_heads == 8
    assert any("must divide 16" in line.value for line in page.caption)
    assert any("entropy of the heads" in line.value for line in page.caption)
    page.selectbox(key="ask_n_heads").set_value(4)
    page.button(key="checkpoint_answer").click().run()
    assert not page.exception
    assert private(page)["weights"].config.n_encoder_heads == 4
    held = golden.read("annotated-plain")
    found: Any = model.attend(private(page)["weights"], held.source, held.target)
    np.testing.assert_allclose(found.cross, held.cross, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("used", "not understood", "ignored")),
        ("zh", ("已使用", "无法理解", "已忽略")),
        ("fr", ("utilisé", "pas compris", "ignoré")),
    ],
)
def test_each_dropped_file_has_a_line_that_says_whether_it_is_used(tmp_path, monkeypatch, language, said):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    page = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
    page.query_params["language"] = language
    page.query_params["text"] = "the cat is sleeping"
    page.run().switch_page("pages/checkpoints.py").run()
    words = "\n".join(["<pad>", "<bos>", "<eos>", *(f"w{i}" for i in range(10))]).encode()
    drop(page, golden_file("d2l-plain", tmp_path), ("mine.lst", words), ("broken.json", b"{"), ("notes.md", b"a\nb"))
    assert not page.exception
    (told,) = [line.value for line in page.markdown if "`mine.lst`" in line.value]
    lines = {line.split("`")[1]: line for line in told.split("  \n")}
    for name, word in zip(("mine.lst", "broken.json", "notes.md"), said, strict=True):
        assert word in lines[name]


def test_a_guess_is_marked_until_it_is_confirmed(page, tmp_path):
    drop(page, golden_file("annotated-plain", tmp_path))
    assert any("× 8 (a guess)" in line.value for line in page.markdown)
    assert any("Guessed until you confirm it below: Heads" in line.value for line in page.markdown)
    assert any("n_encoder_heads          8 (a guess)" in line.value for line in page.code)
    page.button(key="checkpoint_answer").click().run()
    assert not page.exception
    assert any("× 8**" in line.value for line in page.markdown)
    assert not any("guess" in line.value.lower() for line in (*page.markdown, *page.code))


def test_a_guess_is_marked_on_the_other_pages_until_it_is_confirmed(page, tmp_path):
    drop(page, golden_file("hkproj-plain", tmp_path))
    assert "with these guesses" in page.button(key="checkpoint_look").label
    page.button(key="use_tmodel_07").click().run()
    page.switch_page("pages/positions.py").run()
    assert not page.exception
    assert any("Guessed for this model: Heads" in line.value for line in page.markdown)
    page.switch_page("pages/checkpoints.py").run()
    assert not any("Guessed for this model" in line.value for line in page.markdown)
    page.button(key="checkpoint_answer").click().run()
    assert "guesses" not in page.button(key="checkpoint_look").label
    page.switch_page("pages/positions.py").run()
    assert not any("Guessed for this model" in line.value for line in page.markdown)


def test_a_translation_weighs_the_answers(page, tmp_path):
    drop(page, golden_file("annotated-plain", tmp_path))
    page.text_input(key="weigh_source").set_value("#4 #5 #6")
    page.text_input(key="weigh_target").set_value("#7 #8")
    page.button(key="weigh_do").click().run()
    assert not page.exception
    (table,) = [line.value for line in page.caption if "your translation" in line.value]
    assert table.count("**") == 2  # the smallest loss stands out
    page.text_input(key="weigh_source").set_value("#4000")
    page.button(key="weigh_do").click().run()
    assert not page.exception
    assert any("4000" in line.value for line in (*page.text, *page.error))


def test_an_unknown_file_is_opened_by_a_table_of_its_names(page, tmp_path):
    _, path, _ = own_code(tmp_path)
    drop(page, (path.name, path.read_bytes()))
    assert not page.exception and not private(page)
    assert any("np.savez_compressed" in line.value for line in page.code)
    page.button(key="map_open").click().run()
    assert not page.exception
    bundle = private(page)["mine"]
    assert bundle.family == "mapped" and bundle.config.n_decoder_layers == 2
    assert any("as the table of names says: `a.pe`" in line.value for line in page.markdown)
    assert {"n_heads", "norm_kind", "positions"} <= set(bundle.report.guesses if bundle.report else ())
    saved = page.get("download_button")[0]
    assert saved.label == "Save the table"
    page.selectbox(key="ask_norm_kind").set_value("annotated")
    page.button(key="checkpoint_answer").click().run()
    assert private(page)["mine"].config.norm_epsilon == 1e-6


def test_the_report_has_a_test_sentence_for_a_mapping_too(page, tmp_path):
    _, path, text = own_code(tmp_path)
    drop(page, (path.name, path.read_bytes()))
    page.file_uploader(key="map_file_1").set_value(("mapping.toml", (text + CONFIG).encode(), "application/toml")).run()
    assert not page.exception
    assert any("the first tokens of the vocabulary" in line.value for line in page.caption)
    (told,) = [line.value for line in page.markdown if "arrow_forward" in line.value]
    assert told.startswith("\\#0 \\#4")


def test_a_saved_table_is_loaded_again(page, tmp_path):
    _, path, text = own_code(tmp_path)
    drop(page, (path.name, path.read_bytes()))
    page.file_uploader(key="map_file_1").set_value(("mapping.toml", (text + CONFIG).encode(), "application/toml")).run()
    assert not page.exception
    bundle = private(page)["mine"]
    assert bundle.family == "mapped" and bundle.report is not None and not bundle.report.guesses


def test_the_toolkit_of_an_unknown_file_is_suspected(page):
    stream = io.BytesIO()
    torch.save({"encoder.rnn.weight_ih_l0": torch.zeros(8, 4), "decoder.rnn.weight_hh_l0": torch.zeros(8, 2)}, stream)
    drop(page, ("seq2seq.pt", stream.getvalue()))
    assert not page.exception
    assert any("LSTM, GRU" in line.value and "no attention heads" in line.value for line in page.info)


def test_a_hostile_file_gives_a_message_and_changes_nothing_that_is_open(page, tmp_path):
    drop(page, golden_file("d2l-plain", tmp_path))
    before = private(page)
    drop(page, ("bad.pt", b"\x80\x04cos\nsystem\n."))
    assert not page.exception
    assert any("nothing of it was run" in line.value for line in page.text)
    assert private(page) == before


def test_missing_tensors_are_named_on_screen(page, tmp_path):
    held = golden.read("d2l-plain")
    del held.tensors["decoder.blks.block1.addnorm2.ln.bias"]
    path = held.write(tmp_path)
    drop(page, (path.name, path.read_bytes()))
    assert any("decoder.blks.block1.addnorm2.ln.bias" in line.value for line in page.text)


def test_several_files_are_one_checkpoint(page, tmp_path):
    folder = golden.read("joeynmt-pre").write(tmp_path / "run" if (tmp_path / "run").mkdir() is None else tmp_path)
    drop(page, *((path.name, path.read_bytes()) for path in folder.iterdir()))
    assert not page.exception
    bundle = private(page)["best"]
    assert bundle.family == "joeynmt"
    assert bundle.target_tokenizer is not None


def test_tokens_can_be_added_afterwards(page, tmp_path):
    drop(page, golden_file("d2l-plain", tmp_path))
    words = "\n".join(["<pad>", "<bos>", "<eos>", *(f"w{i}" for i in range(10))]).encode()
    page.file_uploader(key="tokens_source_1").set_value(("source.txt", words, "text/plain")).run()
    assert not page.exception
    tokenizer = private(page)["translation"].source_tokenizer
    assert tokenizer is not None and tokenizer.encode("w2").ids == (5,)


def test_tokens_that_cannot_be_read_are_tried_once(page, tmp_path, monkeypatch):
    drop(page, golden_file("d2l-plain", tmp_path))
    looked: list[str] = []
    examine = checkpoint_draft.examine_apart
    monkeypatch.setattr(
        checkpoint_draft, "examine_apart", lambda path, **hints: looked.append(path.name) or examine(path, **hints)
    )
    page.file_uploader(key="tokens_source_1").set_value(("/a/words.json", b"{", "application/json")).run()
    assert not page.exception and len(looked) == 1
    assert any("words.json" in line.value for line in page.text)
    assert private(page)["translation"].source_tokenizer is None


@pytest.mark.parametrize(
    "name", ["..", ".", "", "/etc/passwd", "a\0b.pt", "a\ud800.pt", f"{'é' * 300}.pt", "....", "a\nb.pt"]
)
def test_a_file_may_be_named_anything(name, tmp_path):
    """A browser only sends the last part of a path, but another program may send anything."""
    plain = plain_name(name, "file")
    (tmp_path / plain).write_bytes(b"x")
    assert [path.name for path in tmp_path.iterdir()] == [plain] and plain.isprintable()
    assert Path(plain).suffix == (".pt" if name.endswith(".pt") else "")


def test_models_are_renamed_and_removed(page, tmp_path):
    drop(page, golden_file("jadore-projection", tmp_path))
    page.text_input(key="rename_model").set_value("my own").run()
    assert list(private(page)) == ["my own"]
    page.button(key="use_my own").click().run()
    assert page.session_state["regard.choices"].params["model"] == "my own"
    page.button(key="remove_my own").click().run()
    assert private(page) == {}
    assert not page.exception


def test_a_removed_model_is_held_by_nothing_of_the_session(page, tmp_path):
    drop(page, golden_file("jadore-projection", tmp_path))
    page.button(key="remove_model").click().run()
    assert not page.exception
    assert page.session_state["regard.memory.checkpoint_draft"].diagnosis is None


def test_an_opened_model_serves_the_other_pages(page, tmp_path):
    drop(page, golden_file("jadore-projection", tmp_path))
    page.button(key="use_model").click().run()
    page.query_params["text"] = "5 6 7"
    page.switch_page("pages/explore.py").run()
    assert not page.exception


def test_another_session_sees_nothing_of_it(page, tmp_path):
    drop(page, golden_file("jadore-projection", tmp_path))
    other = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120).run()
    assert not private(other)
    assert "model" not in other.radio(key="choice..model").options


def test_the_download_is_our_own_format_and_opens_again(tmp_path):
    bundle = tiny_bundle()
    raw = zipped(bundle)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert {"config.json", "model.safetensors"} <= set(archive.namelist())
    (tmp_path / "again.zip").write_bytes(raw)
    again = model.load(tmp_path / "again.zip")
    ids = np.array([[4, 5, 6, 3]])
    np.testing.assert_array_equal(model.attend(again, ids, ids).logits, model.attend(bundle, ids, ids).logits)


def test_the_oldest_model_is_let_go_when_memory_is_short(monkeypatch):
    monkeypatch.setenv("REGARD_SESSION_MEMORY_MB", "3")
    models: shelf.Models = {}
    gone: list[str] = []
    for seed in range(4):
        made = tiny_bundle("wide", seed=seed, d_model=128, d_feed_forward=256)
        models, _, let_go = shelf.place(models, made)
        gone += let_go
    assert shelf.used_mb(models) <= limits().session_memory_mb
    assert gone and list(models)[-1].startswith("wide")
    touched = shelf.touch(models, next(iter(models)))
    assert list(touched)[-1] == next(iter(models))


def test_two_models_never_share_a_name():
    models: shelf.Models = {}
    names = []
    for seed in range(3):
        models, name, _ = shelf.place(models, tiny_bundle("en-fr", seed=seed), ("en-fr",))
        names.append(name)
    assert names == ["en-fr 2", "en-fr 3", "en-fr 4"]


def test_the_hub_is_off_by_default_and_asked_for_the_size_first(tmp_path, monkeypatch):
    folder = marian(tmp_path / "tiny-mt")
    offer = hub.Offer("helsinki/tiny-mt", "abcdef0123456", (("model.safetensors", 3 << 20),))
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    monkeypatch.setattr(hub, "ask", lambda name: offer)
    monkeypatch.setattr(hub, "fetch", lambda offer, told: (told(3 << 20), folder)[1])
    monkeypatch.delenv(hub.VARIABLE, raising=False)
    page = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
    page.run().switch_page("pages/checkpoints.py").run()
    assert not any(field.key == "hub_name" for field in page.text_input)
    monkeypatch.setenv(hub.VARIABLE, "1")
    page.run()
    page.text_input(key="hub_name").set_value("helsinki/tiny-mt")
    page.button(key="hub_ask").click().run()
    assert any("revision abcdef01: 1 file, 3 MB" in line.value for line in page.caption) and not private(page)
    page.button(key="hub_fetch").click().run()
    assert not page.exception
    assert private(page)["tiny-mt"].family == "huggingface/marian"


def test_nan_weights_are_named_and_the_page_stands(page, tmp_path):
    held = golden.read("d2l-plain")
    held.tensors["decoder.dense.weight"][0, 0] = torch.nan
    path = held.write(tmp_path)
    drop(page, (path.name, path.read_bytes()))
    assert not page.exception
    assert any("output.weight" in line.value for line in page.markdown)
