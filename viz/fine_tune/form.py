"""The form of a new run: its pairs (a lesson's set, pasted or uploaded) on the left, its settings on the right."""

import math
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from model import Bundle
from model.runs.folder import TRAINING, JobFolder
from model.runs.limits import Limits, runs_root
from model.runs.retention import bytes_of
from model.text.language_codes import main_language
from model.training.jobs.creation import create, n_parameters_of
from model.training.lessons import Lesson
from model.training.preparation import NewModel
from model.training.rows import MAX_CHARACTERS, MAX_PASTED, Row, check_rows, pairs_of, read_table, read_text
from model.training.settings import TrainingConfig, TrainingError
from model.training.vocabularies.extension import spelling_error, unspelled_shares
from viz import budget, cache
from viz.fine_tune.choices import SETS, Choices, bind, show_run
from viz.fine_tune.settings import settings
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.opening import target_examples
from viz.panels.reading import current_bundle
from viz.panels.runs import submit
from viz.results import digest
from viz.state import clicks, session
from viz.state.selection import DEFAULT_TEXT

_MAX_ROWS, _MAX_CHARACTERS = 300, 1_000
"""Of the preview."""


def form(choices: Choices) -> None:
    """Draw the form; its button starts a run and shows it."""
    bundle, queue = current_bundle(), cache.run_queue()
    limits = queue.limits
    queue.warm(TRAINING)
    if not limits.max_alive:
        st.info(tr("fine_tune.off"), icon=":material/block:")
    choose_set()
    st.caption(tr(f"fine_tune.about_{choices.data}"))
    lesson = choices.lesson
    beginning = lesson.beginning if lesson and lesson.beginning else bundle
    d_model = beginning.d_model if isinstance(beginning, NewModel) else bundle.config.d_model
    left, right = st.columns([11, 10], gap="large")
    with right:
        probe = lesson.probe if lesson else (session.read().text or DEFAULT_TEXT)
        dropout = getattr(bundle.config, "dropout", 0.0)
        config = settings(choices, limits, d_model=d_model, dropout=dropout, probe=probe)
    with left:
        rows = rows_of(choices, max_pieces=config.max_length)
        fits_languages = is_for(lesson, bundle)
        if not fits_languages:
            st.warning(tr("fine_tune.languages_differ"), icon=":material/translate:")
        error = None if lesson else unspelled_error(rows, bundle)
        if error is not None:
            st.warning(errors.remedy(error), icon=":material/spellcheck:")
        preview(rows)
        is_good = fits_languages and error is None and any(row.problem is None for row in rows)
        is_ready = is_good and limits.max_alive > 0
        if clicks.button(
            tr("fine_tune.start"), type="primary", icon=":material/play_arrow:", disabled=not is_ready, key="tune_start"
        ):
            _start(choices, rows, beginning, config, limits, probe=choices.probe or probe)
        st.caption(tr("fine_tune.intro"))


def session_runs() -> list[str]:
    """Names of the runs that this browser session has started, newest first."""
    return session.recall("tune_runs", list)


def check_room(beginning: Bundle | NewModel, root: Path, limits: Limits) -> None:
    """Reserve room for a run beside this session's others, before its folder is made and inside ``budget.settled``.

    Raises:
        LimitError: where there is no room for what the run may write.
    """
    budget.hold("runs", sum(bytes_of(JobFolder(root / name)) for name in session_runs()))
    budget.ask("runs", limits.run_bytes(n_parameters_of(beginning)))


def record_run(folder: JobFolder) -> None:
    """Record a queued run as this session's."""
    session.remember("tune_runs", [folder.path.name, *session_runs()])
    budget.hold("runs", sum(bytes_of(JobFolder(folder.path.parent / name)) for name in session_runs()))


def _start(
    choices: Choices,
    rows: tuple[Row, ...],
    beginning: Bundle | NewModel,
    config: TrainingConfig,
    limits: Limits,
    *,
    probe: str,
) -> None:
    queue, root = cache.run_queue(), runs_root()
    with errors.explained(), budget.releasing("runs"):
        runs = frozenset(session_runs())
        queue.check_room(session.visitor(), root, limits.run_bytes(n_parameters_of(beginning)), owned=runs)
        check_room(beginning, root, limits)
        folder = create(
            root, beginning, pairs_of(rows), config, limits,
            held_out_share=choices.held_out / 100, probe=probe, lesson=choices.data if choices.lesson else "",
        )  # fmt: skip
        submit(folder, owned=runs)
        record_run(folder)
    show_run(folder.path.name)
    st.rerun()


def choose_set() -> None:
    """Draw the choice of a set."""
    names = {name: tr(f"fine_tune.set_{name}") for name in SETS}
    st.pills(tr("fine_tune.data"), SETS, format_func=names.__getitem__, required=True, **bind("data"))


def rows_of(choices: Choices, *, max_pieces: int) -> tuple[Row, ...]:
    """The rows of the chosen set, each with its problem."""
    bundle = current_bundle()
    if choices.lesson is not None:
        return tuple(Row(i, pair.source, pair.target) for i, pair in enumerate(choices.lesson.read(), start=1))
    content, name = (_pasted_text(), "") if choices.data == "paste" else _uploaded_file()
    with errors.explained():
        key = ("rows", digest(content, name), bundle.fingerprint, max_pieces)
        return cache.get_or_compute(key, lambda: _check_rows(content, name, bundle, max_pieces))


def is_for(lesson: Lesson | None, bundle: Bundle) -> bool:
    """Whether a lesson's languages are the model's; true for a model of unknown languages."""
    if lesson is None or lesson.beginning is not None:
        return True
    languages = (bundle.source_language, bundle.target_language)
    return all(
        code is None or main_language(code) == required
        for code, required in zip(languages, lesson.languages, strict=True)
    )


def unspelled_error(rows: Sequence[Row], bundle: Bundle) -> TrainingError | None:
    """Why the model's vocabulary cannot spell these pairs; None where it can."""
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    if source is None or target is None:
        return None
    key = ("spelling", digest(rows), bundle.fingerprint)
    with errors.explained():
        return spelling_error(cache.get_or_compute(key, lambda: unspelled_shares(pairs_of(rows), source, target)))


def preview(rows: Sequence[Row]) -> None:
    """Draw the rows as a table, those with a problem first, and the counts of both."""
    bad = sum(row.problem is not None for row in rows)
    st.markdown(tr("fine_tune.rows_good", n=number(len(rows) - bad)) if rows else tr("fine_tune.no_rows"))
    if bad:
        st.warning(tr("fine_tune.rows_bad", n=number(bad)), icon=":material/rule:")
    if not rows:
        return
    ordered = sorted(rows, key=lambda row: row.problem is None)[:_MAX_ROWS]
    table = pd.DataFrame(
        {
            tr("fine_tune.line"): [row.number for row in ordered],
            tr("fine_tune.problem"): [tr(f"fine_tune.problem_{row.problem}") if row.problem else "" for row in ordered],
            tr("fine_tune.source"): [row.source[:_MAX_CHARACTERS] for row in ordered],
            tr("fine_tune.target"): [row.target[:_MAX_CHARACTERS] for row in ordered],
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
    if len(rows) > _MAX_ROWS:
        st.caption(tr("fine_tune.rows_more", n=_MAX_ROWS))


def _check_rows(content: str | bytes, name: str, bundle: Bundle, max_pieces: int) -> tuple[Row, ...]:
    split = str.split if bundle.source_tokenizer is None else bundle.source_tokenizer.encode
    return check_rows(
        read_text(content) if isinstance(content, str) else read_table(content, name=name),
        count_pieces=lambda text: len(split(text)),
        max_pieces=max_pieces,
        languages=(bundle.source_language, bundle.target_language),
    )


def _pasted_text() -> str:
    st.text_area(
        tr("fine_tune.paste"),
        placeholder="\t".join(target_examples(current_bundle()).pair or ()),
        height=140,
        max_chars=MAX_PASTED,
        key="tune_paste",
        persist_state="session",
    )
    return session.widget_value("tune_paste") or ""


def _uploaded_file() -> tuple[bytes, str]:
    file = st.file_uploader(
        tr("fine_tune.upload"),
        type=["tsv", "csv", "txt"],
        max_upload_size=math.ceil(MAX_CHARACTERS / 2**20),
        key="tune_upload",
    )
    return (file.getvalue(), file.name) if file is not None else (b"", "")
