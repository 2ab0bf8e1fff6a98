"""A click survives a run that another event interrupts before the run reaches the button."""

import ast
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.corpus.queued import read_survey_job
from model.runs.folder import JobFolder
from model.runs.limits import RUNS_VARIABLE
from tests.trees import tree_of
from tests.viz.page import SENTENCE, run_page, url_param
from viz.frame import frame
from viz.rooms.hub import hub
from viz.rooms.room import Room

ROOT = Path(__file__).parents[2]
BUTTONS = {"button", "form_submit_button", "menu_button"}


@pytest.fixture
def runs(tiny_server: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of runs."""
    monkeypatch.setenv(RUNS_VARIABLE, str(tmp_path / "runs"))
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


def click(app: AppTest, key: str, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Click a button, and interrupt the run that receives the click."""
    draw_top_bar, was_interrupted = frame.top_bar, []

    def top_bar() -> None:
        if not was_interrupted:
            was_interrupted.append(True)
            st.rerun()
        draw_top_bar()

    with monkeypatch.context() as patch:
        patch.setattr(frame, "top_bar", top_bar)
        app.button(key=key).click().run()
    assert was_interrupted
    return app


def test_a_room_opens(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = click(run_page("room", text=SENTENCE), "room_open", monkeypatch)
    assert Room.find(hub().store, url_param(app, "room.code")) is not None


def test_a_training_starts_once(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = click(run_page("fine_tune", text=SENTENCE, tune__data="copy"), "tune_start", monkeypatch)
    assert [path.parent.name for path in runs.glob("*/job.json")] == [url_param(app, "tune.run")]
    app.run()
    assert len(list(runs.glob("*/job.json"))) == 1


def test_the_training_of_the_lesson_starts(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    voted = run_page("lesson", text=SENTENCE, lesson__scene="train", lesson__votes="train1")
    app = click(voted, "lesson.train", monkeypatch)
    assert [path.parent.name for path in runs.glob("*/job.json")] == [url_param(app, "lesson.run")]


def test_a_survey_starts_with_the_file_that_was_dropped(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = run_page("corpus", text=SENTENCE)
    app.file_uploader(key="corpus_pairs").set_value(("pairs.tsv", b"the cat\tle chat\n", "text/plain")).run()
    click(app, "corpus_start", monkeypatch)
    job = read_survey_job(JobFolder(runs / url_param(app, "corpus.survey")))
    assert job is not None and job.title == "pairs.tsv"


def script() -> None:
    import streamlit as st

    from viz.state import clicks

    with clicks.drop_unused_clicks():
        if st.session_state.pop("interrupt", False):
            st.rerun()
        if st.session_state.get("is_drawn", True) and clicks.button(
            "Delete", key="delete", about=st.session_state.get("name", "one")
        ):
            st.write("deleted")


def interrupted_click(**state: object) -> AppTest:
    """A page whose click was interrupted, with other state changed before the next run."""
    app = AppTest.from_function(script).run()
    for name, value in ({"interrupt": True} | state).items():
        app.session_state[name] = value
    return app.button(key="delete").click().run()


def test_a_click_is_acted_on_once() -> None:
    app = interrupted_click()
    assert [message.value for message in app.markdown] == ["deleted"]
    assert not app.run().markdown


def test_a_click_is_dropped_where_the_button_has_come_to_mean_something_else() -> None:
    app = interrupted_click(name="another")
    assert not app.markdown
    app.session_state["name"] = "one"
    assert not app.run().markdown


def test_a_click_is_dropped_when_a_whole_run_did_not_draw_the_button() -> None:
    app = interrupted_click(is_drawn=False)
    app.session_state["is_drawn"] = True
    assert not app.run().markdown and app.button


def lasting() -> None:
    import streamlit as st

    from viz.state import clicks

    with clicks.drop_unused_clicks():
        if clicks.button("Measure", key="measure", until_done=True):
            if st.session_state.pop("cancel", False):
                clicks.forget("measure")  # like the callback of a cancel button
                st.rerun()
            if st.session_state.pop("interrupt", False):
                st.rerun()
            st.write("measured")


def test_work_that_is_interrupted_begins_again_and_ends_once() -> None:
    app = AppTest.from_function(lasting).run()
    app.session_state["interrupt"] = True
    app.button(key="measure").click().run()
    assert [message.value for message in app.markdown] == ["measured"]
    assert not app.run().markdown


def test_work_that_is_cancelled_does_not_begin_again() -> None:
    app = AppTest.from_function(lasting).run()
    app.session_state["cancel"] = True
    app.button(key="measure").click().run()
    assert not app.markdown and not app.run().markdown


def test_no_page_reads_a_click_in_its_run() -> None:
    """Buttons use a callback or ``viz.state.clicks``, because the result of ``st.button`` is lost with its run."""
    assert not {path.name: lines for path in sorted((ROOT / "viz").rglob("*.py")) if (lines := read_in_the_run(path))}


def read_in_the_run(path: Path) -> list[int]:
    tree = tree_of(path.read_text("utf-8"))
    unread = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.lineno for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in BUTTONS
        and id(node) not in unread and ast.unparse(node.func.value) != "clicks"
    ]  # fmt: skip
