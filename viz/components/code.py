"""Components' JavaScript and style sheets, which each browser fetches once, instead of receiving them in every message.

Streamlit sends ``js=`` and ``css=`` of a component with each of its messages: three quarters of the bytes of a new
sentence. Where our own routes are there (``viz.server``), a component is a loader of a few lines that imports its code
from ``/code/<digest>/…``, which a browser may keep for a year, since other code has another digest. Elsewhere (in a
plain ``streamlit run`` of a page, in tests) the code travels inline.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

FOLDER = Path(__file__).parent
SUFFIXES = (".js", ".css")
PREFIX = "code"

_joined: dict[str, str] = {}
_base: str | None = None


def serve_from(base: str) -> None:
    """From now on components load their code from ``<base>/code/…``; to be called before any component is imported.

    Args:
        base: path below which the application is served, "" or "/regard".
    """
    global _base
    _base = base


class Code(TypedDict):
    """Arguments of ``component``."""

    js: str
    css: NotRequired[str]


def code(name: str, *, js: str, css: str) -> Code:
    """Arguments of ``component(name, **code(…))`` for code that is one text."""
    if _base is None:
        return {"js": js, "css": css} if css else {"js": js}
    # The digest in the address is that of the files; the inlined text may contain more.
    path = f"joined/{name}.{hashlib.sha256((js + css).encode()).hexdigest()[:12]}"
    _joined[f"{path}.js"] = js
    if css:
        _joined[f"{path}.css"] = css
    return {"js": loader(f"{path}.js", f"{path}.css" if css else "")}


def loader(script: str, style: str = "") -> str:
    """A module that takes its default export, and the style of its shadow root, from the route.

    Streamlit calls a component once for all data that came before its code was there, and ends each call but the last
    after it: only the end of the last call counts.

    Args:
        script: path of an ES module below ``viz/components``; what it imports is found beside it.
        style: path of a style sheet.
    """
    at = json.dumps(f"{_base or ''}/{PREFIX}/{digest()}/")
    return _LOADER % {"at": at, "script": json.dumps(script), "style": json.dumps(style)}


def text_of(path: str) -> str | None:
    """What the route answers below the digest; None for anything but a script or style of a component."""
    if path in _joined:
        return _joined[path]
    return _files().get(path)


@cache
def digest() -> str:
    """A digest of all the code: when any of it changes, every address changes."""
    content = hashlib.sha256()
    for path, text in sorted(_files().items()):
        content.update(f"{path}\0{len(text)}\0{text}".encode())
    return content.hexdigest()[:20]


@cache
def _files() -> dict[str, str]:
    paths = (path for path in FOLDER.rglob("*") if path.suffix in SUFFIXES)
    return {path.relative_to(FOLDER).as_posix(): path.read_text("utf-8") for path in paths}


_LOADER = """\
const at = new URL(%(at)s, window.location.origin);
const style = %(style)s;
async function sheet() {
  const answer = await fetch(new URL(style, at));
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  const made = new CSSStyleSheet();
  made.replaceSync(await answer.text());
  return made;
}
const [{ default: mount }, made] = await Promise.all([import(new URL(%(script)s, at)), style ? sheet() : null]);
const last = new WeakMap();
export default function (given) {
  const { parentElement } = given;
  const root = parentElement.getRootNode();
  if (made && !root.adoptedStyleSheets.includes(made)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, made];
  const end = mount(given);
  last.set(parentElement, end);
  return () => last.get(parentElement) === end && end?.();
}
"""
