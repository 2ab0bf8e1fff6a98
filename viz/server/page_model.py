"""The setup and files that a phone needs to run the model itself (viz/components/site/own.js)."""

from __future__ import annotations

import json
import threading
from functools import cache

from viz import cache as models
from viz.components.attention.pack import palette_of
from viz.export.engine import EngineError, Precision, engine_files
from viz.export.gallery import own_entries
from viz.i18n import group, speaking, tr
from viz.theme import DARK, LIGHT
from viz.view_state import ViewState

PRECISION: Precision = "i8"
"""Half the bytes for a classroom's network (docs/decisions/0015)."""
_lock = threading.Lock()


@cache
def setup(language: str) -> str:
    """The data from which the page builds its controls, as JSON."""
    (name, is_first), _ = files()
    with speaking(language):
        words = group("site")
        about = "" if is_first else tr("site.other_model", name=name)
        return json.dumps(
            {
                "words": words,
                "explorer": group("attention"),
                "groups": group("gallery"),
                "palettes": {"light": palette_of(LIGHT), "dark": palette_of(DARK)},
                "state": ViewState().to_mapping(),
                "sentences": [{"group": entry.group, "text": entry.text} for entry in own_entries()],
                "models": [{"name": name, "address": "../model"}],
                "about": about,
            },
            ensure_ascii=False,
        )


def files() -> tuple[tuple[str, bool], dict[str, bytes]]:
    """Name of the model that phones run, whether it is the server's first, and the files by name.

    Raises:
        EngineError: when no model of this server can run in a page.
    """
    with _lock:  # so that two phones at once do not build it twice
        return _made()


@cache
def _made() -> tuple[tuple[str, bool], dict[str, bytes]]:
    refused = EngineError("this server has no model")
    for place, name in enumerate(models.model_names()):
        bundle = models.bundle(name)
        try:
            return (bundle.name, place == 0), engine_files(bundle, precision=PRECISION).named()
        except EngineError as error:
            refused = error
    raise refused
