"""Queries read the survey and nothing else."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.corpus.sql import query
from model.corpus.sql.query import QueryError, check
from model.corpus.survey import Survey
from tests.nightly import examples


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
        ("WITH a AS (WITH sqlite_master AS (SELECT 1) FROM sqlite_master) FROM sqlite_master, a", "there is no table"),
        ("WITH sqlite_master AS (FROM sqlite_master) FROM sqlite_master", "there is no table"),
        ("WITH a AS (FROM sqlite_master), sqlite_master AS (SELECT 1) FROM a", "there is no table"),
        (
            "WITH RECURSIVE sqlite_master AS (SELECT sql FROM sqlite_master UNION SELECT 'x') FROM sqlite_master",
            "there is no table",
        ),
        ('WITH "duc\u212adb_views" AS (SELECT 1) FROM duckdb_views', "there is no table"),
        ("SELECT (WITH pg_views AS (SELECT 1) SELECT 1), (SELECT definition FROM pg_views)", "there is no table"),
        ("FROM pg_tables", "there is no table"),
        ("SHOW ALL TABLES", "there is no table"),
        ("SHOW sqlite_master", "there is no table"),
        ("FROM (SHOW ALL TABLES)", "there is no table"),
        ("FROM (DESCRIBE sqlite_master)", "there is no table"),
        ("FROM memory.main.heads", "there is no table"),
        ("PIVOT sqlite_master ON type", "one SELECT statement"),
        ("FROM (FROM sqlite_master UNPIVOT (v FOR n IN (sql)))", "there is no table"),
        ("FROM heads WHERE EXISTS (FROM sqlite_master)", "there is no table"),
        ("SELECT json_serialize_plan('FROM heads')", "is not allowed"),
        ("SELECT list_transform([1], x -> current_setting('allowed_paths'))", "is not allowed"),
        ("FROM test_all_types()", "is not allowed"),
        ("FROM read_parquet('heads-00000.parquet')", "is not allowed"),
        ("SELECT '\ud800'", r"contains U\+D800, which is not text"),
        ("SELECT 1 \0 FROM sqlite_master", r"contains U\+0000"),
        ("SELECT filename FROM heads", "filename"),
        ("SELECT nothing FROM heads", "nothing"),
    ],
)
def test_sql_reads_the_survey_and_nothing_else(surveyed: Survey, sql: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        surveyed.query(sql)


CTE = st.sampled_from(["heads", "heads", "heads", "sqlite_master", "pg_views"])


@st.composite
def queries(draw: st.DrawFn, depth: int = 3) -> str:
    """Nested queries that name tables, catalogue and each other in every order."""
    kind = draw(st.sampled_from(["table", "table", "inner", "join", "scalar"])) if depth else "table"
    inner = queries(depth=depth - 1) if depth else st.nothing()
    body = {
        "table": lambda: f"SELECT 1 AS x FROM {draw(CTE)}",
        "inner": lambda: f"SELECT 1 AS x FROM ({draw(inner)})",
        "join": lambda: f"SELECT 1 AS x FROM {draw(CTE)} CROSS JOIN ({draw(inner)})",
        "scalar": lambda: f"SELECT 1 AS x FROM range(1) WHERE EXISTS ({draw(inner)})",
    }[kind]()
    for _ in range(draw(st.integers(0, 2)) if depth else 0):
        recursive = draw(st.sampled_from(["", " RECURSIVE"]))
        union = f" UNION ({draw(inner)})" if recursive and draw(st.booleans()) else ""
        body = f"WITH{recursive} {draw(CTE)} AS ({draw(inner)}{union}) ({body})"
    return body


@settings(max_examples=examples(120), deadline=None)
@given(sql=queries())
def test_names_are_followed_as_duckdb_binds_them(sql: str) -> None:
    """Whatever DuckDB itself would take from its catalogue is refused, however a WITH clause hides the name."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE heads AS SELECT 1 AS x")
        connection.execute("PRAGMA disable_optimizer")
        try:
            check(connection, sql, ("heads",))
        except QueryError as refused:
            assert refused.case == "table"
            return
        plan = str(connection.execute(f"EXPLAIN {sql}").fetchall()).lower()
        assert "duckdb_" not in plan, "both names of the catalogue are views of duckdb_tables() and the like"


def test_a_query_that_takes_too_long_is_ended(surveyed: Survey) -> None:
    with pytest.raises(QueryError, match=r"longer than 0\.2 s"):
        surveyed.query("SELECT count(*) FROM range(100000000000) a, range(1000000) b", seconds=0.2)


@pytest.mark.parametrize(
    "sql",
    ["WITH h AS (FROM heads) SELECT count(*) FROM h", "SELECT unnest([1, 2])", "SELECT * FROM range(3) r, Sentences s",
     "SUMMARIZE heads", "SHOW heads", "DESCRIBE (FROM heads)", "WITH heads AS (FROM heads) FROM heads",
     "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) FROM t",
     "WITH a AS (SELECT 1), b AS (FROM a) SELECT (SELECT count(*) FROM b) FROM a",
     "FROM HEADS UNPIVOT (v FOR n IN (layer, head))", "VALUES (1)", "TABLE heads",
     "SELECT max(length(source)) FILTER (id > ?) FROM sentences"],
)  # fmt: skip
def test_a_query_may_define_tables(surveyed: Survey, sql: str) -> None:
    assert len(surveyed.query(sql, (0,) if "?" in sql else ()))


@pytest.mark.parametrize("sql", ["SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM '/etc/passwd'"])
def test_duckdb_itself_opens_no_other_file(surveyed: Survey, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.setattr(query, "check", lambda *_: None)
    with pytest.raises(QueryError, match=r"disabled by configuration|does not exist"):
        surveyed.query(sql)


def test_an_answer_can_be_cut(surveyed: Survey) -> None:
    assert len(surveyed.query("SELECT * FROM heads; -- all", most_rows=3)) == 3
