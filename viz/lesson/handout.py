"""The first and the last pages of the outline of a whole route: goals, plan, blackboard, and the quiz."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from viz.i18n import current_language, tr
from viz.lesson.quiz import quiz
from viz.lesson.scenes import SCENES, minutes_of
from viz.rooms.questions import AFTER, BEFORE


def front(numbers: Sequence[int], route: str) -> str:
    """What the lesson is for and needs, its plan with the minutes of each scene, and what goes on the blackboard."""
    return (
        f"<section><h2>{escape(tr('handout.goals'))}</h2><ul>{_listed('handout.goals_list')}</ul>"
        f"<p><b>{escape(tr('handout.prior'))}</b><br>{escape(tr('handout.prior_text'))}</p>"
        f"<h2>{escape(tr('handout.plan'))}</h2>{_plan(numbers, route)}"
        f"<h2>{escape(tr('handout.board'))}</h2><ul>{_listed('handout.board_lines')}</ul></section>"
    )


def quizzes() -> str:
    """Both quizzes with the right answers and their reasons."""
    return f"<section><h2>{escape(tr('handout.quiz'))}</h2>{_asked(BEFORE)}</section><section>{_asked(AFTER)}</section>"


def _listed(key: str) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in tr(key).split("|"))


def _plan(numbers: Sequence[int], route: str) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in tr("handout.plan_head").split("|"))
    return f"<table class='plan'><tr>{head}</tr>{''.join(_planned(numbers, route))}</table>"


def _planned(numbers: Sequence[int], route: str) -> Iterator[str]:
    begin = 0
    for number in numbers:
        scene = SCENES[number]
        end = begin + minutes_of(scene, route)
        found = tr(scene.question.options).split("|")[scene.question.right]
        yield f"<tr><td>{begin}–{end}</td><td>{escape(tr(scene.question.title))}</td><td>{escape(found)}</td></tr>"
        begin = end


def _asked(offer: str) -> str:
    language = current_language()
    items = "".join(
        f"<li>{escape(item.words[language])}<br>"
        + " · ".join(
            f"<span class='voted'>{escape(option)}</span>" if place == item.right else escape(option)
            for place, option in enumerate(item.options[language][:-1])
        )
        + f"<br><span class='meta'>{escape(item.why[language])}</span></li>"
        for item in quiz(offer)
    )
    heading = tr(f"room.ask_{offer.partition('.')[2]}")
    return f"<h2>{escape(heading)}</h2><ol>{items}</ol>"
