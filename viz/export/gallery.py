"""A folder of pages that need no server: an index in each language, and an interactive page per sentence and model.

The pages open from disk and from any static host: every link is relative, and every page contains its data.
"""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import model
from model.bundle import Bundle
from model.files.atomic import write_atomically
from model.teaching.measured.handwriting import written_words
from model.teaching.sentences import FIRST, OF_ONE_MODEL, collection, collection_for
from model.text.language_codes import bcp47
from model.trace import Trace
from viz.components.attention import ViewState
from viz.export.names import addresses, distinct
from viz.export.page import STYLE, document, html_page
from viz.export.social import slug
from viz.export.views import view_of
from viz.i18n import LANGUAGES, speaking, tr

MAX_SENTENCES = 500
MAX_PAGE_BYTES = 400_000
N_WRITTEN = 12
"""Words written by hand that are offered."""
_KNOWN = (
    "word_order", "agreement", "negation", "idiom", "ambiguity", "long_distance", "head_matters", "beam_differs",
    "verb_end", "separable", "verb_second", "case", "compound",
    "measure_word", "no_article", "time_place", "particle",
)  # fmt: skip

PROMPTS, _ENGLISH = "prompts", "en"
WRITTEN = "written"
"""The group of handwritten words, and their ``pair`` in place of languages."""
_BEGINNINGS = (
    "Tom asked Mary if she", "I don't know what", "She told me that", "I would like to", "My brother is taller than",
    "When I was a child, I", "He is not as",
)  # fmt: skip


class GalleryError(ValueError):
    """A file of sentences from which no gallery can be made."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One sentence of a gallery.

    Args:
        group: a phenomenon's key, words of the author's own, or nothing.
        text: the sentence.
        pair: languages of the models that it is for, such as "en-fr", or "en" for a decoder-only model; empty for all
            that read texts.
        says: the word written in a picture.
    """

    group: str
    text: str
    pair: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class _Page:
    entry: Entry
    trace: Trace
    bundle: Bundle
    model: str
    name: str


def project_entries(bundles: Sequence[Bundle] = ()) -> list[Entry]:
    """The project's sentences for these models, by phenomenon; without models, for the first one shipped.

    What holds of one model alone is left out where that model is not among them.
    """
    if not bundles:
        return [Entry(example.phenomenon, example.text, FIRST) for example in collection().gallery]
    collections = [(chosen, bundle) for bundle in bundles if (chosen := collection_for(bundle)) is not None]
    # The models on which the sentences were tried come first, since they have all of them.
    collections.sort(key=lambda pair: not pair[0].is_tried_on(pair[1]))
    entries = (
        Entry(example.phenomenon, example.text, chosen.pair)
        for chosen, bundle in collections
        for example in chosen.examples(bundle)
    )
    order = [chosen.pair for chosen, _ in collections]
    return sorted(dict.fromkeys(entries), key=lambda entry: order.index(entry.pair))


def prompt_entries(bundles: Sequence[Bundle]) -> list[Entry]:
    """Prompts in English, if one of the models is a decoder-only model of English."""
    entries = [Entry(PROMPTS, text, _ENGLISH) for text in _BEGINNINGS]
    return (
        entries
        if any(bundle.config.is_single_stack and is_prompt_for(entries[0], bundle) for bundle in bundles)
        else []
    )


def handwritten_entries(bundles: Sequence[Bundle]) -> list[Entry]:
    """Written words for the models that read pictures."""
    words = dict.fromkeys(word for bundle in bundles for word in written_words(bundle)[:N_WRITTEN])
    return [Entry(WRITTEN, word.picture, WRITTEN, word.word) for word in words]


def is_prompt_for(entry: Entry, bundle: Bundle) -> bool:
    """Whether a text is for a decoder-only model: one without languages, or a prompt in the model's language."""
    return entry.pair in ("", bundle.source_language)


def read_entries(path: Path) -> list[Entry]:
    """Sentences of a file: one a line, with or without ``group<TAB>`` before it; empty lines are left out.

    Raises:
        GalleryError: when it is not UTF-8, holds no sentence or too many.
    """
    try:
        lines = [line.strip() for line in path.read_text("utf-8-sig").splitlines()]
    except UnicodeDecodeError as error:
        raise GalleryError(f"{path.name} is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    halves = (line.partition("\t") if "\t" in line else ("", "", line) for line in lines if line)
    entries = [Entry(group.strip(), text.strip()) for group, _, text in halves]
    if not entries:
        raise GalleryError(f"{path.name} holds no sentence: write one on each line, or group<TAB>sentence")
    if len(entries) > MAX_SENTENCES:
        raise GalleryError(f"{path.name} holds {len(entries):,} sentences, but a gallery has at most {MAX_SENTENCES}")
    return entries


def write_gallery(entries: Sequence[Entry], bundles: Sequence[Bundle], out: Path) -> Iterable[Path]:
    """Write the pages one after the other and yield each path; ``index.html`` comes last.

    Raises:
        TextError: when a model cannot read a sentence.
        OSError: when a file cannot be written; pages written before stay.
    """
    names = distinct([bundle.name for bundle in bundles])
    endings = [f"-{address}" for address in addresses(names)] if len(bundles) > 1 else [""]
    models = [*zip(bundles, names, endings, strict=True)]
    pages = [
        _Page(entry, model.translate(bundle, entry.text), bundle, name, f"{number:03}-{slug(entry.text)}{ending}.html")
        for number, entry in enumerate(entries, 1)
        for bundle, name, ending in models
        if is_for(entry, bundle)
    ]
    for language in LANGUAGES:
        folder = out / language
        folder.mkdir(parents=True, exist_ok=True)
        with speaking(language):
            for place, page in enumerate(pages):
                yield _write(folder / page.name, _sentence_page(pages, place, language))
            yield _write(folder / "index.html", _index(pages, language))
    yield _write(out / "index.html", _door())


def is_for(entry: Entry, bundle: Bundle) -> bool:
    """Whether a sentence was chosen for such a model."""
    if bundle.picture is not None or entry.pair == WRITTEN:
        return bundle.picture is not None and entry.pair == WRITTEN
    chosen = collection_for(bundle)
    if not entry.pair or chosen is None:
        return not entry.pair
    return chosen.pair == entry.pair and (entry.group not in OF_ONE_MODEL or chosen.is_tried_on(bundle))


def _write(path: Path, text: str) -> Path:
    write_atomically(path, text.encode("utf-8", "replace"))
    return path


def _sentence_page(pages: Sequence[_Page], place: int, language: str) -> str:
    page = pages[place]
    links = [(tr("export.gallery_index"), "index.html")]
    if place:
        links.append((tr("export.gallery_before"), pages[place - 1].name))
    if place + 1 < len(pages):
        links.append((tr("export.gallery_after"), pages[place + 1].name))
    others = [other for other in pages if other.entry == page.entry and other.bundle is not page.bundle]
    links += [(other.model, other.name) for other in others]
    links += [(name, f"../{code}/{page.name}") for code, name in LANGUAGES.items() if code != language]
    view = view_of(page.trace, bundle=page.bundle)
    layer, head = view.most_diagonal()
    return html_page(
        view, state=ViewState(layer=layer, head=head), title=page.entry.text, language=language,
        max_bytes=MAX_PAGE_BYTES, links=links,
    )  # fmt: skip


def _index(pages: Sequence[_Page], language: str) -> str:
    parts = [f"<h1>{_safe(tr('export.gallery_title'))}</h1>", f"<p>{_safe(tr('export.gallery_about'))}</p>"]
    parts.append(_languages(language))
    for group, members in groupby(pages, key=lambda page: page.entry.group):
        if group:
            parts.append(f"<h2>{_safe(tr(f'gallery.{group}') if group in _KNOWN else group)}</h2>")
        if group in _KNOWN:
            parts.append(f"<p>{_safe(tr(f'gallery.{group}_why'))}</p>")
        n_models = len({id(page.bundle) for page in pages})
        parts.append(f"<ul>{''.join(_line(page, says_model=n_models > 1) for page in members)}</ul>")
    return document("\n".join(parts), tr("export.gallery_title"), language, style=STYLE + _INDEX_STYLE)


def _line(page: _Page, *, says_model: bool) -> str:
    model_name = f"<small>{_safe(page.model)}</small>" if says_model else ""
    return (
        f'<li><a href="{page.name}">{_safe(page.entry.text)}</a>'
        f'<span lang="{_safe(bcp47(page.bundle.target_language))}">{_safe(page.trace.text)}</span>'
        f"{model_name}</li>"
    )


def _languages(current: str) -> str:
    links = []
    for code, name in LANGUAGES.items():
        current_page = ' aria-current="page"' if code == current else ""
        links.append(f'<a href="../{code}/index.html" lang="{code}"{current_page}>{_safe(name)}</a>')
    return f"<nav>{' · '.join(links)}</nav>"


def _door() -> str:
    """The first page: a choice of languages, without a script."""
    links = "".join(
        f'<li><a href="{code}/index.html" lang="{code}">{_safe(name)}</a></li>' for code, name in LANGUAGES.items()
    )
    return document(f"<h1>Regard</h1><ul>{links}</ul>", "Regard", "en", style=STYLE + _INDEX_STYLE)


def _safe(text: str) -> str:
    return html.escape(text.encode("utf-8", "replace").decode("utf-8"))


_INDEX_STYLE = (
    "h1{font-size:1.7rem;margin:0 0 .4rem}h2{font-size:1.15rem;margin:1.8rem 0 .2rem}"
    "p{color:var(--soft-ink);max-width:44em}ul{list-style:none;padding:0;margin:.4rem 0}"
    "li{display:flex;flex-wrap:wrap;gap:.2rem 1rem;padding:.45rem 0;border-bottom:1px solid var(--faint-line)}"
    ":root{--faint-line:color-mix(in srgb,currentColor 14%,transparent)}"
    "li span,small{color:var(--soft-ink)}small{margin-left:auto}a{color:inherit}"
    "nav a[aria-current]{font-weight:600;text-decoration:none}"
)
