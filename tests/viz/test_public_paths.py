"""A public server never reveals its folders: on pages, in links, in errors or in downloads."""

import errno
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.corpus.queued import create_survey
from model.deployment import VARIABLE
from model.runs.limits import RUNS_VARIABLE, Limits
from model.runs.status import Fault, Status, write_status
from model.text.pairs import Pair
from model.training.jobs.creation import create
from tests.checkpoint import save_tiny, tiny_bundle
from tests.pages import PAGES, pages_and_panels
from tests.training.jobs import SETTINGS, work
from tests.training.test_surveys import PAIRS
from tests.viz.page import proto_nodes, run_page
from viz import cache
from viz.environment import SURVEY_VARIABLE
from viz.i18n import speaking, tr
from viz.plain_text import public_message

ROOT = Path(__file__).parents[2]
Open = Callable[..., AppTest]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A public server's folder, whose name must not be shown."""
    secret = tmp_path / "our school"
    save_tiny(secret / "staff" / "lesson")
    monkeypatch.setenv(VARIABLE, "1")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(secret / "staff" / "lesson"))
    monkeypatch.setenv(RUNS_VARIABLE, str(secret / "runs"))
    return secret


@pytest.fixture
def open_and_check(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens a page; fails the test if a page or an offered file contained the name of a folder."""
    apps: list[AppTest] = []
    offered: list[bytes] = []
    button = st.download_button

    def download_button(label: str, data: object, *args: object, **options: object) -> bool:
        content = data() if callable(data) else data
        offered.append(content.encode() if isinstance(content, str) else bytes(content))  # type: ignore[arg-type]
        return button(label, offered[-1], *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(st, "download_button", download_button)

    def visit(page: str, **params: str) -> AppTest:
        apps.append(run_page(page, **{"text": "the cat is sleeping"} | params))
        return apps[-1]

    yield visit
    for app in apps:
        messages = (node.proto.SerializeToString().decode("latin-1") for node in proto_nodes(app))
        for text in (*messages, *map(str, app.query_params.values())):
            assert not names_folder(text, folder), text[:300]
    for content in offered:
        assert not names_folder(content.decode("latin-1"), folder)


def names_folder(text: str, folder: Path) -> bool:
    """Whether a text contains the name of a folder of the server."""
    return any(str(place) in text for place in (folder, folder.name, ROOT, sys.prefix, tempfile.gettempdir()))


@pytest.mark.nightly("lesson", "corpus")
@pytest.mark.parametrize("page", PAGES)
def test_no_page_and_no_download_tells_a_folder(open_and_check: Open, page: str) -> None:
    app = open_and_check(page)
    assert "lesson" in [option for radio in app.radio for option in radio.options], "the school's own model is offered"


def test_a_link_names_the_schools_model(open_and_check: Open, folder: Path) -> None:
    app = open_and_check("explore", model="lesson")
    assert app.query_params["model"] == "lesson" and not [text for text in app.text if "lesson" in text.value]


def test_a_model_with_the_name_of_a_shipped_one_is_renamed(folder: Path, monkeypatch) -> None:
    save_tiny(folder / "tiny")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(folder / "tiny"))
    assert cache.model_names()[0] == "tiny 2" and "tiny" in cache.model_names()
    assert cache.bundle("tiny 2").fingerprint != cache.bundle("tiny").fingerprint
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(ROOT / "pretrained/tiny"))
    assert cache.model_names().count("tiny") == 1 and "tiny 2" not in cache.model_names()


@pytest.mark.parametrize("damage", ["missing", "cut", "vocabulary"])
def test_a_checkpoint_that_does_not_open_is_named_without_its_folder(
    open_and_check: Open, folder: Path, damage: str
) -> None:
    place = folder / "staff" / "lesson"
    if damage == "missing":
        place.rename(folder / "away")
    else:
        name = "model.safetensors" if damage == "cut" else next(place.glob("*ource*")).name
        (place / name).write_bytes((place / name).read_bytes()[:20])
    app = open_and_check("explore")
    assert [text for text in app.text if len(text.value) > 20], "the error is on the page"


@pytest.mark.nightly("cut")
@pytest.mark.parametrize("damage", ["missing", "cut"])
def test_a_survey_that_does_not_open_is_named_without_its_folder(
    open_and_check: Open, folder: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder / "survey"
    place.mkdir()
    if damage == "cut":
        for name in ("sentences", "heads", "links"):
            (place / f"{name}-00000.parquet").write_bytes(b"PAR1")
    monkeypatch.setenv(SURVEY_VARIABLE, str(place))
    assert [text for text in open_and_check("corpus").text if "survey" in text.value.lower()]


@pytest.mark.parametrize("damage", ["initial", "pairs", "denied"])
def test_a_failed_training_shows_the_reason_without_a_folder_or_a_traceback(
    open_and_check: Open, folder: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = replace(SETTINGS, steps=4, accumulation=1, validate_every=4)
    pairs = [Pair(pair.source, pair.target) for pair in PAIRS] + [Pair("the dog is on the sofa .", "le chien dort .")]
    run = create(folder / "runs", tiny_bundle(), pairs, config, Limits.from_environment(), held_out_share=0.3)

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(run.path / "snapshots" / "model.safetensors"))

    if damage == "denied":
        monkeypatch.setattr("model.training.jobs.worker.prepare", denied)
    else:
        (run.initial / "model.safetensors" if damage == "initial" else run.train).unlink()
    status = work(run)
    assert status.state == "failed" and status.fault is not None
    assert damage == "initial" or str(folder) in status.fault.detail, "this one has a path to leave out"
    app = open_and_check("fine_tune", **{"tune.run": run.path.name})
    with speaking("en"):
        assert [text for text in app.markdown if tr(f"fine_tune.fault_{status.fault.kind}") in text.value]
    assert [text for text in app.text if "model.safetensors" in text.value or run.train.name in text.value]
    assert not [text for text in app.text if "Traceback" in text.value or 'File "' in text.value]


def test_a_failed_survey_shows_the_reason_without_a_folder(open_and_check: Open, folder: Path) -> None:
    failed = create_survey(folder / "runs", tiny_bundle(), PAIRS, Limits.from_environment(), title="mine.tsv")
    detail = f"PermissionError: [Errno 13] Permission denied: '{failed.path / 'result' / 'x.parquet'}'"
    write_status(failed, Status(state="failed", fault=Fault("unknown", detail)))
    app = open_and_check("corpus", **{"corpus.survey": failed.path.name})
    assert [text for text in app.text if "Permission denied: '" in text.value and "x.parquet" in text.value]


def test_no_question_in_sql_is_answered_with_a_folder(open_and_check: Open) -> None:
    app = open_and_check("corpus", **{"corpus.view": "find", "text": ""})
    for sql in ("SELECT sql FROM duckdb_views()", "SELECT filename FROM heads"):
        app.text_area(key="corpus_sql").set_value(sql)
        app.button(key="corpus_sql_run").click().run()
        assert [text for text in app.text if "is not allowed" in text.value or "filename" in text.value]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("cannot read /srv/data/a.tsv: No such file", "cannot read a.tsv: No such file"),
        ("there is no checkpoint ~/models/x.pt: give", "there is no checkpoint x.pt: give"),
        (r"C:\Users\me\x.npz is damaged", "x.npz is damaged"),
        ("('/opt/a/b', '/opt/a/c')", "('b', 'c')"),
        ("tensor encoder/layer_0/weight and 3/4 of https://example.org/a/b", None),
        ("a path with spaces: {root}/our files/a.pt", "a path with spaces: our files/a.pt"),
    ],
)
def test_files_stand_in_messages_without_their_folders(monkeypatch, message: str, expected: str | None) -> None:
    message = message.replace("{root}", str(ROOT))
    assert public_message(ValueError(message)) == message
    monkeypatch.setenv(VARIABLE, "1")
    assert public_message(ValueError(message)) == (expected or message)


def test_errors_reach_the_screen_through_one_function() -> None:
    for path in pages_and_panels():
        text = path.read_text("utf-8")
        assert "str(error)" not in text and "{error}" not in text.replace("off by {error}", ""), path
        assert text.count(".fault.detail") <= text.count("public_message(status.fault.detail)") * 2, path
