"""Heads over the corpus: the median and spread of a measure for every head, its distribution, its sentences."""

from typing import Any

import numpy as np
import streamlit as st

from model.corpus.sql.query import Frame
from model.corpus.survey import Survey
from viz.corpus import files, visitor_surveys
from viz.corpus.choices import MEASURES, bind, change, extent, is_alone, kind_in, kinds, read, survey_of_run
from viz.corpus.grids import MeasureQuery, bins, medians, sentences_between
from viz.corpus.sentences import draw_sentences
from viz.figures.corpus import distribution, head_medians
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.widgets import decimal_table, segmented_picker
from viz.plain_text import escape_markdown
from viz.state import session
from viz.state.view_state import nearest_head

_TOKENS = ("first", "word", "subword", "last", "punctuation", "end")


def draw(survey: Survey) -> None:
    """Draw the grids, and the chosen head below or beside them; a second survey is on the right."""
    other = _controls(survey)
    chosen = read()
    kind = kind_in(survey)
    measure = "weight" if chosen.split == "token" else chosen.measure
    if measure == "diagonality" and kind != "cross":
        st.info(tr("corpus.cross_only"), icon=":material/info:")
        return
    st.caption(tr(f"attention.corpus_about_{measure}"))
    query = MeasureQuery(kind, measure, chosen.split)
    surveys = [survey] if other is None else [survey, other]
    with errors.explained():
        frames = [medians(compared_survey, query) for compared_survey in surveys]
    values = np.concatenate([frame["mid"].to_numpy(float) for frame in frames])
    if not len(values):
        st.caption(tr("corpus.no_scores" if chosen.split == "quality" else "corpus.nothing"))
        return
    domain = (float(np.nanmin(values)), float(np.nanmax(values)))
    if len(surveys) == 1 and chosen.split == "none":
        left, right = st.columns([11, 10], gap="large")
        with left:
            _grids(survey, frames[0], query, domain, key="0")
        with right:
            sentences = _chosen_head(survey, query, frames[0], key="0")
        _sentences(survey, query, *sentences, key="0", n_columns=2)
        return
    for place, (drawn_survey, frame, column) in enumerate(
        zip(surveys, frames, st.columns(len(surveys), gap="large"), strict=True)
    ):
        with column:
            if other is not None:
                n = number(drawn_survey.n_done)
                st.markdown(f"**{escape_markdown(drawn_survey.model)}** · {tr('corpus.n_pairs', n=n)}")
            _grids(drawn_survey, frame, query, domain, key=str(place), n_columns=2 // len(surveys))
            sentences = _chosen_head(drawn_survey, query, frame, key=str(place))
            _sentences(drawn_survey, query, *sentences, key=str(place))


def _controls(survey: Survey) -> Survey | None:
    chosen = read()
    names_of = {kind: tr(f"frame.kind_{kind}") for kind in kinds(survey)}
    splits = ("none", "length", "token") if is_alone(survey) else ("none", "length", "quality", "token")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="corpus_controls"):
        if len(names_of) > 1:
            segmented_picker(tr("corpus.kind"), names_of, is_labelled=True, **bind("kind", value=kind_in(survey)))
        st.selectbox(tr("corpus.measure"), MEASURES, format_func=lambda name: tr(f"attention.corpus_{name}"), width=260,
                     disabled=chosen.split == "token", **bind("measure"))  # fmt: skip
        st.selectbox(tr("corpus.split"), splits, width=230,
                     format_func=lambda name: tr(f"corpus.split_{name}"), **bind("split"))  # fmt: skip
        names = visitor_surveys.others()
        if names:
            second = chosen.beside if chosen.beside in names else ""
            st.selectbox(tr("corpus.beside"), ["", *names], format_func=visitor_surveys.name_beside, width=260,
                         **bind("beside", value=second))  # fmt: skip
            if second:
                with errors.explained():
                    return survey_of_run("" if second == visitor_surveys.SHARED else second)
    return None


def _grids(
    survey: Survey, frame: Frame, query: MeasureQuery, domain: tuple[float, float], *, key: str, n_columns: int = 2
) -> None:
    """Draw a grid for every part, and its numbers as files and as a table."""
    parts = _parts(frame, query)
    columns = st.columns(n_columns) if len(parts) > 1 and n_columns > 1 else [st.container()]
    is_small = len(parts) > 1
    first, last = session.read().first_index, None
    chosen = _clamped_head(survey, parts)
    numbered = frame.assign(layer=frame["layer"] + first, head=frame["head"] + first)
    names = {name: tr(f"corpus.{name}") for name in ("layer", "head", "spread", "median")}
    for place, (part, title) in enumerate(parts.items()):
        with columns[place % len(columns)], st.container(key=f"wide_corpus_grid_{key}_{place}"):
            if title:
                st.caption(title)
            last = head_medians(
                numbered[numbered["part"] == part], kind=query.kind, mode=session.mode(), names=names, domain=domain,
                is_small=is_small, chosen=(chosen[1] + first, chosen[2] + first) if part == chosen[0] else None,
            )  # fmt: skip
            event = st.altair_chart(last, theme=None, key=f"corpus_grid_{key}_{query.split}_{part}",
                                    on_select="rerun", width="content")  # fmt: skip
            _take_cell(event, part, key=f"{key}_{part}")
    table = numbered.assign(part=numbered["part"].map(parts)).sort_values("mid", ascending=False)
    labels = {"part": tr("corpus.split"), "layer": tr("corpus.layer"), "head": tr("corpus.head"),
              "mid": tr("corpus.median"), "low": "5 %", "high": "95 %", "n": tr("corpus.sentences")}  # fmt: skip
    table = table.rename(columns=labels) if is_small else table.drop(columns="part").rename(columns=labels)
    files.save(table, None if is_small else last, name=f"heads_{key}")
    with st.expander(tr("corpus.sorted"), key=f"corpus_sorted_{key}"):
        decimal_table(table, height=300)


def _parts(frame: Frame, query: MeasureQuery) -> dict[str, str]:
    """The available parts and their names."""
    counts = frame.groupby("part")["n"].max()
    if query.split == "none":
        return {"": ""}
    if query.split == "token":
        return {part: tr(f"corpus.token_{part}") for part in _TOKENS if part in counts.index}
    return {part: tr(f"corpus.{query.split}_{part}", n=number(counts[part])) for part in sorted(counts.index)}


def _take_cell(event: Any, part: str, *, key: str) -> None:
    """Store a cell that was clicked since the last run; other grids still report the cell of an earlier click."""
    cells = event.selection.get("cell") if event else None
    first, memory = session.read().first_index, f"corpus.cell_{key}"
    place = (int(cells[0]["layer"]) - first, int(cells[0]["head"]) - first) if cells else None
    if place is not None and place != session.recall(memory, lambda: None):
        change(layer=place[0], head=place[1], part=part)
    session.remember(memory, place)


def _clamped_head(survey: Survey, parts: dict[str, str]) -> tuple[str, int, int]:
    """The chosen part, layer and head, clamped to the survey's."""
    chosen = read()
    part = chosen.part if chosen.part in parts else next(iter(parts), "")
    return part, *nearest_head(chosen, extent(survey, kind_in(survey)))


def _chosen_head(survey: Survey, query: MeasureQuery, frame: Frame, *, key: str) -> tuple[str, list[int]]:
    """Draw the chosen head's distribution, and return a caption and the ids of the sentences of the chosen bar, or of
    those with the highest values."""
    first, parts = session.read().first_index, _parts(frame, query)
    part, layer, head = _clamped_head(survey, parts)
    place = {"part": part, "layer": layer, "head": head}
    title = parts.get(part) or tr("corpus.all_sentences")
    st.markdown(f"**{tr('corpus.one_head', layer=layer + first, head=head + first, part=title)}**")
    histogram = bins(survey, query, **place)
    if not len(histogram):
        return "", []
    counted = "tokens" if query.split == "token" else "sentences"
    figure = distribution(
        histogram, kind=query.kind, mode=session.mode(), sentences=tr(f"corpus.{counted}"),
        measure=tr("corpus.strongest_weight" if query.split == "token" else f"attention.corpus_{query.measure}"),
    )  # fmt: skip
    event: Any = st.altair_chart(
        figure, theme=None, on_select="rerun", width="stretch",
        key=f"corpus_bar_{key}_{query.kind}_{query.measure}_{query.split}_{part}_{layer}_{head}",
    )  # fmt: skip
    bar = event.selection.get("bar")
    low, high = (bar[0]["start"], bar[0]["stop"]) if bar else (histogram["start"].iloc[0], histogram["stop"].iloc[-1])
    ids = sentences_between(survey, query, **place, low=float(low), high=float(high))
    if len(histogram) == 1:
        low = high = (low + high) / 2
    return tr(
        "corpus.bar_sentences" if bar else "corpus.top_sentences", low=number(low, ".2f"), high=number(high, ".2f")
    ), ids


def _sentences(
    survey: Survey, query: MeasureQuery, words: str, ids: list[int], *, key: str, n_columns: int = 1
) -> None:
    if words:
        st.caption(words)
    _, layer, head = _clamped_head(survey, {})
    draw_sentences(survey, ids, kind=query.kind, layer=layer, head=head, key=f"bar_{key}", n_columns=n_columns)
