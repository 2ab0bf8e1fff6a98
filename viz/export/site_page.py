"""The site's HTML, style sheet and service worker, as text (viz/export/site.py writes them)."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from viz.components import attention
from viz.components.modules import common, join
from viz.export.social import TITLE, head_tags
from viz.export.story import file_of
from viz.i18n import LANGUAGES, speaking, tr
from viz.theme import css_variables

COMPONENTS = Path(attention.__file__).parents[1]
OURS = COMPONENTS / "site"
FIRST = ("main.js", "story.js")
"""The entry script of each page, bundled with its imports into one file; it draws the first picture."""
LATER = (
    "deferred.js", "one_head_view.js", "levels/model_plan.js", "all_heads.js", "story_deferred.js", "share_entry.js",
)  # fmt: skip
"""Scripts loaded later, without the modules that both entry scripts already contain."""
WORKER = "worker.js"
EMBED = "embed.js"
"""Loaded by other people's pages, so its URL is the same in all versions."""
_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{digest}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


def scripts() -> dict[str, str]:
    """The code, by path in its version's folder."""
    both = common(OURS / name for name in FIRST)
    joined = {name: join(OURS / name, gives=both) for name in FIRST}
    joined |= {name: join(OURS / name, provided=both) for name in LATER}
    return {f"site/{name}": text for name, text in (joined | {WORKER: join(OURS / WORKER)}).items()}


def embed() -> tuple[str, str]:
    """Path in the site's folder and text of the script that other pages load."""
    return f"code/site/{EMBED}", join(OURS / EMBED)


def folder_of(files: Mapping[str, str]) -> str:
    """The folder of one version's code and data, named by a digest of their content.

    A page that is open while the site is replaced asks for the files of its own version, which its service worker has.
    """
    digest = hashlib.sha256()
    for path, text in sorted(files.items()):
        digest.update(f"{path}\0{len(text)}\0{text}".encode())
    return f"code/{digest.hexdigest()[:12]}"


def style(*more: str) -> str:
    """The style sheet of all but the explorer. It is inlined, because a separate file would delay the first picture."""
    names = (
        "site/style/style.css", "shared/candidates.css", "shared/pad/pad.css", "shared/share/share.css",
        "shared/stage/stage.css", "site/style/stage.css", "site/style/page.css", "site/style/desk.css", *more,
    )  # fmt: skip
    sheets = "".join((COMPONENTS / name).read_text("utf-8") for name in names)
    return f"{css_variables()}\n{sheets}"


def index(written: dict[str, Any], address: str, folder: str) -> str:
    """The page.

    Args:
        written: data for its script.
        address: the site's URL, or "".
        folder: as ``folder_of`` names it.
    """
    return _document(
        written, folder,
        language="en", entry="main", title=TITLE, tags=head_tags(title=TITLE, picture="social.png", address=address),
        style=style(), body='<header class="page-header"><h1>Regard</h1></header>',
        without_script="\n".join(_in_each_language("needs_script")),
    )  # fmt: skip


def story(written: dict[str, Any], address: str, folder: str, *, language: str, body: str) -> str:
    """The article in one language.

    Args:
        written: data for its script.
        address: the site's URL, or "".
        folder: as ``folder_of`` names it.
        body: as ``viz.export.story.body`` writes it.
    """
    with speaking(language):
        title, about = tr("story.title"), tr("story.description")
    tags = head_tags(title=title, picture="social.png", address=address, description=about, path=file_of(language))
    return _document(
        written, folder, language=language, entry="story", title=f"Regard · {title}", tags=tags,
        style=style("site/style/story.css"), body=body, without_script="",
    )  # fmt: skip


def _document(
    written: dict[str, Any], folder: str, *, language: str, entry: str, title: str, tags: str, style: str, body: str,
    without_script: str,
) -> str:  # fmt: skip
    script = f"\n{(OURS / 'from_disk.js').read_text('utf-8')}"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    fields = {
        "policy": _POLICY.replace("{digest}", digest),
        "language": language,
        "entry": entry,
        "script": script,
        "title": html.escape(title),
        "folder": folder,
        "tags": tags,
        "style": style,
        "body": body,
        "from_disk": "\n".join(_in_each_language("from_disk")),
        "without_script": f"<noscript>\n{without_script}\n</noscript>" if without_script else "",
        "written": json.dumps(written, ensure_ascii=False).replace("<", "\\u003c"),
    }
    return re.sub(r"\{(\w+)\}", lambda match: fields[match[1]], _INDEX)


def service_worker(out: Path) -> str:
    """The service worker of a site whose other files are written."""
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != "sw.js")
    content = hashlib.sha256()
    for path in files:
        content.update(f"{path.relative_to(out).as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    # The page's worker caches the models and shows their progress; pages of shared links lead to this one.
    cached = [
        path for path in files
        if path.suffix not in (".safetensors", ".model") and path.parent.name != "s"
    ]  # fmt: skip
    names = ["./", *(path.relative_to(out).as_posix() for path in cached)]
    text = (OURS / "sw.js").read_text("utf-8")
    return text.replace("{version}", f"regard-{content.hexdigest()[:16]}").replace("{files}", "\\n".join(names))


def _in_each_language(name: str) -> Iterator[str]:
    """A paragraph of the site's texts in each language; "from_disk" ones are hidden until the page finds it is."""
    hidden = ' class="from-disk" hidden' if name == "from_disk" else ""
    for code in LANGUAGES:
        with speaking(code):
            yield f'<p lang="{code}"{hidden}>{html.escape(tr(f"site.{name}"))}</p>'


_INDEX = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<script type="module" src="{folder}/site/{entry}.js"></script>
{tags}
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="icon.png">
<link rel="manifest" href="manifest.webmanifest">
<style>{style}</style>
</head>
<body>
<main id="app">
{from_disk}
<script>{script}</script>
{body}
</main>
{without_script}
<script type="application/json" id="written">{written}</script>
</body>
</html>
"""
"""The entry script comes first, so that browsers fetch it early; it runs once the page is parsed."""
