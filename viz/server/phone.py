"""The students' page: one HTML file with the explorer of the exported page and the texts of one language."""

import gzip
import json
from functools import cache

from viz.components.code import FOLDER, PREFIX, digest
from viz.components.modules import join
from viz.i18n import LANGUAGES, group, speaking
from viz.i18n.catalogue import matching_language
from viz.theme import css_variables

POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
_FONTS = "'Source Sans 3','Source Sans Pro','Noto Sans',system-ui"


def language_of(accepted: str, wished: str) -> str:
    """The page's language: the requested one, or the first of the browser's languages that we have."""
    wishes = [part.partition(";")[0].strip() for part in accepted.split(",")]
    return wished if wished in LANGUAGES else matching_language(filter(None, wishes))


@cache
def page(language: str) -> str:
    """The page as text. Its script reads the room from the address."""
    with speaking(language):
        words = {name: group(name) for name in ("room", "attention", "pad")} | {"code": f"{PREFIX}/{digest()}"}
    styles = (
        "site/style/desk.css", "shared/candidates.css", "shared/pad/pad.css", "shared/stage/stage.css",
        "site/style/stage.css", "attention/component.css", "phone/phone.css",
    )  # fmt: skip
    style = "".join((FOLDER / name).read_text("utf-8") for name in styles)
    packed = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<title>Regard</title>\n'
        f"<style>{css_variables(_FONTS)}\n{style}</style>\n</head>\n<body>\n"
        f'<main id="class"></main>\n<script type="module">\n{join(FOLDER / "phone/phone.js")}\n'
        f'begin(document.getElementById("class"), {packed});\n</script>\n</body>\n</html>\n'
    )


@cache
def packed_page(language: str) -> bytes:
    """The compressed page; stored, because a whole class opens it at the same time."""
    return gzip.compress(page(language).encode("utf-8"), 9, mtime=0)
