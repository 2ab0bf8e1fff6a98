"""The attention explorer on a page without a server, as in the exported HTML."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Dialog, Page

from model.interventions import AttentionKind
from viz.components.attention import AttentionView, ViewState, pack, standalone
from viz.i18n import group, speaking
from viz.plain_text import chip_text

Draw = Callable[..., Page]
Weights = NDArray[np.float32]
Colour = tuple[int, int, int]
PATIENCE = 60_000
SOURCE = ("▁The", "▁cat", "▁sleep", "s", ".", "</s>")
TARGET = ("▁Le", "▁chat", "▁dort", ".", "</s>")
PREFIX = ("<s>", "▁Le", "▁chat", "▁dort", ".")


def random_weights(layers: int, heads: int, queries: int, keys: int, *, seed: int = 0, causal: bool = False) -> Weights:
    """Rows that sum to 1, (layers, heads, queries, keys)."""
    scores = np.random.default_rng(seed).normal(size=(layers, heads, queries, keys)) * 2
    if causal:
        scores = np.where(np.tri(queries, keys, dtype=bool), scores, -np.inf)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return (raised / raised.sum(-1, keepdims=True)).astype(np.float32)


def translation_view(**changes: Any) -> AttentionView:
    """A sentence and its translation in three stacks of different sizes."""
    fields: dict[str, Any] = {
        "encoder_self": random_weights(2, 3, 6, 6, seed=1),
        "decoder_self": random_weights(3, 2, 5, 5, seed=2, causal=True),
        "cross": random_weights(3, 4, 5, 6, seed=3),
        "source_tokens": SOURCE,
        "target_tokens": TARGET,
        "prefix_tokens": PREFIX,
        "is_causal": True,
        "caption": "The cat sleeps. → Le chat dort. · tiny",
    }
    return AttentionView.from_arrays(**fields | changes)


def sequence_view(n: int) -> AttentionView:
    """One map over n tokens."""
    return AttentionView.from_arrays(encoder_self=random_weights(1, 1, n, n), source_tokens=[f"w{i}" for i in range(n)])


def weights_of(view: AttentionView, kind: AttentionKind) -> Weights:
    """The weights of one attention kind, (layers, heads, queries, keys)."""
    weights = view.attention.of(kind)
    assert weights is not None
    return weights


def html(
    view: AttentionView, *, other: AttentionView | None = None, state: Mapping[str, Any] | None = None,
    language: str = "en", dark: bool = False, exact: bool | None = None, options: Mapping[str, Any] | None = None,
) -> str:  # fmt: skip
    """A complete page around an explorer."""
    with speaking(language):
        strings = group("attention")
    chosen = view.nearest(ViewState.parse(state or {})).to_mapping()
    packet = pack(view, strings=strings, other=other, exact=exact, options={"state": chosen, **(options or {})})
    background, ink = ("#121317", "#ECECF1") if dark else ("#FAFAF8", "#171720")
    style = f"--st-background-color:{background};--st-text-color:{ink};background:{background};margin:0;padding:16px"
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    body = f'<body style="{style}">{standalone(packet)}</body>'
    return f'<!doctype html><html lang="{language}"><head>{head}</head>{body}</html>'


@contextmanager
def explorer_pages(browser: Browser, folder: Path) -> Iterator[Draw]:
    """Yields ``draw(view, state=…, dark=…, width=…) -> Page``; no page may log an error or open a dialog."""
    contexts, failures = [], []

    def refuse_dialog(dialog: Dialog) -> None:
        failures.append(dialog.message)
        dialog.dismiss()

    def draw(view: AttentionView, *, width: int = 1440, height: int = 900, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, offline=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
        page.on("dialog", refuse_dialog)
        path = folder / f"page{len(contexts)}.html"
        path.write_text(html(view, **options), "utf-8", "replace")
        page.goto(path.as_uri())
        page.locator(".regard[data-drawn-grid]").wait_for()
        return page

    try:
        yield draw
    finally:
        for context in contexts:
            context.close()
    assert not failures


@pytest.fixture
def draw(browser: Browser, tmp_path: Path) -> Iterator[Draw]:
    """Draws each view on a new page."""
    with explorer_pages(browser, tmp_path) as draw:
        yield draw


def tooltip(page: Page) -> list[str]:
    """The lines of the tooltip; empty when it is hidden."""
    box = page.locator(".tooltip")
    return box.inner_text().split("\n") if box.is_visible() else []


def wait_for_frame(page: Page) -> None:
    """Wait for two animation frames, in which the last change is drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def pixel_colour(page: Page, canvas: str, x: float, y: float, panel: Colour = (255, 255, 255)) -> Colour:
    """Colour of a canvas at a point in CSS pixels, blended with the panel's colour behind it."""
    *rgb, alpha = page.eval_on_selector(
        canvas,
        """(canvas, [x, y]) => {
          const ratio = canvas.width / canvas.clientWidth;
          return [...canvas.getContext('2d').getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data];
        }""",
        [x, y],
    )
    red, green, blue = (
        round(value * alpha / 255 + background * (1 - alpha / 255))
        for value, background in zip(rgb, panel, strict=True)
    )
    return red, green, blue


def strongest_links(page: Page) -> list[tuple[str, str, float]]:
    """The rows of the accessible table of the strongest links."""
    page.locator("details.numbers, .links-details").evaluate_all("all => all.forEach((each) => { each.open = true })")
    cells = [row.locator("td").all_inner_texts() for row in page.locator(".links tbody tr").all()]
    numbers = str.maketrans({"−": "-", ",": ".", "≈": ""})
    return [(query, key, float(weight.translate(numbers))) for query, key, weight in cells]


def listed_weights(
    page: Page, queries: Sequence[str] = TARGET, keys: Sequence[str] = SOURCE
) -> dict[tuple[int, int], float]:
    """The weights in that table by query and key, whose tokens must be distinct."""
    rows, columns = (list(map(chip_text, tokens)) for tokens in (queries, keys))
    return {(rows.index(query), columns.index(key)): weight for query, key, weight in strongest_links(page)}


def open_controls(page: Page) -> None:
    """Unfold the controls: all of them on a phone, the rarely used ones on a wide screen."""
    for name in ("Controls", "More"):
        button = page.get_by_role("button", name=name, exact=True)
        if button.is_visible() and button.get_attribute("aria-expanded") != "true":
            button.click()
