"""The Corpus page's choices, and the open survey."""

from dataclasses import dataclass

import streamlit as st

from model.analysis.measures import METRICS
from model.corpus.survey import Survey
from model.interventions import AttentionKind
from model.runs.limits import runs_root
from model.runs.status import find
from model.text.links import CorpusError
from viz import cache
from viz.i18n import tr
from viz.panels import errors
from viz.state import session
from viz.state.selection import bounded, one_of, words
from viz.state.view_state import nearest_head

AREA = "corpus"
MEASURES = tuple(metric.name for metric in METRICS if metric.is_in_menus)


@dataclass(frozen=True, slots=True)
class Choices:
    """The page's choices, stored in links."""

    survey: str = words(longest=64)
    """The run that made the survey on screen; empty for the survey that everyone sees."""
    beside: str = words(longest=64)
    """Another survey whose heads stand beside this one's; empty for none."""
    view: str = one_of("heads", "find", "fires", "neighbours", "align", "pruning", "explains")
    kind: AttentionKind = one_of("cross", "encoder_self", "decoder_self")  # noqa: RUF009
    layer: int = bounded(0, 0, 99)
    head: int = bounded(0, 0, 99)
    measure: str = one_of(*MEASURES)
    split: str = one_of("none", "length", "quality", "token")
    part: str = words(longest=16)
    """The part on screen, where the corpus is split."""
    question: str = one_of("sinks", "word", "distance", "faithless", "worst")
    word: str = words("bank", longest=60)
    pair: int = bounded(0, 0, 99_999)
    state: str = words(longest=16)
    """The residual stream whose neighbours are shown; empty for the last layer's."""
    step: int = bounded(0, 0, 999)
    colour: str = one_of("token", "layer", "head")
    curve: str = one_of("importance", "random_0", "encoder_self", "decoder_self", "cross")
    point: int = bounded(3, 0, 99)


PAGE = session.Area(Choices, AREA)
read, change, bind = PAGE.read, PAGE.change, PAGE.bind
"""Read, replace and tie a widget to this page's choices."""


def is_of_sentence() -> bool:
    """Whether the view in use begins with a token of the reader's sentence."""
    return read().view == "neighbours"


def current() -> Survey:
    """The survey on screen: the link's, the server's, or the shipped one. Where one cannot be opened, the error is
    shown and the next one is used."""
    try:
        return survey_of_run(read().survey)
    except CorpusError as error:
        errors.explain(error)
    with errors.explained():
        return server_survey()


def survey_of_run(run: str) -> Survey:
    """The survey of a run; the server's for an empty name or a run without tables.

    Raises:
        CorpusError: when it is damaged.
    """
    folder = find(runs_root(), run) if run else None
    if folder is None or not any(folder.result.glob("sentences-*.parquet")):
        return cache.survey()
    return cache.survey_in(folder.result)


def server_survey() -> Survey:
    """The server's survey, or the shipped one where that cannot be opened.

    Raises:
        CorpusError: when the shipped one is damaged.
    """
    try:
        return cache.survey()
    except CorpusError:
        return cache.shipped_survey()


def kinds(survey: Survey) -> tuple[AttentionKind, ...]:
    """The surveyed kinds of attention: one for an encoder-only or decoder-only model."""
    surveyed = set(cache.ask(survey, "SELECT DISTINCT CAST(kind AS VARCHAR) AS kind FROM heads")["kind"])
    every: tuple[AttentionKind, ...] = ("cross", "encoder_self", "decoder_self")
    return tuple(kind for kind in every if kind in surveyed) or every


def is_alone(survey: Survey) -> bool:
    """Whether the surveyed model reads texts and does not translate."""
    return "cross" not in kinds(survey)


def kind_in(survey: Survey) -> AttentionKind:
    """The chosen kind, or the first one that was surveyed."""
    available = kinds(survey)
    return read().kind if read().kind in available else available[0]


def extent(survey: Survey, kind: str) -> tuple[int, int]:
    """Layers and heads of one kind in a survey."""
    frame = cache.ask(survey, "SELECT max(layer) + 1 AS l, max(head) + 1 AS h FROM heads WHERE kind = ?", (kind,))
    if frame["l"].isna().any():
        raise CorpusError(f"the survey has no {kind} attention")
    return int(frame["l"][0]), int(frame["h"][0])


def head_picker(survey: Survey) -> tuple[AttentionKind, int, int]:
    """Kind, layer and head, tied to the choices."""
    kind, available = kind_in(survey), kinds(survey)
    n_layers, n_heads = extent(survey, kind)
    layer, head = nearest_head(read(), (n_layers, n_heads))
    first = session.read().first_index
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(available) > 1:
            st.selectbox(tr("corpus.kind"), available, width=230, format_func=lambda kind: tr(f"frame.kind_{kind}"),
                         **bind("kind", value=kind))  # fmt: skip
        st.selectbox(tr("corpus.layer"), range(n_layers), format_func=lambda i: str(i + first), width=100,
                     **bind("layer", value=layer))  # fmt: skip
        st.selectbox(tr("corpus.head"), range(n_heads), format_func=lambda i: str(i + first), width=100,
                     **bind("head", value=head))  # fmt: skip
    return kind, layer, head
