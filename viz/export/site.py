"""A static site in which the model itself runs: ``python -m viz site --out site/`` (viz/components/site)."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from model.bundle import Bundle
from model.files.atomic import write_atomically
from viz.components import attention
from viz.components.attention.assets import SOURCE
from viz.components.attention.pack import palette_of
from viz.components.modules import order
from viz.export.engine import Precision, engine_files
from viz.export.gallery import Entry
from viz.export.page import variables
from viz.i18n import LANGUAGES, group, speaking
from viz.theme import DARK, LIGHT, Palette
from viz.view_state import ViewState

COMPONENTS = Path(attention.__file__).parents[1]
_OURS = COMPONENTS / "site"
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


def write_site(bundles: Sequence[Bundle], entries: Sequence[Entry], out: Path, *, precision: Precision = "f16") -> int:
    """Write the site and return its size in bytes. The first model is the one that the page opens on.

    Raises:
        EngineError: when a model cannot run in a page.
        OSError: when a file cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    models = [_write_model(bundle, out, precision) for bundle in bundles]
    for path in _modules():
        target = out / "code" / path.relative_to(COMPONENTS)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    setup = {
        "languages": dict(LANGUAGES),
        "strings": {code: _strings(code) for code in LANGUAGES},
        "sentences": [asdict(entry) for entry in entries],
        "palettes": {"light": palette_of(LIGHT), "dark": palette_of(DARK)},
        "state": ViewState().to_mapping(),
        "models": models,
    }
    write_atomically(out / "site.json", json.dumps(setup, ensure_ascii=False).encode("utf-8"))
    write_atomically(out / "style.css", _style().encode("utf-8"))
    write_atomically(out / "index.html", _INDEX.encode("utf-8"))
    write_atomically(out / "sw.js", _service_worker(out).encode("utf-8"))
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def _write_model(bundle: Bundle, out: Path, precision: Precision) -> dict[str, str]:
    name = re.sub(r"[^a-z0-9]+", "-", bundle.name.lower()).strip("-") or "model"
    folder = out / "models" / name
    folder.mkdir(parents=True, exist_ok=True)
    files = engine_files(bundle, precision=precision)
    # The weights' name says their content, so that a cache never mixes two exports.
    weights = f"weights-{files.header['sha256'][:12]}.bin"
    for old in folder.glob("weights-*.bin"):
        old.unlink()
    write_atomically(folder / weights, files.weights)
    header = json.dumps({**files.header, "weights": weights}, ensure_ascii=False)
    write_atomically(folder / "model.json", header.encode("utf-8"))
    return {"name": bundle.name, "address": f"models/{name}"}


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
        f":root{{color-scheme:light dark;{own(LIGHT)}}}\n@media (prefers-color-scheme:dark){{:root{{{own(DARK)}}}}}\n"
        f"{(_OURS / 'style.css').read_text('utf-8')}\n{SOURCE.stylesheet}"
    )


def _service_worker(out: Path) -> str:
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != "sw.js")
    content = hashlib.sha256()
    for path in files:
        content.update(f"{path.relative_to(out).as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    # The weights are kept by the page's own request, so that their progress shows.
    names = ["./", *(path.relative_to(out).as_posix() for path in files if path.suffix != ".bin")]
    text = (_OURS / "sw.js").read_text("utf-8")
    return text.replace("{version}", f"regard-{content.hexdigest()[:16]}").replace("{files}", "\\n".join(names))


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
</head>
<body>
<main id="app"><p>Regard …</p></main>
<noscript>This page computes in your browser and needs JavaScript.</noscript>
<script type="module" src="code/site/main.js"></script>
</body>
</html>
"""
