"""The map of the whole model, and where a click on it leads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from model import Trace
from model.interventions import KINDS
from viz import cache
from viz.components.overview import overview
from viz.components.overview.plan import plan_of
from viz.i18n import group
from viz.panels.explorer import look_at
from viz.panels.reading import Reading, reading
from viz.state import session

_KEY, _WANTED = "overview.map", "overview.wanted"
_TARGETS = {
    "encoder.embedding": ("positions", {"positions.part": "sentence"}),
    "decoder.embedding": ("positions", {"positions.part": "table"}),
    "encoder.output": ("explore", {}),
    "decoder.output": ("decode", {}),
}
"""What a box opens that is not a layer."""


def follow() -> None:
    """Open the page that was clicked on the map; to be called before anything is drawn."""
    wanted = session.recall(_WANTED, str)
    if wanted:
        session.remember(_WANTED, "")
        st.switch_page(f"{wanted}/{wanted}.py")


def draw(here: Reading, step: int, *, on_step: Callable[[int], object] = lambda step: None) -> None:
    """The map, lit along the path of the token that is predicted at a step.

    Args:
        on_step: stores the step of a word that the reader has clicked; nothing follows a word by default.
    """
    first = here.selection.first_index
    plan = plan_of(here.bundle.config, here.trace, step, first_index=first)
    overview(
        plan, step=step, words=group("overview"), first_index=first, key=_KEY, on_open=_open,
        on_word=partial(_follow, here.trace, on_step),
    )  # fmt: skip


def _follow(trace: Trace, on_step: Callable[[int], object]) -> None:
    """A word of the translation is followed itself; of the source, the one that looks at it most over all heads."""
    sent, cross = session.component_value(_KEY, "word"), trace.attention.cross
    if not (isinstance(sent, list | tuple) and len(sent) == 2 and type(sent[1]) is int) or cross is None:
        return
    side, index = sent
    if side == "target" and 0 <= index < len(trace.target):
        on_step(index)
    if side == "source" and 0 <= index < len(trace.source):
        on_step(int(cross.mean((0, 1))[:, index].argmax()))


def _open() -> None:
    """Remember which page a box leads to; pages cannot be changed inside a callback."""
    name, _, head = str(session.component_value(_KEY, "open")).partition("#")
    part, _, layer = name.rpartition(".")
    if name in _TARGETS:
        target, params = _TARGETS[name]
        session.merge_params(params)
    elif part in KINDS and layer.isdecimal():
        kind = KINDS[KINDS.index(part)]
        target = "inside" if head.isdecimal() else "explore"
        look_at(kind, int(layer), int(head) if head.isdecimal() else session.read().head)
    elif part in ("encoder.feed", "decoder.feed") and layer.isdecimal():
        kind = KINDS[0 if part.startswith("encoder") else 2]
        look_at(kind, int(layer), session.read().head)
        target = "inside"
        session.merge_params({"inside.step": "feed"})
    else:
        return
    session.clamp(cache.extent(reading().bundle))
    session.remember(_WANTED, target)
