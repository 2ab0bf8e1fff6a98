"""Errors of a visitor's file are explained in the visitor's language and leave the rest of the page."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.corpus.shards import stamps
from model.corpus.shipped import shipped_survey
from model.corpus.sql.query import run_query
from model.corpus.sql.sandboxed import ask_sandboxed
from model.runs.errors import RunError
from model.runs.folder import JobFolder
from model.runs.limits import Limits
from model.runs.processes import FileLock
from model.runs.queue import RunQueue
from model.runs.status import Status, write_status
from model.text.links import CorpusError
from model.text.pairs import Pair, decode_lines, pairs_of_lines, parse_gold
from model.training.jobs.creation import continue_with, create
from model.training.settings import TrainingConfig
from tests.checkpoint import tiny_bundle
from tests.training.jobs import LIMITS, make_run
from tests.viz.page import run_page
from viz.i18n import in_each_language, speaking
from viz.panels import errors

FILE = "mine.tsv"
CASES: dict[str, Callable[[Path], object]] = {
    "gold_columns": lambda _: parse_gold(["the cat"], FILE),
    "no_gold": lambda _: parse_gold([""], FILE),
    "no_links": lambda _: parse_gold(["the cat\tle chat\t"], FILE),
    "no_link": lambda _: parse_gold(["the cat\tle chat\t0:0"], FILE),
    "link_beyond_source": lambda _: parse_gold(["the cat\tle chat\t5-0"], FILE),
    "link_beyond_target": lambda _: parse_gold(["the cat\tle chat\t0p5"], FILE),
    "too_large": lambda _: decode_lines(b"12345", FILE, most=4),
    "not_utf8": lambda _: decode_lines("l'été".encode("utf-16"), FILE),
    "long_line": lambda _: pairs_of_lines(["the cat\tle chat\t" + "0-0 " * 20_000], FILE),
    "one_column": lambda _: pairs_of_lines(["the cat"], FILE),
    "no_pairs": lambda _: pairs_of_lines([], FILE),
    "none": lambda folder: stamps(folder),
    "damaged": lambda folder: (folder / "sentences-00000.parquet").write_bytes(b"PAR1") and stamps(folder),
    "select": lambda _: ask("DELETE FROM heads"),
    "table": lambda _: ask("SELECT * FROM secrets"),
    "function": lambda _: ask("SELECT * FROM read_csv('/etc/passwd')"),
    "slow": lambda _: ask("SELECT count(*) FROM range(1000000000000)"),
    "syntax": lambda _: ask("SELECT * FORM heads"),
    "column": lambda _: ask("SELECT nothing FROM heads"),
    "no_function": lambda _: ask("SELECT nothing(entropy) FROM heads"),
    "duckdb": lambda _: ask("SELECT CAST('x' AS INT)"),
    "characters": lambda _: ask("SELECT '\ud800'"),
    "wide": lambda _: ask_sandboxed(shipped_survey(), "SELECT repeat('x', 5000000)", visitor="me"),
    "memory": lambda _: ask_sandboxed(shipped_survey(), "SELECT repeat('x', 300000000)", visitor="me"),
}  # fmt: skip


def queue_run(root: Path, **limits: int) -> None:
    """A second run of a session that already has one."""
    queue, run = RunQueue(Limits(**limits)), make_run(root, steps=1)
    queue._owners[run.path] = "me"
    with hold_device_lock(run):
        queue.check_room("me")


@contextmanager
def hold_device_lock(run: JobFolder) -> Iterator[None]:
    """As if a process worked on it."""
    lock = FileLock.take(run.alive)
    assert lock is not None
    with lock:
        write_status(run, Status(state="running"))
        yield


def run_to_end(root: Path, *, job: bool = True) -> None:
    run = make_run(root, steps=1)
    if not job:
        run.job.unlink()
    with hold_device_lock(run):
        continue_with(run, TrainingConfig(steps=2), LIMITS)


def start_run(root: Path, n: int = 40, *, steps: int = 1, **limits: int) -> None:
    create(root, tiny_bundle(), [Pair("the cat", "le chat")] * n, TrainingConfig(steps=steps), Limits(**limits))


REFUSED: dict[str, Callable[[Path], object]] = {
    "off": lambda root: queue_run(root, max_alive=0),
    "mine_full": lambda root: queue_run(root, max_alive_per_session=1),
    "full": lambda root: queue_run(root, max_alive=1, max_alive_per_session=2),
    "no_space": lambda root: RunQueue(Limits(keep_bytes=1_000)).check_room("me", root, 1_001),
    "running": lambda root: run_to_end(root),
    "command_line": lambda root: run_to_end(root, job=False),
    "few": lambda root: start_run(root, 1),
    "many": lambda root: start_run(root, 40, max_pairs=30),
    "steps": lambda root: start_run(root, steps=200, max_steps=100),
    "parameters": lambda root: start_run(root, max_parameters=10),
    "disk": lambda root: start_run(root, undo_bytes=1 << 60),
}


def ask(sql: str) -> object:
    return run_query(shipped_survey().tables, sql, seconds=0.2)


@pytest.mark.parametrize("case", [*CASES, *REFUSED])
def test_an_error_is_explained_in_the_readers_language(case: str, tmp_path: Path):
    with pytest.raises(CorpusError if case in CASES else RunError) as raised:
        (CASES | REFUSED)[case](tmp_path)
    assert raised.value.case == case
    messages = in_each_language(lambda: errors.remedy(raised.value))
    assert len(set(messages.values())) == 3
    assert re.search("[\u4e00-\u9fff]", messages["zh"]) and "{" not in "".join(messages.values())
    if FILE in str(raised.value):
        assert all(FILE in text for text in messages.values())


@pytest.mark.parametrize(
    ("sql", "detail"),
    [("SELECT nothing FROM heads", 'Referenced column "nothing"'), ("SELECT * FORM heads", 'at or near "heads"')],
)
def test_duckdbs_message_follows_the_translated_one(sql: str, detail: str):
    with pytest.raises(CorpusError) as raised:
        ask(sql)
    for language in ("en", "zh", "fr"):
        with speaking(language):
            sentence, detail_line = errors.remedy(raised.value).split("\n")
            assert (
                sentence and detail_line == str(raised.value) and detail in detail_line and "LINE 1" not in detail_line
            )


def two_errors() -> None:
    from model.text.links import CorpusError
    from viz.panels import errors

    errors.explain(CorpusError("the first"))
    errors.explain(CorpusError("the second"))


def test_a_page_shows_two_errors_and_one_link_back():
    app = AppTest.from_function(two_errors)
    app.query_params["interventions"] = "off:x.0.0"
    app.run()
    assert [text.value for text in app.text] == ["the first", "the second"]
    assert len([button for button in app.button if button.key == "undo_mishap"]) == 1


def test_gold_that_cannot_be_read_leaves_the_example_on_the_page():
    app = run_page("corpus", **{"corpus.view": "align"})
    app.file_uploader(key="corpus_gold").set_value((FILE, b"the cat\tle chat\t0-0 5-1\n", "text/plain")).run()
    app.button(key="corpus_gold_measure").click().run()
    assert any("mine.tsv" in text.value and "5-1" in text.value for text in app.text)
    assert any(box.key == "corpus_gold_layer" for box in app.selectbox)


def test_an_example_opens_at_the_best_head_of_the_alignments_just_measured():
    app = run_page("corpus", **{"corpus.view": "align", "model": "tiny", "language": "en"})
    app.file_uploader(key="corpus_gold").set_value(
        (FILE, b"the cat is here .\tle chat est ici .\t0-4 1-3 2-2 3-1 4-0\n", "text/plain")
    ).run()
    app.button(key="corpus_gold_measure").click().run()
    message = next(text.value for text in app.markdown if "aligns best" in text.value)
    layer, head = map(int, re.findall(r"Layer (\d+), head (\d+)", message)[0])
    assert (layer, head) != (0, 0)
    assert (app.selectbox(key="corpus_gold_layer").value, app.selectbox(key="corpus_gold_head").value) == (layer, head)
