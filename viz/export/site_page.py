"""The site's page, its style and its service worker, as text (viz/export/site.py writes them)."""

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
"""The script of each page, which draws its first picture, as one file with all that it imports."""
LATER = (
    "deferred.js", "head_entry.js", "model_entry.js", "all_heads.js", "story_deferred.js", "share_entry.js",
)  # fmt: skip
"""What comes after it, without the modules that both pages have already."""
WORKER = "worker.js"
EMBED = "embed.js"
"""Pages of others load it, so its address is the same in all versions."""
_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{digest}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


def scripts() -> dict[str, str]:
    """The code, by its paths in the folder of its version."""
    both = common(OURS / name for name in FIRST)
    joined = {name: join(OURS / name, gives=both) for name in FIRST}
    joined |= {name: join(OURS / name, given=both) for name in LATER}
    return {f"site/{name}": text for name, text in (joined | {WORKER: join(OURS / WORKER)}).items()}


def embed() -> tuple[str, str]:
    """The path in the site's folder, and the text, of the script that other pages load."""
    return f"code/site/{EMBED}", join(OURS / EMBED)


def folder_of(files: Mapping[str, str]) -> str:
    """The folder of one version's code and data in the site's, named by a digest of all of them.

    A page that is open while the site is replaced asks for the files of its own version, which its service worker has.
    """
    digest = hashlib.sha256()
    for path, text in sorted(files.items()):
        digest.update(f"{path}\0{len(text)}\0{text}".encode())
    return f"code/{digest.hexdigest()[:12]}"


def style(*more: str) -> str:
    """The style of all but the explorer. It stands in the page: a file of its own would hold up the first picture."""
    names = (
        "site/style/style.css", "shared/candidates.css", "shared/pad/pad.css", "shared/share/share.css",
        "shared/stage/stage.css", "site/style/stage.css", "site/style/page.css", "site/style/desk.css", *more,
    )  # fmt: skip
    sheets = "".join((COMPONENTS / name).read_text("utf-8") for name in names)
    return f"{css_variables()}\n{sheets}"


def index(written: dict[str, Any], address: str, folder: str) -> str:
    """The page.

    Args:
        written: what it carries for its script.
        address: where the site will be, or nothing.
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
        written: what it carries for its script.
        address: where the site will be, or nothing.
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
    said = {
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
    return re.sub(r"\{(\w+)\}", lambda place: said[place[1]], _INDEX)


def service_worker(out: Path) -> str:
    """The service worker of a site that is written otherwise."""
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != "sw.js")
    content = hashlib.sha256()
    for path in files:
        content.update(f"{path.relative_to(out).as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    # The models are kept by the page's own worker, so that their progress shows; pictures are for who has none.
    # Pages of shared links lead to this one.
    kept = [
        path for path in files
        if path.suffix not in (".safetensors", ".model") and path.parent.name != "s"
    ]  # fmt: skip
    names = ["./", *(path.relative_to(out).as_posix() for path in kept)]
    text = (OURS / "sw.js").read_text("utf-8")
    return text.replace("{version}", f"regard-{content.hexdigest()[:16]}").replace("{files}", "\\n".join(names))


def _in_each_language(name: str) -> Iterator[str]:
    """A paragraph of the site's words in each language; those for a page from disk are hidden until it is one."""
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
"""A browser that reads it finds the first script before all else, and runs it once the page is read."""
