"""The largest weights of a head over the corpus, beside a random sample."""

from typing import Any

import streamlit as st

from model.corpus.survey import Survey
from viz import cache
from viz.corpus import files
from viz.corpus.choices import head_picker
from viz.i18n import tr

_COLUMNS = "l.id, l.query, l.query_token, l.fed_token, l.key, l.key_token, l.weight, s.source"
N_SHOWN = 14


def draw(survey: Survey) -> None:
    """Draw two tables: the strongest pairs of tokens, and random pairs."""
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
            _table(frame.head(N_SHOWN), kind)
            files.save(frame, name=name)
    st.caption(tr("corpus.fires_about"))


def _table(frame: Any, kind: str) -> None:
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
