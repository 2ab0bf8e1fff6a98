"""The session's state: choices, undo, links and private models."""

import dataclasses

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.state.query_params import QueryParams
from streamlit.testing.v1 import AppTest

from viz.panels import reading
from viz.room import publish
from viz.rooms.room import Room
from viz.rooms.store import MemoryStore
from viz.state import choices, session
from viz.state.selection import Selection


def _app(script):
    return AppTest.from_function(script, default_timeout=60)


def _toggle_script():
    import streamlit as st

    from viz.state import session

    session.begin()
    st.toggle("presenter", **session.bind("presenter"))
    st.number_input("layer", 0, 11, **session.bind("layer"))
    st.text(session.link())


def test_a_widget_writes_its_choice_into_the_link():
    app = _app(_toggle_script).run()
    app.toggle[0].set_value(True).run()
    app.number_input[0].set_value(3).run()
    assert dict(app.query_params) == {"presenter": "1", "layer": "3"}
    assert app.text[0].value == "?layer=3&presenter=1"


def test_a_choice_back_at_its_default_leaves_the_link():
    app = _app(_toggle_script)
    app.query_params["presenter"] = "1"
    app.run()
    assert app.toggle[0].value is True
    app.toggle[0].set_value(False).run()
    assert not dict(app.query_params)


def test_a_stale_address_does_not_undo_a_choice():
    app = _app(_toggle_script).run()
    app.toggle[0].set_value(True).run()
    app.query_params.clear()
    app.number_input[0].set_value(2).run()
    assert dict(app.query_params) == {"presenter": "1", "layer": "2"}


def test_an_address_that_another_click_cut_off_is_sent_by_the_next_run(monkeypatch):
    addresses: list[str] = []

    def send(params):
        if cuts:
            raise cuts.pop()
        addresses.append(str(params.to_dict()))

    cuts: list[BaseException] = []
    app = _app(_toggle_script).run()
    monkeypatch.setattr(QueryParams, "_send_query_param_msg", send)
    cuts.append(StopException())  # as Streamlit raises when a click interrupts a message
    app.toggle[0].set_value(True).run()
    assert not cuts and not addresses
    app.run()
    assert addresses == ["{'presenter': '1'}"]


@pytest.mark.parametrize(("page", "place"), [("/regard/explore", "/regard"), ("/explore", ""), ("/", "")])
def test_the_application_is_served_where_its_pages_are(monkeypatch, page, place):
    monkeypatch.setattr(type(st.context), "url", f"https://host{page}")
    assert session.served_at() == f"https://host{place}"


def _undo_script():
    import streamlit as st

    from model import NONE, HeadOff, Interventions
    from viz.state import session

    session.begin()
    interventions = Interventions(heads_off=(*session.read().interventions.heads_off, HeadOff("cross", 0, 0)))
    st.button("off", on_click=session.intervene, args=(interventions,))
    st.button("prefix", on_click=session.intervene, args=(NONE, (5, 6)))
    st.button("undo", on_click=session.undo)
    st.text(f"{len(session.read().interventions.heads_off)} {session.read().prefix}")


def test_changes_are_undone_one_at_a_time_and_no_further():
    app = _app(_undo_script).run()
    app.button[0].click().run()
    app.button[1].click().run()
    assert app.text[0].value == "0 (5, 6)"
    app.button[2].click().run()
    assert app.text[0].value == "1 ()"
    for _ in range(3):
        app.button[2].click().run()
    assert app.text[0].value == "0 ()"


def _two_models_script():
    import streamlit as st

    from model import NONE
    from viz.state import session

    session.begin()
    st.button("prefix", on_click=session.intervene, args=(NONE, (4321, 99)))
    st.button("other prefix", on_click=session.intervene, args=(NONE, (7,)))
    st.button("other", on_click=session.change_tokens, kwargs={"model": "other"})
    st.button("back", on_click=session.return_to, args=("?",))
    st.button("undo", on_click=session.undo)
    st.text(f"{session.read().model} {session.read().prefix}")


def test_undo_never_brings_tokens_of_another_model():
    app = _app(_two_models_script).run()
    presses = ("prefix", "other prefix", "other", "undo", "other prefix", "back", "undo")
    prefixes = []
    for label in presses:
        next(button for button in app.button if button.label == label).click().run()
        prefixes.append(app.text[0].value.strip())
    assert prefixes == ["(4321, 99)", "(7,)", "other ()", "other ()", "other (7,)", "()", "()"]


def _model_script():
    import streamlit as st

    from tests.checkpoint import tiny_bundle
    from viz.state import session

    if st.button("open"):
        session.keep_private_models({**session.private_models(), "mine": tiny_bundle("mine")})
    st.text(",".join(session.private_models()))


def test_a_private_model_is_visible_only_in_its_session():
    owner, stranger = _app(_model_script).run(), _app(_model_script).run()
    owner.button[0].click().run()
    assert owner.text[0].value == "mine"
    assert stranger.run().text[0].value == ""


def _long_script():
    import streamlit as st

    from viz.state import session

    session.begin()
    if st.button("write"):
        session.change(text="word " * 1_000)
    long = st.query_params.get("long", "")
    st.button("short", on_click=session.new_sentence, args=("short",))
    st.button("back", on_click=lambda: session.return_to(f"?long={session.recall('seen', str)}"))
    session.remember("seen", long or session.recall("seen", str))
    st.text(len(session.read().text))
    st.text(session.is_chosen("text"))


def test_a_sentence_too_long_for_a_link_stays_in_the_session_and_back_returns_to_it():
    app = _app(_long_script).run()
    app.button[0].click().run()
    app.run()
    assert [text.value for text in app.text] == ["5000", "True"]
    assert "text" not in app.query_params
    app.button[1].click().run()
    assert app.text[0].value == "5" and "long" not in app.query_params
    app.button[2].click().run()
    assert [text.value for text in app.text] == ["5000", "True"]


def test_outside_the_application_there_is_no_session():
    assert session.mode() == "light"
    assert tuple(session.preferred_languages()) == ()


def test_choices_cannot_be_changed_in_place():
    with pytest.raises(dataclasses.FrozenInstanceError):
        session.Selection().layer = 3  # pyrefly: ignore[read-only]


def _return_script():
    import streamlit as st

    from viz.state import session

    session.begin()
    st.button("write", on_click=session.new_sentence, args=("another",))
    if st.button("speak"):
        session.change(language="fr")
    st.button("back", on_click=session.return_to, args=("?text=first&layer=3&pins=q1+q2&presenter=1&kind=none",))
    selection = session.read()
    st.text(
        f"{selection.text}|{selection.layer}|{'.'.join(selection.pins)}|{selection.language}|{selection.presenter}|{selection.kind}"
    )


def test_back_restores_the_choices_of_that_address_and_retains_settings():
    app = _app(_return_script).run()
    for button in (0, 1, 2):
        app.button[button].click().run()
    assert app.text[0].value == "first|3|q1.q2|fr|False|cross"


def test_back_restores_the_readers_choices_of_that_address():
    app = _app(_return_script).run()
    for button in (1, 2):
        app.button[button].click().run()
    params = dict(app.query_params)
    assert params["language"] == "fr"
    app.query_params = {name: text for name, text in params.items() if name != "language"}
    app.button[2].click().run()
    assert app.text[0].value.split("|")[3] == "fr" and dict(app.query_params) == params


def test_an_address_gone_back_to_is_not_written_over_before_its_choices_are_taken():
    app = _app(_return_script).run()
    app.button[0].click().run()
    app.query_params.clear()
    app.query_params["text"] = "first"
    app.run()
    assert dict(app.query_params) == {"text": "first"}
    app.button[2].click().run()
    assert app.text[0].value.startswith("first|3")


def _many_words_script():
    import streamlit as st

    from viz.i18n import tr
    from viz.state import session

    session.begin()
    for _ in range(50):
        tr("frame.tagline")
    is_presenter = not session.read().presenter
    session.change(presenter=is_presenter)
    st.text(is_presenter)


def test_choices_are_read_once_per_run_and_again_when_they_change(monkeypatch):
    calls = []
    original = choices.from_params
    monkeypatch.setattr(choices, "from_params", lambda *args, **kwargs: calls.append(args) or original(*args, **kwargs))
    app = _app(_many_words_script).run()
    assert len(calls) == 1
    assert [app.run().text[0].value for _ in range(3)] == ["False", "True", "False"]
    assert len(calls) == 4


def test_later_readers_of_the_choices_see_the_newest():
    owner = choices.Choices({"layer": "3", "head": "999999", "lesson.scene": "mask"})
    then = owner.read(Selection)
    assert (then.layer, then.head) == (3, 999)
    owner.write(dataclasses.replace(then, layer=0, head=1, pins=("q2",)), without=("lesson.scene",))
    assert owner.read(Selection).pins == ("q2",) and then.pins == ()
    assert owner.params == {"layer": "0", "head": "1", "pins": "q2"}  # a chosen layer stays in the link, even layer 0
    owner.params["layer"] = "5"
    assert owner.read(Selection).layer == 0


def _back_script():
    import streamlit as st

    from model import HeadAblation, Interventions
    from viz.state import session

    session.begin()

    def switch_off(head):
        session.intervene(Interventions((HeadAblation("cross", 0, head),)))

    st.button("first off", on_click=switch_off, args=(1,))
    st.button("second off", on_click=switch_off, args=(2,))
    st.button("back", on_click=session.return_to, args=("?text=another",))
    st.button("same", on_click=session.return_to, args=(session.link(),))
    st.button("undo", on_click=session.undo)
    st.text(session.read().text)
    st.text(" ".join(str(item.head) for item in session.read().interventions.heads_off))


def test_undo_after_going_back_to_another_sentence_restores_nothing_of_the_one_that_was_left():
    app = _app(_back_script).run()
    for button in (0, 1, 2, 4):
        app.button[button].click().run()
    assert [text.value for text in app.text] == ["another", ""]


def test_undo_after_going_back_within_a_sentence_restores_its_change():
    app = _app(_back_script).run()
    for button in (0, 1, 3, 4):
        app.button[button].click().run()
    assert app.text[1].value == "1"


@pytest.fixture
def room(monkeypatch):
    room, _ = Room.open(MemoryStore(), most_devices=5)
    monkeypatch.setattr(publish.teacher_room, "wished_code", lambda: room.code)
    monkeypatch.setattr(publish.teacher_room, "current_room", lambda: room)
    return room


def test_phones_see_the_head_that_opens_first(open_page, room):
    app = open_page()
    (head,) = room.current_view()["state"]["heads"]
    assert list(map(str, head)) == [app.query_params[name] for name in ("layer", "head")]


def test_the_sentence_is_read_once_for_the_phones_and_the_page(open_page, room, monkeypatch):
    original, calls = reading.opening, []
    monkeypatch.setattr(reading, "opening", lambda *args, **options: calls.append(args) or original(*args, **options))
    open_page("decode")
    assert len(calls) == 1
    assert room.current_view()["page"] == "decode"


def _asked_four_times():
    import streamlit as st

    from viz.state import session
    from viz.state.page_run import is_page_run, once_a_run, page_run

    reads = []

    @once_a_run
    def layer():
        reads.append(session.read().layer)
        if not reads[-1]:
            raise ValueError
        return reads[-1]

    session.begin()
    session.change(layer=0)
    with page_run():
        for _ in range(2):
            try:
                layer()
            except ValueError:
                st.text("failed")
        session.change(layer=3)
        st.text(str((layer(), layer())))
        session.change(layer=4)
        st.text(str((layer(), layer())))
        session.keep_private_models({})
        st.text(str((layer(), is_page_run())))
    st.text(str((layer(), layer(), is_page_run())))
    st.text(str(reads))


def test_an_answer_lasts_until_a_choice_or_the_models_change_and_no_longer_than_the_run():
    app = AppTest.from_function(_asked_four_times).run()
    assert [text.value for text in app.text] == [
        "failed", "failed", "(3, 3)", "(4, 4)", "(4, True)", "(4, 4, False)", "[0, 0, 3, 4, 4, 4, 4]",
    ]  # fmt: skip
