"""The Fine-tune page: the form, a finished run, and the uses of its result."""

import json
import os
import shutil
import time
import zipfile
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.checkpoints.basis.limits import Limits as CheckpointLimits
from model.runs.folder import JobFolder
from model.runs.limits import RUNS_VARIABLE, Limits
from model.runs.limits import VARIABLE as LIMITS_VARIABLE
from model.runs.processes import FileLock
from model.runs.queue import QueueFullError, RunQueue
from model.runs.status import write_owner
from model.text.pairs import Pair
from model.training.jobs.creation import create
from model.training.jobs.probe import frame_path, frame_steps, read_frame
from tests.checkpoint import tiny_bundle
from tests.training.jobs import SETTINGS, work
from tests.viz.page import assert_numbers_match_links, page_text, run_page
from viz import budget, cache, theme
from viz.components.film import pack
from viz.fine_tune import after as fine_tune_after
from viz.fine_tune.choices import Choices
from viz.i18n import LANGUAGES, catalogue, group, speaking
from viz.panels import shelf

NOUNS = (("cat", "chat"), ("dog", "chien"))
SENTENCES = tuple(
    Pair(f"the {a} is {b} the sofa {mark}", f"le {c} {d} le canapé {mark}")
    for a, c in NOUNS
    for b, d in (("on", "est sur"), ("sleeping on", "dort sur"), ("is on", "dort"))
    for mark in (".", "")
)  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def finished(root):
    """A finished run of the tiny checkpoint."""
    config = replace(SETTINGS, steps=8, accumulation=1, validate_every=4)
    limits = Limits(probe_share=1.0, niceness=0)
    folder = create(root, tiny_bundle(), SENTENCES, config, limits, held_out_share=0.3, probe="the cat is sleeping .")
    assert work(folder).state == "finished", folder.log.read_text() if folder.log.exists() else ""
    return folder


@pytest.fixture
def app(root, tiny_server, monkeypatch):
    monkeypatch.setenv(RUNS_VARIABLE, str(root))
    return lambda **params: run_page("fine_tune", **params)


def test_the_form_offers_the_sets_and_settings_of_the_chosen_one(app):
    page = app()
    assert "229 pairs to learn from" in page_text(page)
    assert page.number_input(key="choice.tune.steps").value == 40
    checked = assert_numbers_match_links(page, {"tune": Choices}, links_accept_more=True)
    assert {"seed", "warmup_steps", "batch_tokens"} <= checked
    page.button_group(key="choice.tune.data").set_value("copy").run()
    assert page.number_input(key="choice.tune.steps").value == 400 and "1,500 pairs" in page_text(page)


def test_pasted_rows_with_a_problem_are_shown_first_and_left_out(app):
    page = app(tune__data="paste")
    page.text_area(key="tune_paste").set_value(
        "the cat\tle chat\nthe dog\nthe cat\tle chat\nthe sofa | le canapé"
    ).run()
    assert "2 pairs to learn from" in page_text(page) and "2 rows have a problem" in page_text(page)
    problems = page.dataframe[0].value.iloc[:, 1].tolist()
    assert problems == ["no separator", "seen before", "", ""]


def test_too_few_pairs_are_an_error_and_nothing_starts(app):
    page = app(tune__data="paste")
    page.text_area(key="tune_paste").set_value("the cat\tle chat").run()
    page.button(key="tune_start").click().run()
    assert "1 pair is too few to learn from. Give at least 4." in page_text(page)


RUSSIAN = tuple(f"Это {word}." for word in ("стол", "дом", "книга", "окно", "город"))
ENGLISH = tuple(f"This is a {word}." for word in ("table", "house", "book", "window", "city"))


@pytest.mark.nightly(but=("zh",))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("side", ["source", "target"])
def test_pairs_whose_letters_the_vocabulary_lacks_are_refused_before_they_are_trained_on(app, language, side):
    page = app(tune__data="paste", model="en-fr", language=language)
    pairs = zip(*((RUSSIAN, ENGLISH) if side == "source" else (ENGLISH, RUSSIAN)), strict=True)
    page.text_area(key="tune_paste").set_value("\n".join(map("\t".join, pairs))).run()
    begin, _, end = catalogue(language)[f"training_error.spelling_{side}"].partition("{ $share }")
    assert any(begin in warning.value and end in warning.value for warning in page.warning)
    assert page.button(key="tune_start").disabled
    page.text_area(key="tune_paste").set_value(
        "\n".join(f"{text}\tC'est beau {i}." for i, text in enumerate(ENGLISH))
    ).run()
    assert not page.warning and not page.button(key="tune_start").disabled


def test_nothing_can_be_started_without_pairs(app):
    assert app(tune__data="paste").button(key="tune_start").disabled


@pytest.mark.nightly(but=("link4",))
@pytest.mark.parametrize(
    "link",
    [{"tune__run": "nobody"}, {"tune__run": "../../etc"}, {"tune__run": "a" * 999}, {"tune__steps": "-5"},
     {"tune__learning_rate": "nan"}, {"tune__data": "<x>"}],
)  # fmt: skip
def test_a_strange_link_leaves_the_form_usable(app, link):
    page = app(**link)
    assert page.button(key="tune_start") is not None


def test_only_the_starter_of_a_run_may_steer_it_and_others_may_look(app, finished, root, monkeypatch):
    other_root = root / "theirs"
    shutil.copytree(finished.path, other_root, dirs_exist_ok=True)
    write_owner(JobFolder(other_root), "somebody else")
    page = app(tune__run="theirs")
    keys = {button.key for button in page.button}
    assert "tune_use" in keys and not keys & {"tune_throw_sure", "tune_on"}
    write_owner(JobFolder(other_root), page.session_state["regard.memory"]["visitor"])
    page.run()
    assert {"tune_use", "tune_throw_sure", "tune_on"} <= {button.key for button in page.button}
    status = json.loads((other_root / "status.json").read_text()) | {"state": "running"}
    (other_root / "status.json").write_text(json.dumps(status))
    lock = FileLock.take(other_root / "alive")
    assert lock is not None
    with lock:
        page.run()
        assert page.button(key="tune_stop") is not None
        write_owner(JobFolder(other_root), "somebody else")
        page.run()
        assert catalogue("en")["fine_tune.not_yours"] in page_text(page)
        assert "tune_stop" not in {button.key for button in page.button}


@pytest.mark.parametrize("variable", ["REGARD_PUBLIC", "REGARD_REPLICA"])
def test_a_run_with_a_chosen_name_opens_only_where_its_owner_alone_can_ask(app, finished, root, monkeypatch, variable):
    shutil.copytree(finished.path, root / "chosen", dirs_exist_ok=True)
    not_found = catalogue("en")["fine_tune.run_gone"]
    assert not_found not in page_text(app(tune__run="chosen"))
    monkeypatch.setenv(variable, "1")
    assert not_found in page_text(app(tune__run="chosen"))
    assert not_found not in page_text(app(tune__run=finished.path.name))
    monkeypatch.setenv("REGARD_NAMED_RUNS", "1")
    assert not_found not in page_text(app(tune__run="chosen"))


def test_an_unknown_run_is_looked_up_once_and_reported_as_missing(app):
    page = app()
    page.text_input(key="tune_open").set_value("nobody").run(timeout=60)
    assert catalogue("en")["fine_tune.run_gone"] in page_text(page)
    assert page.button(key="tune_start") is not None


@pytest.mark.nightly(but=("fr",))
@pytest.mark.parametrize("language", list(LANGUAGES))
def test_the_link_of_an_ended_run_opens_it_in_each_language(app, finished, language):
    page = app(tune__run=finished.path.name, language=language)
    words = catalogue(language)
    assert any(button.label == words["fine_tune.use_result"] for button in page.button)
    assert [tab.label for tab in page.tabs][:2] == [words["fine_tune.tab_film"], words["fine_tune.tab_translations"]]


def test_the_result_is_used_only_where_the_account_has_room(app, finished, monkeypatch):
    page = app(tune__run=finished.path.name)
    with monkeypatch.context() as full:
        full.setattr(budget.BUDGET, "_bound", lambda kind: (0, 0))
        page.button(key="tune_use").click().run(timeout=60)
    assert "may hold 0 MiB" in page_text(page) and "REGARD_SESSION_MEMORY_MB" in page_text(page)
    assert "regard.private_models" not in page.session_state or not page.session_state["regard.private_models"]
    page.button(key="tune_use").click().run(timeout=60)
    assert len(page.session_state["regard.private_models"]) == 1


def test_only_the_open_tab_is_computed_and_the_film_keeps_its_place(app, finished, monkeypatch):
    calls = []
    for name in ("_translations", "_heads", "_difference"):
        monkeypatch.setattr(fine_tune_after, name, lambda change, name=name: calls.append(name))
    monkeypatch.setattr(fine_tune_after, "curves", lambda run: calls.append("curves"))
    monkeypatch.setattr(fine_tune_after, "film", lambda run: calls.append("film"))
    page = app(tune__run=finished.path.name)
    assert set(calls) == {"film"}
    calls.clear()
    page.session_state["tune_tabs"] = catalogue("en")["fine_tune.tab_heads"]
    page.run()
    assert set(calls) == {"film", "_heads"}


def test_the_result_becomes_a_model_of_this_session_and_of_no_other(app, finished):
    page = app(tune__run=finished.path.name)
    page.button(key="tune_use").click().run()
    assert "is now the model on all pages" in page_text(page)
    assert page.radio(key="choice..model").value == "own pairs, step 8"
    assert "own pairs, step 8" not in app(tune__run=finished.path.name).radio(key="choice..model").options


def test_results_in_use_keep_to_the_sessions_memory(app, finished, monkeypatch):
    monkeypatch.setattr(shelf, "limits", lambda: CheckpointLimits(session_memory_mb=0))
    page = app(tune__run=finished.path.name)
    models_in_use = {f"older {i}": replace(tiny_bundle(seed=i), fingerprint=f"older {i}") for i in range(2)}
    page.session_state["regard.private_models"] = models_in_use
    page.button(key="tune_use").click().run()
    assert list(page.session_state["regard.private_models"]) == ["own pairs, step 8"]
    assert "older 0, older 1" in page_text(page)


@pytest.mark.nightly
def test_a_result_used_twice_is_listed_once(app, finished):
    page = app(tune__run=finished.path.name)
    for _ in range(2):
        page.button(key="tune_use").click().run()
    assert list(page.session_state["regard.private_models"]) == ["own pairs, step 8"]


def test_the_film_of_a_run_takes_one_place_among_the_results(app, finished):
    options = {"tune__run": finished.path.name}
    cache.RESULTS.clear()
    app(**options)
    films = _films()
    assert len(films) == 1
    before = cache.RESULTS.find(films[0])
    for step in frame_steps(finished):
        os.utime(frame_path(finished, step), ns=(1, 1))
    app(**options)
    assert _films() == films
    after = cache.RESULTS.find(films[0])
    assert before is not None and after is not None and after[0] != before[0]


def _films():
    return [key for key in cache.RESULTS.names() if key[0] == repr("film")]


def test_a_download_opens_as_the_model_it_was(finished, tmp_path):
    bundle = load(finished.result)
    with zipfile.ZipFile(BytesIO(shelf.zip_model(bundle))) as archive:
        archive.extractall(tmp_path)
    assert load(tmp_path).fingerprint == bundle.fingerprint


def test_a_run_that_finds_no_place_is_refused_before_anything_is_removed_or_written(app, finished, root, monkeypatch):
    def full(*_: object) -> None:
        raise QueueFullError("1 runs are waiting already")

    def remove(*_: object, **__: object) -> None:
        raise AssertionError("others' runs stay where this one is refused")

    monkeypatch.setattr(RunQueue, "_check_room", full)
    page, before = app(), set(root.iterdir())
    monkeypatch.setattr("model.runs.queue.clean", remove)
    page.button(key="tune_start").click().run()
    assert "waiting already" in page_text(page)
    assert set(root.iterdir()) == before


def test_a_start_removes_the_runs_that_are_too_old_before_it_asks_for_room(app, finished, root, monkeypatch):
    monkeypatch.setenv(LIMITS_VARIABLE, '{"keep_days": 1, "keep_bytes_per_session": 1}')
    page, before = app(), set(root.iterdir())
    shutil.copytree(finished.path, root / "old")
    then = time.time() - 2 * 86_400
    for path in (*(root / "old").iterdir(), root / "old"):
        os.utime(path, (then, then))
    page.button(key="tune_start").click().run()
    assert set(root.iterdir()) == before


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_a_server_without_training_shows_a_notice(app, monkeypatch, language):
    monkeypatch.setenv(LIMITS_VARIABLE, '{"max_alive": 0}')
    page = app(language=language)
    assert page.button(key="tune_start").disabled
    assert catalogue(language)["fine_tune.off"] in page_text(page)


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_a_failure_names_the_remedy(app, finished, root, language):
    failed = root / f"failed-{language}"
    failed.mkdir(exist_ok=True)
    (failed / "job.json").write_text(finished.job.read_text())
    status = json.loads(finished.status.read_text()) | {
        "state": "failed",
        "fault": {"kind": "not_finite", "detail": "nan"},
    }
    (failed / "status.json").write_text(json.dumps(status))
    assert catalogue(language)["fine_tune.fault_not_finite"] in page_text(app(tune__run=failed.name, language=language))


def test_a_run_that_was_thrown_away_is_gone(app, finished, root):
    doomed = root / "doomed"
    shutil.copytree(finished.path, doomed, dirs_exist_ok=True)
    page = app(tune__run="doomed")
    page.button(key="tune_throw_sure").click().run()
    assert not doomed.exists() and page.button(key="tune_start") is not None


def test_a_film_carries_every_frame_of_one_kind_rounded_to_bytes(finished):
    frames = [read_frame(finished, step) for step in frame_steps(finished)]
    with speaking("en"):
        packet = pack(frames, kind="cross", palette=theme.LIGHT, words=group("film"), start=(1, 0), last_step=8)
    length = int.from_bytes(packet[:4], "little")
    header, body = json.loads(packet[4 : 4 + length]), packet[4 + length :]
    assert [frame["step"] for frame in header["frames"]] == list(frame_steps(finished))
    assert header["start"] == [1, 0]
    for described, frame in zip(header["frames"], frames, strict=True):
        weights = frame.attention.cross
        assert weights is not None
        decoded = np.frombuffer(body, np.uint8, weights.size, described["offset"]).reshape(weights.shape) / 255
        assert np.abs(decoded - weights).max() <= 0.5 / 255 + 1e-6
        assert len(described["queries"]) == weights.shape[2] and len(described["keys"]) == weights.shape[3]
        entropy = -(weights * np.log2(np.maximum(weights, 1e-12))).sum(-1).mean(-1)
        assert np.allclose(described["entropy"], entropy, atol=2e-3)
    assert header["frames"][0]["then"][0] == list(range(len(header["frames"][0]["queries"])))


def _scores(lesson: str, runs_shown: tuple[int | None, int | None]) -> None:
    from model.training.jobs.comparison import Comparison, Side
    from viz.fine_tune import after

    before, later = Side(("a", "b", "c"), 20.0, 40.5, runs_shown[0]), Side(("a", "b", "d"), 23.5, 40.0, runs_shown[1])
    after._scores(Comparison(("x", "y", "z"), ("a", "b", "c"), before, later, 7, "", ""), lesson)


@pytest.mark.parametrize(
    ("lesson", "n_shown", "expected"),
    [("tu_vous", (1, 3), [("say vous", "3 of 3", "1 of 3")]), ("", (1, 3), []), ("tu_vous", (None, 3), []),
     ("tu_vous", (1, None), [])],
)  # fmt: skip
def test_a_lesson_is_compared_by_how_often_it_is_shown_and_every_run_by_its_scores(lesson, n_shown, expected):
    app = AppTest.from_function(_scores, args=(lesson, n_shown)).run()
    metrics = [(metric.label, metric.value, metric.delta) for metric in app.metric]
    assert [(label, value, delta[-6:]) for label, value, delta in metrics[:-2]] == expected
    assert [(value, delta) for _, value, delta in metrics[-2:]] == [("23.5", "+3.5"), ("40.0", "-0.5")]
