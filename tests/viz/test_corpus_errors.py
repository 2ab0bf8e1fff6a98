"""What is wrong with a visitor's file is said in the visitor's language, and takes nothing else off the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from model.corpus.gold import CorpusError, decode_lines, parse_gold
from model.corpus.pairs import pairs_of_lines
from model.corpus.query import run_query
from model.corpus.shards import stamps
from model.corpus.shipped import shipped_survey
from tests.viz.test_corpus_page import opened
from viz.i18n import speaking
from viz.panels import errors

FILE = "mine.tsv"
CASES: dict[str, Callable[[Path], object]] = {
    "gold_columns": lambda _: parse_gold(["the cat"], FILE),
    "no_gold": lambda _: parse_gold([""], FILE),
    "no_link": lambda _: parse_gold(["the cat\tle chat\t0:0"], FILE),
    "link_beyond_source": lambda _: parse_gold(["the cat\tle chat\t5-0"], FILE),
    "link_beyond_target": lambda _: parse_gold(["the cat\tle chat\t0p5"], FILE),
    "too_large": lambda _: decode_lines(b"12345", FILE, most=4),
    "not_utf8": lambda _: decode_lines("l'été".encode("utf-16"), FILE),
    "long_line": lambda _: decode_lines(b"x" * 60_000, FILE),
    "one_column": lambda _: pairs_of_lines(["the cat"], FILE),
    "no_pairs": lambda _: pairs_of_lines([], FILE),
    "none": lambda folder: stamps(folder),
    "damaged": lambda folder: (folder / "sentences-00000.parquet").write_bytes(b"PAR1") and stamps(folder),
    "select": lambda _: ask("DELETE FROM heads"),
    "table": lambda _: ask("SELECT * FROM secrets"),
    "function": lambda _: ask("SELECT * FROM read_csv('/etc/passwd')"),
    "slow": lambda _: ask("SELECT count(*) FROM range(1000000000000)"),
}  # fmt: skip


def ask(sql: str) -> object:
    return run_query(shipped_survey().tables, sql, seconds=0.2)


@pytest.mark.parametrize("case", CASES)
def test_an_error_is_said_in_the_reader_s_language(case: str, tmp_path: Path):
    with pytest.raises(CorpusError) as raised:
        CASES[case](tmp_path)
    assert raised.value.case == case
    said = {}
    for language in ("en", "zh", "fr"):
        with speaking(language):
            said[language] = errors.remedy(raised.value)
    assert len(set(said.values())) == 3
    assert re.search("[\u4e00-\u9fff]", said["zh"]) and "{" not in "".join(said.values())
    if FILE in str(raised.value):
        assert all(FILE in text for text in said.values())


def test_duckdb_s_own_message_stays_as_it_is():
    with pytest.raises(CorpusError) as raised:
        ask("SELECT nothing FROM heads")
    assert raised.value.case == "" and errors.remedy(raised.value) == str(raised.value)


def test_gold_that_cannot_be_read_leaves_the_example_on_the_page():
    app = opened(**{"corpus.view": "align"})
    app.file_uploader(key="corpus_gold").set_value((FILE, b"the cat\tle chat\t0-0 5-1\n", "text/plain")).run()
    app.button(key="corpus_gold_measure").click().run()
    assert any("mine.tsv" in text.value and "5-1" in text.value for text in app.text)
    assert any(box.key == "corpus_gold_layer" for box in app.selectbox)
