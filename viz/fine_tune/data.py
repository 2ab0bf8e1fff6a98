"""The pairs to learn from: a lesson's set, pasted or uploaded, with what is wrong with each row."""

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from model import Bundle
from model.text.language_codes import main_language
from model.training.lessons import Lesson
from model.training.rows import MAX_CHARACTERS, MAX_PASTED, Row, check_rows, pairs_of, read_table, read_text
from model.training.settings import TrainingError
from model.training.vocabularies.extension import spelling_error, unspelled
from viz import cache
from viz.fine_tune.choices import SETS, Choices, bind
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.opening import target_examples
from viz.panels.reading import current_bundle
from viz.results import digest
from viz.state import session

SHOWN_ROWS, SHOWN_CHARACTERS = 300, 1_000


def choose_set() -> None:
    """The row of sets."""
    names = {name: tr(f"fine_tune.set_{name}") for name in SETS}
    st.pills(tr("fine_tune.data"), SETS, format_func=names.__getitem__, required=True, **bind("data"))


def rows_of(choices: Choices, *, max_pieces: int) -> tuple[Row, ...]:
    """The rows of the chosen set, each with its problem."""
    bundle = current_bundle()
    if choices.lesson is not None:
        return tuple(Row(i, pair.source, pair.target) for i, pair in enumerate(choices.lesson.read(), start=1))
    content, name = (_pasted(), "") if choices.data == "paste" else _uploaded()
    with errors.explained():
        key = ("rows", digest(content, name), bundle.fingerprint, max_pieces)
        return cache.get_or_compute(key, lambda: _checked(content, name, bundle, max_pieces))


def is_for(lesson: Lesson | None, bundle: Bundle) -> bool:
    """Whether a lesson's languages are the model's; a model that does not say its languages may try."""
    if lesson is None or lesson.beginning is not None:
        return True
    spoken = (bundle.source_language, bundle.target_language)
    return all(code is None or main_language(code) == want for code, want in zip(spoken, lesson.languages, strict=True))


def misspelled(rows: Sequence[Row], bundle: Bundle) -> TrainingError | None:
    """Why the model's vocabulary cannot spell these pairs; None where it can."""
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    if source is None or target is None:
        return None
    key = ("spelling", digest(rows), bundle.fingerprint)
    with errors.explained():
        return spelling_error(cache.get_or_compute(key, lambda: unspelled(pairs_of(rows), source, target)))


def preview(rows: Sequence[Row]) -> None:
    """The rows as a table, those with a problem first, and how many there are of each."""
    bad = sum(row.problem is not None for row in rows)
    st.markdown(tr("fine_tune.rows_good", n=number(len(rows) - bad)) if rows else tr("fine_tune.no_rows"))
    if bad:
        st.warning(tr("fine_tune.rows_bad", n=number(bad)), icon=":material/rule:")
    if not rows:
        return
    ordered = sorted(rows, key=lambda row: row.problem is None)[:SHOWN_ROWS]
    table = pd.DataFrame(
        {
            tr("fine_tune.line"): [row.number for row in ordered],
            tr("fine_tune.problem"): [tr(f"fine_tune.problem_{row.problem}") if row.problem else "" for row in ordered],
            tr("fine_tune.source"): [row.source[:SHOWN_CHARACTERS] for row in ordered],
            tr("fine_tune.target"): [row.target[:SHOWN_CHARACTERS] for row in ordered],
        }
    )
    columns = list(table.columns)
    st.dataframe(
        table,
        hide_index=True,
        height=300,
        column_order=columns if bad else [columns[0], *columns[2:]],
        column_config={columns[0]: st.column_config.NumberColumn(width=55, format="%d")},
        key="tune_rows",
    )
    if len(rows) > SHOWN_ROWS:
        st.caption(tr("fine_tune.rows_more", n=SHOWN_ROWS))


def _checked(content: str | bytes, name: str, bundle: Bundle, max_pieces: int) -> tuple[Row, ...]:
    return check_rows(
        read_text(content) if isinstance(content, str) else read_table(content, name=name),
        count_pieces=_counter(bundle),
        max_pieces=max_pieces,
        languages=(bundle.source_language, bundle.target_language),
    )


def _pasted() -> str:
    st.text_area(
        tr("fine_tune.paste"),
        placeholder="\t".join(target_examples(current_bundle()).pair or ()),
        height=140,
        max_chars=MAX_PASTED,
        key="tune_paste",
        persist_state="session",
    )
    return session.widget_value("tune_paste") or ""


def _uploaded() -> tuple[bytes, str]:
    file = st.file_uploader(
        tr("fine_tune.upload"),
        type=["tsv", "csv", "txt"],
        max_upload_size=math.ceil(MAX_CHARACTERS / 2**20),
        key="tune_upload",
    )
    return (file.getvalue(), file.name) if file is not None else (b"", "")


def _counter(bundle: Bundle):
    tokenizer = bundle.source_tokenizer
    return (lambda text: len(tokenizer.encode(text))) if tokenizer is not None else (lambda text: len(text.split()))
