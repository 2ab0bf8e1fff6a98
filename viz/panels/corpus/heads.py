"""Heads over the corpus: the median and spread of a measure for every head, its distribution, its sentences."""

from __future__ import annotations

from typing import Any

import streamlit as st

from model.corpus.survey import Survey
from viz import cache, session
from viz.figures.corpus import binned, distribution, head_medians
from viz.i18n import tr
from viz.panels.corpus import files
from viz.panels.corpus.choices import MEASURES, bind, change, extent, read
from viz.panels.corpus.sentences import listed

_GROUPS = {
    "length": "CASE WHEN n_source <= 6 THEN '1' WHEN n_source <= 9 THEN '2' WHEN n_source <= 13 THEN '3' ELSE '4' END",
    "quality": "CASE WHEN chrf >= 60 THEN '1' ELSE '2' END",
}


def draw(survey: Survey) -> None:
    """The grid, and under it the chosen head."""
    chosen = read()
    kinds = {kind: tr(f"frame.kind_{kind}") for kind in ("cross", "encoder_self", "decoder_self")}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            tr("corpus.kind"), list(kinds), format_func=kinds.__getitem__, required=True, **bind("kind")
        )
        st.selectbox(tr("corpus.measure"), MEASURES, format_func=lambda name: tr(f"corpus.measure_{name}"), width=260,
                     disabled=chosen.split == "token", **bind("measure"))  # fmt: skip
        st.selectbox(tr("corpus.split"), ("none", "length", "quality", "token"), width=230,
                     format_func=lambda name: tr(f"corpus.split_{name}"), **bind("split"))  # fmt: skip
    measure = "weight" if chosen.split == "token" else chosen.measure
    if measure == "diagonality" and chosen.kind != "cross":
        st.info(tr("corpus.cross_only"), icon=":material/info:")
        return
    frame, names = _medians(survey, measure), _names()
    chart = head_medians(frame, kind=chosen.kind, mode=session.mode(), names=names)
    left, right = (st.container(), st.container()) if chosen.split != "none" else st.columns([11, 10], gap="large")
    with left:
        st.caption(tr(f"corpus.explain_{measure}"))
        if chosen.split == "none":
            with st.container(key="wide_corpus_grid"):
                _take_cell(st.altair_chart(chart, theme=None, key="corpus_grid", on_select="rerun", width="content"))
        else:
            place = st.container(key="wide_corpus_split")
            place.altair_chart(chart, theme=None, key=f"corpus_grid_{chosen.split}", width="content")
        files.save(frame, chart, name="heads")
        with st.expander(tr("corpus.sorted")):
            st.dataframe(frame.sort_values("mid", ascending=False), hide_index=True, height=300)
    if chosen.split == "none":
        with right:
            _one_head(survey)


def _take_cell(event: Any) -> None:
    found = event.selection.get("cell") if event else None
    first = session.read().first_index
    if found:
        layer, head = int(found[0]["layer"]) - first, int(found[0]["head"]) - first
        if (layer, head) != (read().layer, read().head):
            change(layer=layer, head=head)


def _medians(survey: Survey, measure: str) -> Any:
    chosen, first = read(), session.read().first_index
    numbers = f"median({measure}) AS mid, quantile_cont({measure}, 0.05) AS low, quantile_cont({measure}, 0.95) AS high"
    if chosen.split == "token":
        frame = cache.ask(
            survey,
            f"SELECT token_kind AS part, layer, head, {numbers} FROM links WHERE kind = ? GROUP BY ALL ORDER BY ALL",
            (chosen.kind,),
        )
        frame["group"] = frame["part"].map(lambda part: tr(f"corpus.token_{part}"))
    elif chosen.split in _GROUPS:
        frame = cache.ask(
            survey,
            f"SELECT {_GROUPS[chosen.split]} AS part, layer, head, {numbers}, count(DISTINCT id) AS n FROM heads "
            "JOIN sentences USING (id) WHERE kind = ? GROUP BY ALL ORDER BY ALL",
            (chosen.kind,),
        )
        frame["group"] = [
            tr(f"corpus.{chosen.split}_{part}", n=n) for part, n in zip(frame["part"], frame["n"], strict=True)
        ]
    else:
        frame = cache.ask(
            survey, f"SELECT layer, head, {numbers} FROM heads WHERE kind = ? GROUP BY ALL ORDER BY ALL", (chosen.kind,)
        )
    return frame.assign(layer=frame["layer"] + first, head=frame["head"] + first)


def _one_head(survey: Survey) -> None:
    chosen, first = read(), session.read().first_index
    n_layers, n_heads = extent(survey, chosen.kind)
    layer, head = min(chosen.layer, n_layers - 1), min(chosen.head, n_heads - 1)
    frame = cache.ask(
        survey,
        f"SELECT id, {chosen.measure} AS value FROM heads WHERE kind = ? AND layer = ? AND head = ? "
        f"AND {chosen.measure} IS NOT NULL",
        (chosen.kind, layer, head),
    )
    st.markdown(f"**{tr('corpus.one_head', layer=layer + first, head=head + first)}**")
    if not len(frame):
        st.caption(tr("corpus.nothing"))
        return
    bins = binned(frame["value"].to_numpy(float))
    figure = distribution(
        bins, kind=chosen.kind, mode=session.mode(), measure=tr(f"corpus.measure_{chosen.measure}"),
        sentences=tr("corpus.sentences"),
    )  # fmt: skip
    event: Any = st.altair_chart(figure, theme=None, key=f"corpus_bar_{chosen.kind}_{chosen.measure}_{layer}_{head}",
                                 on_select="rerun", width="stretch")  # fmt: skip
    bar = event.selection.get("bar")
    low, high = (float(bar[0]["start"]), float(bar[0]["stop"])) if bar else _top(frame)
    st.caption(tr("corpus.bar_sentences" if bar else "corpus.top_sentences", low=f"{low:.2f}", high=f"{high:.2f}"))
    within = frame[(frame["value"] >= low) & (frame["value"] <= high)].sort_values("value", ascending=False)
    listed(survey, within["id"].head(5).tolist(), kind=chosen.kind, layer=layer, head=head, key="bar")


def _top(frame: Any) -> tuple[float, float]:
    ordered = frame["value"].sort_values()
    return float(ordered.iloc[-min(5, len(ordered))]), float(ordered.iloc[-1])


def _names() -> dict[str, str]:
    return {name: tr(f"corpus.{name}") for name in ("layer", "head", "spread", "median")}
