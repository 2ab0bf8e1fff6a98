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
from viz.lesson.sheets import Printed, options_of, replies_of, stated
from viz.rooms.questions import AFTER, BEFORE
from viz.theme import palette

SLIDE, PAPER = (960.0, 540.0), (595.0, 842.0)
"""Points: 16:9, and A4."""
_INKS = palette("light")
_MARGIN, _BORDER = 56.0, 50.0
_SIZES = (24.0, 22.0, 20.0, 18.0, 17.0, 16.0, 15.0, 14.0)
_LETTERS = "ABC"
MOST_WORDS = 30
"""Words beside a picture, the title's included."""
_WIDE, _COLUMN = 1.6, 290.0
"""Pictures that are higher for their width stand to the right of a column of text so wide."""


def slides(numbers: Sequence[int], printed: Printed) -> Document:
    """For each scene its question, what it shows, its experiment, and its explanation."""
    front = Flow(_MARGIN, 150, SLIDE[0] - _MARGIN, SLIDE[1] - _MARGIN)
    front.words(tr("lesson.sheet_heading"), 44, is_bold=True)
    _about(front, printed, 24)
    pages = [tuple(front.items)]
    for number in numbers:
        pages += [*_asked(number, printed), *_seen(number, printed), _explained(number, printed)]
    return Document(tr("lesson.slides"), current_language(), *SLIDE, tuple(pages))


def worksheet(numbers: Sequence[int], printed: Printed) -> Document:
    """A page for each scene: question, guess, a task with a picture, and room for what was seen; no answers."""
    pages = [_sheet(number, printed, is_first=place == 0) for place, number in enumerate(numbers)]
    return Document(tr("lesson.worksheet"), current_language(), *PAPER, tuple(pages))


def quiz_sheets(numbers: Sequence[int], printed: Printed) -> Document:
    """The quiz before the lesson and the one after it, a page each, for students without a phone; no answers."""
    language, pages = current_language(), []
    for offer in (BEFORE, AFTER):
        flow = Flow(_BORDER, _BORDER, PAPER[0] - _BORDER, PAPER[1] - _BORDER)
        flow.words(tr(f"room.ask_{offer.partition('.')[2]}"), 17, is_bold=True)
        flow.words(f"{tr('lesson.sheet_name')} ______________________", 11, colour=_INKS.ink_soft, after=0.8)
        for place, item in enumerate(quiz(offer, printed.route), 1):
            options = (f"{letter}. {option}" for letter, option in zip("ABCD", item.options[language], strict=True))
            flow.words(f"{place}. {item.words[language]}", 12, is_bold=True, after=0.25)
            whole = (option.replace(" ", "\u00a0") for option in options)  # a line ends between two of them
            flow.words("\u00a0\u00a0\u00a0 ".join(whole), 12, indent=14, after=0.75)
        pages.append(tuple(flow.items))
    return Document(tr("lesson.quiz_sheets"), language, *PAPER, tuple(pages))


def _asked(number: int, printed: Printed) -> list[tuple[Item, ...]]:
    """What the question is about, and the question; then its options. The teacher says what stands before it."""
    scene, example = SCENES[number], printed.example(number)
    room = MOST_WORDS - n_words(_title(number, printed))
    question = last_sentences(plain(tr(scene.question)), room)
    options = [f"{letter}. {option}" for letter, option in zip(_LETTERS, options_of(scene), strict=True)]
    own = _pair(example.sentence, example.translation) if example.sentence else None
    asked = example.pictures.asked or own
    return [
        _with_picture(number, texts, asked, printed)
        for texts in ([(question, True)], [(option, False) for option in options])
    ]


def _pair(sentence: str, translation: str) -> Drawing:
    """A sentence over its translation."""
    rows = ((tr("lesson.sheet_sentence"), sentence), (tr("lesson.sheet_translation"), translation))
    return drawings.before_and_after([(name, [(text, False)]) for name, text in rows])


def _seen(number: int, printed: Printed) -> list[tuple[Item, ...]]:
    """What the page shows after the vote, then what the change does to it."""
    scene, example, pages = SCENES[number], printed.example(number), []
    shows = example.pictures
    if shows.before is not None:
        caption = shows.caption or first_sentence(tr(f"lesson.{scene.name}_look"))
        pages.append(_with_picture(number, [(caption, False)], shows.before, printed))
    texts = [(f"→ {tr(scene.words('try'))}", True)]
    is_shown = shows.after is None or scene.measured is not None or scene.compares == "whole"
    if example.seen and is_shown:
        texts.append((example.seen, False))
    elif shows.after is None:
        texts.append((stated(scene.words("done"), number, printed), False))
    return [*pages, _with_picture(number, texts, shows.after, printed)]


def _with_picture(
    number: int, texts: Sequence[tuple[str, bool]], drawing: Drawing | None, printed: Printed
) -> tuple[Item, ...]:
    """Text above a wide picture, or to the left of a high one."""
    flow = _slide(number, printed)
    if drawing is not None:
        texts = brief(texts, MOST_WORDS - n_words(_title(number, printed)))
    if drawing is None or drawing.width > _WIDE * drawing.height:
        _read(flow, texts, 0.42 * flow.room)
        if drawing is not None:
            flow.picture(drawing)
        return tuple(flow.items)
    right = Flow(flow.x + _COLUMN + 36, flow.y, flow.right, flow.bottom)
    right.picture(drawing)
    flow.right = flow.x + _COLUMN
    _read(flow, texts, flow.room)
    return (*flow.items, *right.items)


def _explained(number: int, printed: Printed) -> tuple[Item, ...]:
    """The right option and why; the whole explanation is the teacher's to give, and stands in the outline."""
    scene, shows = SCENES[number], printed.example(number).pictures
    answer = f"{_LETTERS[scene.right]}. {options_of(scene)[scene.right]}"
    texts = [(answer, True), (first_sentence(replies_of(scene)[scene.right], at_least=12), False)]
    return _with_picture(number, texts, shows.after or shows.before, printed)


def n_words(text: str) -> int:
    """Words of a text and its numbers; of Chinese, two characters count as one. The letter of an option is none."""
    text = re.sub(rf"\b[{_LETTERS}]\. ", "", text)
    return len(re.findall(r"[^\W\u4e00-\u9fff]+", text)) + len(re.findall(r"[\u4e00-\u9fff]", text)) // 2


def brief(texts: Sequence[tuple[str, bool]], most: int) -> list[tuple[str, bool]]:
    """Paragraphs without the sentences for which so many words leave no room; the first paragraph stays whole."""
    kept: list[tuple[str, bool]] = []
    for text, is_bold in texts:
        said = text if not kept else ""
        for sentence in [] if said else sentences_of(text):
            if n_words(said + sentence) > most:
                break
            said += sentence
        most -= n_words(said)
        kept += [(said.strip(), is_bold)] if said.strip() else []
    return kept


def last_sentences(text: str, most: int) -> str:
    """The last sentence of a text, with those before it that have at most so many words together with it."""
    *before, said = sentences_of(text)
    while before and n_words(before[-1] + said) <= most:
        said = before.pop() + said
    return said.strip()


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each with the space after it."""
    ends = [0, *(match.end() for match in re.finditer(r"[.!?](?:\s+|$)|[。！？]", text)), len(text)]
    return [text[one:other] for one, other in itertools.pairwise(ends) if other > one]


def first_sentence(text: str, *, at_least: int = 0) -> str:
    """The first sentence of a text, with those after it until it has so many characters."""
    said = ""
    for sentence in sentences_of(text):
        said += sentence
        if len(said.strip()) >= at_least:
            break
    return said.strip()


def _sheet(number: int, printed: Printed, *, is_first: bool) -> tuple[Item, ...]:
    scene, example = SCENES[number], printed.example(number)
    flow = Flow(_BORDER, _BORDER, PAPER[0] - _BORDER, PAPER[1] - _BORDER)
    if is_first:
        flow.words(tr("lesson.sheet_heading"), 19, is_bold=True)
        flow.words(f"{tr('lesson.sheet_name')} ______________________", 11, colour=_INKS.ink_soft)
        _about(flow, printed, 12)
    flow.words(f"{place_of(number, printed.route)[0]}. {tr(scene.title)}", 16, is_bold=True)
    _own(flow, number, printed, 12)
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


def _slide(number: int, printed: Printed) -> Flow:
    flow = Flow(_MARGIN, 34, SLIDE[0] - _MARGIN, SLIDE[1] - 26)
    flow.words(_title(number, printed), 28, colour=_INKS.accent, is_bold=True)
    return flow


def _title(number: int, printed: Printed) -> str:
    return f"{place_of(number, printed.route)[0]}. {tr(SCENES[number].title)}"


def _read(flow: Flow, texts: Sequence[tuple[str, bool]], room: float) -> None:
    """Paragraphs in the largest type in which they fit into a height."""
    said = [(plain(text), is_bold) for text, is_bold in texts if text]
    size = fitting_size([text for text, _ in said], flow.right - flow.x, room, _SIZES)
    for text, is_bold in said:
        flow.words(text, size, is_bold=is_bold)
    flow.y += size * (LEADING - 1)


def _about(flow: Flow, printed: Printed, size: float) -> None:
    """The sentence of the whole document, and what the reader has changed; nothing where each scene has its own."""
    if not printed.is_one_sentence:
        return
    flow.words(f"{printed.sentence} → {printed.translation}", size)
    if printed.changes:
        flow.words(tr("lesson.sheet_intervened", changes=", ".join(printed.changes)), 0.8 * size)
        flow.words(printed.changed, size)


def _own(flow: Flow, number: int, printed: Printed, size: float) -> None:
    """A scene's own sentence and the model's translation; nothing where the document names one for all scenes."""
    example = printed.example(number)
    if example.sentence and SCENES[number].reads_sentence and not printed.is_one_sentence:
        flow.words(f"{example.sentence} → {example.translation}", size, colour=_INKS.ink_soft, after=0.7)


def plain(text: str) -> str:
    """A text without Markdown; d_k with an index."""
    return re.sub(r"[*`\\]", "", text).replace("d_k", "dₖ")
