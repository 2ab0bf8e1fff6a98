"""The teacher's panel under each scene: outlines, worksheets and slides to download."""

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
from viz.lesson.scene import sentence_of
from viz.lesson.scenes import SCENES
from viz.lesson.views import Pictures
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
    """Draw the folded panel of downloads. It contains files only, because this page may be projected."""
    with st.expander(tr("lesson.teacher"), icon=":material/school:"):
        st.caption(tr("lesson.teacher_files"))
        if note := tried_elsewhere(reading):
            st.caption(tr(note))
        _files(choices, reading)


def _files(choices: Choices, reading: Reading) -> None:
    """Draw the download buttons; a file is made when it is downloaded."""
    printed, numbers, language = printed_of(choices, reading), scenes_of(choices.route), current_language()
    downloads: dict[str, tuple[str, str, Callable[[], str | bytes]]] = {
        "notes": (tr("lesson.notes"), "html", partial(outline, (choices.scene,), printed, reading, language)),
        "outline": (tr("lesson.outline"), "html", partial(outline, numbers, printed, reading, language)),
        "worksheet": (tr("lesson.worksheet_this"), "pdf",
                      partial(file_of, deck.worksheet, "pdf", (choices.scene,), printed, reading, language)),
    }  # fmt: skip
    for name, label, write in (
        ("worksheets", tr("lesson.worksheet_all"), deck.worksheet), ("slides", tr("lesson.slides"), deck.slides),
        ("quiz", tr("lesson.quiz_sheets"), deck.quiz_sheets),
    ):  # fmt: skip
        for ending in _WRITERS:
            content = partial(file_of, write, ending, numbers, printed, reading, language)
            downloads[f"{name}-{ending}"] = (f"{label} · {_NAMES[ending]}", ending, content)
    with st.container(horizontal=True, gap="small"):
        for key, (label, ending, content) in downloads.items():
            st.download_button(
                label, content, f"regard-{key.partition('-')[0]}.{ending}", _TYPES[ending], key=f"lesson.{key}",
                icon=":material/print:", on_click="ignore",
            )  # fmt: skip


def outline(numbers: Sequence[int], printed: sheets.Printed, reading: Reading, language: str) -> str:
    """The outline of one scene, or of a whole route with an example of every scene. Runs outside the page."""
    examples = numbers if len(numbers) == 1 else range(len(SCENES))
    with speaking(language):
        return sheets.outline(numbers, _with_examples(examples, printed, reading))


def file_of(
    make: Callable[[Sequence[int], sheets.Printed], Document], ending: str, numbers: Sequence[int],
    printed: sheets.Printed, reading: Reading, language: str,
) -> bytes:  # fmt: skip
    """Slides or worksheets of some scenes as a file, "pdf" or "pptx". Runs outside the page."""
    with speaking(language):
        return _WRITERS[ending](make(numbers, _with_examples(numbers, printed, reading, has_pictures=True)))


def write_handouts(bundle: Bundle, out: Path, *, language: str, route: str) -> list[Path]:
    """Write slides and worksheets of a route, each as PDF and as PowerPoint, on the scenes' own sentences. Raises
    LookupError where no sentences were chosen for the model's language."""
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
    """The sheets with these scenes' examples."""
    examples_by_number = {number: example(number, printed, reading, has_pictures=has_pictures) for number in numbers}
    empty = sheets.Example(printed.sentence, printed.translation)
    examples = tuple(examples_by_number.get(number, empty) for number in range(len(SCENES)))
    return dataclasses.replace(printed, examples=examples)


def example(number: int, printed: sheets.Printed, reading: Reading, *, has_pictures: bool = False) -> sheets.Example:
    """A scene's example: on its own sentence, or on the class's where one was typed."""
    scene, text = SCENES[number], printed.sentence
    if is_ours(text, reading.bundle):
        text = sentence_of(scene.name, reading.bundle) or text
    unchanged = _under(reading, text=text, interventions=NONE, prefix=(), method="greedy")
    outcome, finding, numbers, pictures = "", "", {}, Pictures()
    with suppress(*errors.USER_ERRORS):  # an experiment that this model does not allow stays empty
        numbers = {**scene.numbers(unchanged), **scene.named(unchanged)}
        outcome, finding = scene.outcome(unchanged), scene.finding(unchanged)
        if has_pictures:
            pictures = scene.pictures(unchanged)
    return sheets.Example(unchanged.trace.source_text, unchanged.trace.text, outcome, finding, numbers, pictures)


def printed_of(choices: Choices, reading: Reading) -> sheets.Printed:
    """The content of the sheets: the translation without and with the reader's interventions.

    The scene's own change is left out: the sheet asks for its effect.
    """
    changed = before(choices, reading) if choices.changed else reading
    words = tuple(words for words, *_ in changes.describe_changes(changed))
    plain = _under(changed, interventions=NONE, prefix=()) if words else changed
    return sheets.Printed(
        plain.trace.source_text, plain.trace.text, changes=words, changed=changed.trace.text if words else "",
        route=choices.route, note=tr(note) if (note := tried_elsewhere(reading)) else "",
    )  # fmt: skip


def _under(reading: Reading, **fields: Any) -> Reading:
    return read_under(reading.bundle, dataclasses.replace(reading.selection, **fields)) or reading
