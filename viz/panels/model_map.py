"""The map of the whole model, and where a click on it leads."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from model import Trace
from model.config import NOT_ADDED
from model.inference.masked import mask_id
from model.interventions import KINDS
from viz import cache
from viz.components.overview import overview
from viz.components.overview.plan import plan_of, single_stack_plan_of
from viz.i18n import group
from viz.panels.explorer import look_at
from viz.panels.reading import Reading, current_reading
from viz.state import session

_KEY, _TARGET_PAGE = "overview.map", "overview.wanted"
_TARGETS = {
    "encoder.embedding": ("positions", {"positions.part": "sentence"}),
    "decoder.embedding": ("positions", {"positions.part": "table"}),
    "encoder.output": ("explore", {}),
    "encoder.masked": ("decode", {}),
    "decoder.output": ("decode", {}),
}
"""What a box opens that is not a layer."""


def follow() -> None:
    """Open the page that was clicked on the map; to be called before anything is drawn."""
    page = session.recall(_TARGET_PAGE, str)
    if page:
        session.remember(_TARGET_PAGE, "")
        st.switch_page(f"{page}/{page}.py")


def draw(reading: Reading, step: int, *, on_step: Callable[[int], object] = lambda step: None) -> None:
    """The map, lit along the path of the token predicted at a step; ``on_step`` stores the step of a clicked word."""
    first, trace = reading.selection.first_index, reading.trace
    kind, followed = "cross", ("target", step)
    if trace.attention.cross is not None:
        plan = plan_of(reading.bundle.config, trace, step, first_index=first)
    else:
        # The stage has what is read in its text, and what a decoder-only model writes below it.
        (kind,), n_prompt = trace.attention.kinds, reading.n_prompt
        followed = ("target", step - n_prompt + 1) if 0 < n_prompt <= step + 1 else ("source", step)
        plan = single_stack_plan_of(
            trace, step, n_prompt=n_prompt, first_index=first, is_masked=mask_id(reading.bundle) is not None,
            has_positions=reading.bundle.config.positions not in NOT_ADDED,
        )  # fmt: skip
    overview(
        plan, followed=followed, kind=kind, words=group("overview"), first_index=first, key=_KEY, on_open=_open,
        on_word=partial(_follow, trace, reading.n_prompt, on_step),
    )  # fmt: skip


def _follow(trace: Trace, n_prompt: int, on_step: Callable[[int], object]) -> None:
    """A word of the translation is followed itself; of the source, the one that looks at it most over all heads. Of a
    model with one stack, a word that it reads is followed itself, and one that it writes from where it is predicted."""
    sent, cross = session.component_value(_KEY, "word"), trace.attention.cross
    if not (isinstance(sent, list | tuple) and len(sent) == 2 and type(sent[1]) is int):
        return
    side, index = sent
    if side == "target" and 0 <= index < len(trace.target):
        on_step(index + max(0, n_prompt - 1))
    if side == "source" and 0 <= index < (len(trace.source) or n_prompt):
        on_step(index if cross is None else int(cross.mean((0, 1))[:, index].argmax()))


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
    session.clamp(cache.extent(current_reading().bundle))
    session.remember(_TARGET_PAGE, target)
