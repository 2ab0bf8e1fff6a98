"""How much attention explains: readings of cross-attention against removing source words."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from model.corpus.query import Frame
from viz import cache, session
from viz.figures.corpus import with_intervals
from viz.i18n import tr
from viz.panels.corpus import files


def draw() -> None:
    """One table with intervals, and what it means."""
    figures = cache.corpus_figures()
    if figures is None:
        st.info(tr("corpus.no_figures"), icon=":material/info:")
        return
    found, first = figures["erasure"], session.read().first_index
    rows = [
        {"name": _name(row["reading"], row["layer"], first), **row["agreement"], "all": row["layer"] is None}
        for row in found["rows"]
    ]
    frame: Frame = pd.DataFrame(rows).sort_values("mean", ascending=False)
    whole = frame[frame["all"]]
    left, right = st.columns([11, 9], gap="large")
    with left:
        st.caption(tr("corpus.explains_about", n=found["n_sentences"]))
        chart = with_intervals(frame, mode=session.mode(), title=tr("corpus.correlation"))
        st.altair_chart(chart, theme=None, key="corpus_explains", width="stretch")
        files.save(frame.drop(columns="all"), chart, name="attention-and-erasure")
    with right:
        best = frame.iloc[0]
        raw = whole[whole["name"] == _name("raw", None, first)].iloc[0]
        st.markdown(
            tr("corpus.explains_meaning", raw=f"{raw['mean']:.2f}", best=best["name"], value=f"{best['mean']:.2f}")
        )
        st.caption(tr("corpus.explains_note"))


def _name(reading: str, layer: int | None, first: int) -> str:
    words = tr(f"corpus.reading_{reading}")
    return f"{words}, {tr('corpus.all_layers') if layer is None else tr('corpus.layer_n', n=layer + first)}"
