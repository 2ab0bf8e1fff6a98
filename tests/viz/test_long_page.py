"""Explore on texts too long for all weights: block-averaged maps, a frame, cost estimates, and single layers."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import model
from tests.checkpoint import save_tiny
from tests.pages import PAGES
from tests.viz.page import component, page_text, press, run_page, sentence_data, url_param
from tests.walk.browser import unpack
from viz import cache
from viz.i18n import tr
from viz.panels import long_texts

TEXT = ("the dog is sleeping . " * 130).strip()
N = 650


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("single_stack") / "reader", n_decoder_layers=0, tie_embeddings=True)


@pytest.fixture
def server(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(encoder))
    cache.RESULTS.clear()


@pytest.fixture
def app(server: None) -> AppTest:
    return run_page(text=TEXT)


def explorer_packet(app: AppTest) -> tuple[dict[str, Any], dict[str, Any], bytes, int]:
    """The explorer's data: fields, the packet's header and arrays, and the total size."""
    message = component(app, "explorer").bytes
    fields, rest = unpack(message)
    offset, length = fields["packet"]
    return fields, unpack(rest[offset : offset + length])[0], rest, len(message)


def shown_text(app: AppTest) -> list[str]:
    return [button.key for button in app.button if button.key and button.key.startswith("long_")]


@pytest.mark.nightly
def test_every_head_is_sent_in_blocks_and_a_part_of_the_chosen_one_exactly(app: AppTest, encoder: Path) -> None:
    fields, packet, arrays, size = explorer_packet(app)
    (kind,) = packet["views"][0]["kinds"]
    assert (kind["rows"], kind["columns"], kind["block"]) == (kind["columns"],) * 2 + (14,)
    assert kind["rows"] > N - 1 and kind["missing"] == []
    assert size < 200_000
    (exact,) = fields["exact"]
    sent = np.frombuffer(arrays, np.float32, exact["size"], exact["offset"]).reshape(64, 64)
    bundle = model.load(encoder)
    ids = model.read(bundle, "the dog is sleeping .").source.ids  # its words and special tokens
    words = [index for index in ids if index not in (bundle.config.bos_id, bundle.config.eos_id)]
    whole_ids = [*ids[: ids.index(words[0])], *words * 130, *ids[len(ids) - ids[::-1].index(words[-1]) :]]
    all_weights = model.attend(bundle, [whole_ids], [[]]).encoder_self
    assert all_weights is not None
    np.testing.assert_allclose(sent, all_weights[0, exact["layer"], exact["head"], :64, :64], rtol=0, atol=1e-6)


def test_the_stage_shows_the_beginning_of_a_long_text_and_a_notice(app: AppTest) -> None:
    assert len(sentence_data(app)["source"]) == 513 and sentence_data(app)["source"][-1]["text"].startswith("… +")
    assert tr("sentence.long", kept=512) in sentence_data(app)["notice"]


def test_a_frame_in_a_link_is_taken_inside_the_text(server: None) -> None:
    fields, packet, _, _ = explorer_packet(run_page(text=TEXT, window="99999 100"))
    n = packet["views"][0]["kinds"][0]["rows"]
    assert fields["state"]["window"] == fields["exact"][0]["window"] == [n - 64, 100]


def test_a_long_pass_shows_its_memory_and_begins_with_one_layer(server: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_texts, "UNCONFIRMED_OPERATIONS", 0)
    app = run_page(text=TEXT)
    assert shown_text(app) == ["long_one", "long_all"]
    app.button(key="long_one").click().run()
    assert shown_text(app) == ["long_all"]
    assert explorer_packet(app)[1]["views"][0]["kinds"][0]["missing"] == [1]
    app.button(key="long_all").click().run()
    assert shown_text(app) == []
    assert explorer_packet(app)[1]["views"][0]["kinds"][0]["missing"] == []


def test_a_cancelled_pass_is_offered_and_not_begun_again(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.RESULTS.clear()
    with monkeypatch.context() as stopping:
        stopping.setattr(long_texts, "read", lambda *_, **__: st.stop())  # interrupts the pass
        press(app, "", "long_cancel")
    assert shown_text(app) == ["long_one", "long_all"]
    assert tr("explore.long_stopped") in [caption.value for caption in app.caption]
    app.run()
    assert shown_text(app) == ["long_one", "long_all"]
    app.button(key="long_all").click().run()
    assert explorer_packet(app)[1]["views"]


def test_a_pass_beyond_the_memory_of_one_computation_is_refused_in_words(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGARD_COMPUTATION_MB", "1")
    cache.RESULTS.clear()
    app.run()
    assert "REGARD_COMPUTATION_MB" in page_text(app)


def test_a_long_text_is_translated_first(tiny_server: None, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.RESULTS.clear()
    monkeypatch.setattr(long_texts, "MAX_LONG_TARGET", 40)
    app = run_page(text=TEXT, kind="cross")
    kinds = {kind["name"]: kind for kind in explorer_packet(app)[1]["views"][0]["kinds"]}
    assert set(kinds) == {"encoder_self", "decoder_self", "cross"}
    assert kinds["cross"]["rows"] == len(sentence_data(app)["target"]) <= 40


def test_other_pages_read_the_beginning(app: AppTest) -> None:
    app.switch_page("overview/overview.py").run()
    assert tr("sentence.cut", kept=512, total=N) in sentence_data(app)["notice"]


def test_many_heads_of_a_shorter_text_are_sent_in_blocks_and_the_chosen_one_exactly(
    server: None, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("viz.components.attention.pack"), "WHOLE_BYTES", 1 << 16)
    text = ("the dog is sleeping . " * 40).strip()
    app = run_page(text=text, kind="encoder_self", layer="1", head="1")
    fields, packet, arrays, _ = explorer_packet(app)
    (kind,) = packet["views"][0]["kinds"]
    n = kind["rows"]
    assert n > 200 and kind["sketch"]["blocks"] == [-(-n // kind["sketch"]["block"])] * 2
    assert "block" not in kind  # without a frame the whole text is shown
    assert packet["views"][0]["labels"]["encoder_self"]  # and heads have labels
    (exact,) = fields["exact"]
    assert (exact["layer"], exact["head"], exact["size"]) == (1, 1, n * n)
    sent = np.frombuffer(arrays, np.float32, n * n, exact["offset"]).reshape(n, n)
    all_weights = model.read(model.load(encoder), text).attention.encoder_self
    assert all_weights is not None
    np.testing.assert_allclose(sent, all_weights[1, 1], rtol=0, atol=1e-6)


LENGTHS = [*((page, length) for page in PAGES for length in (1, 2_000, 10_000)), (PAGES[0], 2_001)]
"""Pages and numbers of characters: the shortest, the longest in a link, the longest at all, the first too long for a
link."""


def text_of(length: int) -> str:
    """A text of this length that does not end in a space."""
    return ("the dog is sleeping . " * (length // 22 + 1))[: length - 1] + "x"


@pytest.mark.nightly
@pytest.mark.parametrize(("page", "length"), LENGTHS)
def test_a_text_of_any_length_from_a_link_is_read_on_every_page_and_stays(tiny_server, page, length):
    app = run_page(page, text=text_of(length), model="en-fr")
    app.run()
    assert sentence_data(app)["text"] == text_of(length)
    assert sentence_data(app)["notice"].count(tr("sentence.no_link")) == (length > 2_000)
    assert ("text" in app.query_params) == (length <= 2_000)


def test_a_link_with_a_truncated_text_shows_a_notice_in_another_session(tiny_server):
    app = run_page(text=text_of(2_001), model="en-fr")
    recipient = run_page(**{name: url_param(app, name) for name in app.query_params})
    assert tr("sentence.lost") in sentence_data(recipient)["notice"]
