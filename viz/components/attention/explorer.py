"""The attention explorer in a Streamlit page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from viz.components.attention.assets import SOURCE
from viz.components.attention.pack import is_exact, pack, pack_exact
from viz.components.attention.state import ViewState
from viz.components.attention.view import AttentionView
from viz.components.code import FOLDER

_explorer = SOURCE.mount()
_control = component("regard_attention_control", js=(FOLDER / "attention/control.js").read_text("utf-8"))

ACTIONS = ("switch_off", "switch_on", "open_head", "link")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that the reader asked the page to do with a head."""

    name: str
    """One of ``ACTIONS``."""
    kind: str
    layer: int
    head: int


@dataclass(frozen=True, slots=True)
class Report:
    """What the explorer says back."""

    state: ViewState
    """What is on screen, clamped to the view."""
    action: Action | None
    """What was asked in this run, and in this run only."""


def attention_explorer(
    view: AttentionView,
    *,
    state: ViewState,
    strings: Mapping[str, str],
    key: str,
    other: AttentionView | None = None,
    first_index: int = 0,
    show_sentence: bool = True,
    actions: tuple[str, ...] = (),
    packed: bytes | None = None,
    revision: int = 0,
) -> Report:
    """Mount the explorer: head grid, map, lines, text, cards and toolbar. Hover, zoom and switches never rerun.

    The browser owns the state once it is on screen. What the reader changes is reported a moment later by a rerun;
    pass the last known state back in, the explorer recognises its own echo and is not disturbed.

    Args:
        view: what to show.
        state: the state to start from (of a link, say), or the last one reported.
        strings: ``viz.i18n.group("attention")``.
        key: identity of this explorer in the page.
        other: a second view to compare with.
        first_index: 0 or 1, what the first layer and head are called.
        show_sentence: whether both sentences stand above the toolbar; tokens there are reached by Tab.
        actions: the buttons to offer, of ``ACTIONS``: ``switch_off`` (and ``switch_on`` for heads that are off) a
            head, ``open_head`` to look inside it, ``link`` to copy a link.
        packed: the result of :func:`pack` for the same arguments, when it was cached.
        revision: count it up to impose ``state`` on an explorer that is already on screen.

    Returns:
        The state on screen and the action asked for, both validated.
    """
    packet = packed
    if packet is None:
        packet = pack(view, strings=strings, other=other, first_index=first_index, show_sentence=show_sentence,
                      options=page_options(key, actions))  # fmt: skip
    with st.container(gap=None):
        result = _explorer(key=key, data=packet, on_state_change=_nothing, on_action_change=_nothing)
        reported = result.get("state")
        current = (ViewState.parse(reported) if _is_current(reported, revision) else state).fit(view)
        views = [view] if other is None else [view, other]
        heads = () if is_exact(view, other) else current.heads
        fields = {"id": key, "state": state.fit(view).to_mapping(), "revision": revision}
        _control(key=f"{key}-control", data=pack_exact(views, kind=current.kind, heads=heads, fields=fields))
    return Report(current, _action(result.get("action"), view))


def page_options(key: str, actions: tuple[str, ...] = ()) -> dict[str, Any]:
    """The ``options`` that :func:`pack` needs for a packet passed to the explorer as ``packed``."""
    return {"id": key, "actions": list(actions), "awaitsControl": True}


def _is_current(reported: object, revision: int) -> bool:
    """Whether the browser said this after it took in the state imposed last."""
    return isinstance(reported, Mapping) and (reported.get("revision") or 0) == revision


def _action(value: object, view: AttentionView) -> Action | None:
    """An action from the browser, or None when it makes no sense for this view."""
    if not isinstance(value, Mapping) or value.get("name") not in ACTIONS:
        return None
    kind, layer, head = (value.get(name) for name in ("kind", "layer", "head"))
    if kind not in view.attention.kinds or not isinstance(layer, int) or not isinstance(head, int):
        return None
    n_layers, n_heads = view.shape(kind)
    if not (0 <= layer < n_layers and 0 <= head < n_heads):
        return None
    return Action(str(value["name"]), kind, layer, head)


def _nothing() -> None:
    """Streamlit reports a state only if it has a callback."""
