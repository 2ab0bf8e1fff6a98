"""Questions for a class, made from the lesson, the sentence on screen, the quiz, or by the teacher."""

import dataclasses
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from model.interpret.ablation import HeadEffects, head_effects_as_they_come
from model.text.tokens import text_of
from model.trace import Floats
from viz import cache, processors
from viz.figures.head_grid import picture
from viz.figures.tokens import as_candidates
from viz.i18n import LANGUAGES, in_all_languages, in_each_language, tr
from viz.lesson.choices import AREA
from viz.lesson.choices import Choices as LessonChoices
from viz.lesson.quiz import of_scene, quiz
from viz.lesson.scenes import SCENES
from viz.panels import handwriting
from viz.panels.reading import Reading
from viz.plain_text import chip_text
from viz.room.publish import state_name
from viz.room.teacher_questions import PREFIX, TeacherQuestion
from viz.rooms.questions import Question
from viz.rooms.report import AFTER, BEFORE
from viz.state import session
from viz.state.view_state import nearest_head

NEXT_OPTIONS = 4
WRITE = "write"


@dataclass(frozen=True, slots=True)
class Offer:
    """A question that can be asked now."""

    id: str
    label: str


def offers(reading: Reading | None, teacher_questions: Mapping[str, TeacherQuestion]) -> list[Offer]:
    """The questions that can be asked now: the quiz and the teacher's always, others if the sentence allows them."""
    by_teacher = [Offer(f"{PREFIX}{key}", question.question) for key, question in teacher_questions.items()]
    scenes = [Offer(f"lesson.{scene.name}", tr("room.ask_scene", title=tr(scene.title))) for scene in SCENES]
    free = []
    if reading is not None and reading.trace.attention.cross is not None:
        if reading.bundle.picture is None:  # a picture has too many strips to choose among
            free.append(Offer("source", tr("room.ask_source")))
        if _guessed_step(reading) is not None:
            free.append(Offer("next", tr("room.ask_next")))
        free.append(Offer("head", tr("room.ask_head")))
    if handwriting.has_reader():
        free.append(Offer(WRITE, tr("room.ask_write")))
    return [Offer(BEFORE, tr("room.ask_before")), *by_teacher, *free, *scenes, Offer(AFTER, tr("room.ask_after"))]


def question_of(
    offer: str, reading: Reading | None, *, times: int, teacher_questions: Mapping[str, TeacherQuestion] | None = None,
    row: int = -1,
) -> Question | None:  # fmt: skip
    """The question, in all languages.

    Args:
        times: how often it was asked before; the quiz is asked once.
        teacher_questions: the teacher's questions by key.
        row: for "source": the step of the translation in question; -1 for the middle one.
    """
    if offer in (BEFORE, AFTER):
        return Question(
            id=offer,
            kind="quiz",
            words=in_all_languages(f"room.ask_{offer.partition('.')[2]}"),
            items=quiz(offer, session.choices_of(LessonChoices, AREA).route),
        )
    name = f"{offer}#{times + 1}"
    if offer.startswith("lesson."):
        return of_scene(offer.partition(".")[2], name)
    if offer == WRITE:
        return Question(id=name, kind="write", words=in_all_languages("room.ask_write_for"))
    if offer.startswith(PREFIX):
        written = (teacher_questions or {}).get(offer.removeprefix(PREFIX))
        return written.as_question(name) if written else None
    if reading is None:
        return None
    make = {"source": partial(_source, row=row), "next": _next, "head": _head}[offer]
    question = make(reading, name)
    if question is None:
        return None
    # The question holds its sentence: the teacher may show another before the vote is closed.
    return dataclasses.replace(question, sentence=reading.trace.source_text, text=reading.trace.text)


def head_effects(reading: Reading) -> Iterator[HeadEffects]:
    """The effects of the heads on this sentence while they are measured; the last value is complete."""
    key = ("effects", *reading.key)
    effects = cache.find(key)
    if effects is None:
        with processors.all_processors():
            for effects in head_effects_as_they_come(reading.bundle, reading.trace):
                yield effects
        cache.put(key, effects)
    if effects is not None:
        yield effects


def is_about(question: Question, reading: Reading | None) -> bool:
    """Whether the question is about what is on screen now."""
    return reading is not None and question.about == state_name(reading)


def losses(effects: HeadEffects) -> tuple[float, ...]:
    """The decrease of the translation's log-probability without each cross-attention head; 0 where it increases."""
    return tuple(round(max(0.0, -float(total)), 4) for total in np.nan_to_num(effects.totals("cross")).ravel())


def most_effective(effects: HeadEffects) -> str:
    """The cross-attention head without which the translation loses most log-probability, as an answer."""
    totals = effects.totals("cross")  # (L, H)
    layer, head = np.unravel_index(int(np.nanargmin(totals)), totals.shape)
    return f"{layer}.{head}"


def row_in_question(reading: Reading, row: int = -1) -> int:
    """The step that "which source word?" asks about: the chosen one, the pinned one, or the middle one."""
    n_rows = len(reading.trace.target)
    pinned = [int(pin[1:]) for pin in reading.selection.pins if pin[:1] == "q" and pin[1:].isdigit()]
    chosen = row if row >= 0 else pinned[0] if pinned and reading.selection.kind == "cross" else n_rows // 2
    return min(chosen, n_rows - 1)


def _source(reading: Reading, name: str, row: int) -> Question:
    chosen, weights = reading.selection, reading.trace.attention.cross
    assert weights is not None
    layer, head = nearest_head(chosen, weights.shape)
    row = row_in_question(reading, row)
    measured = weights[layer, head, row]
    first, token = chosen.first_index, chip_text(reading.trace.target.pieces[row])
    tokens = tuple(chip_text(piece) for piece in reading.trace.source.pieces)
    words = in_each_language(
        lambda: tr("room.ask_source_for", head=f"{tr('frame.kind_cross')} {layer + first}·{head + first}", token=token)
    )
    return Question(id=name, kind="source", words=words, n=len(tokens), right=str(int(measured.argmax())),
                    options=dict.fromkeys(LANGUAGES, tokens),
                    measured=tuple(round(float(weight), 4) for weight in measured))  # fmt: skip


def _guessed_step(reading: Reading) -> int | None:
    """The least probable step among those whose token is one of the top candidates."""
    candidates, ids = reading.trace.candidates, reading.trace.target.ids
    if candidates is None:
        return None
    steps = [step for step in range(len(ids) - 1) if ids[step] in candidates.ids[step][:NEXT_OPTIONS]]
    return min(steps, key=lambda step: float(reading.trace.log_probs[step]), default=None)


def _next(reading: Reading, name: str) -> Question | None:
    candidates, step = reading.trace.candidates, _guessed_step(reading)
    if candidates is None or step is None:
        return None
    ids = [int(i) for i in candidates.ids[step][:NEXT_OPTIONS]]
    pieces = as_candidates(candidates.pieces[step][:NEXT_OPTIONS])
    before = text_of(reading.bundle, reading.trace.target.ids[:step])
    words = in_each_language(lambda: tr("room.ask_next_after", text=before or "…"))
    order = sorted(range(len(pieces)), key=lambda i: pieces[i])
    options = tuple(pieces[i] for i in order)
    right = order.index(ids.index(reading.trace.target.ids[step]))
    likely = np.exp(candidates.log_probs[step, :NEXT_OPTIONS])
    return Question(id=name, words=words, options=dict.fromkeys(LANGUAGES, options), n=len(options), right=str(right),
                    step=step, measured=tuple(round(float(likely[i]), 4) for i in order))  # fmt: skip


def _head(reading: Reading, name: str) -> Question:
    weights = reading.trace.attention.cross
    assert weights is not None
    shape = (weights.shape[0], weights.shape[1])
    return Question(
        id=name, kind="head", words=in_each_language(lambda: tr("room.ask_head")), n=shape[0] * shape[1], shape=shape,
        first=reading.selection.first_index, about=state_name(reading), maps=encoded_thumbnails(weights),
    )  # fmt: skip


MAP_SIZE = 10
"""Maximum rows and columns of a thumbnail."""


def thumbnails(weights: Floats) -> Floats:
    """Every head's map max-pooled to at most ``MAP_SIZE`` rows and columns: (L, H, rows, columns)."""
    down, across = (np.array_split(np.arange(n), min(n, MAP_SIZE)) for n in weights.shape[2:])
    cells = [
        [weights[:, :, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].max((2, 3)) for columns in across]
        for rows in down
    ]
    return np.moveaxis(np.clip(np.nan_to_num(np.array(cells, np.float32)), 0, 1), (0, 1), (2, 3))


def encoded_thumbnails(weights: Floats) -> str:
    """The thumbnails for the phones: rows, columns, and ``MAP_SIZE`` times ``MAP_SIZE`` bytes per head in base64."""
    shrunk = thumbnails(weights)
    layers, heads, rows, columns = shrunk.shape
    padded = np.zeros((layers, heads, MAP_SIZE, MAP_SIZE), np.uint8)
    padded[:, :, :rows, :columns] = np.round(255 * shrunk)
    return f"{rows}.{columns}.{b64encode(padded.tobytes()).decode()}"


def draw_thumbnails(reading: Reading, *, chosen: tuple[int, int] | None = None) -> None:
    """Draw the cross-attention thumbnails as the phones show them, with the chosen (layer, head) framed."""
    if reading.trace.attention.cross is None:
        return
    mode, first = session.mode(), reading.selection.first_index
    pictures = cache.get_or_compute(("room maps", *reading.key, mode), lambda: _pictures(reading))
    cells = []
    for layer, line in enumerate(pictures):
        for head, address in enumerate(line):
            name, kind = f"{layer + first}·{head + first}", ' class="chosen"' if (layer, head) == chosen else ""
            cells.append(f'<figure{kind}><img src="{address}" alt=""><figcaption>{name}</figcaption></figure>')
    st.html(f'<div class="regard-maps" style="--columns:{len(pictures[0])}">{"".join(cells)}</div>')
    st.caption(tr("room.maps_read"))


def _pictures(reading: Reading) -> list[list[str]]:
    assert reading.trace.attention.cross is not None
    shrunk = thumbnails(reading.trace.attention.cross)
    return [[picture(head, "cross", session.mode(), ramp="hue", pixels=1) for head in layer] for layer in shrunk]
