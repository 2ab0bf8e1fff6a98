"""Heads over the corpus: the median and spread of a measure for every head, its distribution, its sentences."""

from typing import Any

import numpy as np
import streamlit as st

from model.corpus.sql.query import Frame
from model.corpus.survey import Survey
from viz.corpus import files, own
from viz.corpus.choices import MEASURES, bind, change, extent, is_alone, kind_in, kinds, named, read
from viz.corpus.grids import Asked, bins, medians, sentences_between
from viz.corpus.sentences import listed
from viz.figures.corpus import distribution, head_medians
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.decimals import decimal_table
from viz.panels.pickers import one_in_a_row
from viz.plain_text import escape_markdown
from viz.state import session
from viz.state.view_state import nearest_head

_TOKENS = ("first", "word", "subword", "last", "punctuation", "end")


def draw(survey: Survey) -> None:
    """The grids, and the chosen head under or beside them; a second survey is shown on the right."""
    other = _controls(survey)
    chosen = read()
    kind = kind_in(survey)
    measure = "weight" if chosen.split == "token" else chosen.measure
    if measure == "diagonality" and kind != "cross":
        st.info(tr("corpus.cross_only"), icon=":material/info:")
        return
    st.caption(tr(f"attention.corpus_about_{measure}"))
    asked = Asked(kind, measure, chosen.split)
    surveys = [survey] if other is None else [survey, other]
    with errors.explained():
        frames = [medians(one, asked) for one in surveys]
    values = np.concatenate([frame["mid"].to_numpy(float) for frame in frames])
    if not len(values):
        st.caption(tr("corpus.no_scores" if chosen.split == "quality" else "corpus.nothing"))
        return
    domain = (float(np.nanmin(values)), float(np.nanmax(values)))
    if len(surveys) == 1 and chosen.split == "none":
        left, right = st.columns([11, 10], gap="large")
        with left:
            _grids(survey, frames[0], asked, domain, key="0")
        with right:
            shown = _one_head(survey, asked, frames[0], key="0")
        _sentences(survey, asked, *shown, key="0", n_columns=2)
        return
    for place, (one, frame, column) in enumerate(
        zip(surveys, frames, st.columns(len(surveys), gap="large"), strict=True)
    ):
        with column:
            if other is not None:
                st.markdown(f"**{escape_markdown(one.model)}** · {tr('corpus.n_pairs', n=number(one.n_done))}")
            _grids(one, frame, asked, domain, key=str(place), n_columns=2 // len(surveys))
            shown = _one_head(one, asked, frame, key=str(place))
            _sentences(one, asked, *shown, key=str(place))


def _controls(survey: Survey) -> Survey | None:
    chosen = read()
    names_of = {kind: tr(f"frame.kind_{kind}") for kind in kinds(survey)}
    splits = ("none", "length", "token") if is_alone(survey) else ("none", "length", "quality", "token")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="corpus_controls"):
        if len(names_of) > 1:
            one_in_a_row(tr("corpus.kind"), names_of, is_labelled=True, **bind("kind", shown=kind_in(survey)))
        st.selectbox(tr("corpus.measure"), MEASURES, format_func=lambda name: tr(f"attention.corpus_{name}"), width=260,
                     disabled=chosen.split == "token", **bind("measure"))  # fmt: skip
        st.selectbox(tr("corpus.split"), splits, width=230,
                     format_func=lambda name: tr(f"corpus.split_{name}"), **bind("split"))  # fmt: skip
        names = own.others()
        if names:
            shown = chosen.beside if chosen.beside in names else ""
            st.selectbox(tr("corpus.beside"), ["", *names], format_func=own.name_beside, width=260,
                         **bind("beside", shown=shown))  # fmt: skip
            if shown:
                with errors.explained():
                    return named("" if shown == own.SHARED else shown)
    return None


def _grids(
    survey: Survey, frame: Frame, asked: Asked, domain: tuple[float, float], *, key: str, n_columns: int = 2
) -> None:
    """A grid for every part, and the numbers behind them as files and as a table."""
    parts = _parts(frame, asked)
    columns = st.columns(n_columns) if len(parts) > 1 and n_columns > 1 else [st.container()]
    is_small = len(parts) > 1
    first, last = session.read().first_index, None
    chosen = _chosen(survey, parts)
    shown = frame.assign(layer=frame["layer"] + first, head=frame["head"] + first)
    names = {name: tr(f"corpus.{name}") for name in ("layer", "head", "spread", "median")}
    for place, (part, title) in enumerate(parts.items()):
        with columns[place % len(columns)], st.container(key=f"wide_corpus_grid_{key}_{place}"):
            if title:
                st.caption(title)
            last = head_medians(
                shown[shown["part"] == part], kind=asked.kind, mode=session.mode(), names=names, domain=domain,
                is_small=is_small, chosen=(chosen[1] + first, chosen[2] + first) if part == chosen[0] else None,
            )  # fmt: skip
            event = st.altair_chart(last, theme=None, key=f"corpus_grid_{key}_{asked.split}_{part}",
                                    on_select="rerun", width="content")  # fmt: skip
            _take_cell(event, part, key=f"{key}_{part}")
    table = shown.assign(part=shown["part"].map(parts)).sort_values("mid", ascending=False)
    labels = {"part": tr("corpus.split"), "layer": tr("corpus.layer"), "head": tr("corpus.head"),
              "mid": tr("corpus.median"), "low": "5 %", "high": "95 %", "n": tr("corpus.sentences")}  # fmt: skip
    table = table.rename(columns=labels) if is_small else table.drop(columns="part").rename(columns=labels)
    files.save(table, None if is_small else last, name=f"heads_{key}")
    with st.expander(tr("corpus.sorted"), key=f"corpus_sorted_{key}"):
        decimal_table(table, height=300)


def _parts(frame: Frame, asked: Asked) -> dict[str, str]:
    """The parts that there are, and what they are called."""
    counts = frame.groupby("part")["n"].max()
    if asked.split == "none":
        return {"": ""}
    if asked.split == "token":
        return {part: tr(f"corpus.token_{part}") for part in _TOKENS if part in counts.index}
    return {part: tr(f"corpus.{asked.split}_{part}", n=number(counts[part])) for part in sorted(counts.index)}


def _take_cell(event: Any, part: str, *, key: str) -> None:
    """Take a cell that was clicked since the last run: other grids keep the cell of an earlier click."""
    cells = event.selection.get("cell") if event else None
    first, memory = session.read().first_index, f"corpus.cell_{key}"
    place = (int(cells[0]["layer"]) - first, int(cells[0]["head"]) - first) if cells else None
    if place is not None and place != session.recall(memory, lambda: None):
        change(layer=place[0], head=place[1], part=part)
    session.remember(memory, place)


def _chosen(survey: Survey, parts: dict[str, str]) -> tuple[str, int, int]:
    """The chosen part, layer and head, clamped to those that exist."""
    chosen = read()
    part = chosen.part if chosen.part in parts else next(iter(parts), "")
    return part, *nearest_head(chosen, extent(survey, kind_in(survey)))


def _one_head(survey: Survey, asked: Asked, frame: Frame, *, key: str) -> tuple[str, list[int]]:
    """The chosen head's distribution; the sentences of the chosen bar, or the highest, and what they are."""
    first, parts = session.read().first_index, _parts(frame, asked)
    part, layer, head = _chosen(survey, parts)
    one = {"part": part, "layer": layer, "head": head}
    title = parts.get(part) or tr("corpus.all_sentences")
    st.markdown(f"**{tr('corpus.one_head', layer=layer + first, head=head + first, part=title)}**")
    histogram = bins(survey, asked, **one)
    if not len(histogram):
        return "", []
    counted = "tokens" if asked.split == "token" else "sentences"
    figure = distribution(
        histogram, kind=asked.kind, mode=session.mode(), sentences=tr(f"corpus.{counted}"),
        measure=tr("corpus.strongest_weight" if asked.split == "token" else f"attention.corpus_{asked.measure}"),
    )  # fmt: skip
    event: Any = st.altair_chart(
        figure, theme=None, on_select="rerun", width="stretch",
        key=f"corpus_bar_{key}_{asked.kind}_{asked.measure}_{asked.split}_{part}_{layer}_{head}",
    )  # fmt: skip
    bar = event.selection.get("bar")
    low, high = (bar[0]["start"], bar[0]["stop"]) if bar else (histogram["start"].iloc[0], histogram["stop"].iloc[-1])
    ids = sentences_between(survey, asked, **one, low=float(low), high=float(high))
    if len(histogram) == 1:
        low = high = (low + high) / 2
    return tr(
        "corpus.bar_sentences" if bar else "corpus.top_sentences", low=number(low, ".2f"), high=number(high, ".2f")
    ), ids


def _sentences(survey: Survey, asked: Asked, words: str, ids: list[int], *, key: str, n_columns: int = 1) -> None:
    if words:
        st.caption(words)
    _, layer, head = _chosen(survey, {})
    listed(survey, ids, kind=asked.kind, layer=layer, head=head, key=f"bar_{key}", n_columns=n_columns)
