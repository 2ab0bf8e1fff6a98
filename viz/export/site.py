"""A static site in which the model itself runs: ``python -m viz site --out site/`` (viz/components/site)."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

import numpy as np

import model
from model.bundle import Bundle
from model.checkpoints.loading import PRETRAINED
from model.files.atomic import write_atomically
from model.interventions import HeadAblation, Interventions, PositionEdit
from model.teaching.choosing import Telling
from viz.components.attention.assets import SOURCE
from viz.components.attention.pack import metric_table, palettes
from viz.export import story
from viz.export.engine import Precision, engine_files
from viz.export.gallery import PROMPTS, WRITTEN, Entry, is_for, is_prompt_for
from viz.export.names import addresses, distinct
from viz.export.site_page import COMPONENTS, embed, folder_of, index, scripts, service_worker
from viz.export.site_page import story as story_page
from viz.export.social import share_page, slug, social_picture, write_icons
from viz.export.stored import MATTERS, main_kind, maps, opening, sides, stored_translation, telling_head
from viz.export.story_values import clearest_head
from viz.glossary import meanings
from viz.i18n import LANGUAGES, group, speaking
from viz.state.rules import to_params
from viz.state.selection import DEFAULT_TEXT, Selection, schema
from viz.state.view_state import ViewState
from viz.theme import LIGHT

_MANIFEST = {
    "name": "Regard", "short_name": "Regard", "start_url": "./", "scope": "./", "display": "standalone",
    "background_color": LIGHT.page, "theme_color": LIGHT.accent,
    "icons": [
        {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "icon.png", "sizes": "512x512", "type": "image/png"},
    ],
}  # fmt: skip
"""What a browser needs to install the page; the service worker opens it without a network."""


def write_site(
    bundles: Sequence[Bundle],
    entries: Sequence[Entry],
    out: Path,
    *,
    precision: Precision = "f16",
    address: str = "",
    source: str = "",
    application: str = "",
    documentation: str = "",
) -> int:
    """Write the site and return its size in bytes. The page opens on the first model.

    Args:
        entries: sentences to try, each for all models or for those of its languages.
        address: the site's URL, as "https://…/". Link previews need it, because most services do not resolve
            relative URLs; the site itself works anywhere.
        source: URL of the source code and its licence; the page links to it.
        application: URL of the application; the page then links there with its current state.
        documentation: URL of the documentation; the article links to it.

    Raises:
        EngineError: when a model cannot run in a page.
        OSError: when a file cannot be written.
    """
    contents = [
        engine_files(bundle, precision="i8" if bundle.picture else precision).named() for bundle in bundles
    ]  # before anything is written; a handwriting model is loaded beside another one, and should be small
    names = distinct([bundle.name for bundle in bundles])
    models = [
        {"name": name, "address": f"models/{address}", "main": main_kind(bundle), "variant": _variant(bundle)}
        | {"language": bundle.source_language or ""}
        | ({"reads": "picture"} if bundle.picture else {})
        for name, address, bundle in zip(names, addresses(names), bundles, strict=True)
    ]
    readmes = []
    for bundle, parts, entry in zip(bundles, contents, models, strict=True):
        if _is_shipped(bundle):  # the licences require naming every source
            about = (PRETRAINED / bundle.name / name for name in ("README.md", "attribution.txt"))
            parts |= {path.name: path.read_bytes() for path in about if path.is_file()}
            readmes.append(f"{entry['address']}/README.md")
        _write_model(parts, out / entry["address"])
    openings = _openings(bundles, names, entries)
    written = {
        "languages": dict(LANGUAGES),
        "words": {code: _strings(code, "pad") | _strings(code, "share") | _strings(code, "site") for code in LANGUAGES},
        "others": {
            variant: {code: _strings(code, f"site_{variant}") for code in LANGUAGES}
            for variant in sorted({entry["variant"] for entry in models} - {""})
        },
        "models": models,
        "glossary": {code: meanings(code) for code in LANGUAGES},
        "openings": {
            name: stored_translation(bundle, *openings[name]) for name, bundle in zip(names, bundles, strict=True)
        },
        "readmes": readmes,
        "source": source,
        "application": application,
        "link": schema(),
    }
    files: dict[str, str] = {}
    explained = next(
        (
            (bundle, entry) for bundle, entry in zip(bundles, models, strict=True)
            if not (bundle.config.is_single_stack or bundle.picture)
        ),
        None,
    )  # fmt: skip
    written["story"] = {code: story.file_of(code) for code in LANGUAGES} if explained else {}
    if explained:
        files |= story.units_files(explained[0])
    setup = {
        "strings": {
            code: {area: _strings(code, area) for area in ("attention", "gallery", "doubt", "inside", "overview")}
            for code in LANGUAGES
        },
        "sentences": [*_write_examples(bundles, names, entries, out, address, files)],
        "palettes": palettes(),
        "state": ViewState().to_mapping(),
        "metrics": metric_table(),
        "questions": _questions(bundles, names, openings),
    }
    files["site.json"] = json.dumps(setup, ensure_ascii=False)
    folder = _write_code(out, files)
    write_icons(out)
    write_atomically(out / "manifest.webmanifest", json.dumps(_MANIFEST, indent=1).encode("utf-8"))
    write_atomically(out / "index.html", index(written, address, folder).encode("utf-8"))
    if explained:
        ways = {
            "open_page": "./", "open_application": application, "open_docs": documentation, "open_source": source
        }  # fmt: skip
        opened = written["openings"][explained[1]["name"]]
        for name, page in _stories(*explained, opened, ways, address, folder):
            write_atomically(out / name, page.encode("utf-8"))
    write_atomically(out / "sw.js", service_worker(out).encode("utf-8"))
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def _variant(bundle: Bundle) -> Literal["", "alone", "picture"]:
    """Which variant of the page's texts a model needs."""
    return "alone" if bundle.config.is_single_stack else "picture" if bundle.picture else ""


PLAN_WORDS = ("pause", "run", "says_encoder", "says_bridge")
"""Texts of the application's model map that the plan uses."""


def _stories(
    bundle: Bundle, about: dict[str, Any], opened: dict[str, Any], ways: dict[str, str], address: str, folder: str
) -> Iterator[tuple[str, str]]:
    """The article in each language, with its file's name.

    Args:
        about: the model's name and URL.
        opened: the stored translation of the opening sentence.
        ways: URLs of the closing links; empty ones are left out.
    """
    head = opened.get("head") or clearest_head(bundle, opened["text"])
    links = {name: to for name, to in ways.items() if to}
    attention_maps = maps(bundle, opened["text"])
    for code, body in story.pages(bundle, opened["text"], (head[0], head[1]), links):
        written = {
            "words": _strings(code, "share") | _strings(code, "site") | _strings(code, "story"),
            "model": about,
            "opening": {name: value for name, value in opened.items() if name != "off"},
            "maps": attention_maps,
            "without": opened["off"]["translation"] if "off" in opened else "",
            "head": head,
            "hasUnits": bool(story.units_files(bundle)),
            "setup": {
                "doubt": _strings(code, "doubt"), "explorer": {},
                "palettes": palettes(),
            },
            "plan": {name: _strings(code, "overview")[name] for name in PLAN_WORDS},
            "link": schema(),
        }  # fmt: skip
        yield story.file_of(code), story_page(written, address, folder, language=code, body=body)


def _write_code(out: Path, data: dict[str, str]) -> str:
    """Replace the code and data of earlier versions by this version's, and return its folder."""
    shutil.rmtree(out / "code", ignore_errors=True)
    files = data | scripts() | {
        "inside/component.css": (COMPONENTS / "inside" / "component.css").read_text("utf-8"),
        "heads.css": SOURCE.stylesheet,
    }  # fmt: skip
    folder, (place, shared) = folder_of(files), embed()
    written = {f"{folder}/{name}": text for name, text in files.items()} | {place: shared}
    for path, text in written.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out / path, text.encode("utf-8"))
    return folder


def _is_shipped(bundle: Bundle) -> bool:
    """Whether it is one of the project's models, whose training data the page or a file beside it names."""
    folder = PRETRAINED / bundle.name
    return (folder / "config.json").is_file() and model.load(folder).fingerprint == bundle.fingerprint


def _write_model(files: dict[str, bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.name not in files:
            old.unlink()
    for file, content in files.items():
        write_atomically(folder / file, content)


def _openings(
    bundles: Sequence[Bundle], names: Sequence[str], entries: Sequence[Entry]
) -> dict[str, tuple[str, Telling | None]]:
    """The opening sentence of each model, and the head to switch off on it."""
    openings = {}
    for name, bundle in zip(names, bundles, strict=True):
        fitting = [entry for entry in entries if _fits(entry, bundle)]
        entry, telling = opening(bundle, fitting) if fitting else (Entry("", DEFAULT_TEXT), None)
        openings[name] = (entry.text, telling)
    return openings


def _fits(entry: Entry, bundle: Bundle) -> bool:
    return is_prompt_for(entry, bundle) if bundle.config.is_single_stack else is_for(entry, bundle)


def _questions(
    bundles: Sequence[Bundle], names: Sequence[str], openings: Mapping[str, tuple[str, Telling | None]]
) -> list[dict[str, Any]]:
    """Six questions, each with the link that sets up the page, for every model to which it applies."""
    questions = []
    for question in ("cross", "positions", "head", "heads", "model", "words"):
        fitting = [
            (name, bundle) for name, bundle in zip(names, bundles, strict=True)
            if not (bundle.config.is_single_stack and question == "positions")
        ]  # fmt: skip
        settings = {name: _setting(bundle, question, name, *openings[name]) for name, bundle in fitting}
        questions.append({"id": question, "settings": settings})
    return questions


def _setting(bundle: Bundle, question: str, name: str, text: str, telling: Telling | None) -> str:
    """The link by which a question sets the page."""
    kind = main_kind(bundle)
    chosen = Selection(text=text, model=name, kind=kind)
    level = {"head": "head", "model": "model", "words": "break"}.get(question)
    if question == "positions":
        chosen = replace(chosen, interventions=Interventions(source_positions=PositionEdit("reverse")))
    if question == "words":
        chosen = replace(chosen, method="sample")
    if telling is not None and question in ("head", "heads"):
        chosen = replace(chosen, layer=telling.layer, head=telling.head)
    if telling is not None and question == "heads":
        ablation = Interventions(heads_off=(HeadAblation(kind, telling.layer, telling.head),))
        chosen = replace(chosen, interventions=ablation)
    written = ("text", "layer", "head") if telling is not None and question in ("head", "heads") else ("text",)
    return "?" + urlencode(to_params(chosen, before=written) | ({"level": level} if level else {}))


def _write_examples(
    bundles: Sequence[Bundle],
    names: Sequence[str],
    entries: Sequence[Entry],
    out: Path,
    address: str,
    written: dict[str, str],
) -> Iterator[dict[str, Any]]:
    """Each sentence, with the file of its stored translation by each model, and the page of its shared link.

    Args:
        written: receives the stored translations, by path.
    """
    for folder in ("examples", "s"):  # the first is of an earlier version
        shutil.rmtree(out / folder, ignore_errors=True)
    (out / "s").mkdir()
    for place, entry in enumerate(entries):
        fitting = {name: bundle for name, bundle in zip(names, bundles, strict=True) if _fits(entry, bundle)}
        files, head = {}, None
        for number, (name, bundle) in enumerate(fitting.items()):
            files[name] = f"examples/{place:02}-{number}.json"
            has_telling = entry.group in (MATTERS, PROMPTS, WRITTEN)
            scene = stored_translation(bundle, entry.text, telling_head(bundle, entry.text) if has_telling else None)
            written[files[name]] = json.dumps(scene, ensure_ascii=False)
            head = head or scene.get("head")
        if fitting:
            name, bundle = next(iter(fitting.items()))
            stem, other = f"{place:02}-{slug(entry.says or entry.text)}", "" if name == names[0] else name
            has_card = bundle.picture is None  # a card shows words
            shared = _write_shared(bundle, entry, stem, out, address, other) if has_card else ""
            yield {
                "group": entry.group, "text": entry.text, "models": [*fitting], "stored": files, "share": shared,
                "head": head, "says": entry.says,
            }  # fmt: skip


def _write_shared(bundle: Bundle, entry: Entry, stem: str, out: Path, address: str, other: str) -> str:
    """Write the picture and the page of an example's shared link, and return the page's path."""
    trace = model.translate(bundle, entry.text)
    picture = picture_of(bundle, trace)
    write_atomically(out / f"s/{stem}.png", picture)
    if not (out / "social.png").exists() or stem.startswith("00-"):
        write_atomically(out / "social.png", picture)
    page = share_page(entry.text, trace.text, model=other, picture=f"s/{stem}.png", address=address)
    write_atomically(out / f"s/{stem}.html", page.encode("utf-8"))
    return f"s/{stem}.html"


def picture_of(bundle: Bundle, trace: model.Trace) -> bytes:
    """A link-preview picture (PNG) of a translation, with the head with the largest mean row maximum."""
    above, below, weights = sides(bundle, trace)
    skipped = int(bundle.config.is_single_stack)  # the start token
    ends = slice(skipped, len(above) - 1 + skipped)
    head = weights[..., ends].max(-1).mean(-1)  # (L, H)
    clearest = weights[np.unravel_index(head.argmax(), head.shape)]
    return social_picture(above.pieces[ends], below.pieces[:-1], clearest[:, ends], kind=main_kind(bundle))


def _strings(language: str, area: str) -> dict[str, str]:
    with speaking(language):
        return group(area)
