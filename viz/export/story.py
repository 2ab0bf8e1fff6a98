"""The article of the static site: how a Transformer translates a reader's sentence (viz/components/site/story).

Its texts are ``viz/i18n/*/site/story.ftl``. The HTML has the values of the opening sentence; the page's script replaces
each word and number that ``story_values`` names.
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
"""For each paragraph of a screen, the parts of the picture that it refers to."""
LINKS: Mapping[str, tuple[str, str]] = {
    "query_4": ("link_head", "level=head"), "softmax_4": ("link_break", "level=break"),
}  # fmt: skip
"""Paragraphs with a link to the model's page: the link's text, and the level that it opens."""
_VALUE = re.compile(r"\{ \$(\w+) \}")
_TERM = re.compile(r"\*([^*]+)\*")


def file_of(language: str) -> str:
    """The page's file name; the English one has no language suffix."""
    return "story.html" if language == "en" else f"story.{language}.html"


def article(values_by_name: Mapping[str, str], links: Mapping[str, str]) -> str:
    """The article in the current language, as HTML around values that the page's script replaces.

    Args:
        values_by_name: as ``values`` returns them.
        links: URLs of the model's page, the application, the documentation and the source, by message name.
    """
    screens = "".join(_screen(name, parts, values_by_name) for name, parts in SCREENS.items())
    ways = "".join(
        f'<li><a href="{html.escape(to)}">{html.escape(tr(f"story.{name}"))}</a></li>' for name, to in links.items()
    )
    return f'<article class="story-text">{screens}<ul class="story-links">{ways}</ul></article>'


def _screen(name: str, parts: tuple[str, ...], values_by_name: Mapping[str, str]) -> str:
    paragraphs = "".join(_paragraph(f"{name}_{number}", part, values_by_name) for number, part in enumerate(parts, 1))
    title = f'<a href="#{name}">{html.escape(tr(f"story.{name}_title"))}</a>'
    return f'<section id="{name}"><h2>{title}</h2>{paragraphs}</section>'


def _paragraph(key: str, part: str, values_by_name: Mapping[str, str]) -> str:
    text = catalogue(current_language())[f"story.{key}"]
    needed = set(_VALUE.findall(text))
    pieces = _VALUE.split(text)  # text, name, text, …
    filled = "".join(
        f'<span class="n" data-n="{piece}">{html.escape(values_by_name.get(piece, "…"))}</span>' if place % 2
        else _TERM.sub(r"<em>\1</em>", html.escape(piece, quote=False))
        for place, piece in enumerate(pieces)
    )  # fmt: skip
    hidden = "" if needed <= values_by_name.keys() else " hidden"
    link = ""
    if key in LINKS:
        words, level = LINKS[key]
        link = f' <a class="story-link" data-level="{level}" href="./?{level}">{html.escape(tr(f"story.{words}"))}</a>'
    return f'<p id="{key}" data-part="{part}"{hidden}>{filled}{link}</p>'


def body(values_by_name: Mapping[str, str], links: Mapping[str, str]) -> str:
    """The page before its script runs: everything but the picture."""
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
        f'<div class="story-body"><div class="story-picture"></div>{article(values_by_name, links)}</div>'
    )


def pages(bundle: Bundle, text: str, at: tuple[int, int], links: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each language with its article."""
    for code in LANGUAGES:
        with speaking(code):
            yield code, body(values(bundle, text, at), links)


def units_files(bundle: Bundle) -> dict[str, str]:
    """The file, by path, with the words that activate each unit of the last encoder layer; empty where not measured."""
    measured = shipped_units_of(bundle)
    if measured is None:
        return {}
    layer = measured["layers"][-1]
    content = {name: measured[name] for name in ("n_sentences", "n_tokens")} | {
        name: layer[name] for name in ("shares", "words")
    }
    return {"units.json": json.dumps(content, ensure_ascii=False)}
