"""What the teacher finds under each scene: what to do and expect, and the sheets to print."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from model import NONE
from model.intervention_text import read_interventions
from model.teaching.experiments import layer_to_switch_off, token_to_hide, visibility
from viz import cache
from viz.i18n import current_language, speaking, tr
from viz.panels import changes, errors
from viz.panels.lesson import hunt, parts, sheets, views
from viz.panels.lesson.scenes import SCENES, Choices, Scene, is_ours, scenes_of, sentence_of, tried_elsewhere
from viz.panels.reading import Reading, read_under

_HUNTED = ("explain", "share")
"""Scenes in which the class looks for a head."""
_SEEN_IN_WORDS = ("box", "pieces", "positions", "heads", "layer", "encoder", "beam")
"""Scenes whose change is seen in the translation."""


def for_the_teacher(choices: Choices, here: Reading) -> None:
    """Offer what the teacher reads and hands out, folded; all of it as files, because this page may be projected."""
    with st.expander(tr("lesson.teacher"), icon=":material/school:"):
        st.caption(tr("lesson.teacher_files"))
        if told := tried_elsewhere(here):
            st.caption(tr(told))
        _files(choices, here)


def _files(choices: Choices, here: Reading) -> None:
    """Offer the sheet of this scene immediately; what has to be measured is measured on download."""
    printed, every, language = printed_of(choices, here), scenes_of(choices.route), current_language()
    contents: dict[str, tuple[str, str | Callable[[], str]]] = {
        "notes": (tr("lesson.notes"), partial(notes, choices.scene, printed, here, language)),
        "worksheet": (tr("lesson.worksheet_this"), sheets.worksheet((choices.scene,), printed)),
        "worksheets": (
            tr("lesson.worksheet_all"),
            partial(whole_route, sheets.worksheet, every, printed, here, language),
        ),
        "outline": (tr("lesson.outline"), partial(whole_route, sheets.outline, every, printed, here, language)),
        "slides": (tr("lesson.slides"), partial(whole_route, sheets.slides, every, printed, here, language)),
    }
    with st.container(horizontal=True, gap="small"):
        for key, (label, content) in contents.items():
            st.download_button(
                label, content, f"regard-{key}.html", "text/html", key=f"lesson.{key}", icon=":material/print:",
                on_click="ignore",
            )  # fmt: skip


def notes(number: int, printed: sheets.Printed, here: Reading, language: str) -> str:
    """The outline of one scene: what to do, the answers, the usual mistake. It runs outside the page."""
    with speaking(language):
        examples = (example(number, printed, here),) * (number + 1)
        return sheets.outline((number,), dataclasses.replace(printed, examples=examples))


def whole_route(
    make: Callable[[Sequence[int], sheets.Printed], str], every: Sequence[int], printed: sheets.Printed, here: Reading,
    language: str,
) -> str:  # fmt: skip
    """A sheet about a whole route, with what each scene shows on its own sentence. It runs outside the page."""
    with speaking(language):
        examples = tuple(example(number, printed, here) for number in range(len(SCENES)))
        return make(every, dataclasses.replace(printed, examples=examples))


def example(number: int, printed: sheets.Printed, here: Reading) -> sheets.Example:
    """A scene on its own sentence; on the class's where one was typed."""
    scene, text = SCENES[number], printed.sentence
    if is_ours(text, here):
        text = sentence_of(scene, here) or text
    shown = _under(here, text=text, interventions=NONE, prefix=(), method="greedy")
    seen, found, numbers = "", "", {}
    with suppress(*errors.USER_ERRORS):  # an experiment that this model does not allow leaves its place empty
        numbers = {**views.numbers(scene.name, shown), **changed_numbers(scene, shown)}
        if scene.name in _SEEN_IN_WORDS:
            seen = cache.compute(visibility, shown.bundle, name=scene.name, text=shown.fitted.text).said
        if scene.name == "mask":
            seen = views.forced(shown)
        if scene.name == "loss":
            seen = parts.loss_said(shown)
        if scene.name in _HUNTED:
            found = hunt.found_said(shown)
    return sheets.Example(shown.trace.source_text, shown.trace.text, seen, found, numbers)


def changed_numbers(scene: Scene, here: Reading) -> dict[str, object]:
    """What a scene's change would change on a sentence, where its text names it."""
    if scene.name == "heads":
        layer = cache.compute(layer_to_switch_off, here.bundle, text=here.fitted.text)
        return {"layer": layer + here.selection.first_index}
    if scene.name == "layer":
        return {"layer": parts.layer(here).layer + here.selection.first_index}
    if scene.name == "encoder":
        hidden = cache.compute(token_to_hide, here.bundle, text=here.fitted.text)
        return {"token": here.trace.source.pieces[hidden].lstrip("▁")}
    return {}


def printed_of(choices: Choices, here: Reading) -> sheets.Printed:
    """What the sheets show: the model's own translation, and beside it the one with the reader's changes.

    The change that the scene itself proposes is left out: the sheet asks what it does.
    """
    shown = before(choices, here) if choices.changed else here
    words = tuple(words for words, *_ in changes.listed(shown))
    own = _under(shown, interventions=NONE, prefix=()) if words else shown
    return sheets.Printed(
        own.trace.source_text, own.trace.text, changes=words, changed=shown.trace.text if words else "",
        route=choices.route, note=tr(told) if (told := tried_elsewhere(here)) else "",
    )  # fmt: skip


def before(choices: Choices, here: Reading) -> Reading:
    """The sentence and its translation as they were before the scene's change."""
    method = "greedy" if SCENES[choices.scene].name == "beam" else here.selection.method
    text = choices.before or here.fitted.text
    prefix = here.selection.prefix if text == here.fitted.text else ()
    edits = read_interventions(choices.before_edits)
    return _under(here, text=text, interventions=edits, prefix=prefix, method=method)


def _under(here: Reading, **fields: object) -> Reading:
    return read_under(here.bundle, dataclasses.replace(here.selection, **fields)) or here
