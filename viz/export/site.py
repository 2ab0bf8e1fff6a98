"""A static site in which the model itself runs: ``python -m viz site --out site/`` (viz/components/site)."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

import model
from model.bundle import Bundle
from model.checkpoints.loading import PRETRAINED
from model.files.atomic import write_atomically
from model.text.tokenizer import WORD_MARK
from model.trace import TokenSequence
from viz.components import attention
from viz.components.attention.assets import SOURCE
from viz.components.attention.pack import palette_of
from viz.components.modules import order
from viz.export.engine import Precision, engine_files
from viz.export.gallery import Entry
from viz.export.names import addresses, distinct
from viz.export.page import variables
from viz.figures import attention_map, render
from viz.i18n import LANGUAGES, group, speaking, tr
from viz.theme import DARK, LIGHT, Palette
from viz.view_state import ViewState

COMPONENTS = Path(attention.__file__).parents[1]
_OURS = COMPONENTS / "site"
_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{digest}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


def write_site(bundles: Sequence[Bundle], entries: Sequence[Entry], out: Path, *, precision: Precision = "f16") -> int:
    """Write the site and return its size in bytes. The first model is the one that the page opens on.

    Raises:
        EngineError: when a model cannot run in a page.
        OSError: when a file cannot be written.
    """
    contents = [engine_files(bundle, precision=precision).named() for bundle in bundles]  # before anything is written
    names = distinct([bundle.name for bundle in bundles])
    models = [
        {"name": name, "address": f"models/{address}"} for name, address in zip(names, addresses(names), strict=True)
    ]
    readmes = []
    for bundle, files, each in zip(bundles, contents, models, strict=True):
        if _is_shipped(bundle):  # their licences ask to name every source
            about = (PRETRAINED / bundle.name / name for name in ("README.md", "attribution.txt"))
            files |= {path.name: path.read_bytes() for path in about if path.is_file()}
            readmes.append(f"{each['address']}/README.md")
        _write_model(files, out / each["address"])
    for path in _modules():
        target = out / "code" / path.relative_to(COMPONENTS)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    setup = {
        "languages": dict(LANGUAGES),
        "strings": {code: _strings(code) for code in LANGUAGES},
        "sentences": [_write_picture(bundles[0], entry, place, out) for place, entry in enumerate(entries)],
        "palettes": {"light": palette_of(LIGHT), "dark": palette_of(DARK)},
        "state": ViewState().to_mapping(),
        "models": models,
        "readmes": readmes,
    }
    write_atomically(out / "site.json", json.dumps(setup, ensure_ascii=False).encode("utf-8"))
    write_atomically(out / "style.css", _style().encode("utf-8"))
    write_atomically(out / "index.html", _index().encode("utf-8"))
    write_atomically(out / "sw.js", _service_worker(out).encode("utf-8"))
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def _is_shipped(bundle: Bundle) -> bool:
    """Whether it is one of the project's own models, whose data are named on the page or in a file beside it."""
    folder = PRETRAINED / bundle.name
    return (folder / "config.json").is_file() and model.load(folder).fingerprint == bundle.fingerprint


def _write_model(files: dict[str, bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.name not in files:
            old.unlink()
    for file, content in files.items():
        write_atomically(folder / file, content)


def _write_picture(bundle: Bundle, entry: Entry, place: int, out: Path) -> dict[str, str]:
    """The clearest cross-attention head on a sentence, for devices on which the model does not run."""
    trace = model.translate(bundle, entry.text)
    weights = trace.attention.cross
    assert weights is not None
    head = weights.max(-1).mean(-1)  # (L, H)
    clearest = weights[np.unravel_index(head.argmax(), head.shape)]  # (T, S)
    chart = attention_map(clearest, queries=_readable(trace.target), keys=_readable(trace.source), kind="cross")
    name = f"pictures/{place:02}.svg"
    (out / "pictures").mkdir(exist_ok=True)
    write_atomically(out / name, render(chart, "svg"))
    return {**asdict(entry), "translation": trace.text, "picture": name}


def _readable(tokens: TokenSequence) -> list[str]:
    return [piece.replace(WORD_MARK, "") or "␣" for piece in tokens.pieces]


def _modules() -> Iterator[Path]:
    found = {path for entry in ("main.js", "worker.js") for path in order(_OURS / entry)}
    yield from sorted(found)


def _strings(language: str) -> dict[str, dict[str, str]]:
    with speaking(language):
        return {area: group(area) for area in ("site", "attention", "gallery")}


def _style() -> str:
    def own(palette: Palette) -> str:
        on_accent = "#FFFFFF" if palette is LIGHT else "#121317"
        return (
            f"{variables(palette)};--panel:{palette.panel};--line:{palette.line};--accent:{palette.kinds['cross']};"
            f"--cross:{palette.kinds['cross']};--on-accent:{on_accent}"
        )

    return (
        f":root{{color-scheme:light dark;{own(LIGHT)}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{own(DARK)}}}}}\n"
        f"{(_OURS / 'style.css').read_text('utf-8')}{(_OURS / 'desk.css').read_text('utf-8')}\n{SOURCE.stylesheet}"
    )


def _service_worker(out: Path) -> str:
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != "sw.js")
    content = hashlib.sha256()
    for path in files:
        content.update(f"{path.relative_to(out).as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    # The models are kept by the page's own worker, so that their progress shows; pictures are for who has none.
    kept = [path for path in files if path.suffix not in (".safetensors", ".model", ".svg")]
    names = ["./", *(path.relative_to(out).as_posix() for path in kept)]
    text = (_OURS / "sw.js").read_text("utf-8")
    return text.replace("{version}", f"regard-{content.hexdigest()[:16]}").replace("{files}", "\\n".join(names))


def _index() -> str:
    # A browser would find out module by module what it needs.
    ahead = "\n".join(
        f'<link rel="modulepreload" href="code/{path.relative_to(COMPONENTS).as_posix()}">' for path in _modules()
    )
    script = f"\n{(_OURS / 'from_disk.js').read_text('utf-8')}"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    said = {"digest": digest, "ahead": ahead, "script": script}
    said |= {name: "\n".join(_in_each_language(name)) for name in ("from_disk", "needs_script")}
    return re.sub(r"\{(\w+)\}", lambda place: said[place[1]], _INDEX)


def _in_each_language(name: str) -> Iterator[str]:
    """A paragraph of the site's words in each language; those for a page from disk are hidden until it is one."""
    hidden = ' class="from-disk" hidden' if name == "from_disk" else ""
    for code in LANGUAGES:
        with speaking(code):
            yield f'<p lang="{code}"{hidden}>{html.escape(tr(f"site.{name}"))}</p>'


_INDEX = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Regard</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<link rel="preload" href="site.json" as="fetch" crossorigin>
{{ahead}}
</head>
<body>
<main id="app"><p>Regard …</p>
{{from_disk}}
</main>
<noscript>
{{needs_script}}
</noscript>
<script>{{script}}</script>
<script type="module" src="code/site/main.js"></script>
</body>
</html>
"""
