"""The setup and files that a phone needs to run the model itself (viz/components/site/phone_desk.js)."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from viz import cache as models
from viz.components.attention.pack import metric_table, palette_of
from viz.export.engine import EngineError, Precision, engine_files
from viz.export.gallery import project_entries
from viz.i18n import group, speaking, tr
from viz.state.view_state import ViewState
from viz.theme import DARK, LIGHT

PRECISION: Precision = "i8"
"""Half the bytes for a classroom's network (docs/decisions/0015)."""
_maker = ThreadPoolExecutor(1, "page-model")
Made = TypeVar("Made")


@cache
def setup(language: str) -> str:
    """The data from which the page builds its controls, as JSON."""
    (name, is_first), _ = files()
    with speaking(language):
        words = group("share") | group("site")
        about = "" if is_first else tr("site.other_model", name=name)
        return json.dumps(
            {
                "words": words,
                "explorer": group("attention"),
                "groups": group("gallery"),
                "doubt": group("doubt"),
                "palettes": {"light": palette_of(LIGHT), "dark": palette_of(DARK)},
                "state": ViewState().to_mapping(),
                "metrics": metric_table(),
                "sentences": [{"group": entry.group, "text": entry.text} for entry in project_entries()],
                "models": [{"name": name, "address": "../model"}],
                "about": about,
            },
            ensure_ascii=False,
        )


async def in_its_thread(make: Callable[..., Made], *arguments: str) -> Made:
    """Call one of the functions below in the single thread that makes files.

    Phones that wait for a model that is being made would take all threads of the server's other routes.
    """
    return await asyncio.get_running_loop().run_in_executor(_maker, make, *arguments)


def files() -> tuple[tuple[str, bool], dict[str, bytes]]:
    """Name of the model that phones run, whether it is the server's first, and the files by name.

    Raises:
        EngineError: when no model of this server can run in a page.
    """
    outcome = _made()
    if isinstance(outcome, EngineError):
        raise outcome
    return outcome


@cache
def _made() -> tuple[tuple[str, bool], dict[str, bytes]] | EngineError:
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
