"""A visitor's surveys: queueing, progress, links, and comparison with the shipped survey."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.corpus import queued
from model.corpus.batches import read_rows
from model.corpus.queued import create_survey, pairs_of, read_survey_job
from model.corpus.survey import survey
from model.runs.errors import running
from model.runs.folder import JobFolder
from model.runs.limits import RUNS_VARIABLE, Limits, runs_root
from model.runs.processes import FileLock
from model.runs.queue import RunQueue
from model.runs.status import Status, read_status, requested_control, write_owner, write_status
from model.text.links import CorpusError
from model.text.pairs import Pair
from tests.checkpoint import tiny_bundle
from tests.training.test_surveys import LIMITS, PAIRS, make_job, work
from tests.viz.page import run_page
from tests.viz.test_corpus_errors import hold_device_lock
from viz.corpus import visitor_surveys
from viz.environment import SURVEY_VARIABLE
from viz.i18n import speaking


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "runs"
    root.mkdir()
    monkeypatch.setenv(RUNS_VARIABLE, str(root))
    return root


@pytest.fixture
def outside_survey(runs: Path, tmp_path: Path) -> JobFolder:
    """A finished survey outside the folder of runs."""
    folder = make_job(tmp_path / "elsewhere")
    assert work(folder).state == "finished"
    return folder


@pytest.fixture
def stored_survey(outside_survey: JobFolder, runs: Path) -> JobFolder:
    """A finished survey in the folder of runs, named "mine" in links."""
    return JobFolder(outside_survey.path.rename(runs / "mine"))


def start_survey(app: AppTest) -> JobFolder:
    name = app.query_params["corpus.survey"]
    return JobFolder(runs_root() / str(name[0] if isinstance(name, list) else name))


@pytest.mark.parametrize("has_begun", [False, True])
def test_an_uploaded_file_is_put_in_line_and_can_be_stopped(
    runs: Path, monkeypatch: pytest.MonkeyPatch, has_begun: bool
) -> None:
    app = run_page("corpus")
    app.file_uploader(key="corpus_pairs").set_value(
        ("pairs.tsv", b"The cat.\tLe chat.\nThe dog.\tLe chien.\n", "text/plain")
    ).run()
    app.button(key="corpus_start").click().run()
    folder = start_survey(app)
    assert pairs_of(folder).read_text("utf-8").count("\n") == 2
    if has_begun:
        monkeypatch.setattr(RunQueue, "withdraw", lambda queue, folder: False)
    app.button(key="corpus_stop").click().run()
    assert (read_status(folder).state, requested_control(folder)) == (
        ("queued", "stop") if has_begun else ("stopped", "")
    )
    if has_begun:
        button = app.button(key="corpus_stop")
        assert button.disabled and button.label == "Stopping after this batch"


def test_requested_states_are_stored_for_nearest_neighbours(runs: Path) -> None:
    app = run_page("corpus", language="en")
    app.file_uploader(key="corpus_pairs").set_value(("pairs.tsv", b"The cat.\tLe chat.\n", "text/plain")).run()
    box = next(field for field in app.multiselect if field.label == "States to keep for Neighbours")
    box.set_value(["encoder.4", "decoder.4"]).run()
    app.button(key="corpus_start").click().run()
    job = read_survey_job(start_survey(app))
    assert job is not None and job.states == ("encoder.4", "decoder.4")


def test_a_model_of_another_language_is_measured_on_its_translations(runs: Path) -> None:
    for name, is_translated in (("en-de", True), ("tiny", False)):
        app = run_page("corpus", language="en", model=name)
        app.button(key="corpus_same").click().run()
        folder = start_survey(app)
        job = read_survey_job(folder)
        assert job is not None and job.own_targets is is_translated
        app.button(key="corpus_stop").click().run()


def test_the_error_for_too_many_states_names_the_remedy(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queued, "MOST_OF_STATES", 100)
    with pytest.raises(CorpusError, match="keep fewer layers or give fewer pairs"):
        create_survey(runs, tiny_bundle(), PAIRS, LIMITS, title="mine.tsv", states=("encoder.2",))
    assert not list(runs.glob("*/survey.json"))


@pytest.mark.nightly("no pair")
@pytest.mark.parametrize(
    ("content", "message"),
    [(b"one column\n", "line 1 has one column"), (b"caf\xe9\tx\n", "line 1 is not UTF-8"), (b"", "no pair")],
)
def test_a_file_without_pairs_is_refused_in_one_line(runs: Path, content: bytes, message: str) -> None:
    app = run_page("corpus")
    app.file_uploader(key="corpus_pairs").set_value(("pairs.tsv", content, "text/plain")).run()
    app.button(key="corpus_start").click().run()
    assert any(message in text.value for text in app.text)
    assert not list(runs.glob("*/survey.json"))


@pytest.mark.nightly(but=("fires",))
@pytest.mark.parametrize("view", ["heads", "find", "fires"])
def test_a_survey_opens_from_its_link(stored_survey: JobFolder, view: str) -> None:
    app = run_page("corpus", **{"corpus.survey": "mine", "corpus.view": view, "language": "en"})
    captions = [caption.value for caption in app.caption]
    assert any(text.startswith("3 sentence pairs, surveyed with") for text in captions)
    assert not any("Your" in text for text in captions)


def test_a_visitors_survey_is_labelled_as_theirs(stored_survey: JobFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    write_owner(stored_survey, "me")
    monkeypatch.setattr(visitor_surveys, "can_control", lambda *_: True)
    app = run_page("corpus", **{"corpus.survey": "mine", "language": "en"})
    assert any("Your 3 sentence pairs" in caption.value for caption in app.caption)


def test_a_damaged_survey_is_named_and_can_be_measured_again(
    stored_survey: JobFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stored_survey.result / "links-00000.parquet"
    intact = path.read_bytes()
    path.write_bytes(intact.replace(b"parquet-cpp-arrow", b"parquet-cpp-errow"))
    monkeypatch.setattr(visitor_surveys, "can_control", lambda *_: True)
    app = run_page("corpus", **{"corpus.survey": "mine", "language": "en"})
    assert any("links-00000.parquet is damaged" in text.value for text in app.text)
    assert any("measures the pairs of the damaged file again" in caption.value for caption in app.caption)
    monkeypatch.setattr(RunQueue, "submit", lambda queue, folder, owner: work(folder))
    app.button(key="corpus_go_on").click().run()
    assert path.read_bytes() == intact
    assert not any("damaged" in text.value for text in app.text)


@pytest.mark.nightly
def test_a_stopped_survey_shows_its_number_of_sentences(runs: Path) -> None:
    folder = create_survey(runs, tiny_bundle(), PAIRS, LIMITS, title="mine.tsv")
    write_status(folder, Status(state="stopped"))
    app = run_page("corpus", **{"corpus.survey": folder.path.name, "language": "en"})
    assert any("0 of 3 pairs" in warning.value for warning in app.warning)


def test_only_the_visitor_who_started_a_stopped_survey_can_resume_it(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = create_survey(runs, tiny_bundle(), PAIRS, LIMITS, title="mine.tsv")
    write_owner(folder, "somebody")
    write_status(folder, Status(state="stopped"))
    link = {"corpus.survey": folder.path.name}
    assert not [button for button in run_page("corpus", **link).button if button.key == "corpus_go_on"]
    monkeypatch.setattr(visitor_surveys, "can_control", lambda *_: True)
    app = run_page("corpus", **link)
    app.button(key="corpus_go_on").click().run()
    assert read_status(folder).is_alive


@pytest.mark.parametrize("is_begun", [True, False])
def test_going_on_while_the_old_process_ends_is_no_error_if_another_click_has_begun_it(
    runs: Path, monkeypatch: pytest.MonkeyPatch, is_begun: bool
) -> None:
    folder = create_survey(runs, tiny_bundle(), PAIRS, LIMITS, title="mine.tsv")
    write_status(folder, Status(state="stopped"))

    def refuse(*_: object, **__: object) -> None:
        if is_begun:
            write_status(folder, Status(state="queued"))
        raise running()

    monkeypatch.setattr(RunQueue, "submit", refuse)
    app = run_page("corpus", **{"corpus.survey": folder.path.name, "language": "en"})
    lock = FileLock.take(folder.alive)
    assert lock is not None
    with lock:
        app.button(key="corpus_go_on").click().run()
        assert any("Wait a few seconds" in text.value for text in app.text) is not is_begun


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("the cat", " ", "译文为空"),
        (" ", "le chat", "源句为空"),
        ("word " * 3_000, "le chat", "上限为"),
        ("the cat", "a" * 60_000, "共 60,007 个字符"),
    ],
)
def test_the_reason_for_skipping_a_pair_is_in_the_readers_language(source: str, target: str, reason: str) -> None:
    ((_, skipped),) = [(row.id, row.reason) for row in read_rows(tiny_bundle(), [Pair(source, target)])[1]]
    with speaking("zh"):
        assert reason in visitor_surveys._reason(skipped)


def test_a_survey_of_another_browser_is_not_listed_and_cannot_be_stopped(runs: Path) -> None:
    folder = create_survey(runs, tiny_bundle(), PAIRS, Limits(), title="theirs.tsv")
    write_owner(folder, "somebody else")
    with hold_device_lock(folder):
        app = run_page("corpus", **{"corpus.survey": folder.path.name})
        assert not [button for button in app.button if button.key == "corpus_stop"]
        assert not [box for box in run_page("corpus").selectbox if box.label == "Survey"]


def test_a_missing_survey_is_reported(runs: Path) -> None:
    app = run_page("corpus", **{"corpus.survey": "abc", "language": "en"})
    assert any("survey no longer exists" in info.value for info in app.info)
    app = run_page("corpus", **{"corpus.survey": "../..", "language": "en"})
    assert any("survey no longer exists" in info.value for info in app.info)


def test_another_survey_is_shown_beside_the_current_one(stored_survey: JobFolder) -> None:
    app = run_page("corpus", **{"corpus.survey": "mine", "corpus.beside": "shared", "language": "en"})
    titles = [text.value for text in app.markdown]
    assert any("tiny" in title and "3 pairs" in title for title in titles)
    assert any("2,000 pairs" in title for title in titles)
    app = run_page("corpus", **{"corpus.survey": "mine", "corpus.beside": "shared", "corpus.split": "length"})


@pytest.mark.nightly
def test_a_survey_from_the_command_line_is_not_called_held_out(
    outside_survey: JobFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SURVEY_VARIABLE, str(outside_survey.result))
    app = run_page("corpus", language="en")
    captions = [caption.value for caption in app.caption]
    assert any(text.startswith("3 sentence pairs, surveyed with") for text in captions)
    assert not any("Tatoeba" in text or "held-out" in text for text in captions)


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_a_damaged_survey_from_the_command_line_is_named_and_the_page_opens(
    outside_survey: JobFolder, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    (outside_survey.result / "links-00000.parquet").write_bytes(b"PAR1")
    monkeypatch.setenv(SURVEY_VARIABLE, str(outside_survey.result))
    copied_folder = make_job(tmp_path / "mine")
    copied_folder.path.rename(runs / "mine")
    monkeypatch.setattr(visitor_surveys, "visitor_surveys", lambda: {"mine": read_survey_job(JobFolder(runs / "mine"))})
    app = run_page("corpus", language=language)
    assert any("links-00000.parquet" in text.value for text in app.text)
    assert any(r"en\-fr" in caption.value for caption in app.caption)


def test_an_incomplete_survey_from_the_command_line_has_a_notice(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey(tiny_bundle(), PAIRS, tmp_path / "part", shard_size=2)
    for path in (tmp_path / "part").glob("*-00001.parquet"):
        path.unlink()
    monkeypatch.setenv(SURVEY_VARIABLE, str(tmp_path / "part"))
    app = run_page("corpus", language="en")
    assert any("2 of 3 pairs are there" in caption.value for caption in app.caption)


@pytest.mark.parametrize("view", ["heads", "find", "fires", "neighbours", "pruning", "explains"])
def test_a_survey_of_unreadable_pairs_has_a_notice(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, view: str
) -> None:
    survey(tiny_bundle(), [("", "le chat"), ("the cat", "")], tmp_path / "none")
    monkeypatch.setenv(SURVEY_VARIABLE, str(tmp_path / "none"))
    app = run_page("corpus", **{"corpus.view": view, "language": "en"})
    assert any("No pair of this survey could be measured" in info.value for info in app.info)
    assert any("the source is empty" in caption.value for caption in app.caption)


def test_a_survey_without_results_has_a_notice_that_another_is_shown(runs: Path) -> None:
    folder = create_survey(runs, tiny_bundle(), PAIRS, LIMITS, title="mine.tsv")
    with hold_device_lock(folder):
        app = run_page("corpus", **{"corpus.survey": folder.path.name, "language": "en"})
        assert any("Until then you see another survey" in caption.value for caption in app.caption)
