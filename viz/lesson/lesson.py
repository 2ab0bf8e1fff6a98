"""The lesson: scenes on the class's sentence. First a vote, then an experiment, then the explanation."""

from contextlib import suppress
from functools import partial

import streamlit as st

from viz.i18n import LANGUAGES, sentences, speaking, tr
from viz.lesson import live, navigation, sheets, teacher
from viz.lesson.choices import AREA, TIE, TRIES, Choices
from viz.lesson.moving import before, lacking, make, minutes_of, place_of, tried_elsewhere, undo_change
from viz.lesson.scene import Scene
from viz.lesson.scenes import SCENES
from viz.lesson.views import mark_changes
from viz.panels import changes, errors, model_map, votes
from viz.panels.opening import is_ours
from viz.panels.reading import Reading, current_reading, use_model
from viz.plain_text import escape_markdown
from viz.state import session


def page() -> None:
    """Read, compute, draw, store."""
    reading = current_reading()
    model_map.follow()
    choices = session.choices_of(Choices, AREA)
    scene = SCENES[choices.scene]
    missing = lacking(scene, reading)
    navigation.draw(choices, reading, lacks=bool(missing))
    if not choices.changed:  # the scene's own button undoes its change
        changes.chips(reading)
    if missing:
        st.header(tr(scene.title), anchor=False)
        st.info(tr(missing))
        st.button(tr("lesson.use_shipped"), key="lesson.use_shipped", on_click=use_model, args=("",))
        return
    unchanged = before(choices, reading) if choices.changed else reading
    live.update_question(scene.name, unchanged, partial(_explanation_for_phones, scene, reading))
    vote = choices.vote(choices.scene)
    if vote is not None:
        live.restore_question(scene.name)
        _acts(scene, choices)  # above everything of variable height, to keep the next button on a projector's screen
    else:
        _question(scene, reading, choices)  # across both columns, so that a long question leaves the options visible
    is_explained = choices.scene in choices.explained
    compared = None
    if choices.changed:
        with errors.explained():
            compared = scene.compared(unchanged, reading)
    if compared is not None and not is_explained:
        _beside(scene, reading, compared)
    elif compared is not None and scene.is_of_the_view:  # the stage does not show it
        _before_and_after(*compared)
        compared = None
    left, right = st.columns((5, 7), gap="large")
    with left:
        if vote is None:
            _guess(scene, choices)
        else:  # the newest first
            if is_explained:
                _explanation(scene, reading, choices, vote)
            if choices.changed and (is_explained or compared is None):
                _below(scene, reading, compared)
            with errors.explained():
                scene.draw_choice(reading)
            _question(scene, reading, choices)
            _answers(scene, choices, vote)
    with right, errors.explained():
        if vote is None:
            # The sentence that the question is about and its translation, and what opens the experiment.
            with st.container(border=True, key="lesson.asked", gap="xsmall"):
                scene.draw_question(reading)
                st.caption(tr("lesson.first_guess" if live.voting_room(scene.name) is None else "lesson.first_vote"))
                _say_whether_it_works(scene, reading)
        else:
            if scene.has_caption(reading):
                st.caption(tr(f"lesson.{scene.name}_look"))
            scene.draw(reading)
    if is_explained:
        scene.draw_below(reading)
    if not reading.selection.presenter:
        teacher.for_the_teacher(choices, reading)


def _say_whether_it_works(scene: Scene, reading: Reading) -> None:
    """Whether the scene's experiment works on the class's own sentence, measured."""
    shows = scene.shows(reading)
    if shows:
        st.caption(f":material/check: {tr('lesson.shows')}")
    elif shows is not None:
        st.warning(tr("lesson.shows_not"), icon=":material/info:")


def _question(scene: Scene, reading: Reading, choices: Choices) -> None:
    n, total = place_of(choices.scene, choices.route)
    st.caption(tr("lesson.of", n=n, total=total, minutes=minutes_of(scene, choices.route)))
    # The chooser names the scene too, and the experiment and large type need the place.
    if choices.vote(choices.scene) is None and not reading.selection.presenter:
        st.subheader(tr(scene.title), anchor=False)
    st.markdown(f"**{tr(scene.question)}**")
    if tried_elsewhere(reading) == "lesson.tried_elsewhere" and is_ours(reading.selection.text, reading.bundle):
        st.caption(tr("lesson.tried_elsewhere"))


def _guess(scene: Scene, choices: Choices) -> None:
    """Draw the options: for the class's phones, for a show of hands, or for one reader."""
    options = sheets.options_of(scene)
    if (room := live.voting_room(scene.name)) is not None:
        live.take_vote(room, scene.name, options, partial(_vote, choices.scene))
        return
    live.ask_by_hands(scene.name)
    chosen = st.radio(
        tr("lesson.guess"), range(len(options)), index=None, format_func=options.__getitem__,
        key=f"lesson.guess.{scene.name}", label_visibility="collapsed",
    )  # fmt: skip
    st.button(
        tr("lesson.vote"), type="primary", key="lesson.vote", disabled=chosen is None, on_click=_vote,
        args=(choices.scene, chosen), help=tr("lesson.kept"), shortcut=None if chosen is None else "PageDown",
    )  # fmt: skip
    if chosen is None:
        st.button(tr("room.skip_vote"), key="lesson.skip", type="tertiary", shortcut="PageDown", on_click=_vote,
                  args=(choices.scene, TIE))  # fmt: skip


def _answers(scene: Scene, choices: Choices, vote: int) -> None:
    """Draw the votes; the right option is marked once the scene is explained."""
    options = sheets.options_of(scene)
    if not live.result(scene.name, options):
        right = str(scene.right) if choices.scene in choices.explained else ""
        votes.shares(options, [0] * len(options), right=right, chosen=vote)


def _vote(scene: int, option: int | None) -> None:
    if option is None:
        return
    choices = session.choices_of(Choices, AREA)
    votes = [*choices.votes, *[0] * (scene + 1 - len(choices.votes))]
    votes[scene] = option + 1
    session.change_part(Choices, AREA, votes=tuple(votes))
    live.close_by_hands(SCENES[scene].name)


def _acts(scene: Scene, choices: Choices) -> None:
    """Draw the buttons for the next step: vote again, run or undo the experiment, explain."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if not choices.changed and live.can_vote_again(scene.name):
            st.button(tr("room.vote_again"), key="lesson.again", icon=":material/forum:", on_click=_ask_again,
                      args=(choices.scene,))  # fmt: skip
        has_button = scene.has_button()
        if choices.changed and not has_button:
            st.button(tr("lesson.undo"), key="lesson.undo", icon=":material/undo:", on_click=undo_change)
        elif not has_button:
            st.button(
                tr(scene.words("try")), key="lesson.change", icon=":material/science:",
                type="primary", shortcut=navigation.shortcut_of("change", choices), on_click=navigation.now,
                args=(make, scene),
            )  # fmt: skip
        if choices.scene not in choices.explained:
            kind = "primary" if choices.changed and not has_button else "secondary"
            st.button(
                tr("lesson.explain_now"),
                key="lesson.explain",
                type=kind,
                shortcut=navigation.shortcut_of("explain", choices),
                on_click=navigation.now,
                args=(_explain, choices.scene),
            )
        st.page_link(f"{scene.page}/{scene.page}.py", label=tr("lesson.open"), icon=":material/open_in_full:")


def _beside(scene: Scene, reading: Reading, compared: tuple[str, str, str]) -> None:
    """Draw the texts before and after the change, and beside them the experiment's question and its measurement."""
    with st.container(border=True, key="lesson.compare"):
        texts, question = st.columns(2, gap="large")
        with texts:
            _write_both(*compared)
        with question, errors.explained():
            _question_of_the_change(scene, reading)


def _below(scene: Scene, reading: Reading, compared: tuple[str, str, str] | None) -> None:
    """Draw the same in a column, under the explanation; without texts where the change is visible elsewhere."""
    if compared is not None:
        _before_and_after(*compared)
    with errors.explained():
        _question_of_the_change(scene, reading)


def _question_of_the_change(scene: Scene, reading: Reading) -> None:
    if scene.allows(reading):
        arguments = {name: escape_markdown(str(value)) for name, value in scene.named(reading).items()}
        st.markdown(tr(scene.words("done"), **arguments))
    if scene.measured is not None:
        st.markdown(f"**{scene.measured(reading)}**")


def _ask_again(scene: int) -> None:
    live.ask_again(SCENES[scene].name)
    _vote(scene, -1)


def _explain(scene: int, reading: Reading) -> None:
    choices = session.choices_of(Choices, AREA)
    session.change_part(Choices, AREA, explained=tuple(sorted({*choices.explained, scene})))
    live.explain(SCENES[scene].name, _explanation_for_phones(SCENES[scene], reading))


def _explanation_for_phones(scene: Scene, reading: Reading) -> live.Explanation:
    why, replies = {}, {}
    for code in LANGUAGES:
        with speaking(code), suppress(*errors.USER_ERRORS):
            why[code], replies[code] = _answer(scene, reading, on_phone=True), tuple(sheets.replies_of(scene))
    return {"why": why, "said": {code: texts[scene.right] for code, texts in replies.items()}, "replies": replies}


def _answer(scene: Scene, reading: Reading, *, on_phone: bool = False) -> str:
    """The explanation as Markdown; for phones as plain text without the invitation to try heads, which they cannot."""
    n_tried = len(session.choices_of(Choices, AREA).tried)
    numbers = scene.numbers(reading, None if on_phone and n_tried < TRIES else n_tried)
    if not on_phone:
        numbers = {name: escape_markdown(v) if isinstance(v, str) else v for name, v in numbers.items()}
    return tr(f"lesson.{scene.name}_answer", **numbers).strip()


def _explanation(scene: Scene, reading: Reading, choices: Choices, vote: int) -> None:
    """Draw the reply to the class's vote, then the explanation."""
    replies = sheets.replies_of(scene)
    reply = replies[scene.right if vote == TIE else vote]
    if vote == TIE and not live.is_skipped(scene.name):
        reply = sentences(tr("room.divided"), reply)
    if vote == scene.right:
        st.success(reply, icon=":material/check:")
    else:
        st.warning(reply, icon=":material/lightbulb:")
    with errors.explained():
        st.markdown(_answer(scene, reading))
        if more := scene.more(before(choices, reading)):
            st.markdown(more)


def _before_and_after(old: str, now: str, note: str) -> None:
    with st.container(border=True, key="lesson.compare"):
        _write_both(old, now, note)


def _write_both(old: str, now: str, note: str) -> None:
    """Draw both texts with the changed words marked."""
    lost, new = mark_changes(old, now)
    if old == now:
        note = sentences(tr("lesson.same"), note)
    below = f"  \n:small[:gray[{note}]]" if note else ""
    st.markdown(f"{tr('lesson.before', text=lost)}  \n{tr('lesson.after', text=new)}{below}")


page()
