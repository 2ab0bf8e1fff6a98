"""The attention explorer under the sentence: what it is given, and what it says back."""

from __future__ import annotations

import dataclasses

import streamlit as st

from model import HeadOff
from viz import cache, session
from viz.components.attention import AttentionView, pack
from viz.components.attention.explorer import Action, attention_explorer, page_options
from viz.i18n import current_language, group
from viz.panels import errors, explorer_state
from viz.panels.reading import Reading
from viz.panels.weights import readings, weights

_ACTIONS = ("switch_off", "switch_on")
_KEY = "explorer"


@st.fragment
def explorer(view: AttentionView, view_key: tuple, *, other: AttentionView | None = None) -> None:
    """Mount the explorer, keep what the reader does in it, and do what it asks for.

    Args:
        view_key: says everything that ``view`` and ``other`` depend on.
    """
    selection = session.read()
    strings = group("attention")
    options = {"first_index": selection.first_index, "show_sentence": other is not None}
    packed = cache.keep(
        ("packed", current_language(), *options.items(), *view_key),
        lambda: pack(view, strings=strings, other=other, options=page_options(_KEY, _ACTIONS), **options),
        is_large=len(view.source) > 64,
    )
    report = attention_explorer(
        view,
        state=explorer_state.state_of(selection),
        strings=strings,
        key=_KEY,
        other=other,
        actions=_ACTIONS,
        packed=packed,
        **options,
    )
    after = session.change(**explorer_state.choices_of(report.state))
    if report.action is not None:
        _switch(report.action)
        st.rerun()
    if _needs_page(selection) != _needs_page(after):
        st.rerun()


def view_of(here: Reading, *, effects: dict | None = None, corpus: dict | None = None, note: str = "") -> AttentionView:
    """The view of what stands on the stage, in the chosen reading of the weights."""
    with errors.explained():
        shown = weights(here)
    return AttentionView.of(
        here.trace,
        attention=shown.drawn,
        effects=effects,
        corpus_metrics=corpus,
        reading=shown.reading,
        readings=readings(here),
        caption=f"{here.trace.source_text} → {here.trace.text} · {here.bundle.name}",
        note=" ".join(filter(None, (shown.note, note))),
    )


def _needs_page(selection) -> tuple:
    return (selection.weighting, selection.presenter, selection.pins if selection.weighting == "gradient" else ())


def _switch(action: Action) -> None:
    interventions = session.read().interventions
    rest = tuple(
        off for off in interventions.heads_off
        if (off.kind, off.layer, off.head) != (action.kind, action.layer, action.head)
    )  # fmt: skip
    if action.name == "switch_off":
        rest = (*rest, HeadOff(action.kind, action.layer, action.head))
    session.intervene(dataclasses.replace(interventions, heads_off=rest))
