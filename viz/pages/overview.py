"""Overview: the whole model on one screen, lit along the path of one predicted token."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from model.interventions import KINDS
from viz import cache, session
from viz.components.overview import overview
from viz.components.overview.plan import plan_of
from viz.i18n import group, tr
from viz.panels import changes, weight_sharing
from viz.panels.reading import is_alone, reading
from viz.panels.sentence import chip_text
from viz.selection import bounded

_KEY, _WANTED = "overview.map", "overview.wanted"
_PAGES = Path(__file__).parent
_TARGETS = {
    "encoder.embedding": ("positions", {"positions.part": "sentence"}),
    "decoder.embedding": ("positions", {"positions.part": "table"}),
    "encoder.output": ("explore", {}),
    "decoder.output": ("decode", {}),
}
"""What a box that is no layer opens."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Which token is followed."""

    step: int = bounded(2, 0, 511)


def page() -> None:
    """Read, compute, draw, store."""
    here = reading()
    wanted = session.recall(_WANTED, str)
    if wanted:
        session.remember(_WANTED, "")
        st.switch_page(_PAGES / f"{wanted}.py")
    changes.chips(here)
    if is_alone(here.bundle):
        st.info(tr("overview.alone"))
        return
    tokens = [chip_text(piece) for piece in here.trace.target.pieces]
    step = min(session.part(Choices, "overview").step, len(tokens) - 1)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(tr("overview.lead"), width="content")
        st.selectbox(
            tr("overview.step"), range(len(tokens)), format_func=lambda i: f"{i + 1} · {tokens[i]}", width=180,
            label_visibility="collapsed", **session.bind("step", Choices, "overview", shown=step),
        )  # fmt: skip
    plan = plan_of(here.bundle.config, here.trace, step, first_index=here.selection.first_index)
    overview(plan, words=group("overview"), key=_KEY, on_open=_open)
    st.caption(tr("overview.read", predicted=tokens[step]))
    with st.expander(tr("overview.sharing_title")):
        weight_sharing.draw(here)
    with st.expander(tr("overview.kinds_title")):
        st.markdown(tr("overview.kinds"))


def _open() -> None:
    """Remember which page a box leads to; pages cannot be changed inside a callback."""
    name, _, head = str(session.sent(_KEY, "open")).partition("#")
    part, _, layer = name.rpartition(".")
    if name in _TARGETS:
        target, params = _TARGETS[name]
        session.take_params(params)
    elif part in KINDS and layer.isdecimal():
        kind = next(kind for kind in KINDS if kind == part)
        target = "inside" if head.isdecimal() else "explore"
        session.change(kind=kind, layer=int(layer), head=int(head) if head.isdecimal() else session.read().head)
    elif part in ("encoder.feed", "decoder.feed") and layer.isdecimal():
        kind = KINDS[0] if part.startswith("encoder") else KINDS[2]
        session.change(kind=kind, layer=int(layer))
        target = "inside"
        session.take_params({"inside.step": "feed"})
    else:
        return
    session.clamp(cache.extent(reading().bundle))
    session.remember(_WANTED, target)


page()
