"""The teacher's outline of one scene or a whole route, as an HTML page, which for a route begins with the plan."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from viz.i18n import UNKNOWN, current_language, fields, tr
from viz.lesson.moving import minutes_of, place_of, scenes_of
from viz.lesson.quiz import quiz
from viz.lesson.scene import Scene
from viz.lesson.scenes import SCENES
from viz.lesson.views import Pictures
from viz.rooms.questions import AFTER, BEFORE


def front() -> str:
    """What the lesson is for and needs, the plan of both routes, and what goes on the blackboard."""
    return (
        f"<section><h2>{escape(tr('handout.goals'))}</h2><ul>{_list_item('handout.goals_list')}</ul>"
        f"<p><b>{escape(tr('handout.prior'))}</b><br>{escape(tr('handout.prior_text'))}</p>"
        f"<h2>{escape(tr('handout.plan'))}</h2>{_plan()}"
        f"<h2>{escape(tr('handout.board'))}</h2><ul>{_list_item('handout.board_lines')}</ul></section>"
    )


def quizzes(route: str) -> str:
    """Both quizzes of a route with the right answers and their reasons."""
    before, after = (_quiz_section(offer, route) for offer in (BEFORE, AFTER))
    return f"<section><h2>{escape(tr('handout.quiz'))}</h2>{before}</section><section>{after}</section>"


def _list_item(key: str) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in tr(key).split("|"))


def _plan() -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in tr("handout.plan_head").split("|"))
    clocks, rows = [_clock(route) for route in ("full", "short")], []
    for number, scene in enumerate(SCENES):
        terms, answer = tr("checkpoints.comma").join(names_of(scene)), options_of(scene)[scene.right]
        cells = [*(clock.get(number, "–") for clock in clocks), tr(scene.title), terms, answer]
        rows.append(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    return f"<table class='plan'><tr>{head}</tr>{''.join(rows)}</table>"


def _clock(route: str) -> dict[int, str]:
    """First and last minute of each scene of a route."""
    begin, minutes = 0, {}
    for number in scenes_of(route):
        end = begin + minutes_of(SCENES[number], route)
        minutes[number] = f"{begin}–{end}"
        begin = end
    return minutes


def names_of(scene: Scene) -> list[str]:
    """Names of the terms that a scene introduces."""
    return [tr(f"first.forms_{term}").partition("|")[0] for term in scene.terms]


def term_meanings(scene: Scene) -> str:
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


_FONT = '"Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif'
_STYLE = f"""
@page {{ margin: 14mm 16mm; }}
body {{ font: 11pt/1.42 {_FONT}; color: #1a1a24; max-width: 46rem; margin: 2rem auto; print-color-adjust: exact; }}
h1 {{ font-size: 19pt; margin: 0 0 .3rem; }} h2 {{ font-size: 14pt; margin: 0 0 .3rem; }}
p {{ margin: .5rem 0; }} section {{ break-inside: avoid; margin: 0 0 1.7rem; }}
section + section {{ break-before: page; }}
.meta {{ color: #62656f; }}
.sentence {{ border: 1px solid #999; border-radius: .4rem; padding: .45rem .8rem; margin: .4rem 0; }}
ol {{ padding-left: 1.6rem; margin: .4rem 0; }} li {{ margin: .1rem 0; }}
label {{ display: block; margin-top: .55rem; color: #62656f; }}
table {{ border-collapse: collapse; margin: .5rem 0; }} td {{ border: 1px solid #999; }}
.plan td, .plan th {{ padding: .2rem .5rem; text-align: left; }}
.voted {{ font-weight: bold; }} sub {{ line-height: 0; }}
@media print {{ body {{ margin: 0; max-width: none; }} }}
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A scene's results on its own sentence."""

    sentence: str
    translation: str
    """The model's, without interventions."""
    outcome: str = ""
    """The measured effect of the scene's change; empty where a picture shows it."""
    finding: str = ""
    """What the class looks for, for the teacher."""
    numbers: Mapping[str, object] = field(default_factory=dict)
    """Measured numbers in the scene's texts."""
    pictures: Pictures = field(default_factory=Pictures)


@dataclass(frozen=True, slots=True)
class Printed:
    """The content of the sheets."""

    sentence: str
    translation: str
    """The model's own, without any change."""
    changes: tuple[str, ...] = ()
    """The reader's interventions, in words."""
    changed: str = ""
    """The translation with these interventions."""
    route: str = "full"
    examples: tuple[Example, ...] = ()
    """One for each scene of a whole route; empty on the sheet of one scene, which uses ``sentence``."""

    note: str = ""
    """A note on the model in use."""

    def example(self, number: int) -> Example:
        """A scene's example; an empty one where there is none."""
        return self.examples[number] if number < len(self.examples) else Example("", "")

    @property
    def is_one_sentence(self) -> bool:
        """Whether all scenes are about the sentence at the top."""
        return all(example.sentence == self.sentence for example in self.examples)


def escape(text: str) -> str:
    """Text as HTML; d_k is printed with a subscript."""
    return re.sub(r"\b([A-Za-z])_([A-Za-z]\w*)\b", r"\1<sub>\2</sub>", html.escape(text))


def options_of(scene: Scene) -> tuple[str, ...]:
    """The guesses to choose from."""
    return tuple(tr(scene.options).split("|"))


def outline(numbers: Sequence[int], printed: Printed) -> str:
    """The teacher's outline: question, experiment, explanation, answers and time of each scene."""
    total, title = sum(minutes_of(SCENES[number], printed.route) for number in numbers), tr("lesson.outline")
    parts = [f"<h1>{escape(title)}</h1>", f'<p class="meta">{escape(tr("lesson.minutes", n=total))}</p>']
    if printed.is_one_sentence:
        parts += _pair(printed.sentence, printed.translation)
        if printed.changes:
            parts += [
                f"<label>{escape(tr('lesson.sheet_intervened', changes=', '.join(printed.changes)))}</label>",
                f'<div class="sentence">{escape(printed.changed)}</div>',
            ]
    if printed.note:
        parts.append(f'<p class="meta">{escape(printed.note)}</p>')
    if len(numbers) > 1:
        parts.append(front())
    for number in numbers:
        scene, example = SCENES[number], printed.example(number)
        minutes, place = tr("lesson.minutes", n=minutes_of(scene, printed.route)), place_of(number, printed.route)[0]
        options = "".join(
            f"<li{' class=voted' if i == scene.right else ''}>{escape(option)}<br><span class='meta'>"
            f"{escape(replies_of(scene)[i])}</span></li>"
            for i, option in enumerate(options_of(scene))
        )
        done = escape(fill_numbers(scene.words("done"), number, printed))
        advice = "".join(
            f"<p>{_advice(name, f'lesson.{scene.name}_{part}')}</p>"
            for name, part in (("do", "teacher"), ("expect", "expect"), ("mistake", "mistake"))
        )
        is_quoted = example.sentence and scene.reads_sentence and not printed.is_one_sentence
        quoted = "".join(_pair(example.sentence, example.translation)) if is_quoted else ""
        outcome = f'<p class="sentence">{escape(example.outcome)}</p>' if example.outcome else ""
        finding = f"<p>{escape(example.finding)}</p>" if example.finding else ""
        parts.append(
            f"<section><h2>{place}. {escape(tr(scene.title))} <span class='meta'>{escape(minutes)}</span>"
            f"</h2>{quoted}<p><b>{escape(tr(scene.question))}</b></p><ol type='A'>{options}</ol>"
            f"<p><b>→ {escape(tr(scene.words('try')))}</b><br>{done}</p>{outcome}"
            f"<p>{escape(fill_numbers(f'lesson.{scene.name}_answer', number, printed))}</p>{advice}"
            f"{finding}{term_meanings(scene)}</section>"
        )
    if len(numbers) > 1:
        parts.append(quizzes(printed.route))
    return (
        f'<!doctype html><html lang="{current_language()}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>"
    )


def _pair(sentence: str, translation: str) -> list[str]:
    return [
        f"<label class='meta'>{escape(tr('lesson.sheet_sentence'))}</label>",
        f'<div class="sentence">{escape(sentence)}</div>',
        f"<label class='meta'>{escape(tr('lesson.sheet_translation'))}</label>",
        f'<div class="sentence">{escape(translation)}</div>',
    ]


def replies_of(scene: Scene) -> list[str]:
    """The reply to each guess."""
    return tr(f"lesson.{scene.name}_reply").split("|")


def fill_numbers(key: str, number: int, printed: Printed) -> str:
    """A text with the numbers measured on the scene's sentence, or with dots where none was measured."""
    return tr(key, **dict.fromkeys(fields(key), UNKNOWN) | dict(printed.example(number).numbers))


def _advice(name: str, key: str) -> str:
    """A paragraph for the teacher under its bold heading."""
    heading = f"<b>{escape(tr(f'lesson.teacher_{name}'))}</b>"
    return tr("lesson.teacher_line", heading=heading, text=escape(tr(key)))
