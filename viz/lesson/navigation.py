"""Where the class is in the lesson: the scene by name, the route and the timer."""

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from viz.i18n import tr
from viz.lesson.choices import AREA, Choices
from viz.lesson.moving import go, minutes_of, scenes_of, take_sentence
from viz.lesson.scene import sentence_of
from viz.lesson.scenes import SCENES
from viz.panels.reading import Reading, find_reading
from viz.panels.widgets import segmented_picker
from viz.state import session
from viz.state.turns import in_turn

_STARTED = "lesson.started"
"""When the timer was started, in seconds since the epoch."""


def shortcut_of(act: str, choices: Choices, *, lacks: bool = False) -> str | None:
    """The presenter key of an act ("vote", "change", "explain", "next") if it comes next in the open scene, else None.
    A model that ``lacks`` something for the scene leaves only "next"."""
    is_explained = choices.scene in choices.explained
    if lacks or (is_explained and choices.vote(choices.scene) is not None):
        coming = "next"
    elif choices.vote(choices.scene) is None:
        coming = "vote"
    else:
        coming = "explain" if choices.changed else "change"
    return "PageDown" if act == coming else None


def draw(choices: Choices, reading: Reading, *, lacks: bool = False) -> None:
    """Draw the choice of the scene, the route and the timer, above the picture to keep them on the screen."""
    route = scenes_of(choices.route)
    later = [i for i in route if i > choices.scene]
    earlier = [i for i in route if i < choices.scene]
    numbers = sorted({*route, choices.scene})
    names = {
        i: f"{n} · {tr(SCENES[i].title)}{' ✓' if choices.vote(i) is not None else ''}" for n, i in enumerate(numbers, 1)
    }
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson.steps"):
        st.button(
            tr("lesson.previous"), key="lesson.previous", icon=":material/arrow_back:", shortcut="PageUp",
            disabled=not earlier, on_click=now, args=(go, earlier[-1] if earlier else 0),
        )  # fmt: skip
        st.selectbox(
            tr("lesson.scene"), numbers, index=numbers.index(choices.scene), format_func=names.__getitem__, width=360,
            label_visibility="collapsed", key=_chooser(choices), on_change=_open_chosen, args=(choices,),
        )  # fmt: skip
        st.button(
            tr("lesson.next"), key="lesson.next", icon=":material/arrow_forward:", icon_position="right",
            shortcut=shortcut_of("next", choices, lacks=lacks), disabled=not later, on_click=now,
            args=(go, later[0] if later else 0),
        )  # fmt: skip
        if not (reading.selection.presenter and session.recall(_STARTED, float)):  # large type has room for one of both
            routes = {name: tr(f"lesson.route_{name}") for name in ("short", "full")}
            segmented_picker(tr("lesson.route"), routes, **session.bind("route", Choices, AREA))
        _timer(choices)
        if not reading.selection.presenter:
            st.button(tr("lesson.large"), key="lesson.large", type="tertiary", icon=":material/text_increase:",
                      on_click=session.change, kwargs={"presenter": True})  # fmt: skip
        scene_text = sentence_of(SCENES[choices.scene].name, reading.bundle)
        if scene_text and not choices.changed and reading.selection.text != scene_text:
            st.button(
                tr("lesson.own_sentence"), key="lesson.own_sentence", type="tertiary", on_click=now,
                args=(take_sentence, choices.scene),
            )  # fmt: skip


def _chooser(choices: Choices) -> str:
    """A widget key that changes with the vote: the browser would keep the option's first label."""
    return f"lesson.chosen.{choices.scene}.{choices.route}.{int(choices.vote(choices.scene) is not None)}"


def _open_chosen(choices: Choices) -> None:
    number = session.widget_value(_chooser(choices))
    if isinstance(number, int):
        now(go, number)


def now(act: Callable[[Any, Reading], None], subject: object) -> None:
    """Call an act with the sentence, from a callback. Streamlit stores a callback's arguments: a reading among them
    would hold the model's weights until the session ends."""
    reading = find_reading()
    if reading is not None:
        act(subject, reading)


def _timer(choices: Choices) -> None:
    """Draw the time spent of the route's total, and when this scene should end."""
    started = session.recall(_STARTED, float)
    if not started:
        st.button(tr("lesson.timer_start"), key="lesson.timer", type="tertiary", icon=":material/timer:",
                  on_click=session.remember, args=(_STARTED, time.time()))  # fmt: skip
        return
    route = scenes_of(choices.route)
    until = sum(minutes_of(SCENES[i], choices.route) for i in route if i <= choices.scene)
    total = sum(minutes_of(SCENES[i], choices.route) for i in route)

    def draw() -> None:
        spent = int((time.time() - started) // 60)
        st.caption(tr("lesson.timer", spent=spent, total=total, until=until), width="content")

    st.fragment(in_turn(draw), run_every=15.0)()
