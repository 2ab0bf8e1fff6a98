"""The lesson: twelve scenes on the class's own sentence. First a vote, then an experiment, then the explanation."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from viz import session
from viz.i18n import sentences, tr
from viz.panels import changes, errors, explorer, model_map
from viz.panels.decode_changes import signed
from viz.panels.lesson import hunt, sheets, teacher, training, views
from viz.panels.lesson.marking import marked
from viz.panels.lesson.scenes import (
    AREA,
    SCENES,
    Choices,
    Scene,
    go,
    is_ours,
    lacking,
    make,
    minutes_of,
    put_back,
    scenes_of,
    sentence_of,
    take_sentence,
    tried_elsewhere,
    words_of,
)
from viz.panels.reading import Reading, find_reading, reading, use_model
from viz.panels.room import live
from viz.plain_text import as_written
from viz.turns import in_turn

_PAGES = Path(__file__).parent
THIRD_WORD = 2
"""The step that the first scene asks about."""
_WITHOUT_TEXTS = ("head", "cross", "mask", "train", "share")
"""Scenes whose change is seen elsewhere than in the translation."""
_OF_THE_WHOLE = ("beam", "explain")
"""Scenes about the probability of the whole translation, which a mean would hide where its length changes."""


def page() -> None:
    """Read, compute, draw, store."""
    here = reading()
    model_map.follow()
    choices = session.part(Choices, AREA)
    _arrive(choices, here)
    scene = SCENES[choices.scene]
    _navigation(choices, here)
    if not choices.changed:  # the scene's own button undoes its change
        changes.chips(here)
    if missing := lacking(scene, here):
        st.header(tr(f"lesson.{scene.name}_title"), anchor=False)
        st.info(tr(missing))
        st.button(tr("lesson.use_shipped"), key="lesson.use_shipped", on_click=use_model, args=("",))
        return
    if choices.changed and scene.name not in _WITHOUT_TEXTS:
        _before_and_after(choices, here)
    left, right = st.columns((5, 7), gap="large")
    vote = choices.vote(choices.scene)
    if scene.name == "share" and vote is not None:
        _propose_head(here)
    with left:
        _question(scene, here, choices, vote)
        if vote is not None:
            _experiment(scene, here, choices)
            _explanation(scene, here, choices, vote)
    with right, errors.explained():
        if vote is None:
            with st.container(border=True, height=300, vertical_alignment="center", horizontal_alignment="center"):
                st.markdown(tr("lesson.first_guess"), width="content")
        else:
            if not (choices.changed and scene.name == "explain") and not views.is_twinless(scene.name, here):
                st.caption(tr(f"lesson.{scene.name}_look"))
            views.draw(scene.name, here)
    if scene.name == "box" and choices.scene in choices.explained:
        st.caption(tr("lesson.box_map"))
        model_map.draw(here, min(THIRD_WORD, len(here.trace.target) - 1))
    if not here.selection.presenter:
        teacher.for_the_teacher(scene, choices, here)


def _arrive(choices: Choices, here: Reading) -> None:
    """A visit finds the scene's own sentence on the stage, unless the reader or the link has chosen one."""
    if session.is_chosen("text"):
        return
    wanted = sentence_of(SCENES[choices.scene], here)
    if not choices.changed and wanted and is_ours(here.selection.text, here) and here.selection.text != wanted:
        take_sentence(choices.scene, here)
        st.rerun()


def _propose_head(here: Reading) -> None:
    """The last scene begins at a head that changes the translation when off, unless the reader has chosen one."""
    if explorer.is_chosen_head() or (session.is_chosen("head") and session.recall("lesson.proposed", bool)):
        return
    session.remember("lesson.proposed", True)
    found = None
    with suppress(*errors.USER_ERRORS):  # the view below explains what this model does not allow
        found = hunt.hunted(here).first
    if found is not None:
        explorer.look_at("cross", *found)
        st.rerun()


def _navigation(choices: Choices, here: Reading) -> None:
    """Where one is, by name; the route; the timer. Above the picture, so that it never leaves the screen."""
    route = scenes_of(choices.route)
    later = [i for i in route if i > choices.scene]
    earlier = [i for i in route if i < choices.scene]
    shown = sorted({*route, choices.scene})
    names = {
        i: f"{i + 1} · {tr(f'lesson.{SCENES[i].name}_title')}{' ✓' if choices.vote(i) is not None else ''}"
        for i in shown
    }
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson.steps"):
        st.button(
            tr("lesson.previous"), key="lesson.previous", icon=":material/arrow_back:", shortcut="PageUp",
            disabled=not earlier, on_click=_now, args=(go, earlier[-1] if earlier else 0),
        )  # fmt: skip
        st.selectbox(
            tr("lesson.scene"), shown, index=shown.index(choices.scene), format_func=names.__getitem__, width=360,
            label_visibility="collapsed", key=_chooser(choices),
            on_change=_chosen, args=(choices,),
        )  # fmt: skip
        st.button(
            tr("lesson.next"), key="lesson.next", icon=":material/arrow_forward:", icon_position="right",
            shortcut="PageDown", disabled=not later, on_click=_now, args=(go, later[0] if later else 0),
        )  # fmt: skip
        st.segmented_control(
            tr("lesson.route"), ("short", "full"), required=True, label_visibility="collapsed",
            format_func={name: tr(f"lesson.route_{name}") for name in ("short", "full")}.__getitem__,
            **session.bind("route", Choices, AREA),
        )  # fmt: skip
        _timer(choices)
        wanted = sentence_of(SCENES[choices.scene], here)
        if wanted and not choices.changed and here.selection.text != wanted:
            st.button(
                tr("lesson.own_sentence"), key="lesson.own_sentence", type="tertiary", on_click=_now,
                args=(take_sentence, choices.scene),
            )  # fmt: skip


def _chooser(choices: Choices) -> str:
    """A key that changes with the vote: the browser keeps the name of the scene as it was first shown."""
    return f"lesson.chosen.{choices.scene}.{choices.route}.{int(choices.vote(choices.scene) is not None)}"


def _chosen(choices: Choices) -> None:
    number = session.value(_chooser(choices))
    if isinstance(number, int):
        _now(go, number)


def _now(act: Callable[[Any, Reading], None], subject: object) -> None:
    """Act on the sentence in a callback. Streamlit keeps a callback's arguments, so a reading among them would keep the
    model's weights until the session ends."""
    here = find_reading()
    if here is not None:
        act(subject, here)


def _timer(choices: Choices) -> None:
    """How much of the route's time is spent, and until when this scene may last."""
    started = session.recall("lesson.started", float)
    if not started:
        st.button(tr("lesson.timer_start"), key="lesson.timer", type="tertiary", icon=":material/timer:",
                  on_click=session.remember, args=("lesson.started", time.time()))  # fmt: skip
        return
    route = scenes_of(choices.route)
    until = sum(minutes_of(SCENES[i], choices.route) for i in route if i <= choices.scene)
    total = sum(minutes_of(SCENES[i], choices.route) for i in route)

    def draw() -> None:
        spent = int((time.time() - started) // 60)
        st.caption(tr("lesson.timer", spent=spent, total=total, until=until), width="content")

    st.fragment(in_turn(draw), run_every=15.0)()


def _question(scene: Scene, here: Reading, choices: Choices, vote: int | None) -> None:
    minutes = minutes_of(scene, choices.route)
    st.caption(tr("lesson.of", n=choices.scene + 1, total=len(SCENES), minutes=minutes))
    st.subheader(tr(f"lesson.{scene.name}_title"), anchor=False)
    st.markdown(f"**{tr(f'lesson.{scene.name}_question')}**")
    if tried_elsewhere(here) == "lesson.tried_elsewhere" and is_ours(here.selection.text, here):
        st.caption(tr("lesson.tried_elsewhere"))
    options = sheets.options_of(scene)
    if vote is not None:
        st.markdown(tr("lesson.voted", option=options[vote]))
        live.result(scene.name)
        return
    if (room := live.room(scene.name)) is not None:
        live.take_vote(room, scene.name, options, partial(_vote, choices.scene))
        return
    key = f"lesson.guess.{scene.name}"
    chosen = st.radio(tr("lesson.guess"), range(len(options)), index=None, format_func=options.__getitem__, key=key)
    st.button(
        tr("lesson.vote"), type="primary", key="lesson.vote", disabled=chosen is None, on_click=_vote,
        args=(choices.scene, chosen), help=tr("lesson.kept"),
    )  # fmt: skip


def _vote(scene: int, option: int | None) -> None:
    if option is None:
        return
    choices = session.part(Choices, AREA)
    votes = [*choices.votes, *[0] * (scene + 1 - len(choices.votes))]
    votes[scene] = option + 1
    session.change_part(Choices, AREA, votes=tuple(votes))


def _experiment(scene: Scene, here: Reading, choices: Choices) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if scene.name == "train":
            training.button()
        elif choices.changed:
            st.button(tr("lesson.undo"), key="lesson.undo", icon=":material/undo:", on_click=put_back)
        else:
            st.button(
                tr(words_of(scene, "try", here.fitted.text)), key="lesson.change", icon=":material/science:",
                type="primary", on_click=_now, args=(_make, scene),
            )  # fmt: skip
        if choices.scene not in choices.explained:
            kind = "primary" if choices.changed and scene.name != "train" else "secondary"
            st.button(
                tr("lesson.explain_now"), key="lesson.explain", type=kind, on_click=_explain, args=(choices.scene,)
            )
        st.page_link(_PAGES / f"{scene.page}.py", label=tr("lesson.open"), icon=":material/open_in_full:")
    if choices.changed and not views.is_twinless(scene.name, here):
        done = words_of(scene, "done", choices.before or here.fitted.text)
        st.markdown(tr(done, **_named(scene, here)))
    if choices.changed and scene.name == "mask":
        st.markdown(f"**{views.forced(here)}**")


def _make(scene: Scene, here: Reading) -> None:
    live.leave(scene.name)  # the phones go on from the votes to what changes
    make(scene, here)


def _named(scene: Scene, here: Reading) -> dict[str, object]:
    """What was changed, where the text names it."""
    edits, first = here.selection.interventions, here.selection.first_index
    if scene.name == "heads":
        return {"layer": edits.heads_off[0].layer + first if edits.heads_off else first}
    if scene.name == "encoder":
        hidden = edits.blocked_keys[0].key if edits.blocked_keys else 0
        pieces = here.trace.source.pieces
        return {"token": as_written(pieces[min(hidden, len(pieces) - 1)].lstrip("▁"))}
    return {}


def _explain(scene: int) -> None:
    choices = session.part(Choices, AREA)
    session.change_part(Choices, AREA, explained=tuple(sorted({*choices.explained, scene})))


def _explanation(scene: Scene, here: Reading, choices: Choices, vote: int) -> None:
    """First what the class voted for, then the whole."""
    if choices.scene not in choices.explained:
        return
    reply = tr(f"lesson.{scene.name}_reply").split("|")[vote]
    if vote == scene.question.right:
        st.success(reply, icon=":material/check:")
    else:
        st.warning(reply, icon=":material/lightbulb:")
    with errors.explained():
        st.markdown(tr(f"lesson.{scene.name}_answer", **views.numbers(scene.name, here)))
        if scene.name == "explain" and (close := views.close_call(teacher.before(choices, here))):
            st.markdown(tr("lesson.explain_many", **close))


def _before_and_after(choices: Choices, here: Reading) -> None:
    """Both translations together, the changed words marked."""
    before = teacher.before(choices, here).trace
    lost, new = marked(before.text, here.trace.text)
    is_whole = SCENES[choices.scene].name in _OF_THE_WHOLE
    log_probs = (trace.log_probs for trace in (before, here.trace))
    values = (signed(float(each.sum() if is_whole else each.mean())) for each in log_probs)
    key = "lesson.log_prob_whole" if is_whole else "lesson.log_prob"
    note = tr(key, **dict(zip(("before", "after"), values, strict=True)))
    if before.text == here.trace.text:
        note = sentences(tr("lesson.same"), note)
    with st.container(border=True, key="lesson.compare"):
        st.markdown(f"{tr('lesson.before', text=lost)}  \n{tr('lesson.after', text=new)}  \n:small[:gray[{note}]]")


page()
