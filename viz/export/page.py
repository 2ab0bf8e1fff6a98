"""One HTML file with the whole interactive view, which opens without network or server."""

import dataclasses
import html
from collections.abc import Sequence

from viz.components.attention import AttentionView, ViewState, pack, standalone
from viz.i18n import group, speaking, tr
from viz.theme import css_variables

MAX_BYTES = 1_000_000
"""Limit of the file's size; beyond it the weights are quantised to 8 bits."""
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def html_page(
    view: AttentionView,
    *,
    other: AttentionView | None = None,
    state: ViewState | None = None,
    first_index: int = 0,
    title: str = "",
    language: str = "en",
    max_bytes: int = MAX_BYTES,
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """The page as text.

    Args:
        other: a second view to compare with.
        state: the choices that the page opens on; None for the defaults.
        first_index: 0 or 1, what the first layer and head are called.
        title: heading of the browser's tab; None takes the view's caption.
        language: of the interface, "en", "zh" or "fr".
        max_bytes: quantise weights to 8 bits (an error of at most 0.4 % of a head's largest weight) when exact ones
            exceed this size; the page may still be larger.
        links: texts and relative URLs of other pages, above the view.
    """
    with speaking(language):
        strings = group("attention")
        name, made_by = title or view.caption or tr("export.page_title"), tr("export.page_made_by")
    view, other = _as_weighted(view), None if other is None else _as_weighted(other)
    options = {"state": view.nearest(state or ViewState()).to_mapping()}

    def written(exact: bool) -> str:
        packet = pack(view, strings=strings, other=other, first_index=first_index, exact=exact, options=options)
        return _page(standalone(packet), name, made_by, language, links)

    page = written(exact=True)
    return page if len(page.encode("utf-8", "replace")) <= max_bytes else written(exact=False)


def _as_weighted(view: AttentionView) -> AttentionView:
    """The view with its current weighting only, because a page has no server to compute others."""
    return dataclasses.replace(view, weightings=(view.weighting,))


def document(body: str, title: str, language: str, *, style: str) -> str:
    """A complete HTML page around a body that is already escaped."""
    safe = html.escape(title.encode("utf-8", "replace").decode("utf-8"))
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{safe}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def _page(body: str, title: str, made_by: str, language: str, links: Sequence[tuple[str, str]]) -> str:
    ways = " · ".join(f'<a href="{html.escape(address)}">{html.escape(words)}</a>' for words, address in links)
    around = f"<nav>{ways}</nav>\n" if links else ""
    return document(f"{around}{body}<footer>{html.escape(made_by)}</footer>\n", title, language, style=STYLE)


STYLE = (
    css_variables() + "body{margin:0;background:var(--st-background-color);color:var(--st-text-color);"
    "font-family:var(--st-font),sans-serif}"
    "main{max-width:1400px;margin:0 auto;padding:24px clamp(12px,3vw,40px)}"
    "nav{margin:0 0 12px;font-size:14px}nav a{color:inherit}"
    "footer{color:var(--soft-ink);font-size:13px;text-align:center;padding:8px 12px 24px}"
    "@media print{body{background:none}nav{display:none}}"
)
"""Style sheet of an exported page."""
