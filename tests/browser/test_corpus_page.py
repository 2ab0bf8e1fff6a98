"""Corpus in a browser: from a head to its sentences and on to Explore, from a hit to Explore and Decode, SQL, and
downloaded files that open."""

import io
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from model.corpus.sql.query import SECONDS
from tests.browser.actions import (
    PATIENCE,
    bounding_box,
    download,
    eventually,
    select_option,
    url_params,
    wait_until_idle,
)
from tests.loops import wait_until

pytestmark = pytest.mark.nightly
MODEL = "?model=en-fr&language=en"


def open_sql(page: Page) -> None:
    """Open the SQL section after the first run, whose end may close it."""
    title = page.get_by_text("Ask in SQL")
    title.wait_for()
    wait_until_idle(page)
    title.click()
    page.locator(".st-key-corpus_sql textarea").wait_for()
    part = page.locator("details", has=title)  # a moving button would lose a click
    part.evaluate("part => Promise.allSettled(part.getAnimations({ subtree: true }).map(({ finished }) => finished))")


def test_a_cell_leads_to_its_sentences_and_a_sentence_to_explore(open_page: Callable[..., Page]) -> None:
    page = open_page(MODEL, path="corpus")
    grid = page.locator(".st-key-wide_corpus_grid_0_0 .marks").first
    expect(grid).to_be_visible()
    box = bounding_box(grid)
    grid.click(position={"x": 0.72 * box["width"], "y": 0.62 * box["height"]})
    page.wait_for_url(re.compile(r"corpus\.(layer|head)="))
    layer, head = (int(url_params(page)[f"corpus.{name}"]) for name in ("layer", "head"))
    expect(page.get_by_text(f"Layer {layer}, head {head}: all sentences")).to_be_visible()
    wait_until_idle(page)
    hit = page.locator("[class*='st-key-corpus_hit_bar_0_0']").first
    sentence = hit.locator("[data-testid=stText]").first.inner_text()
    page.locator(".st-key-corpus_explore_bar_0_0 button").click()
    page.wait_for_url(lambda url: "/corpus" not in url and "text=" in url)  # Explore's address has no page name
    assert url_params(page)["text"] == sentence
    assert int(url_params(page)["layer"]) == layer and int(url_params(page)["head"]) == head


def test_a_hit_opens_in_explore_and_decode_and_its_link_opens_again(open_page: Callable[..., Page]) -> None:
    link = f"{MODEL}&corpus.view=find&corpus.question=word&corpus.word=book"
    for target in ("explore", "decode"):
        page = open_page(link, path="corpus")
        hit = page.locator("[class*='st-key-corpus_hit_find_1']").first
        sentence = hit.locator("[data-testid=stText]").first.inner_text()
        assert "book" in sentence.lower()
        page.locator(f".st-key-corpus_{target}_find_1 button").click()
        page.wait_for_url(lambda url: "/corpus" not in url and "text=" in url)
        assert url_params(page)["text"] == sentence
    reopened = open_page("?" + page.url.partition("?")[2], path="decode")
    expect(reopened.get_by_text("book", exact=True).first).to_be_visible()


ENDLESS = "SELECT count(*) FROM range(100000000000) a, range(1000000) b"


def running_queries(server: str) -> int:
    """The number of the server's processes that run a visitor's query."""
    n = 0
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if b"model.corpus.sql.child" in path.joinpath("cmdline").read_bytes():
                parent = path.joinpath("stat").read_text().rpartition(")")[2].split()[1]
                n += str(urlsplit(server).port).encode() in Path(f"/proc/{parent}/cmdline").read_bytes().split(b"\0")
    return n


@pytest.mark.parametrize("way", ["cancel", "leave"])
def test_a_query_ends_when_its_visitor_cancels_or_leaves(open_page: Callable[..., Page], server: str, way: str) -> None:
    page = open_page(f"{MODEL}&corpus.view=find", path="corpus")
    open_sql(page)
    box = page.locator(".st-key-corpus_sql textarea")
    box.fill(ENDLESS)
    box.press("Control+Enter")
    page.locator(".st-key-corpus_sql_run button").click()
    expect(page.locator(".st-key-corpus_sql_cancel")).to_be_visible()
    wait_until(lambda: running_queries(server) > 0, seconds=PATIENCE / 1000)
    if way == "leave":
        page.close()
    else:
        page.locator(".st-key-corpus_sql_cancel button").click()
        expect(page.locator(".st-key-corpus_sql_cancel")).to_be_hidden()
    # Uncancelled it would end after SECONDS.
    wait_until(lambda: running_queries(server) == 0, seconds=SECONDS / 2)


@pytest.mark.by_day
def test_the_answer_to_a_query_stays_while_other_parts_change(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{MODEL}&corpus.view=find", path="corpus")
    open_sql(page)
    page.locator(".st-key-corpus_sql_run button").click()
    answer = page.locator(".st-key-corpus_save_answer")
    expect(answer).to_be_visible()
    wait_until_idle(page)
    select_option(page, "Layer", "2")
    expect(page).to_have_url(re.compile("corpus.layer=2"))
    wait_until_idle(page)
    expect(answer).to_be_visible()
    box = page.locator(".st-key-corpus_sql textarea")
    box.fill("SELECT 1")
    box.press("Control+Enter")
    expect(answer).to_be_hidden()


def test_mistaken_sql_has_an_error_and_every_file_opens(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{MODEL}&corpus.view=find", path="corpus")
    open_sql(page)
    box = page.locator(".st-key-corpus_sql textarea")
    box.fill("DELETE FROM heads")
    box.press("Control+Enter")
    page.locator(".st-key-corpus_sql_run button").click()
    expect(page.get_by_text("query must be one SELECT")).to_be_visible()
    page.goto(page.url.replace("corpus.view=find", "corpus.view=heads"))
    expect(page.locator(".st-key-wide_corpus_grid_0_0 .marks").first).to_be_visible()
    page.locator(".st-key-corpus_save_heads_0 button").first.click()
    files: dict[str, bytes] = {}
    for extension in ("csv", "parquet", "svg", "pdf", "png"):
        name, files[extension] = download(page, page.locator(f".st-key-corpus_heads_0_{extension} button"))
        assert name == f"heads_0.{extension}"
    assert len(pd.read_csv(io.BytesIO(files["csv"]))) == len(pd.read_parquet(io.BytesIO(files["parquet"]))) == 32
    assert b"<svg" in files["svg"][:400] and b"</svg>" in files["svg"][-20:]
    assert files["pdf"].startswith(b"%PDF") and b"%%EOF" in files["pdf"][-32:]
    assert files["png"].startswith(b"\x89PNG") and zlib.crc32(files["png"][-8:-4]) == int.from_bytes(files["png"][-4:])


@pytest.mark.parametrize(("language", "width", "dark"), [("zh", 1280, False), ("fr", 390, True)])
def test_the_toolbar_of_a_chart_is_at_its_foot_and_covers_no_title(
    open_page: Callable[..., Page], screenshot, language: str, width: int, dark: bool
) -> None:
    page = open_page(f"?model=en-fr&language={language}", path="corpus", width=width, height=844, dark=dark)
    grid = page.locator(".st-key-wide_corpus_grid_0_0")
    grid.locator(".marks").first.wait_for()
    wait_until_idle(page)
    chart = grid.locator(".stVegaLiteChart").first
    toolbar = grid.locator(".stElementContainer:has(.stVegaLiteChart) .stElementToolbar").first

    def the_toolbar_is_at_the_foot() -> None:
        chart.hover()
        assert toolbar.count()
        bar, box = toolbar.bounding_box(), chart.bounding_box()
        assert bar is not None and box is not None
        assert bar["height"] > 0
        assert bar["y"] >= box["y"] + 0.5 * box["height"], "the title stands in the upper half"

    eventually(page, the_toolbar_is_at_the_foot)
    screenshot(page, f"corpus-toolbar-{language}-{width}")
