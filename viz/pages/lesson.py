"""The lesson: twelve scenes on the class's own sentence, each a question, a view and one change."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from model import NONE, Trace
from viz import cache, session
from viz.i18n import tr
from viz.panels import changes, errors
from viz.panels.lesson import sheets, views
from viz.panels.lesson.scenes import AREA, SCENES, Choices, Scene
from viz.panels.reading import Reading, reading, translation_options

_PAGES = Path(__file__).parent


def page() -> None:
    """Read, compute, draw, store."""
    here = reading()
    changes.chips(here)
    choices = session.part(Choices, AREA)
    scene = SCENES[choices.scene]
    _progress(choices)
    left, right = st.columns((5, 7), gap="large")
    is_seen = choices.scene in choices.seen
    with left:
        _question(scene, choices, is_seen=is_seen)
        if is_seen:
            _change(scene, here, choices)
    with right, errors.explained():
        if is_seen:
            st.caption(tr(f"lesson.{scene.name}_look"))
            views.draw(scene.name, here, is_changed=choices.scene in choices.changed)
        else:
            with st.container(border=True, height=340, vertical_alignment="center", horizontal_alignment="center"):
                st.markdown(tr("lesson.first_guess"), width="content")
    _steps(choices)
    if not here.selection.presenter:
        _for_the_teacher(scene, choices, here)


def _progress(choices: Choices) -> None:
    names = {i: f"{i + 1}{' ✓' if i in choices.seen else ''}" for i in range(len(SCENES))}
    st.segmented_control(
        tr("lesson.scene"),
        list(names),
        format_func=names.__getitem__,
        required=True,
        label_visibility="collapsed",
        width="stretch",
        **session.bind("scene", Choices, AREA),
    )


def _question(scene: Scene, choices: Choices, *, is_seen: bool) -> None:
    st.caption(tr("lesson.of", n=choices.scene + 1, total=len(SCENES)))
    st.header(tr(f"lesson.{scene.name}_title"), anchor=False)
    st.markdown(f"#### {tr(f'lesson.{scene.name}_question')}")
    st.radio(
        tr("lesson.guess"),
        sheets.options_of(scene),
        index=None,
        key=f"lesson.guess.{scene.name}",
    )
    if is_seen:
        st.success(tr(f"lesson.{scene.name}_answer"))
        return
    st.button(tr("lesson.reveal"), type="primary", key="lesson.reveal", on_click=_reveal, args=(choices.scene,))


def _change(scene: Scene, here: Reading, choices: Choices) -> None:
    is_changed = choices.scene in choices.changed
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if scene.name == "train":
            st.page_link(_PAGES / "fine_tune.py", label=tr("lesson.train_try"), icon=":material/model_training:")
        elif is_changed:
            st.button(
                tr("lesson.undo"),
                key="lesson.undo",
                icon=":material/undo:",
                on_click=_undo,
                args=(scene, choices.scene),
            )
        else:
            st.button(
                tr(f"lesson.{scene.name}_try"), key="lesson.change", icon=":material/science:", type="primary",
                on_click=_make, args=(scene, here, choices.scene),
            )  # fmt: skip
        st.page_link(_PAGES / f"{scene.page}.py", label=tr("lesson.open"), icon=":material/open_in_full:")
    if is_changed or scene.name == "train":
        st.markdown(tr(f"lesson.{scene.name}_done"))
    if is_changed and scene.name not in ("head", "cross", "share"):
        before = _before(scene, here)
        st.markdown(f"{tr('lesson.before')}: {_plain(before.text)}  \n{tr('lesson.after')}: {_plain(here.trace.text)}")
        means = {"before": float(before.log_probs.mean()), "after": float(here.trace.log_probs.mean())}
        st.caption(tr("lesson.log_prob", **means))


def _before(scene: Scene, here: Reading) -> Trace:
    """The translation as it was before the scene's change."""
    text, interventions = session.recall(_memory(scene), lambda: (here.fitted.text, NONE))
    options = translation_options(here)
    kept = {name: options[name] for name in ("max_length",) if name in options}
    return cache.translate(here.bundle, text, interventions=interventions, **kept)


def _memory(scene: Scene) -> str:
    return f"lesson.before.{scene.name}"


def _steps(choices: Choices) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", key="lesson.steps"):
        st.button(
            tr("lesson.previous"), key="lesson.previous", icon=":material/arrow_back:", shortcut="PageUp",
            disabled=choices.scene == 0, on_click=_go, args=(choices.scene - 1,),
        )  # fmt: skip
        st.caption(tr("lesson.seen", n=len(set(choices.seen)), total=len(SCENES)), width="content")
        st.button(
            tr("lesson.next"), key="lesson.next", icon=":material/arrow_forward:", icon_position="right",
            shortcut="PageDown", disabled=choices.scene == len(SCENES) - 1, on_click=_go, args=(choices.scene + 1,),
        )  # fmt: skip


def _for_the_teacher(scene: Scene, choices: Choices, here: Reading) -> None:
    with st.expander(tr("lesson.teacher"), icon=":material/school:"):
        st.markdown(tr(f"lesson.{scene.name}_teacher"))
        this, every = [(choices.scene + 1, scene)], list(enumerate(SCENES, 1))
        texts = {"sentence": here.trace.source_text, "translation": here.trace.text}
        with st.container(horizontal=True, gap="small"):
            for key, label, content in (
                (f"worksheet-{choices.scene + 1}", tr("lesson.worksheet"), sheets.worksheet(this, **texts)),
                (
                    "worksheets",
                    f"{tr('lesson.worksheet')}: {tr('lesson.worksheet_all')}",
                    sheets.worksheet(every, **texts),
                ),
                ("outline", tr("lesson.outline"), sheets.outline(every, **texts)),
            ):
                st.download_button(
                    label, content, f"regard-{key}.html", "text/html", key=f"lesson.{key}", icon=":material/print:",
                    on_click="ignore",
                )  # fmt: skip


def _reveal(scene: int) -> None:
    choices = session.part(Choices, AREA)
    session.change_part(Choices, AREA, seen=tuple(sorted({*choices.seen, scene})))


def _make(scene: Scene, here: Reading, number: int) -> None:
    choices = session.part(Choices, AREA)
    session.remember(_memory(scene), (here.fitted.text, here.selection.interventions))
    session.change_part(Choices, AREA, changed=tuple(sorted({*choices.changed, number})))
    if scene.change is not None:
        scene.change(here)


def _undo(scene: Scene, number: int) -> None:
    choices = session.part(Choices, AREA)
    session.change_part(Choices, AREA, changed=tuple(i for i in choices.changed if i != number))
    text, interventions = session.recall(_memory(scene), lambda: ("", NONE))
    if text and text != session.read().text:
        session.new_sentence(text)
    session.intervene(interventions)
    if scene.name == "beam":
        session.change(method="greedy")
    if scene.name == "cross" and scene.change is not None:
        session.change(rows="predicted")


def _go(scene: int) -> None:
    session.change_part(Choices, AREA, scene=scene)


def _plain(text: str) -> str:
    """Text that is not read as Markdown."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]()#+-.!|<>~$:" else letter for letter in text)


page()
