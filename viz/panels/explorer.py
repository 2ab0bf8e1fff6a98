"""The attention explorer under the sentence: what it is given, and what it says back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import streamlit as st

from model import HeadOff
from model.analysis import HeadMetrics
from model.attention_files import AttentionRecord
from model.interpret.ablation import HeadEffects
from model.interventions import AttentionKind
from viz import cache, session
from viz.components.attention import AttentionView, pack
from viz.components.attention.explorer import Action, attention_explorer, page_options
from viz.i18n import current_language, group
from viz.panels import errors, explorer_state, measure
from viz.panels.reading import Reading
from viz.panels.room.publish import publish
from viz.panels.weights import agreement, readings, weights
from viz.selection import Selection

_KEY = "explorer"
_PAGES = Path(__file__).parents[1] / "pages"
_REVISION = "explorer.revision"


@st.fragment
def explorer(
    view: AttentionView,
    key: tuple,
    *,
    other: tuple[AttentionView, tuple] | None = None,
    actions: tuple[str, ...] = ("open_head", "switch_off", "switch_on"),
) -> None:
    """Mount the explorer, keep what the reader does in it, and do what it asks for.

    Args:
        key: says everything that ``view`` depends on.
        other: a view to compare with, and its key.
    """
    selection = session.read()
    strings = group("attention")
    second, second_key = other or (None, ())
    options = {"first_index": selection.first_index, "show_sentence": not actions}
    packed = cache.keep(
        ("packed", current_language(), *options.items(), actions, key, second_key),
        lambda: pack(view, strings=strings, other=second, options=page_options(_KEY, actions), **options),
    )
    report = attention_explorer(
        view,
        state=explorer_state.state_of(selection),
        strings=strings,
        key=_KEY,
        other=second,
        actions=actions,
        packed=packed,
        revision=session.recall(_REVISION, int),
        **options,
    )
    after = session.change(**explorer_state.choices_of(report.state))
    _note(on_screen(), after)
    publish()
    if report.action is not None and report.action.name == "open_head":
        look_at(cast(AttentionKind, report.action.kind), report.action.layer, report.action.head)
        st.switch_page(_PAGES / "inside.py")
    if report.action is not None:
        _switch(report.action)
        st.rerun()
    if _needs_page(selection) != _needs_page(after):
        st.rerun()


def on_screen() -> dict[str, Any]:
    """The head that is looked at, kept up to date: a download is made outside any run, which cannot read choices."""
    known = session.recall("on_screen", dict)
    if not known:
        _note(known, session.read())
    return known


def _note(known: dict[str, Any], chosen: Selection) -> None:
    known.update(kind=chosen.kind, layer=chosen.layer, head=chosen.head, first_index=chosen.first_index)


def greet(view: AttentionView) -> None:
    """Open the first screen on a head that is worth looking at: the one whose cross-attention is most diagonal."""
    metrics = view.metrics.get("cross")
    if session.recall("greeted", bool) or session.is_chosen("kind", "layer", "head"):
        return
    session.remember("greeted", True)
    if metrics is None or metrics.diagonality is None:
        return
    diagonality = np.nan_to_num(metrics.diagonality)  # (L, H)
    layer, head = np.unravel_index(int(diagonality.argmax()), diagonality.shape)
    session.change(layer=int(layer), head=int(head))


def look_at(kind: AttentionKind, layer: int, head: int) -> None:
    """Open a head in the explorer, from outside of it."""
    session.change(kind=kind, layer=layer, head=head, heads=())
    session.remember(_REVISION, session.recall(_REVISION, int) + 1)


def view_of(
    here: Reading,
    *,
    effects: HeadEffects | None = None,
    corpus: Mapping[AttentionKind, HeadMetrics] | None = None,
) -> AttentionView:
    """The view of a sentence in the chosen reading of the weights, with what was measured of its heads."""
    with errors.explained():
        shown = weights(here)
    return AttentionView.of(
        here.trace,
        attention=shown.drawn,
        effects={} if shown.reading == "rollout" else measure.totals(effects),
        corpus_metrics={} if shown.reading == "rollout" else corpus,
        reading=shown.reading,
        readings=readings(here),
        caption=f"{here.trace.source_text} → {here.trace.text} · {here.bundle.name}",
        note=" ".join(filter(None, (shown.note, agreement(here, shown, effects)))),
    )


def record_of(here: Reading) -> AttentionRecord:
    """The same as a record that files are written from; the reading is named in it."""
    with errors.explained():
        shown = weights(here)
        return AttentionRecord.of(here.trace, bundle=here.bundle, maps=shown.maps, reading=shown.record_reading)


def _needs_page(selection: Selection) -> tuple:
    return (selection.weighting, selection.presenter, selection.pins if selection.weighting == "gradient" else ())


def _switch(action: Action) -> None:
    interventions = session.read().interventions
    head = HeadOff(cast(AttentionKind, action.kind), action.layer, action.head)
    rest = tuple(
        off for off in interventions.heads_off
        if (off.kind, off.layer, off.head) != (head.kind, head.layer, head.head)
    )  # fmt: skip
    heads_off = (*rest, head) if action.name == "switch_off" else rest
    session.intervene(dataclasses.replace(interventions, heads_off=heads_off))
