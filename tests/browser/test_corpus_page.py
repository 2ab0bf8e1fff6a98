"""Corpus in a browser: SQL that is refused, and files that open."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from playwright.sync_api import Page, expect

MODEL = "?model=en-fr&language=en"


def test_sql_that_is_mistaken_says_so_and_every_file_opens(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{MODEL}&corpus.view=find", path="corpus")
    page.get_by_text("Ask in SQL").click()
    box = page.locator(".st-key-corpus_sql textarea")
    box.fill("DELETE FROM heads")
    box.press("Control+Enter")
    page.locator(".st-key-corpus_sql_run button").click()
    expect(page.get_by_text("only one SELECT is answered")).to_be_visible()
    page.goto(page.url.replace("corpus.view=find", "corpus.view=heads"))
    expect(page.locator(".st-key-wide_corpus_grid_0_0 .marks").first).to_be_visible()
    page.locator(".st-key-corpus_save_heads_0 button").first.click()
    found: dict[str, bytes] = {}
    for extension in ("csv", "parquet", "svg", "pdf", "png"):
        with page.expect_download() as download:
            page.locator(f".st-key-corpus_heads_0_{extension} button").click()
        assert download.value.suggested_filename == f"heads_0.{extension}"
        found[extension] = Path(download.value.path()).read_bytes()
    assert len(pd.read_csv(io.BytesIO(found["csv"]))) == len(pd.read_parquet(io.BytesIO(found["parquet"]))) == 32
    assert b"<svg" in found["svg"][:400] and b"</svg>" in found["svg"][-20:]
    assert found["pdf"].startswith(b"%PDF") and b"%%EOF" in found["pdf"][-32:]
    assert found["png"].startswith(b"\x89PNG") and zlib.crc32(found["png"][-8:-4]) == int.from_bytes(found["png"][-4:])
