"""Surveys of a visitor's pairs: started here, queued with the training runs, stopped, resumed, and opened."""

import re
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from model.bundle import Bundle
from model.corpus.neighbours import state_names
from model.corpus.queued import SurveyJob, create_survey, n_written, pairs_of, read_survey_job
from model.corpus.survey import Survey
from model.runs.errors import QueueError
from model.runs.folder import JobFolder
from model.runs.limits import runs_root
from model.runs.status import Status, can_control, read_status, requested_control
from model.text.pairs import MAX_UPLOAD_MB, Pair, as_texts, decode_lines, pairs_of_lines
from viz import cache
from viz.corpus import choices, neighbours, targets
from viz.corpus.choices import bind, change, read
from viz.i18n import counts, number, tr
from viz.panels import errors
from viz.panels.reading import current_bundle, is_alone
from viz.panels.runs import queue_place, redraw_every_second, run_named, stop, submit
from viz.panels.widgets import duration
from viz.plain_text import escape_markdown, public_message
from viz.state import clicks, session

LONGEST_TITLE = 60
_FAULTS = ("killed", "memory", "disk_full", "server_ended", "time_limit")
_REASONS = {
    "target": re.compile("the target is empty"),
    "source": re.compile("the source is empty|there is nothing to translate"),
    "characters": re.compile(r"the pair has (?P<n>[\d,]+) characters and the limit is (?P<most>[\d,]+)"),
    "long": re.compile(r"the text has (?P<n>[\d,]+) tokens and the limit is (?P<most>[\d,]+)"),
}
"""The most frequent messages of ``model.corpus.batches.read_rows``."""
SHARED = "shared"
"""In place of a run's name: the server's survey, compared with another."""


def menu(current: Survey) -> None:
    """Draw the open survey, the choice of others, and the form for a new one."""
    chosen, mine = read().survey, visitor_surveys()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="corpus_survey"):
        if mine:
            names = ["", *dict.fromkeys([*mine, *([chosen] if chosen else [])])]
            st.selectbox(tr("corpus.survey"), names, format_func=lambda name: _title(name, mine), width=360,
                         label_visibility="collapsed", **bind("survey"))  # fmt: skip
        st.caption(
            tr(_opened_as(current, is_mine=chosen in mine), n=number(current.n_done),
               model=escape_markdown(current.model)), width="content",
        )  # fmt: skip
        # Each survey has its own popover, so it is closed when another survey has been opened.
        with st.popover(
            tr("corpus.other_texts" if is_alone(current_bundle()) else "corpus.other_pairs"),
            key=f"corpus_other_{chosen}",
        ):
            _offer(current)
    _follow(chosen, current)
    if not current.is_complete and not _is_own(current):
        st.caption(tr("corpus.opened_part", n=number(current.n_done), total=number(current.n_pairs)))
    left_out = current.skipped
    if left_out:
        st.caption(
            tr(
                "corpus.left_out",
                n=len(left_out),
                number=left_out[0][0] + 1,
                reason=escape_markdown(_reason(left_out[0][1])),
            )
        )


def _reason(written: str) -> str:
    """Why a pair was left out, in the reader's language; surveys store it in English."""
    for key, rule in _REASONS.items():
        if match := rule.match(written):
            return tr(f"corpus.reason_{key}", **{name: counts(n) for name, n in match.groupdict().items()})
    return written


def visitor_surveys() -> dict[str, SurveyJob]:
    """The stored surveys that this browser has started, newest first."""
    surveys = {}
    for path in runs_root().glob("*/survey.json"):
        folder = JobFolder(path.parent)
        job = read_survey_job(folder)
        if job is not None and folder.owner.exists() and can_control(folder, session.visitor()):
            surveys[folder.path.name] = job
    return dict(sorted(surveys.items(), key=lambda item: -item[1].created))


def others() -> list[str]:
    """Surveys that can be compared with the one on screen."""
    chosen = read().survey
    done = [
        name for name in visitor_surveys() if name != chosen and any((runs_root() / name / "result").glob("*.parquet"))
    ]
    return [*([SHARED] if chosen else []), *done]


def name_beside(name: str) -> str:
    """The name of a survey to compare with."""
    return tr("corpus.beside_none") if not name else _title("" if name == SHARED else name, visitor_surveys())


def _opened_as(current: Survey, *, is_mine: bool) -> str:
    """Key of a survey's caption: only shipped pairs are known to be held out, and a link may be another visitor's."""
    if choices.is_alone(current):
        return "corpus.opened_texts"
    if _is_own(current) and is_mine:
        return "corpus.opened_own"
    return "corpus.opened" if cache.is_shipped(current) else "corpus.opened_given"


def _is_own(survey: Survey) -> bool:
    """Whether it was started on this page, which then shows its progress."""
    return survey.folder.parent.parent == runs_root()


def _title(name: str, mine: dict[str, SurveyJob]) -> str:
    if not name:
        shared = choices.server_survey()
        return tr(
            "corpus.survey_shared" if cache.is_shipped(shared) else "corpus.survey_given",
            n=number(shared.n_done),
            model=shared.model,
        )
    job = mine.get(name)
    return name if job is None else tr("corpus.survey_own", title=job.title, n=number(job.n_pairs), model=job.model)


def _offer(current: Survey) -> None:
    bundle, max_pairs = current_bundle(), cache.run_queue().limits.max_pairs
    if is_alone(bundle):
        _offer_texts(bundle, max_pairs)
        return
    st.caption(tr("corpus.upload_help", most=number(max_pairs)))
    first, key = session.read().first_index, f"corpus_states_{bundle.fingerprint[:12]}"
    states = st.multiselect(
        tr("corpus.keep_states"), state_names(bundle), key=key, help=tr("corpus.keep_states_help"),
        format_func=lambda name: neighbours.label_of(name, first), placeholder=tr("corpus.keep_states_none"),
    )  # fmt: skip
    file = st.file_uploader(tr("corpus.upload"), type=["tsv", "txt"], key="corpus_pairs", max_upload_size=MAX_UPLOAD_MB)
    about = bundle.fingerprint
    if file is not None and clicks.button(
        tr("corpus.start"), key="corpus_start", type="primary", about=(about, file.file_id)
    ):
        with errors.explained_here():
            lines = decode_lines(file.getvalue(), file.name, most=MAX_UPLOAD_MB << 20)
            start(pairs_of_lines(lines[:max_pairs], file.name), title=file.name, states=states)
    if bundle.fingerprint != current.fingerprint:
        st.caption(tr("corpus.same_help", model=escape_markdown(bundle.name)))
        label = tr("corpus.same_start", n=number(min(current.n_done, max_pairs)))
        uses_own_targets = st.checkbox(
            tr("corpus.own_targets"), value=targets.are_foreign(current, bundle), help=tr("corpus.own_targets_help"),
            key=f"corpus_own_targets_{about[:12]}_{current.fingerprint[:12]}",
        )  # fmt: skip
        if clicks.button(label, key="corpus_same", about=(about, current.identity)):
            pairs = targets.pairs_of(current, max_pairs)
            start(pairs, title=tr("corpus.same_title"), states=states, own_targets=uses_own_targets)


def _offer_texts(bundle: Bundle, max_pairs: int) -> None:
    """Draw the upload of texts for an encoder-only or decoder-only model."""
    st.caption(tr("corpus.texts_help", most=number(max_pairs)))
    file = st.file_uploader(tr("corpus.texts"), type=["txt"], key="corpus_texts", max_upload_size=MAX_UPLOAD_MB)
    if file is not None and clicks.button(
        tr("corpus.texts_start"), key="corpus_texts_start", type="primary", about=(bundle.fingerprint, file.file_id)
    ):
        with errors.explained_here():
            lines = decode_lines(file.getvalue(), file.name, most=MAX_UPLOAD_MB << 20)
            start(as_texts([line for line in lines if line.strip()][:max_pairs]), title=file.name)


def start(pairs: Sequence[Pair], *, title: str, states: Sequence[str] = (), own_targets: bool = False) -> None:
    """Queue a survey and put its name into the link; an error panel shows why it cannot be started."""
    queue, root = cache.run_queue(), runs_root()
    with errors.explained_here():
        own_runs = frozenset(visitor_surveys())
        queue.check_room(session.visitor())
        title = Path(title).name[:LONGEST_TITLE]
        folder = create_survey(
            root, current_bundle(), pairs, queue.limits, title=title, states=states, own_targets=own_targets
        )
        submit(folder, owned=own_runs)
        change(survey=folder.path.name)
        st.rerun()


def _follow(chosen: str, current: Survey) -> None:
    """Draw the progress of the chosen survey while it runs, and afterwards whether it can be resumed."""
    folder = run_named(chosen)
    job = read_survey_job(folder) if folder is not None else None
    if folder is None or job is None:
        if chosen:
            st.info(tr("corpus.survey_gone"), icon=":material/search_off:")
    elif read_status(folder).is_alive:
        redraw_every_second(lambda: _progress(folder, job))
    else:
        _draw_end(folder, job, is_damaged=n_written(folder, job) > 0 and current.folder != folder.result)


def _progress(folder: JobFolder, job: SurveyJob) -> None:
    """Draw the bar and the button to stop; rerun the page once the survey has ended."""
    status = read_status(folder)
    if not status.is_alive:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="corpus_run"):
        st.progress(min(1.0, status.step / max(job.n_pairs, 1)), text=_words(folder, job, status))
        if can_control(folder, session.visitor()):
            is_stopping = requested_control(folder) == "stop"
            st.button(
                tr("corpus.stopping" if is_stopping else "corpus.stop"), icon=":material/stop:", key="corpus_stop",
                disabled=is_stopping, on_click=stop, args=(folder,),
            )  # fmt: skip
    st.caption(tr("corpus.meanwhile" if n_written(folder, job) else "corpus.meanwhile_nothing"))


def _draw_end(folder: JobFolder, job: SurveyJob, *, is_damaged: bool) -> None:
    """Show why the results are incomplete, if they are, and offer to resume.

    Args:
        is_damaged: whether one of its files is unusable, which the page has already shown.
    """
    status = read_status(folder)
    if status.state != "finished":
        _explain_end(folder, job, status)
    elif not is_damaged:
        return
    is_whole = folder.initial.is_dir() and pairs_of(folder).is_file()
    if not is_whole or not can_control(folder, session.visitor()):
        return
    if is_damaged:
        st.caption(tr("corpus.go_on_damaged"))
    if clicks.button(
        tr("fine_tune.go_on"), icon=":material/resume:", key="corpus_go_on", about=folder.path.name,
        help=tr("corpus.go_on_help"),
    ):  # fmt: skip
        with errors.explained_here():
            _resume(folder)
            st.rerun()


def _explain_end(folder: JobFolder, job: SurveyJob, status: Status) -> None:
    kind = status.fault.kind if status.fault else ""
    reason = tr(f"corpus.fault_{kind if kind in _FAULTS else 'other'}") if status.fault else ""
    st.warning(
        tr("corpus.ended_early", n=number(n_written(folder, job)), total=number(job.n_pairs), reason=reason),
        icon=":material/stop_circle:",
    )
    if status.fault and status.fault.detail:
        st.text(public_message(status.fault.detail))


def _resume(folder: JobFolder) -> None:
    """Submit it again. A second click finds it already submitted while the first waits for the old process to end."""
    try:
        cache.run_queue().submit(folder, owner=session.visitor())
    except QueueError:
        if not read_status(folder).is_alive:
            raise


def _words(folder: JobFolder, job: SurveyJob, status: Status) -> str:
    if status.state == "queued":
        return queue_place(folder)
    if status.state != "running" or not status.step:
        return tr(f"fine_tune.state_{'preparing' if status.state == 'running' else status.state}")
    done = tr("corpus.running", done=number(status.step), total=number(job.n_pairs))
    newest = next((event for event in reversed(list(folder.events())) if event.get("step")), None)
    if newest is None:
        return done
    rate = max(newest["step"] - newest.get("before", 0), 1) / max(newest["seconds"], 1e-3)
    return " · ".join((done, tr("corpus.rate", n=number(rate, ",.0f")),
                       tr("fine_tune.time_left", time=duration((job.n_pairs - status.step) / rate))))  # fmt: skip
