"""What a student's phone is sent: one HTML file with the explorer of the exported page and the texts of one language,
and the setup and files with which it runs the model itself (viz/components/site/phone_desk.js)."""

import asyncio
import gzip
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from viz import cache as models
from viz.components.attention.pack import metric_table, palettes
from viz.components.code import FOLDER, PREFIX, digest
from viz.components.modules import join
from viz.export.engine import EngineError, Precision, engine_files
from viz.export.gallery import project_entries
from viz.i18n import LANGUAGES, group, speaking, tr
from viz.i18n.catalogue import matching_language
from viz.state.view_state import ViewState
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


PRECISION: Precision = "i8"
"""Half the bytes for a classroom's network (docs/decisions/0015)."""
_maker = ThreadPoolExecutor(1, "page-model")
T = TypeVar("T")


@cache
def setup(language: str) -> str:
    """The data from which the page builds its controls, as JSON."""
    (name, is_first), _ = files()
    with speaking(language):
        return json.dumps(
            {
                "words": group("share") | group("site"),
                "explorer": group("attention"),
                "groups": group("gallery"),
                "doubt": group("doubt"),
                "palettes": palettes(),
                "state": ViewState().to_mapping(),
                "metrics": metric_table(),
                "sentences": [{"group": entry.group, "text": entry.text} for entry in project_entries()],
                "models": [{"name": name, "address": "../model"}],
                "about": "" if is_first else tr("site.other_model", name=name),
            },
            ensure_ascii=False,
        )


async def in_its_thread(make: Callable[..., T], *arguments: str) -> T:
    """Call ``setup`` or ``files`` in the single thread that makes files.

    Phones that wait for a model that is being made would take all threads of the server's other routes.
    """
    return await asyncio.get_running_loop().run_in_executor(_maker, make, *arguments)


def files() -> tuple[tuple[str, bool], dict[str, bytes]]:
    """Name of the model that phones run, whether it is the server's first, and its files by name; raises
    EngineError."""
    outcome = _page_files()
    if isinstance(outcome, EngineError):
        raise outcome
    return outcome


@cache
def _page_files() -> tuple[tuple[str, bool], dict[str, bytes]] | EngineError:
    refused = EngineError("this server has no model")
    for place, name in enumerate(models.model_names()):
        bundle = models.bundle(name)
        if bundle.picture is not None:
            refused = EngineError(f"{bundle.name} reads handwriting, and a phone's page has no pad")
            continue
        try:
            return (bundle.name, place == 0), engine_files(bundle, precision=PRECISION).named()
        except EngineError as error:
            refused = error
    return refused
