"""What is printed: a worksheet for the class and an outline for the teacher, each one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from viz.i18n import current_language, tr
from viz.panels.lesson.scenes import Scene

_STYLE = """
@page { margin: 18mm; }
body { font: 12pt/1.5 "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif; color: #1a1a24; }
body { max-width: 46rem; margin: 2rem auto; }
h1 { font-size: 20pt; margin: 0 0 .3rem; } h2 { font-size: 15pt; margin: 0 0 .4rem; }
section { break-inside: avoid; margin: 2.2rem 0; } .new { break-before: page; }
.meta { color: #62656f; } .line { border-bottom: 1px solid #999; height: 2.1rem; }
.sentence { border: 1px solid #999; border-radius: .4rem; padding: .6rem .9rem; margin: .6rem 0; font-size: 14pt; }
ol { padding-left: 1.6rem; } li { margin: .2rem 0; } label { display: block; margin-top: .9rem; color: #62656f; }
"""


def options_of(scene: Scene) -> tuple[str, ...]:
    """The guesses to choose from."""
    return tuple(tr(f"lesson.{scene.name}_options").split("|"))


def worksheet(scenes: Sequence[tuple[int, Scene]], *, sentence: str, translation: str) -> str:
    """A sheet with the questions, the guesses, and room to write; no answers."""
    parts = [
        f"<h1>{escape(tr('lesson.sheet_heading'))}</h1>",
        f'<p class="meta">{escape(tr("lesson.sheet_name"))} ______________________</p>',
        f"<label>{escape(tr('lesson.sheet_sentence'))}</label>",
        f'<div class="sentence">{escape(sentence)}</div>',
        f"<label>{escape(tr('lesson.sheet_translation'))}</label>",
        f'<div class="sentence">{escape(translation)}</div>',
    ]
    for place, (number, scene) in enumerate(scenes):
        guesses = "".join(f"<li>{escape(option)}</li>" for option in options_of(scene))
        breaks = " class='new'" if place and place % 2 == 0 else ""
        parts.append(
            f"<section{breaks}>"
            f"<h2>{number}. {escape(tr(f'lesson.{scene.name}_title'))}</h2>"
            f"<p>{escape(tr(f'lesson.{scene.name}_question'))}</p><ol type='A'>{guesses}</ol>"
            f"{_lines('lesson.sheet_guess', 1)}"
            f"<p>{escape(tr(f'lesson.{scene.name}_sheet'))}</p>{_lines('lesson.sheet_saw', 3)}"
            f"<p>{escape(tr(f'lesson.{scene.name}_try'))}</p>{_lines('lesson.sheet_changed', 2)}</section>"
        )
    return _page(tr("lesson.worksheet"), parts)


def outline(scenes: Sequence[tuple[int, Scene]], *, sentence: str, translation: str) -> str:
    """All that a teacher needs on paper: question, answer, what to show, what to change, and how long it takes."""
    total = sum(scene.minutes for _, scene in scenes)
    parts = [
        f"<h1>{escape(tr('lesson.outline'))}</h1>",
        f'<p class="meta">{escape(tr("lesson.minutes", n=total))}</p>',
        f'<div class="sentence">{escape(sentence)}<br>{escape(translation)}</div>',
    ]
    for number, scene in scenes:
        words = {part: escape(tr(f"lesson.{scene.name}_{part}"))
                 for part in ("title", "question", "answer", "look", "try", "done", "teacher")}  # fmt: skip
        parts.append(
            f"<section><h2>{number}. {words['title']}</h2><p><b>{words['question']}</b></p><p>{words['answer']}</p>"
            f"<p>{words['look']}</p><p>→ {words['try']}. {words['done']}</p>"
            f"<p class='meta'>{words['teacher']}</p></section>"
        )
    return _page(tr("lesson.outline"), parts)


def _lines(key: str, n: int) -> str:
    return f"<label>{escape(tr(key))}</label>" + '<div class="line"></div>' * n


def _page(title: str, parts: Sequence[str]) -> str:
    return (
        f'<!doctype html><html lang="{current_language()}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>"
    )
