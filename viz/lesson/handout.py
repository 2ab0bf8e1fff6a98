"""The first and the last pages of the outline of a whole route: goals, plan, blackboard, and the quiz."""

from collections.abc import Iterator, Sequence
from html import escape

from viz.i18n import current_language, tr
from viz.lesson.moving import minutes_of, scenes_of
from viz.lesson.quiz import quiz
from viz.lesson.scene import Scene
from viz.lesson.scenes import SCENES
from viz.rooms.questions import AFTER, BEFORE


def front() -> str:
    """What the lesson is for and needs, the plan of both routes, and what goes on the blackboard."""
    return (
        f"<section><h2>{escape(tr('handout.goals'))}</h2><ul>{_listed('handout.goals_list')}</ul>"
        f"<p><b>{escape(tr('handout.prior'))}</b><br>{escape(tr('handout.prior_text'))}</p>"
        f"<h2>{escape(tr('handout.plan'))}</h2>{_plan()}"
        f"<h2>{escape(tr('handout.board'))}</h2><ul>{_listed('handout.board_lines')}</ul></section>"
    )


def quizzes(route: str) -> str:
    """Both quizzes of a route with the right answers and their reasons."""
    before, after = (_quiz_section(offer, route) for offer in (BEFORE, AFTER))
    return f"<section><h2>{escape(tr('handout.quiz'))}</h2>{before}</section><section>{after}</section>"


def _listed(key: str) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in tr(key).split("|"))


def _plan() -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in tr("handout.plan_head").split("|"))
    clocks = [_clock(route) for route in ("full", "short")]
    return f"<table class='plan'><tr>{head}</tr>{''.join(_planned(clocks))}</table>"


def _clock(route: str) -> dict[int, str]:
    """First and last minute of each scene of a route."""
    begin, minutes = 0, {}
    for number in scenes_of(route):
        end = begin + minutes_of(SCENES[number], route)
        minutes[number] = f"{begin}–{end}"
        begin = end
    return minutes


def _planned(clocks: Sequence[dict[int, str]]) -> Iterator[str]:
    for number, scene in enumerate(SCENES):
        terms = tr("checkpoints.comma").join(names_of(scene))
        answer = tr(scene.options).split("|")[scene.right]
        cells = [*(clock.get(number, "–") for clock in clocks), tr(scene.title), terms, answer]
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def names_of(scene: Scene) -> list[str]:
    """Names of the terms that a scene introduces."""
    return [tr(f"first.forms_{term}").partition("|")[0] for term in scene.terms]


def explained(scene: Scene) -> str:
    """The terms that a scene introduces, each with its meaning; empty where it introduces none."""
    meanings = [tr(f"first.about_{term}") for term in scene.terms]
    pairs = zip(names_of(scene), meanings, strict=True)
    lines = "".join(f"<li><b>{escape(name)}</b> – {escape(meaning)}</li>" for name, meaning in pairs)
    return f"<p class='meta'>{escape(tr('handout.words'))}</p><ul>{lines}</ul>" if lines else ""


def _quiz_section(offer: str, route: str) -> str:
    language = current_language()
    items = "".join(
        f"<li>{escape(item.words[language])}<br>"
        + " · ".join(
            f"<span class='voted'>{escape(option)}</span>" if place == item.right else escape(option)
            for place, option in enumerate(item.options[language][:-1])
        )
        + f"<br><span class='meta'>{escape(item.why[language])}</span></li>"
        for item in quiz(offer, route)
    )
    heading = tr(f"room.ask_{offer.partition('.')[2]}")
    return f"<h2>{escape(heading)}</h2><ol>{items}</ol>"
