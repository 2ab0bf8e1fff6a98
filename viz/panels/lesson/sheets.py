"""What is printed: a worksheet for the class, an outline and slides for the teacher, each one self-contained page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from viz.i18n import current_language, tr
from viz.panels.lesson.scenes import SCENES, Scene, minutes_of

_STYLE = """
@page { margin: 18mm; }
body { font: 12pt/1.5 "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif; color: #1a1a24; }
body { max-width: 46rem; margin: 2rem auto; }
h1 { font-size: 20pt; margin: 0 0 .3rem; } h2 { font-size: 15pt; margin: 0 0 .4rem; }
section { break-inside: avoid; margin: 2.2rem 0; } .new { break-before: page; }
.meta { color: #62656f; } .line { border-bottom: 1px solid #999; height: 2.1rem; }
.sentence { border: 1px solid #999; border-radius: .4rem; padding: .6rem .9rem; margin: .6rem 0; font-size: 14pt; }
ol { padding-left: 1.6rem; } li { margin: .2rem 0; } label { display: block; margin-top: .9rem; color: #62656f; }
table { border-collapse: collapse; margin: .6rem 0; } td { border: 1px solid #999; width: 2.6rem; height: 2.2rem; }
td.wide { width: 8.5rem; } .box { border: 1px solid #999; height: 8rem; width: 30%; display: inline-block; }
.voted { font-weight: bold; }
"""
_SLIDES_STYLE = """
@page { size: 297mm 167mm; margin: 0; }
body { margin: 0; font: 24px/1.45 "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif; color: #1a1a24; }
section { box-sizing: border-box; min-height: 100vh; padding: 7vh 8vw; break-after: page; scroll-snap-align: start; }
html { scroll-snap-type: y mandatory; } h1 { font-size: 2.1em; margin: 0 0 .6em; }
h2 { font-size: 1.5em; margin: 0 0 .6em; }
ol { font-size: 1.1em; } li { margin: .3em 0; } .meta { color: #62656f; font-size: .7em; }
.sentence { border-left: .25em solid #7C3AED; padding-left: .8em; }
"""
_TURNING = """
addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const pages = [...document.querySelectorAll("section")];
  const now = pages.findIndex((page) => page.getBoundingClientRect().bottom > innerHeight / 2);
  pages[Math.max(0, Math.min(pages.length - 1, now + step))].scrollIntoView();
});
"""


@dataclass(frozen=True, slots=True)
class Printed:
    """What the sheets are about."""

    sentence: str
    translation: str
    """The model's own, without any change."""
    changes: tuple[str, ...] = ()
    """What the reader has changed in the model, in words."""
    changed: str = ""
    """The translation with these changes."""
    votes: tuple[int, ...] = ()
    """For each scene the option voted for, from 1; 0 for none."""
    route: str = "full"


def options_of(scene: Scene) -> tuple[str, ...]:
    """The guesses to choose from."""
    return tuple(tr(scene.question.options).split("|"))


def worksheet(numbers: Sequence[int], printed: Printed) -> str:
    """A sheet with the questions, the guesses, and room for what each task asks; no answers."""
    parts = [
        f"<h1>{escape(tr('lesson.sheet_heading'))}</h1>",
        f'<p class="meta">{escape(tr("lesson.sheet_name"))} ______________________</p>',
        f"<label>{escape(tr('lesson.sheet_sentence'))}</label>",
        f'<div class="sentence">{escape(printed.sentence)}</div>',
        f"<label>{escape(tr('lesson.sheet_translation'))}</label>",
        f'<div class="sentence">{escape(printed.translation)}</div>',
        *_changed(printed),
    ]
    for place, number in enumerate(numbers):
        scene = SCENES[number]
        guesses = "".join(f"<li>{escape(option)}</li>" for option in options_of(scene))
        breaks = " class='new'" if place and place % 2 == 0 else ""
        parts.append(
            f"<section{breaks}>"
            f"<h2>{number + 1}. {escape(tr(scene.question.title))}</h2>"
            f"<p>{escape(tr(scene.question.words))}</p><ol type='A'>{guesses}</ol>"
            f"{_guess(number, scene, printed)}"
            f"<p>{escape(tr(f'lesson.{scene.name}_sheet'))}</p>{_room(scene)}"
            f"<p>{escape(tr(f'lesson.{scene.name}_try'))}</p>{_lines('lesson.sheet_changed', 2)}</section>"
        )
    return _page(tr("lesson.worksheet"), parts, _STYLE)


def outline(numbers: Sequence[int], printed: Printed) -> str:
    """The teacher's outline: question, experiment, explanation, answers and time of each scene."""
    total = sum(minutes_of(SCENES[number], printed.route) for number in numbers)
    parts = [
        f"<h1>{escape(tr('lesson.outline'))}</h1>",
        f'<p class="meta">{escape(tr("lesson.minutes", n=total))}</p>',
        f'<div class="sentence">{escape(printed.sentence)}<br>{escape(printed.translation)}</div>',
        *_changed(printed),
    ]
    for number in numbers:
        scene = SCENES[number]
        minutes = tr("lesson.minutes", n=minutes_of(scene, printed.route))
        options = "".join(
            f"<li{' class=voted' if i == scene.question.right else ''}>{escape(option)} <span class='meta'>"
            f"{escape(_replies(scene)[i])}</span></li>"
            for i, option in enumerate(options_of(scene))
        )
        done = escape(_without_numbers(f"lesson.{scene.name}_done"))
        said = "".join(
            f"<p><b>{escape(tr(f'lesson.teacher_{name}'))}.</b> {escape(tr(f'lesson.{scene.name}_{part}'))}</p>"
            for name, part in (("do", "teacher"), ("expect", "expect"), ("mistake", "mistake"))
        )
        parts.append(
            f"<section><h2>{number + 1}. {escape(tr(scene.question.title))} <span class='meta'>{escape(minutes)}</span>"
            f"</h2><p><b>{escape(tr(scene.question.words))}</b></p><ol type='A'>{options}</ol>"
            f"<p>→ {escape(tr(f'lesson.{scene.name}_try'))}. {done}</p>"
            f"<p>{escape(_without_numbers(f'lesson.{scene.name}_answer'))}</p>{said}</section>"
        )
    return _page(tr("lesson.outline"), parts, _STYLE)


def slides(numbers: Sequence[int], printed: Printed) -> str:
    """A deck to present or print: for each scene its question, its experiment, and its explanation."""
    parts = [
        f"<section><h1>{escape(tr('lesson.sheet_heading'))}</h1>"
        f'<p class="sentence">{escape(printed.sentence)}<br>{escape(printed.translation)}</p>'
        f"{''.join(_changed(printed))}"
        f'<p class="meta">{escape(tr("lesson.slides_hint"))}</p></section>'
    ]
    for number in numbers:
        scene = SCENES[number]
        title = f"<h2>{number + 1}. {escape(tr(scene.question.title))}</h2>"
        guesses = "".join(f"<li>{escape(option)}</li>" for option in options_of(scene))
        done = escape(_without_numbers(f"lesson.{scene.name}_done"))
        replies = "".join(f"<li>{escape(reply)}</li>" for reply in _replies(scene))
        parts += [
            f"<section>{title}<p>{escape(tr(scene.question.words))}</p><ol type='A'>{guesses}</ol></section>",
            f"<section>{title}<p>→ {escape(tr(f'lesson.{scene.name}_try'))}</p><p>{done}</p></section>",
            f"<section>{title}<ol type='A'>{replies}</ol>"
            f"<p>{escape(_without_numbers(f'lesson.{scene.name}_answer'))}</p></section>",
        ]
    return _page(tr("lesson.slides"), parts, _SLIDES_STYLE, script=_TURNING)


def _changed(printed: Printed) -> list[str]:
    """The translation under the reader's changes, and what these are; nothing where nothing is changed."""
    if not printed.changes:
        return []
    return [
        f"<label>{escape(tr('lesson.sheet_intervened', changes=', '.join(printed.changes)))}</label>",
        f'<div class="sentence">{escape(printed.changed)}</div>',
    ]


def _replies(scene: Scene) -> list[str]:
    return tr(f"lesson.{scene.name}_reply").split("|")


class _Blank(dict[str, object]):
    """Fills every {field} of a text that is printed without measuring."""

    def __missing__(self, key: str) -> _Dots:
        return _Dots()


class _Dots:
    def __format__(self, how: str) -> str:
        return "…"


def _without_numbers(key: str) -> str:
    return tr(key).format_map(_Blank())


def _guess(number: int, scene: Scene, printed: Printed) -> str:
    """The class's own guess where it was made, room for it where not."""
    vote = printed.votes[number] if number < len(printed.votes) else 0
    if not vote:
        return _lines("lesson.sheet_guess", 1)
    return f"<p class='voted'>{escape(tr('lesson.sheet_voted', option=options_of(scene)[vote - 1]))}</p>"


def _room(scene: Scene) -> str:
    """The table or the space that the scene's task asks for, then lines for what was seen."""
    tables: dict[str, Callable[[], str]] = {
        "mask": lambda: _table(5, 5), "cross": lambda: _table(2, 3, wide=True), "beam": lambda: _table(2, 3, wide=True),
        "head": lambda: _table(2, 4, wide=True), "pieces": lambda: _table(2, 6),
        "share": lambda: _table(4, 2, wide=True), "train": lambda: "<div class='box'></div> " * 3,
    }  # fmt: skip
    made = tables.get(scene.name)
    return (made() if made else "") + _lines("lesson.sheet_saw", 2 if made else 3)


def _table(rows: int, columns: int, *, wide: bool = False) -> str:
    cell = "<td class='wide'></td>" if wide else "<td></td>"
    return f"<table>{f'<tr>{cell * columns}</tr>' * rows}</table>"


def _lines(key: str, n: int) -> str:
    return f"<label>{escape(tr(key))}</label>" + '<div class="line"></div>' * n


def _page(title: str, parts: Sequence[str], style: str, script: str = "") -> str:
    tail = f"<script>{script}</script>" if script else ""
    return (
        f'<!doctype html><html lang="{current_language()}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{style}</style></head><body>{''.join(parts)}{tail}</body></html>"
    )
