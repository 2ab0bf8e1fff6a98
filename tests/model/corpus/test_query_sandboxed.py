"""A visitor's query: in a process of its own, bounded in bytes, cut, ended when nobody waits, in turns."""

import os
import re
import resource
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from model.corpus.sql import sandboxed
from model.corpus.sql.query import QueryError
from model.corpus.sql.sandboxed import Line, ask_sandboxed
from model.corpus.survey import Survey

ENDLESS = "SELECT count(*) FROM range(100000000000) a, range(1000000) b"


class Left(Exception):  # noqa: N818
    """The visitor is gone."""


def children() -> list[int]:
    """The processes that answer queries of this one."""
    collected = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_ours = int(path.joinpath("stat").read_text().rpartition(")")[2].split()[1]) == os.getpid()
            if is_ours and b"model.corpus.sql.child" in path.joinpath("cmdline").read_bytes():
                collected.append(int(path.name))
    return collected


def test_the_answer_is_that_of_the_survey(surveyed: Survey) -> None:
    sql = "SELECT id, kind, layer, head, entropy, sum(layer) OVER () AS total FROM heads ORDER BY ALL"
    answer, expected = ask_sandboxed(surveyed, sql, visitor="me"), surveyed.query(sql)
    assert answer.is_whole and list(answer.frame) == list(expected)
    assert answer.frame.astype(expected.dtypes).equals(expected)


@pytest.mark.parametrize(
    ("sql", "case"),
    [
        ("SELECT repeat('x', 300000000)", "memory"),
        ("SELECT repeat('x', 30000000) FROM range(100)", "memory"),
        ("SELECT max(length(repeat('x', b::INT))) FROM range(1000000000) t(b)", "memory"),
        ("SELECT list(a) FROM range(100000000) t(a)", "memory"),
        ("SELECT repeat('x', 5000000)", "wide"),
        ("SELECT '\ud800'", "characters"),
        ("FROM sqlite_master", "table"),
        ("FROM read_csv('/etc/passwd')", "function"),
    ],
)
def test_a_costly_query_is_refused_in_the_child(surveyed: Survey, sql: str, case: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(QueryError) as raised:
        ask_sandboxed(surveyed, sql, visitor="me")
    assert raised.value.case == case and not re.search(r"(^| )/\w", str(raised.value))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000


def test_no_setting_of_the_child_holds_a_folder(surveyed: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the check of names to fail, the database would still have no path of the survey to tell."""
    source = sandboxed.START_CHILD.replace(
        "runpy.run_module", "import model.corpus.sql.query as s; s.check = lambda *_: None; runpy.run_module"
    )
    monkeypatch.setattr(sandboxed, "START_CHILD", source)
    views = ask_sandboxed(surveyed, "SELECT sql FROM duckdb_views() WHERE NOT internal", visitor="me").frame
    assert len(views) == len(surveyed.tables) and str(surveyed.folder.parent) not in "".join(views["sql"])


def test_a_long_answer_is_cut_by_rows_and_by_bytes(surveyed: Survey) -> None:
    by_rows = ask_sandboxed(surveyed, "FROM range(10000000000)", visitor="me", most_rows=30)
    assert not by_rows.is_whole and len(by_rows.frame) == 30
    by_bytes = ask_sandboxed(surveyed, "SELECT repeat('x', 1000) FROM range(10000000)", visitor="me", most_bytes=50_000)
    assert not by_bytes.is_whole and 40 <= len(by_bytes.frame) < 50
    assert ask_sandboxed(surveyed, "SELECT * FROM heads WHERE false", visitor="me").is_whole


def test_columns_of_one_name_get_suffixes_and_every_type_has_a_column(surveyed: Survey) -> None:
    assert list(ask_sandboxed(surveyed, "SELECT 1 AS a, 2 AS a, 3 AS a", visitor="me").frame) == ["a", "a_1", "a_2"]
    sql = "SELECT uuid(), 1::HUGEINT, DATE '9999-01-01', INTERVAL 1 DAY, [1], {'a': 1}, map {1: 2}, 'a'::BLOB, NULL"
    assert ask_sandboxed(surveyed, sql, visitor="me").frame.shape == (1, 9)


def test_a_query_that_takes_too_long_is_ended(surveyed: Survey) -> None:
    with pytest.raises(QueryError, match=r"longer than 1 s"):
        ask_sandboxed(surveyed, ENDLESS, visitor="me", seconds=1)
    assert not children()


def test_a_query_ends_with_the_visitor_who_waits_for_it(surveyed: Survey) -> None:
    seen: list[int] = []

    def leave(before: int, seconds: float) -> None:
        seen.extend(children())
        if seen and seconds > 0.3:
            raise Left

    with pytest.raises(Left):
        ask_sandboxed(surveyed, ENDLESS, visitor="me", on_wait=leave)
    assert seen and not children()
    assert ask_sandboxed(surveyed, "SELECT 1", visitor="me").is_whole, "the place in the line is free again"


def test_a_damaged_file_is_named(surveyed: Survey, tmp_path: Path) -> None:
    for path in surveyed.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    broken = tmp_path / "heads-00000.parquet"
    content = broken.read_bytes()
    broken.write_bytes(content[: len(content) // 2])
    with pytest.raises(Exception, match=r"heads-00000\.parquet is damaged"):
        ask_sandboxed(Survey(tmp_path, surveyed.stamps), "SELECT sum(entropy) FROM heads", visitor="me")


def test_of_a_visitor_one_query_runs_and_of_all_two() -> None:
    line, reported = Line(2), threading.Condition()
    running: list[str] = []
    go_on = {name: threading.Event() for name in ("a1", "a2", "b1", "c1")}

    def ask(name: str) -> None:
        with line.place(name[0], lambda before, seconds: None):
            with reported:
                running.append(name)
                reported.notify_all()
            assert go_on[name].wait(30)
            with reported:
                running.remove(name)
                reported.notify_all()

    threads = []
    for n_waiting, name in enumerate(go_on, start=1):
        threads.append(threading.Thread(target=ask, args=(name,)))
        threads[-1].start()
        while len(line._waiting) < n_waiting:
            threads[-1].join(0.01)
    with reported:
        assert reported.wait_for(lambda: sorted(running) == ["a1", "b1"], 10)
    assert [line._before(entry) for entry in line._waiting] == [None, 1, None, 3]
    go_on["b1"].set()
    with reported:
        assert reported.wait_for(lambda: sorted(running) == ["a1", "c1"], 10)
    go_on["a1"].set()
    with reported:
        assert reported.wait_for(lambda: sorted(running) == ["a2", "c1"], 10)
    for event in go_on.values():
        event.set()
    for thread in threads:
        thread.join(10)
    assert not line._waiting
