"""Find sentences by prepared questions, by a word, or by SQL; and the largest weights of a head beside random ones."""

import math
import re
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.corpus.survey import Survey
from model.text.links import CorpusError
from viz import cache
from viz.corpus import files
from viz.corpus.choices import bind, head_picker, is_alone, read
from viz.corpus.sentences import draw_sentences
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.widgets import decimal_table
from viz.state import clicks, session

QUESTIONS = ("sinks", "word", "distance", "faithless", "worst")
N_SHOWN, N_PAIRS, MAX_HITS = 6, 14, 20_000
_RUN, _ANSWERED = "corpus_sql_run", "corpus_sql_answered"
_OF_TRANSLATIONS = ("word", "faithless", "worst")
"""Questions that need a survey of translations."""
_EXAMPLE = "SELECT layer, head, avg(sink_share) AS share FROM heads WHERE kind = 'cross' GROUP BY ALL ORDER BY share"
_COLUMNS = "l.id, l.query, l.query_token, l.fed_token, l.key, l.key_token, l.weight, s.source"
_BETWEEN = r"[^\pL\pM\pN_]"
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of Thai, Lao, Japanese and Chinese."""
_SQL = {
    "sinks": "SELECT id, sink_share AS value FROM heads WHERE kind = ? AND layer = ? AND head = ? AND sink_share > 0.5 "
             "ORDER BY value DESC, id",
    "word": "SELECT id, chrf AS value FROM sentences WHERE regexp_matches(lower(source), ?) ORDER BY id",
    "distance": "SELECT id, max(abs(key - query)) AS value FROM links WHERE kind = ? AND layer = ? AND head = ? "
                "AND NOT is_sink GROUP BY id ORDER BY value DESC, id",
    "faithless": "SELECT id, source_contribution AS value FROM sentences ORDER BY value, id",
    "worst": "SELECT id, chrf AS value FROM sentences WHERE chrf IS NOT NULL ORDER BY value, id",
}  # fmt: skip


def draw(survey: Survey) -> None:
    """Draw the question, and its hits below."""
    chosen = read()
    questions = [name for name in QUESTIONS if not (is_alone(survey) and name in _OF_TRANSLATIONS)]
    question = chosen.question if chosen.question in questions else questions[0]
    st.selectbox(tr("corpus.question"), questions, format_func=lambda name: tr(f"corpus.question_{name}"), width=520,
                 **bind("question", value=question))  # fmt: skip
    kind, layer, head = head_picker(survey)
    parameters: tuple = (kind, layer, head)
    if question == "word":
        st.text_input(tr("corpus.word"), width=320, **bind("word"))
        parameters = (whole_word(chosen.word),)
    elif question in ("faithless", "worst"):
        parameters = ()
    frame = cache.ask(survey, _SQL[question], parameters, most_rows=MAX_HITS)
    n = number(len(frame)) if len(frame) < MAX_HITS else f"{number(len(frame))}+"
    st.caption(tr(f"corpus.about_{question}", n=n))
    if question == "worst" and not len(frame):
        st.caption(tr("corpus.no_scores"))
    else:
        notes = [_note(question, value) for value in frame["value"].head(N_SHOWN)]
        draw_sentences(survey, frame["id"].head(N_SHOWN).tolist(), kind=kind, layer=layer, head=head, key="find",
                       notes=notes, n_columns=2)  # fmt: skip
        texts = "SELECT id, source, target, translation FROM sentences"
        files.save(lambda: frame.merge(survey.query(texts), on="id"), name="found")  # queried only for the download
    with st.expander(tr("corpus.sql")):
        _sql_box(survey)


def _note(question: str, value: float) -> str:
    """The value of a hit; empty where it has none: sentences without a translation have no score."""
    return "" if math.isnan(value) else tr(f"corpus.value_{question}", value=number(value, ".2f"))


def _sql_box(survey: Survey) -> None:
    columns = {table: cache.ask(survey, f"SELECT * FROM {table} LIMIT 0").columns for table in survey.tables}
    st.caption("  \n".join([tr("corpus.sql_about"), *(f"**{name}**: {', '.join(of)}" for name, of in columns.items())]))
    sql = st.text_area(
        "SQL", _EXAMPLE,
        key="corpus_sql", label_visibility="collapsed", max_chars=4_000,
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        is_run = clicks.button(tr("corpus.sql_run"), key=_RUN, until_done=True)
        cancel, progress = st.empty(), st.empty()
    query = (survey.identity, sql)
    if is_run:
        cancel.button(tr("corpus.sql_cancel"), key="corpus_sql_cancel", on_click=clicks.forget, args=(_RUN,))
    elif session.recall(_ANSWERED, tuple) != query:
        return
    try:
        answer = cache.ask_sandboxed(survey, sql, visitor=session.visitor(), on_wait=partial(_draw_progress, progress))
    except CorpusError as error:
        session.remember(_ANSWERED, ())
        errors.show(tr("corpus.sql_wrong"), errors.remedy(error))
        return
    finally:
        cancel.empty()
        progress.empty()
    session.remember(_ANSWERED, query)
    if not answer.is_whole:
        st.caption(tr("corpus.sql_cut", n=number(len(answer.frame))))
    decimal_table(answer.frame, height=300)
    files.save(answer.frame, name="answer")


def _draw_progress(place: DeltaGenerator, before: int, seconds: float) -> None:
    """Draw the query's progress. When the visitor cancels or leaves, Streamlit ends the run inside this call."""
    place.caption(tr("corpus.sql_waits", n=before) if before else tr("corpus.sql_seconds", n=int(seconds)))


def whole_word(word: str) -> str:
    """A DuckDB pattern for a whole word; in scripts without spaces it may stand anywhere. ``\\b`` would not do, because
    it only knows ASCII letters."""
    word = word.strip().lower()
    plain = "".join(f"\\{c}" if not c.isalnum() and not c.isspace() else c for c in word)
    if not word or _UNSPACED.search(word):
        return plain
    before, after = (f"(^|{_BETWEEN})" if word[0].isalnum() else "", f"({_BETWEEN}|$)" if word[-1].isalnum() else "")
    return before + plain + after


def largest_weights(survey: Survey) -> None:
    """Draw two tables of a head's pairs of tokens: those with the largest weights, and random ones."""
    kind, layer, head = head_picker(survey)
    with_sinks = st.toggle(tr("corpus.with_sinks"), key="corpus_with_sinks")
    where = "l.kind = ? AND l.layer = ? AND l.head = ? AND l.token_kind <> 'end'" + (
        "" if with_sinks else " AND NOT l.is_sink"
    )
    base = f"SELECT {_COLUMNS} FROM links l JOIN sentences s USING (id) WHERE {where}"
    strongest = cache.ask(
        survey,
        f"SELECT * FROM ({base}) QUALIFY row_number() OVER (PARTITION BY id ORDER BY weight DESC) = 1 "
        "ORDER BY weight DESC, hash(id) LIMIT 200",
        (kind, layer, head),
    )
    chance = cache.ask(survey, f"{base} ORDER BY hash(id * 1000 + query) LIMIT 200", (kind, layer, head))
    left, right = st.columns(2, gap="large")
    for place, words, frame, name in (
        (left, "corpus.strongest", strongest, "strongest"),
        (right, "corpus.chance", chance, "chance"),
    ):
        with place:
            st.markdown(f"**{tr(words)}**")
            _pairs_table(frame.head(N_PAIRS), kind)
            files.save(frame, name=name)
    st.caption(tr("corpus.fires_about"))


def _pairs_table(frame: Any, kind: str) -> None:
    readable = frame.assign(
        query=[str(text).replace("▁", " ").strip() for text in frame["query_token"]],
        key=[str(text).replace("▁", " ").strip() for text in frame["key_token"]],
    )
    labels = {
        "query": tr("corpus.query_predicted" if kind != "encoder_self" else "corpus.query"),
        "key": tr("corpus.key"),
        "weight": tr("corpus.weight"),
        "source": tr("corpus.sentence"),
    }
    st.dataframe(
        readable[list(labels)].rename(columns=labels), hide_index=True, height="content",
        column_config={labels["weight"]: st.column_config.ProgressColumn(min_value=0, max_value=1, format="percent")},
    )  # fmt: skip
