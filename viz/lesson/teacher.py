"""What the teacher finds under each scene: what to do and expect, and the sheets to print."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from model import NONE, Bundle
from model.files.atomic import write_atomically
from model.teaching.sentences import scene_sentence
from viz.export.pages import Document, as_pdf, as_pptx
from viz.i18n import current_language, speaking, tr
from viz.lesson import deck, sheets
from viz.lesson.choices import Choices
from viz.lesson.moving import before, scenes_of, tried_elsewhere
from viz.lesson.pictures import Pictures
from viz.lesson.scene import sentence_of
from viz.lesson.scenes import SCENES
from viz.panels import changes, errors
from viz.panels.opening import is_ours
from viz.panels.reading import Reading, read_under
from viz.state.selection import Selection

_WRITERS: Mapping[str, Callable[[Document], bytes]] = {"pdf": as_pdf, "pptx": as_pptx}
_NAMES = {"pdf": "PDF", "pptx": "PowerPoint"}
_TYPES = {
    "html": "text/html", "pdf": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}  # fmt: skip


def for_the_teacher(choices: Choices, reading: Reading) -> None:
    """Offer what the teacher reads and hands out, folded; all of it as files, because this page may be projected."""
    with st.expander(tr("lesson.teacher"), icon=":material/school:"):
        st.caption(tr("lesson.teacher_files"))
        if told := tried_elsewhere(reading):
            st.caption(tr(told))
        _files(choices, reading)


def _files(choices: Choices, reading: Reading) -> None:
    """Offer what is read and handed out; all of it is made when it is downloaded."""
    printed, every, language = printed_of(choices, reading), scenes_of(choices.route), current_language()
    one = (choices.scene,)
    made: dict[str, tuple[str, str, Callable[[], str | bytes]]] = {
        "notes": (tr("lesson.notes"), "html", partial(notes, choices.scene, printed, reading, language)),
        "outline": (tr("lesson.outline"), "html", partial(whole_route, every, printed, reading, language)),
        "worksheet": (tr("lesson.worksheet_this"), "pdf", partial(worksheet_pdf, one, printed, reading, language)),
    }
    for name, label, write in (
        ("worksheets", tr("lesson.worksheet_all"), deck.worksheet), ("slides", tr("lesson.slides"), deck.slides),
        ("quiz", tr("lesson.quiz_sheets"), deck.quiz_sheets),
    ):  # fmt: skip
        for ending in _WRITERS:
            content = partial(file_of, write, ending, every, printed, reading, language)
            made[f"{name}-{ending}"] = (f"{label} · {_NAMES[ending]}", ending, content)
    with st.container(horizontal=True, gap="small"):
        for key, (label, ending, content) in made.items():
            st.download_button(
                label, content, f"regard-{key.partition('-')[0]}.{ending}", _TYPES[ending], key=f"lesson.{key}",
                icon=":material/print:", on_click="ignore",
            )  # fmt: skip


def notes(number: int, printed: sheets.Printed, reading: Reading, language: str) -> str:
    """The outline of one scene: what to do, the answers, the usual mistake. It runs outside the page."""
    with speaking(language):
        return sheets.outline((number,), _with_examples((number,), printed, reading))


def whole_route(every: Sequence[int], printed: sheets.Printed, reading: Reading, language: str) -> str:
    """The outline of a whole route, with what each scene shows on its own sentence. It runs outside the page."""
    with speaking(language):
        return sheets.outline(every, _with_examples(range(len(SCENES)), printed, reading))


def worksheet_pdf(one: Sequence[int], printed: sheets.Printed, reading: Reading, language: str) -> bytes:
    """The worksheet of one scene, on the sentence that the class sees."""
    return file_of(deck.worksheet, "pdf", one, printed, reading, language)


def file_of(
    make: Callable[[Sequence[int], sheets.Printed], Document], ending: str, numbers: Sequence[int],
    printed: sheets.Printed, reading: Reading, language: str,
) -> bytes:  # fmt: skip
    """Slides or worksheets of some scenes as a file, "pdf" or "pptx". It runs outside the page."""
    with speaking(language):
        return _WRITERS[ending](make(numbers, _with_examples(numbers, printed, reading, has_pictures=True)))


def write_handouts(bundle: Bundle, out: Path, *, language: str, route: str) -> list[Path]:
    """Write slides and worksheets of a route, each as PDF and as PowerPoint, on the scenes' own sentences.

    Raises:
        LookupError: where no sentences were chosen for the model's language.
        OSError: when a file cannot be written.
    """
    text = scene_sentence(bundle, SCENES[0].name)
    reading = read_under(bundle, Selection(text=text)) if text else None
    if reading is None:
        raise LookupError(f"no lesson sentences were chosen for {bundle.name}: python -m model choose-sentences")
    printed = sheets.Printed(reading.trace.source_text, reading.trace.text, route=route)
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, make in (("slides", deck.slides), ("worksheets", deck.worksheet), ("quiz", deck.quiz_sheets)):
        for ending in _WRITERS:
            path = out / f"regard-{name}.{ending}"
            write_atomically(path, file_of(make, ending, scenes_of(route), printed, reading, language))
            written.append(path)
    return written


def _with_examples(
    numbers: Sequence[int], printed: sheets.Printed, reading: Reading, *, has_pictures: bool = False
) -> sheets.Printed:
    """The sheets with what these scenes show on their own sentences."""
    examples_by_number = {number: example(number, printed, reading, has_pictures=has_pictures) for number in numbers}
    empty = sheets.Example(printed.sentence, printed.translation)
    examples = tuple(examples_by_number.get(number, empty) for number in range(len(SCENES)))
    return dataclasses.replace(printed, examples=examples)


def example(number: int, printed: sheets.Printed, reading: Reading, *, has_pictures: bool = False) -> sheets.Example:
    """A scene on its own sentence; on the class's where one was typed."""
    scene, text = SCENES[number], printed.sentence
    if is_ours(text, reading.bundle):
        text = sentence_of(scene.name, reading.bundle) or text
    shown = _under(reading, text=text, interventions=NONE, prefix=(), method="greedy")
    seen, finding, numbers, shows = "", "", {}, Pictures()
    with suppress(*errors.USER_ERRORS):  # an experiment that this model does not allow leaves its place empty
        numbers = {**scene.numbers(shown), **scene.named(shown)}
        seen, finding = scene.seen(shown), scene.finding(shown)
        if has_pictures:
            shows = scene.pictures(shown)
    return sheets.Example(shown.trace.source_text, shown.trace.text, seen, finding, numbers, shows)


def printed_of(choices: Choices, reading: Reading) -> sheets.Printed:
    """What the sheets show: the model's own translation, and beside it the one with the reader's changes.

    The change that the scene itself proposes is left out: the sheet asks what it does.
    """
    shown = before(choices, reading) if choices.changed else reading
    words = tuple(words for words, *_ in changes.listed(shown))
    own = _under(shown, interventions=NONE, prefix=()) if words else shown
    return sheets.Printed(
        own.trace.source_text, own.trace.text, changes=words, changed=shown.trace.text if words else "",
        route=choices.route, note=tr(told) if (told := tried_elsewhere(reading)) else "",
    )  # fmt: skip


def _under(reading: Reading, **fields: Any) -> Reading:
    return read_under(reading.bundle, dataclasses.replace(reading.selection, **fields)) or reading
