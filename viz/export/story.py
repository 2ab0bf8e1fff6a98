"""The article of the static site: how a Transformer translates, on a reader's sentence (viz/components/site/story).

Its texts are ``viz/i18n/*/site/story.ftl``. A browser without scripts shows what is written here, for the opening
sentence; the page's script then replaces each word and number that ``story_values`` names.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping

from model.bundle import Bundle
from model.corpus.units import shipped_units_of
from viz.export.story_values import values
from viz.i18n import LANGUAGES, catalogue, current_language, speaking, tr

SCREENS: Mapping[str, tuple[str, ...]] = {
    "arrive": ("space", "space", "ribbons", "ribbons"),
    "pieces": ("pieces", "rare", "ids"),
    "embedding": ("row", "near", "position", "sum"),
    "query": ("query", "keys values", "keys values", "scores"),
    "softmax": ("weights", "values mixed", "values mixed", "weights"),
    "units": ("units", "strongest", "added", "added after"),
    "decoder": ("encoder", "bridge", "decoder", "decoder"),
    "next": ("bars", "handles", "loop", "loop"),
}
"""Each screen's paragraphs, by the parts of the picture that they point at."""
LINKS: Mapping[str, tuple[str, str]] = {
    "query_4": ("link_head", "level=head"), "softmax_4": ("link_break", "level=break"),
}  # fmt: skip
"""Paragraphs with a link to the page with the model: its words, and the level that it opens."""
_VALUE = re.compile(r"\{ \$(\w+) \}")
_TERM = re.compile(r"\*([^*]+)\*")


def file_of(language: str) -> str:
    """The page's name in the site's folder; English is the first."""
    return "story.html" if language == "en" else f"story.{language}.html"


def article(found: Mapping[str, str], links: Mapping[str, str]) -> str:
    """The article in the current language, as HTML around values that the page's script replaces.

    Args:
        found: as ``values`` returns them.
        links: addresses of the page with the model, the application, the documentation and the source, by the names of
            their words; those that there are.
    """
    screens = "".join(_screen(name, parts, found) for name, parts in SCREENS.items())
    ways = "".join(
        f'<li><a href="{html.escape(to)}">{html.escape(tr(f"story.{name}"))}</a></li>' for name, to in links.items()
    )
    return f'<article class="story-text">{screens}<ul class="story-links">{ways}</ul></article>'


def _screen(name: str, parts: tuple[str, ...], found: Mapping[str, str]) -> str:
    paragraphs = "".join(_paragraph(f"{name}_{number}", part, found) for number, part in enumerate(parts, 1))
    title = f'<a href="#{name}">{html.escape(tr(f"story.{name}_title"))}</a>'
    return f'<section id="{name}"><h2>{title}</h2>{paragraphs}</section>'


def _paragraph(key: str, part: str, found: Mapping[str, str]) -> str:
    text = catalogue(current_language())[f"story.{key}"]
    needed = set(_VALUE.findall(text))
    pieces = _VALUE.split(text)  # text, name, text, …
    filled = "".join(
        f'<span class="n" data-n="{piece}">{html.escape(found.get(piece, "…"))}</span>' if place % 2
        else _TERM.sub(r"<em>\1</em>", html.escape(piece, quote=False))
        for place, piece in enumerate(pieces)
    )  # fmt: skip
    hidden = "" if needed <= found.keys() else " hidden"
    link = ""
    if key in LINKS:
        words, level = LINKS[key]
        link = f' <a class="story-link" data-level="{level}" href="./?{level}">{html.escape(tr(f"story.{words}"))}</a>'
    return f'<p id="{key}" data-part="{part}"{hidden}>{filled}{link}</p>'


def body(found: Mapping[str, str], links: Mapping[str, str]) -> str:
    """What the page shows before its script runs: everything but the picture."""
    here = current_language()
    ways = "".join(
        f'<a class="site-link" lang="{code}" hreflang="{code}" href="{file_of(code)}"'
        f'{" aria-current=page" if code == here else ""}>{html.escape(name)}</a>'
        for code, name in LANGUAGES.items()
    )  # fmt: skip
    return (
        f'<header class="page-header"><a class="page-home" href="./">Regard</a>'
        f"<h1>{html.escape(tr('story.title'))}</h1>"
        f'<nav aria-label="{html.escape(tr("site.language"))}">{ways}</nav></header>\n'
        f'<p class="story-lead">{html.escape(tr("story.lead"))}</p>\n'
        f'<div class="story-body"><div class="story-picture"></div>{article(found, links)}</div>'
    )


def pages(bundle: Bundle, text: str, at: tuple[int, int], links: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each language with its body."""
    for code in LANGUAGES:
        with speaking(code):
            yield code, body(values(bundle, text, at), links)


def units_files(bundle: Bundle) -> dict[str, str]:
    """What the page fetches to name a unit's words, by its path: the last encoder layer's; none where it is unknown."""
    measured = shipped_units_of(bundle)
    if measured is None:
        return {}
    layer = measured["layers"][-1]
    kept = {name: measured[name] for name in ("n_sentences", "n_tokens")} | {
        name: layer[name] for name in ("shares", "words")
    }
    return {"units.json": json.dumps(kept, ensure_ascii=False)}
