"""Where the class is: the text sent to the phones with the picture, and the head on the teacher's screen."""

from __future__ import annotations

import dataclasses
from typing import Any

from model.teaching.experiments import aligning_head, focused_head, scale_effect
from model.teaching.sentences import scene_sentence
from model.text.tokens import text_of
from viz import cache
from viz.decode import choices as decode_choices
from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson import scenes
from viz.panels import changes
from viz.panels.reading import Reading
from viz.panels.stage.sentence import chip_text
from viz.state import session
from viz.state.view_state import ViewState, view_state_of

_BY_FOCUS = ("box", "explain", "train")
"""Scenes whose picture is the cross-attention head with the sharpest rows."""


def place(page: str, reading: Reading) -> dict[str, Any]:
    """In each language: the page or scene, the decoding step, and what is changed."""
    texts: dict[str, dict[str, Any]] = {"title": {}, "note": {}, "changes": {}}
    for code in LANGUAGES:
        with speaking(code):
            texts["title"][code] = _title(page)
            texts["note"][code] = _step(reading) if page == "decode" else ""
            texts["changes"][code] = [words for words, _, _ in changes.listed(reading)]
    return texts


def state(page: str, reading: Reading) -> ViewState:
    """What the explorer on the phones shows: what is on the teacher's screen, also where that is no explorer."""
    now = view_state_of(session.read())
    if page == "lesson":
        return _of_scene(scenes.SCENES[session.choices_of(scenes.Choices, scenes.AREA).scene].name, reading, now)
    if page == "decode":
        chosen = decode_choices.choices()
        layer, head = (chosen.cross_layer, chosen.cross_head) if chosen.cross_layer >= 0 else (now.layer, now.head)
        step = min(chosen.step, max(0, len(reading.trace.target) - 1))
        return dataclasses.replace(now, kind="cross", layer=layer, head=head, heads=(), pins=(f"q{step}",))
    return now


def _title(page: str) -> str:
    name = tr(f"frame.page_{page}")
    if page != "lesson":
        return name
    number = session.choices_of(scenes.Choices, scenes.AREA).scene
    title = tr(f"lesson.{scenes.SCENES[number].name}_title")
    return tr("room.scene", n=number + 1, total=len(scenes.SCENES), title=title)


def _step(reading: Reading) -> str:
    step = min(decode_choices.choices().step, max(0, len(reading.trace.target) - 1))
    before = text_of(reading.bundle, tuple(reading.trace.target.ids[:step]))
    return tr("room.step", n=step + 1, before=before or "…", token=chip_text(reading.trace.target.pieces[step]))


def _of_scene(name: str, reading: Reading, now: ViewState) -> ViewState:
    cross, pins = reading.trace.attention.cross, now.pins
    if name in ("encoder", "layer", "positions"):
        return dataclasses.replace(now, kind="encoder_self", heads=())
    if name == "mask":
        return dataclasses.replace(now, kind="decoder_self", layer=0, head=0, heads=(), pins=())
    if cross is None:
        return now
    layer, head = now.layer, now.head
    if name in _BY_FOCUS:
        layer, head = focused_head(cross) or (layer, head)
    elif name == "cross":
        text = scene_sentence(reading.bundle, "cross") or reading.fitted.text
        layer, head = cache.compute(aligning_head, reading.bundle, text=text)
    elif name == "head":
        config = reading.bundle.config
        effect = scale_effect(reading.trace, config.d_key or config.d_model // config.n_decoder_heads)
        if effect is not None:
            layer, head, pins = effect.layer, effect.head, (f"q{effect.query}",)
    return dataclasses.replace(now, kind="cross", layer=layer, head=head, heads=(), pins=pins)
