"""Slides and worksheets with the scenes' own pictures: pages that are written as PDF or PowerPoint."""

import itertools
import re
from collections.abc import Sequence

from viz.export.pages import LEADING, Document, Flow, Item, fitting_size
from viz.figures import drawings
from viz.figures.drawings import Drawing
from viz.i18n import current_language, tr
from viz.lesson.moving import place_of
from viz.lesson.quiz import quiz
from viz.lesson.scenes import SCENES
from viz.lesson.sheets import Printed, fill_numbers, options_of, replies_of
from viz.rooms.questions import AFTER, BEFORE
from viz.theme import palette

SLIDE, PAPER = (960.0, 540.0), (595.0, 842.0)
"""Points: 16:9, and A4."""
_INKS = palette("light")
_MARGIN, _BORDER = 56.0, 50.0
_SIZES = (24.0, 22.0, 20.0, 18.0, 17.0, 16.0, 15.0, 14.0)
_LETTERS = "ABC"
MAX_WORDS = 30
"""Words beside a picture, the title's included."""
_WIDE, _COLUMN = 1.6, 290.0
"""A picture whose width is at most 1.6 times its height stands right of a text column 290 points wide."""


def slides(numbers: Sequence[int], printed: Printed) -> Document:
    """For each scene its question, what it shows, its experiment, and its explanation."""
    front = Flow(_MARGIN, 150, SLIDE[0] - _MARGIN, SLIDE[1] - _MARGIN)
    front.words(tr("lesson.sheet_heading"), 44, is_bold=True)
    _about(front, printed, 24)
    pages = [tuple(front.items)]
    for number in numbers:
        pages += [
            *_question_slides(number, printed),
            *_experiment_slides(number, printed),
            _answer_slide(number, printed),
        ]
    return Document(tr("lesson.slides"), current_language(), *SLIDE, tuple(pages))


def worksheet(numbers: Sequence[int], printed: Printed) -> Document:
    """A page for each scene: question, guess, a task with a picture, and lines for observations; no answers."""
    pages = [_sheet(number, printed, is_first=place == 0) for place, number in enumerate(numbers)]
    return Document(tr("lesson.worksheet"), current_language(), *PAPER, tuple(pages))


def quiz_sheets(numbers: Sequence[int], printed: Printed) -> Document:
    """The quizzes before and after the lesson, a page each, for students without a phone; no answers."""
    language, pages = current_language(), []
    for offer in (BEFORE, AFTER):
        flow = Flow(_BORDER, _BORDER, PAPER[0] - _BORDER, PAPER[1] - _BORDER)
        flow.words(tr(f"room.ask_{offer.partition('.')[2]}"), 17, is_bold=True)
        flow.words(f"{tr('lesson.sheet_name')} ______________________", 11, colour=_INKS.ink_soft, after=0.8)
        for place, item in enumerate(quiz(offer, printed.route), 1):
            options = (f"{letter}. {option}" for letter, option in zip("ABCD", item.options[language], strict=True))
            flow.words(f"{place}. {item.words[language]}", 12, is_bold=True, after=0.25)
            whole = (option.replace(" ", "\u00a0") for option in options)  # lines break between options only
            flow.words("\u00a0\u00a0\u00a0 ".join(whole), 12, indent=14, after=0.75)
        pages.append(tuple(flow.items))
    return Document(tr("lesson.quiz_sheets"), language, *PAPER, tuple(pages))


def _question_slides(number: int, printed: Printed) -> list[tuple[Item, ...]]:
    """A slide with the question's picture and the question, and one with its options."""
    scene, example = SCENES[number], printed.example(number)
    room = MAX_WORDS - n_words(_title(number, printed))
    question = last_sentences(plain(tr(scene.question)), room)
    options = [f"{letter}. {option}" for letter, option in zip(_LETTERS, options_of(scene), strict=True)]
    translation = _pair(example.sentence, example.translation) if example.sentence else None
    picture = example.pictures.question or translation
    return [
        _with_picture(number, paragraphs, picture, printed)
        for paragraphs in ([(question, True)], [(option, False) for option in options])
    ]


def _pair(sentence: str, translation: str) -> Drawing:
    """A sentence over its translation."""
    rows = ((tr("lesson.sheet_sentence"), sentence), (tr("lesson.sheet_translation"), translation))
    return drawings.before_and_after([(name, [(text, False)]) for name, text in rows])


def _experiment_slides(number: int, printed: Printed) -> list[tuple[Item, ...]]:
    """A slide with what the page shows after the vote, and one with the effect of the change."""
    scene, example, pages = SCENES[number], printed.example(number), []
    pictures = example.pictures
    if pictures.before is not None:
        caption = pictures.caption or first_sentence(tr(f"lesson.{scene.name}_look"))
        pages.append(_with_picture(number, [(caption, False)], pictures.before, printed))
    texts = [(f"→ {tr(scene.words('try'))}", True)]
    is_shown = pictures.after is None or scene.measured is not None or scene.compares == "whole"
    if example.outcome and is_shown:
        texts.append((example.outcome, False))
    elif pictures.after is None:
        texts.append((fill_numbers(scene.words("done"), number, printed), False))
    return [*pages, _with_picture(number, texts, pictures.after, printed)]


def _with_picture(
    number: int, texts: Sequence[tuple[str, bool]], drawing: Drawing | None, printed: Printed
) -> tuple[Item, ...]:
    """Text above a wide picture, or left of a tall one."""
    flow = Flow(_MARGIN, 34, SLIDE[0] - _MARGIN, SLIDE[1] - 26)
    flow.words(_title(number, printed), 28, colour=_INKS.accent, is_bold=True)
    if drawing is not None:
        texts = brief(texts, MAX_WORDS - n_words(_title(number, printed)))
    if drawing is None or drawing.width > _WIDE * drawing.height:
        _write_paragraphs(flow, texts, 0.42 * flow.room)
        if drawing is not None:
            flow.picture(drawing)
        return tuple(flow.items)
    right = Flow(flow.x + _COLUMN + 36, flow.y, flow.right, flow.bottom)
    right.picture(drawing)
    flow.right = flow.x + _COLUMN
    _write_paragraphs(flow, texts, flow.room)
    return (*flow.items, *right.items)


def _answer_slide(number: int, printed: Printed) -> tuple[Item, ...]:
    """The right option and the first sentence of its reason; the outline has the whole explanation."""
    scene, pictures = SCENES[number], printed.example(number).pictures
    answer = f"{_LETTERS[scene.right]}. {options_of(scene)[scene.right]}"
    texts = [(answer, True), (first_sentence(replies_of(scene)[scene.right], at_least=12), False)]
    return _with_picture(number, texts, pictures.after or pictures.before, printed)


def n_words(text: str) -> int:
    """Number of words and numbers in a text; two Chinese characters count as one, an option's letter does not count."""
    text = re.sub(rf"\b[{_LETTERS}]\. ", "", text)
    return len(re.findall(r"[^\W\u4e00-\u9fff]+", text)) + len(re.findall(r"[\u4e00-\u9fff]", text)) // 2


def brief(texts: Sequence[tuple[str, bool]], max_words: int) -> list[tuple[str, bool]]:
    """Paragraphs cut to ``max_words`` words after whole sentences; the first paragraph is never cut."""
    paragraphs: list[tuple[str, bool]] = []
    for text, is_bold in texts:
        shortened = text if not paragraphs else ""
        for sentence in [] if shortened else sentences_of(text):
            if n_words(shortened + sentence) > max_words:
                break
            shortened += sentence
        max_words -= n_words(shortened)
        paragraphs += [(shortened.strip(), is_bold)] if shortened.strip() else []
    return paragraphs


def last_sentences(text: str, max_words: int) -> str:
    """The last sentences of a text that have at most ``max_words`` words together; at least one."""
    *before, ending = sentences_of(text)
    while before and n_words(before[-1] + ending) <= max_words:
        ending = before.pop() + ending
    return ending.strip()


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each with the space after it."""
    ends = [0, *(match.end() for match in re.finditer(r"[.!?](?:\s+|$)|[。！？]", text)), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(ends) if end > start]


def first_sentence(text: str, *, at_least: int = 0) -> str:
    """The first sentence of a text, and the next ones until they have ``at_least`` characters."""
    beginning = ""
    for sentence in sentences_of(text):
        beginning += sentence
        if len(beginning.strip()) >= at_least:
            break
    return beginning.strip()


def _sheet(number: int, printed: Printed, *, is_first: bool) -> tuple[Item, ...]:
    scene, example = SCENES[number], printed.example(number)
    flow = Flow(_BORDER, _BORDER, PAPER[0] - _BORDER, PAPER[1] - _BORDER)
    if is_first:
        flow.words(tr("lesson.sheet_heading"), 19, is_bold=True)
        flow.words(f"{tr('lesson.sheet_name')} ______________________", 11, colour=_INKS.ink_soft)
        _about(flow, printed, 12)
    flow.words(f"{place_of(number, printed.route)[0]}. {tr(scene.title)}", 16, is_bold=True)
    if example.sentence and scene.reads_sentence and not printed.is_one_sentence:
        flow.words(f"{example.sentence} → {example.translation}", 12, colour=_INKS.ink_soft, after=0.7)
    flow.words(plain(tr(scene.question)), 12, is_bold=True)
    for letter, option in zip(_LETTERS, options_of(scene), strict=True):
        flow.words(f"{letter}. {option}", 12, indent=10, after=0.15)
    flow.words(tr("lesson.sheet_guess"), 11, colour=_INKS.ink_soft, after=0)
    flow.rules(1)
    flow.words(plain(tr(f"lesson.{scene.name}_sheet")), 12)
    change = f"→ {tr(scene.words('try'))}"
    if drawing := example.pictures.sheet or example.pictures.before:
        flow.picture(drawing, tallest=flow.room - (scene.lines + 2) * 25 - 90, largest=0.9)
    flow.words(tr("lesson.sheet_saw"), 11, colour=_INKS.ink_soft, after=0)
    flow.rules(scene.lines)
    flow.words(change, 12, is_bold=True)
    flow.words(tr("lesson.sheet_changed"), 11, colour=_INKS.ink_soft, after=0)
    flow.rules(2)
    return tuple(flow.items)


def _title(number: int, printed: Printed) -> str:
    return f"{place_of(number, printed.route)[0]}. {tr(SCENES[number].title)}"


def _write_paragraphs(flow: Flow, texts: Sequence[tuple[str, bool]], room: float) -> None:
    """Write paragraphs in the largest type that fits the height ``room``."""
    paragraphs = [(plain(text), is_bold) for text, is_bold in texts if text]
    size = fitting_size([text for text, _ in paragraphs], flow.right - flow.x, room, _SIZES)
    for text, is_bold in paragraphs:
        flow.words(text, size, is_bold=is_bold)
    flow.y += size * (LEADING - 1)


def _about(flow: Flow, printed: Printed, size: float) -> None:
    """Write the document's sentence and the active interventions; nothing where each scene has its own sentence."""
    if not printed.is_one_sentence:
        return
    flow.words(f"{printed.sentence} → {printed.translation}", size)
    if printed.changes:
        flow.words(tr("lesson.sheet_intervened", changes=", ".join(printed.changes)), 0.8 * size)
        flow.words(printed.changed, size)


def plain(text: str) -> str:
    """A text without Markdown; d_k with an index."""
    return re.sub(r"[*`\\]", "", text).replace("d_k", "dₖ")
