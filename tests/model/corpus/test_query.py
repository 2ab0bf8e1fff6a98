"""Queries read the survey and nothing else."""

from __future__ import annotations

import pytest

from model.corpus import query
from model.corpus.query import QueryError
from model.corpus.survey import Survey


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("DELETE FROM heads", "one SELECT statement"),
        ("SELECT 1; SELECT 2", "one SELECT statement"),
        ("COPY (SELECT 1) TO 'x.csv'", "one SELECT statement"),
        ("SELECT * FROM read_csv('/etc/passwd')", "is not allowed"),
        ("SELECT * FROM '/etc/passwd'", "there is no table"),
        ("SELECT * FROM duckdb_views()", "is not allowed"),
        ("SELECT sql FROM duckdb_views", "there is no table"),
        ("FROM sqlite_master", "there is no table"),
        ("FROM pg_catalog.pg_views", "there is no table"),
        ("WITH a AS (SELECT * FROM information_schema.views) SELECT * FROM a", "there is no table"),
        ("SELECT (SELECT value FROM duckdb_settings() LIMIT 1)", "is not allowed"),
        ("SELECT * FROM query('SELECT * FROM duckdb_views()')", "is not allowed"),
        ("SELECT * FROM glob('/*')", "is not allowed"),
        ("SELECT current_setting('allowed_paths')", "is not allowed"),
        ("SELECT pg_get_viewdef(0)", "is not allowed"),
        ("SELECT filename FROM heads", "filename"),
        ("SELECT nothing FROM heads", "nothing"),
    ],
)
def test_sql_reads_the_survey_and_nothing_else(surveyed: Survey, sql: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        surveyed.query(sql)


def test_a_query_that_takes_too_long_is_ended(surveyed: Survey) -> None:
    with pytest.raises(QueryError, match=r"longer than 0\.2 s"):
        surveyed.query("SELECT count(*) FROM range(100000000000) a, range(1000000) b", seconds=0.2)


@pytest.mark.parametrize(
    "sql",
    ["WITH h AS (FROM heads) SELECT count(*) FROM h", "SELECT unnest([1, 2])", "SELECT * FROM range(3) r, Sentences s",
     "SUMMARIZE heads", "SELECT max(length(source)) FILTER (id > ?) FROM sentences"],
)  # fmt: skip
def test_a_query_may_name_tables_of_its_own_and_count(surveyed: Survey, sql: str) -> None:
    assert len(surveyed.query(sql, (0,) if "?" in sql else ()))


@pytest.mark.parametrize("sql", ["SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM '/etc/passwd'"])
def test_duckdb_itself_opens_no_other_file(surveyed: Survey, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.setattr(query, "_refuse_all_but_the_survey", lambda *_: None)
    with pytest.raises(QueryError, match=r"disabled by configuration|does not exist"):
        surveyed.query(sql)


def test_an_answer_can_be_cut(surveyed: Survey) -> None:
    assert len(surveyed.query("SELECT * FROM heads; -- all", most_rows=3)) == 3
