"""The Decode page in AppTest: every decoding method, interventions, and links with invalid values."""

import dataclasses
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st

import model
from model.inference.tree_search import beam_tree
from model.interpret.ablation import HeadEffects, head_effects_as_they_come
from model.interventions import ForcedRow, HeadOff, Interventions
from tests.checkpoint import tiny_bundle
from tests.viz.page import assert_numbers_match_links
from tests.walk.browser import data_of
from viz import cache
from viz.components.decoding import Player, play_of_trace, play_of_tree
from viz.components.decoding.player import pack
from viz.decode import heads as decode_heads
from viz.decode import player as decode_player
from viz.decode.choices import Choices
from viz.i18n import tr
from viz.panels import measure
from viz.state.rules import from_params, to_params
from viz.state.selection import Selection

TEXT = "the cat is on the sofa"


def player(play, **changes) -> Player:
    fields: dict[str, Any] = {
        "play": play, "key": "k", "step": 0, "node": -1, "cross": (-1, -1), "decoder_self": (-1, -1), "speed": 1.0,
        "sampling": None, "ranks": None, "suppressed_id": 0,
        "contribution": None, "n_fixed": 0, "first_index": 0, "words": {},
    }  # fmt: skip
    return Player(**fields | changes)


def unpack(packet: bytes) -> tuple[dict, np.ndarray]:
    """The header and arrays that the component's JavaScript reads."""
    length = struct.unpack("<I", packet[:4])[0]
    header = json.loads(packet[4 : 4 + length])
    return header, np.frombuffer(packet[4 + length + length % 2 :], "<u2") / 65535


def test_the_packet_of_a_translation_holds_every_row_it_was_made_of() -> None:
    bundle = tiny_bundle()
    trace = model.translate(bundle, TEXT)
    header, weights = unpack(pack(player(play_of_trace(bundle, trace))))
    steps, sources = len(trace.target), len(trace.source)
    layers, heads = header["layers"], header["heads"]
    assert header["path"] == list(range(steps + 1)) and not header["isTree"]
    assert [node[3] for node in header["nodes"]] == [trace.prefix.pieces[0], *trace.target.pieces]
    size = layers * heads * sources
    cross, self_attention = trace.attention.cross, trace.attention.decoder_self
    assert cross is not None and self_attention is not None
    for t in range(steps):
        row = weights[t * size : (t + 1) * size].reshape(layers, heads, sources)
        np.testing.assert_allclose(row, cross[:, :, t], atol=1e-5)
    place = steps * size
    for t in range(steps):
        row = weights[place : place + layers * heads * (t + 1)].reshape(layers, heads, t + 1)
        np.testing.assert_allclose(row, self_attention[:, :, t, : t + 1], atol=1e-5)
        place += row.size
    assert place == len(weights)


def test_the_packet_of_a_tree_shows_the_last_fork_and_knows_the_stage() -> None:
    bundle = tiny_bundle()
    tree = beam_tree(bundle, TEXT, beam_size=3, max_length=8)
    pruned = next(node for node in tree.nodes if node.fate == "pruned")
    tree = beam_tree(bundle, TEXT, beam_size=3, max_length=8, forks=(tree.path(pruned.index),))
    play = play_of_tree(bundle, tree)
    assert all(np.allclose(row.cross.sum(-1), 1, atol=1e-5) for row in play.rows)
    header, _ = unpack(pack(player(play)))
    ids = [header["nodes"][index][2] for index in header["path"][1:]]
    assert tuple(ids) == tree.path(tree.best[1])
    stage = [header["nodes"][index][2] for index in header["stage"][1:]]
    assert tuple(stage) == model.translate(bundle, TEXT, method="beam", beam_size=3, max_length=8).target.ids
    fed = [node for node in header["nodes"] if node[10] >= 0]
    assert len(header["candidates"]) == len(header["prefixes"]) == len(fed)
    assert all(header["prefixes"][node[10]] == node[1] + 1 for node in fed)


def test_packets_that_are_too_large_are_averaged_over_heads() -> None:
    bundle = tiny_bundle(n_decoder_heads=8)
    long = " ".join(["the cat is on"] * 60)
    play = play_of_trace(bundle, model.translate(bundle, long, max_length=500, prefix=[12] * 450))
    assert play.is_averaged
    assert play.rows[3].cross.shape[1] == 1
    np.testing.assert_allclose(play.rows[3].cross.sum(-1), 1, atol=1e-4)


@pytest.mark.parametrize(
    ("text", "paths"),
    [("12.5 7", ((12, 5), (7,))), ("x.5 12", ((12,),)), ("99999 4.-1 5", ((5,),)), ("", ()), ("1..2", ())],
)
def test_forks_in_a_link_that_make_no_sense_are_left_out(text: str, paths: tuple) -> None:
    chosen = from_params(Choices, {"decode.forks": text}, prefix="decode.")
    assert chosen.paths(20) == paths


def test_choices_survive_the_link() -> None:
    chosen = Choices(step=4, node=12, cross_layer=1, cross_head=0, speed=2.0, forks=("5.6", "7"), question="why")
    assert from_params(Choices, to_params(chosen, prefix="decode."), prefix="decode.") == chosen


@pytest.mark.parametrize("query", [
    {}, {"method": "beam", "beam_size": "5"}, {"method": "sample", "seed": "3", "temperature": "2"},
    {"decode.mode": "forcing"}, {"decode.mode": "forcing", "decode.reference": "le chat", "interventions": "unmask"},
    {"decode.question": "heads"}, {"decode.question": "why", "decode.why_step": "1"},
    {"interventions": "off:x.0.1 even:e.1.0 move:reverse.0"}, {"prefix": "12.13"}, {"prefix": "99999"},
    {"interventions": "force:x.0.0.0=0,0,0"}, {"interventions": "force:x.0.1.1=0,1 block:x.1"},
    {"method": "beam", "beam_size": "3", "decode.forks": "12.13 14"}, {"decode.step": "999", "decode.node": "77"},
])  # fmt: skip
def test_the_page_answers(open_page, query: dict[str, str]) -> None:
    app = open_page("decode", text=TEXT, **query)
    assert_numbers_match_links(app, {"": Selection})
    boxes = {box.key for box in app.selectbox}
    assert ("choice.decode.why_step" in boxes) is (query.get("decode.question") == "why")
    if query.get("decode.question") == "why":
        data = next(data_of(element.proto) for element in app.get("bidi_component") if element.key == "why")
        assert sorted(data["blocks"][1]["rows"]) == ["0·0", "0·1", "1·0", "1·1"]


def test_active_changes_are_listed_and_undone(open_page) -> None:
    app = open_page("decode", text=TEXT, interventions="off:x.0.1 off:d.1.0", prefix="13")
    for key, n_left in (("change.0", 2), ("undo", 3), ("undo_all", 0)):
        app.button(key).click().run()
        assert sum((button.key or "").startswith("change.") for button in app.button) == n_left


def test_a_prefix_with_unknown_pieces_is_answered_and_the_page_stays(open_page) -> None:
    app = open_page("decode", text=TEXT)
    app.text_input("prefix_text").input("zebra")
    next(button for button in app.button if button.label == "Continue from here").click().run()
    assert any("zebra" in error.value for error in app.error)


def test_a_set_line_without_a_translation_is_named(open_page) -> None:
    app = open_page("decode", text=TEXT, **{"decode.question": "heads", "decode.scope": "set"})
    app.text_area("ablation_set.fr").input("the cat\tle chat\nthe dog").run()
    assert any("Line 2" in error.value for error in app.error)
    app.text_area("ablation_set.fr").input("the cat\tle chat\n\nthe dog\t").run()
    assert any("Line 3" in error.value for error in app.error), "empty lines count"
    app.text_area("ablation_set.fr").input("the cat\tle chat\nthe dog\tle chien").run()
    app.button("set_start").click().run()
    assert not app.error


def test_a_german_model_is_measured_on_german_references(
    open_page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = dataclasses.replace(tiny_bundle(), target_language="de")
    model.save(bundle, tmp_path / "german")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "german"))
    app = open_page("decode", text=TEXT, **{"decode.question": "heads", "decode.scope": "set"})
    assert "Die Katze" in (app.text_area("ablation_set.de").value or "")
    assert app.text_input("prefix_text").placeholder == "Der Hund"


def test_forced_rows_of_one_sentence_do_not_reach_the_next() -> None:
    forced = Interventions((HeadOff("cross", 0, 1),), (ForcedRow("cross", 0, 0, 5, (0.0,) * 5 + (1.0,)),))
    with pytest.raises(model.InterventionError, match="6 weights for 3 keys"):
        model.score(tiny_bundle(), "the cat", "le chat dort sur le canapé", interventions=forced)


def test_figures_over_a_set_have_a_notice_when_other_heads_are_off(open_page, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page("decode", text=TEXT, **{"decode.question": "heads", "decode.scope": "set"})
    app.text_area("ablation_set.fr").input("the cat\tle chat").run()
    matrices, draw = [], decode_heads.matrix
    monkeypatch.setattr(
        decode_heads, "matrix", lambda matrix, **options: matrices.append(matrix) or draw(matrix, **options)
    )
    app.button("set_start").click().run()
    assert not app.warning
    assert [block.kind for block in matrices[-1].blocks] == ["encoder_self", "decoder_self", "cross"]
    app.pills("off_heads").select(1).run()
    app.button("off_apply").click().run()
    assert app.warning[0].value == tr("decode.set_other")


def stop_after_one_layer(*args: Any, **options: Any) -> Iterator[HeadEffects]:
    """Yield the effects of one layer, then end the run like a click."""
    yield next(head_effects_as_they_come(*args, **options))
    st.stop()


def test_effects_of_heads_can_be_cancelled_and_gone_on_with(open_page, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as interrupted:
        interrupted.setattr(decode_heads, "head_effects_as_they_come", stop_after_one_layer)
        app = open_page("decode", text=TEXT, **{"decode.question": "heads"})
        app.button(key="heads_cancel").click().run()
    assert "Stopped after 2 of 12 heads" in app.info[0].value
    assert any("Each cell" in item.value for item in app.markdown), "what is known is shown"
    app.button(key="heads_again").click().run()
    assert not app.info
    assert not any(button.key in ("heads_cancel", "heads_again") for button in app.button)


def test_effects_on_the_explore_page_can_be_cancelled(open_page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "head_effects_as_they_come", stop_after_one_layer)
    app = open_page("explore", text=TEXT, effects="1")
    app.button(key="effects_cancel").click().run()
    assert "effects" not in app.query_params
    assert not any(button.key == "effects_cancel" for button in app.button)


def test_the_step_where_the_reader_rests_is_stored_for_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[Choices] = []
    monkeypatch.setattr(decode_player, "choices", Choices)
    monkeypatch.setattr(decode_player.session, "write_part", lambda value, area: stored.append(value))
    decode_player._keep_place({"step": 3, "node": 7, "cross": [1, 2], "own": [4, 5], "speed": 2})
    [now] = stored
    assert (now.step, now.node, now.speed) == (3, 7, 2.0)
    assert (now.cross_layer, now.cross_head, now.own_layer, now.own_head) == (1, 2, 4, 5)
