"""Pruning: the loss over the corpus without each head, and with a growing number of heads removed."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from model.corpus.pruning.removal import heads_off
from model.corpus.sql.query import Frame
from model.corpus.survey import Survey
from viz import cache
from viz.corpus import files, measured
from viz.corpus.choices import bind, read
from viz.figures.corpus import pruning_curves, with_intervals
from viz.i18n import number, tr
from viz.panels.reading import find_bundle
from viz.panels.widgets import segmented_picker
from viz.plain_text import escape_markdown
from viz.state import clicks, session

CURVES = ("importance", "random", "encoder_self", "decoder_self", "cross")
"""The curves drawn, in this order; "random" is the mean of all random orders."""
REMOVALS = ("zero", "mean", "keep_one")
MEASURES = ("log_prob", "bleu", "chrf")
N_HEADS = 16


def draw(survey: Survey) -> None:
    """Draw curves on the left, single heads on the right."""
    figures = measured.measured_figures(survey, "pruning")
    if figures is None:
        return
    curves, fingerprint = figures
    left, right = st.columns([11, 10], gap="large")
    with left:
        st.markdown(f"**{tr('corpus.curve_title')}**")
        n_random = len(_chance(curves["curves"]))
        st.caption(tr("corpus.curve_about", n=curves["n_pairs"], orders=n_random))
        frame = _curves(curves)
        chart = pruning_curves(frame, mode=session.mode(), x_title=tr("corpus.removed"), y_title=tr("corpus.log_prob"))
        st.altair_chart(chart, theme=None, key="corpus_curves", width="stretch")
        files.save(frame, chart, name="pruning")
        importance = curves["curves"]["importance"]
        better = beats_chance(curves["curves"])
        words = "corpus.curve_compare" if better else "corpus.curve_no_better"
        st.caption(tr(words, n=better, total=importance["removed"][-1], orders=n_random))
        _open(curves["curves"], fingerprint)
        st.caption(tr("corpus.pruning_others"))
        if _has_translations(curves):
            st.caption(tr("corpus.pruning_ours", **beside_others(curves)))
    with right:
        _single(curves)


def beats_chance(curves: dict[str, Any]) -> int:
    """Up to how many removed heads the order by importance beats every random order."""
    beaten, chance = 0, [curve["log_probs"] for curve in _chance(curves)]
    for place, removed in list(enumerate(curves["importance"]["removed"]))[1:]:
        if curves["importance"]["log_probs"][place] <= max(values[place] for values in chance):
            break
        beaten = removed
    return beaten


def _chance(curves: dict[str, Any]) -> list[dict[str, Any]]:
    return [curve for name, curve in curves.items() if name.startswith("random_")]


def _has_translations(table: dict[str, Any]) -> bool:
    """Whether BLEU and chrF were measured too; a table from elsewhere may contain only log-probabilities."""
    return all("bleu" in table[mode] for mode in REMOVALS if mode in table) and "quality" in table["curves"]["cross"]


def beside_others(table: dict[str, Any]) -> dict[str, str]:
    """The measurements that Michel et al. report, as arguments of the message ``corpus.pruning_ours``."""
    encoder = [row for row in table["zero"]["bleu"]["rows"] if row[0] == "encoder_self"]
    cross = [row for row in table["keep_one"]["bleu"]["rows"] if row[0] == "cross"]
    last = max(row[1] for row in cross)
    part, before = _at_share(table["curves"]["importance"], 0.2)
    collapse, _ = _at_share(table["curves"]["cross"], 0.6)
    return {
        "n": str(table["n_pairs"]), "encoder": str(sum(not row[4] <= 0 <= row[5] for row in encoder)),
        "total": str(len(encoder)), "one": number(max(row[3] for row in cross if row[1] == last), ".1f"),
        "part": number(part, ".1f"), "before": number(before, ".1f"), "cross": number(collapse, ".1f"),
    }  # fmt: skip


def _at_share(curve: dict[str, Any], share: float) -> tuple[float, float]:
    """BLEU when at least this share of a curve's heads is removed, and with all heads."""
    place = next(i for i, removed in enumerate(curve["removed"]) if removed >= share * curve["removed"][-1])
    return curve["quality"][place]["bleu"], curve["quality"][0]["bleu"]


def _curves(table: dict[str, Any]) -> Frame:
    """Every curve with its band: the interval over the sentences, or the range of the random orders."""
    curves = dict(table["curves"])
    chance = np.array([curve["log_probs"] for curve in _chance(curves)])
    curves["random"] = {
        "removed": curves["importance"]["removed"], "log_probs": chance.mean(0),
        "bounds": list(zip(chance.min(0), chance.max(0), strict=True)),
    }  # fmt: skip
    rows = [
        {"curve": tr(f"corpus.curve_{name}"), "removed": removed, "value": value, "low": low, "high": high}
        for name in CURVES
        for removed, value, (low, high) in _points(curves[name])
    ]
    return pd.DataFrame(rows)


def _points(curve: dict[str, Any]) -> Iterator[tuple[int, float, tuple[float, float]]]:
    values = curve["log_probs"]
    bounds = curve.get("bounds") or [(value, value) for value in values]
    return zip(curve["removed"], values, bounds, strict=True)


def _open(curves: dict[str, Any], fingerprint: str) -> None:
    """Draw the button that opens Explore with the heads of a curve's point switched off."""
    chosen = read()
    curve = curves[chosen.curve]
    removed, last = curve["removed"], len(curve["removed"]) - 1
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(tr("corpus.curve"), ("importance", "random_0", "encoder_self", "decoder_self", "cross"), width=230,
                     format_func=lambda name: tr(f"corpus.curve_{name}"), **bind("curve"))  # fmt: skip
        point = min(chosen.point, last)
        st.selectbox(tr("corpus.removed"), range(len(removed)), format_func=lambda i: str(removed[i]), width=150,
                     **bind("point", value=point))  # fmt: skip
        bundle = find_bundle()
        is_same = bundle is not None and bundle.fingerprint == fingerprint
        if clicks.button(tr("corpus.open_pruned"), type="primary", key="corpus_open_pruned", disabled=not is_same,
                         about=(fingerprint, chosen.curve, point)):  # fmt: skip
            session.intervene(heads_off([tuple(head) for head in curve["order"][: removed[point]]]))
            st.switch_page("explore/explore.py")
    shipped = cache.corpus_figures()  # figures of a model that is not in use are always the shipped ones
    if shipped and not is_same:
        st.caption(tr("corpus.other_model", model=escape_markdown(shipped["model"])))
    if "quality" in curve:
        before, now = curve["quality"][0], curve["quality"][point]
        st.caption(tr("corpus.quality", bleu=number(now['bleu'], ".1f"), bleu_before=number(before['bleu'], ".1f"),
                      chrf=number(now['chrf'], ".1f"), chrf_before=number(before['chrf'], ".1f")))  # fmt: skip


def _single(table: dict[str, Any]) -> None:
    st.markdown(f"**{tr('corpus.single_title')}**")
    modes = {mode: tr(f"corpus.removal_{mode}") for mode in REMOVALS if mode in table}
    mode = segmented_picker(tr("corpus.removal"), modes, default="zero", key="corpus_removal", wrap=True)
    measure = "log_prob"
    if _has_translations(table):
        names = {name: tr(f"corpus.measured_{name}") for name in MEASURES}
        measure = segmented_picker(tr("corpus.measured_by"), names, default=measure, key="corpus_removal_measure")
    changes = table[mode] if measure == "log_prob" else table[mode][measure]
    first = session.read().first_index
    rows: Frame = pd.DataFrame(changes["rows"], columns=["kind", "layer", "head", "mean", "low", "high"])
    named = [f"{tr(f'frame.kind_{row.kind}')} {row.layer + first}·{row.head + first}" for row in rows.itertuples()]
    rows = rows.assign(name=named).sort_values("mean", ascending=mode != "keep_one")
    harmful, free = int((rows["high"] < 0).sum()), int((rows["high"] >= 0).sum())
    st.caption(tr("corpus.single_keep" if mode == "keep_one" else "corpus.single_about", n=harmful, rest=free))
    chart = with_intervals(rows.head(N_HEADS), mode=session.mode(), title=tr(f"corpus.change_{measure}"))
    st.altair_chart(chart, theme=None, key=f"corpus_single_{mode}_{measure}", width="stretch")
    files.save(rows, chart, name="heads-removed")
