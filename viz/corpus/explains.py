"""How much attention explains: weightings of each kind of attention against removing tokens."""

import pandas as pd
import streamlit as st

from model.corpus.sql.query import Frame
from model.corpus.survey import Survey
from viz.corpus import files, measured
from viz.figures.corpus import with_intervals
from viz.i18n import number, sentences, tr
from viz.panels.widgets import segmented_picker
from viz.state import session

KINDS = ("cross", "encoder_self", "decoder_self")


def draw(survey: Survey) -> None:
    """Draw one chart with intervals, and its interpretation."""
    figures = measured.measured_figures(survey, "erasure")
    if figures is None:
        return
    correlations, first = figures[0], session.read().first_index
    rows_of = {kind: [row for row in correlations["rows"] if row.get("kind", "cross") == kind] for kind in KINDS}
    kinds = [kind for kind in KINDS if rows_of[kind]]
    if not kinds:
        st.info(tr("corpus.explains_none"), icon=":material/info:")
        return
    names = {kind: tr(f"frame.kind_{kind}") for kind in kinds}
    kind = segmented_picker(tr("corpus.kind"), names, default=kinds[0], key="corpus_explains_kind")
    rows = [
        {"name": _name(row["weighting"], row["layer"], first), **row["agreement"], "all": row["layer"] is None}
        for row in rows_of[kind]
    ]
    frame: Frame = pd.DataFrame(rows).sort_values("mean", ascending=False)
    whole = frame[frame["all"]]
    left, right = st.columns([11, 9], gap="large")
    with left:
        st.caption(tr(f"corpus.explains_{kind}", n=correlations["n_sentences"]))
        chart = with_intervals(frame, mode=session.mode(), title=tr("corpus.correlation"))
        st.altair_chart(chart, theme=None, key=f"corpus_explains_{kind}", width="stretch")
        files.save(frame.drop(columns="all"), chart, name=f"erasure-{kind}")
    with right:
        st.markdown(_meaning(whole, _name("raw", None, first)))
        st.caption(tr("corpus.explains_note"))


def _meaning(whole: Frame, raw_name: str) -> str:
    """The interpretation for readers of attention maps; the best weighting is named only where its interval lies above
    the raw weights'."""
    if raw_name not in set(whole["name"]):
        return tr("corpus.explains_meaning")
    raw = whole[whole["name"] == raw_name].iloc[0]
    others = whole[whole["name"] != raw_name]
    clear = others[others["low"] > raw["high"]]
    alike = others[(others["low"] <= raw["high"]) & (others["high"] >= raw["low"])]
    messages = [tr("corpus.explains_raw", raw=number(raw["mean"], ".2f"))]
    if len(clear):
        best = clear.iloc[0]
        messages.append(tr("corpus.explains_better", best=best["name"], value=number(best["mean"], ".2f")))
    elif len(alike):
        names = [tr("corpus.with_value", name=name, value=number(mean, ".2f"))
                 for name, mean in zip(alike["name"], alike["mean"], strict=True)]  # fmt: skip
        messages.append(tr("corpus.explains_alike", names=tr("checkpoints.semicolon").join(names)))
    return sentences(*messages, tr("corpus.explains_meaning"))


def _name(weighting: str, layer: int | None, first: int) -> str:
    place = tr("corpus.all_layers") if layer is None else tr("corpus.layer_n", n=layer + first)
    return tr("corpus.weighting_at", weighting=tr(f"corpus.weighting_{weighting}"), layer=place)
