"""A run that has ended: translations, heads and maps before and after, and buttons to use, continue or delete it."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import streamlit as st

from model import Bundle
from model.checkpoints.native_format import WEIGHTS
from model.files.size import size_of
from model.interventions import KINDS, AttentionKind
from model.runs.folder import JobFolder
from model.runs.retention import remove
from model.training.jobs.comparison import Comparison, HeadChange, read_change, read_comparison
from model.training.jobs.creation import continue_with, result_of
from model.training.jobs.probe import bundle_at, recorded_steps
from viz import budget, cache
from viz.components.attention import AttentionView, ViewState, pack
from viz.components.attention.explorer import attention_explorer
from viz.components.film import Seen
from viz.figures.training import moved_heads
from viz.fine_tune.choices import show_run
from viz.fine_tune.form import session_runs
from viz.fine_tune.run import Run, curves, film
from viz.i18n import number, sentences, tr
from viz.panels import errors, shelf
from viz.panels.explorer import Projection
from viz.panels.reading import use_model
from viz.plain_text import escape_markdown
from viz.state import clicks, session

_MEMORY = "tune_difference"
_COPY = Projection(
    "tune_explorer",
    lambda: session.recall(_MEMORY, lambda: ViewState(compare="difference")),
    lambda state: session.remember(_MEMORY, state),
)


def after(run: Run) -> Seen | None:
    """Draw the scores and tabs with the film and the comparisons; returns the film's position.

    Only the open tab is computed, and the film always, since it would lose its position when it is not drawn.
    """
    with errors.explained():
        comparison, change = read_comparison(run.folder), read_change(run.folder)
    if comparison is not None:
        _scores(comparison, run.job.lesson if run.job else "")
    draw: dict[str, Callable[[], None]] = {
        "translations": lambda: _missing() if comparison is None else _translations(comparison),
        "heads": lambda: _missing() if change is None else _heads(change),
        "difference": lambda: _missing() if change is None else _difference(change),
        "curves": lambda: curves(run),
    }
    titles = [tr(f"fine_tune.tab_{name}") for name in ("film", *draw)]
    first, *others = st.tabs(titles, key="tune_tabs", on_change="rerun")
    with first:
        seen = film(run)
    for tab, content in zip(others, draw.values(), strict=True):
        if tab.open:
            with tab:
                content()
    return seen


def _missing() -> None:
    st.caption(tr("fine_tune.no_comparison"))


def _scores(comparison: Comparison, lesson: str) -> None:
    before, later, total = comparison.before, comparison.after, len(comparison.sources)
    columns = st.columns(3)
    if lesson and later.shown is not None and before.shown is not None:
        was = tr("fine_tune.shown_of", n=before.shown, total=total)
        columns[0].metric(
            tr(f"fine_tune.shown_{lesson}"),
            tr("fine_tune.shown_of", n=later.shown, total=total),
            tr("fine_tune.was", value=was),
            delta_color="off",
            delta_arrow="off",
        )
        columns = columns[1:]
    for column, name in zip(columns, ("bleu", "chrf"), strict=False):
        was, now = getattr(before, name), getattr(later, name)
        label = tr(f"fine_tune.{name}", n=total) if name == "bleu" else tr("fine_tune.chrf")
        column.metric(label, number(now, ".1f"), number(now - was, "+.1f").replace("−", "-"))


def _translations(comparison: Comparison) -> None:
    before, later = comparison.before.translations, comparison.after.translations
    table = pd.DataFrame(
        {
            tr("fine_tune.source"): comparison.sources,
            tr("fine_tune.before"): before,
            tr("fine_tune.after"): later,
            tr("fine_tune.reference"): comparison.references,
            tr("fine_tune.changed"): [old != new for old, new in zip(before, later, strict=True)],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        height=min(420, 38 + 35 * len(table)),
        column_config={table.columns[-1]: st.column_config.CheckboxColumn(width="small")},
        key="tune_translations",
    )
    st.caption(tr("fine_tune.scores_how", bleu=comparison.bleu_signature, chrf=comparison.chrf_signature))


def _heads(change: HeadChange) -> None:
    first, mode = session.read().first_index, session.mode()
    ranked = sorted(
        ((float(moved[layer, head]), kind, layer, head) for kind, moved in change.moved.items()
         for layer in range(moved.shape[0]) for head in range(moved.shape[1])),
        reverse=True,
    )  # fmt: skip
    largest, kind, layer, head = ranked[0]
    place = {"kind": tr(f"frame.kind_{kind}"), "layer": layer + first, "head": head + first}
    st.markdown(tr("fine_tune.heads_most", share=number(largest, ".0%"), **place))
    st.caption(tr("fine_tune.heads_how"))
    kinds: list[AttentionKind] = [name for name in KINDS if name in change.moved]
    for column, name in zip(st.columns(len(kinds)), kinds, strict=True):
        title = tr(f"frame.kind_{name}")
        figure = moved_heads(
            change.moved, kind=name, layer_title=tr("fine_tune.layer"), head_title=tr("fine_tune.head"),
            value_title=tr("fine_tune.moved"), mode=mode, first_index=first, top=largest,
        )  # fmt: skip
        column.markdown(f"**{title}**")
        column.altair_chart(figure, theme=None, key=f"tune_moved_{name}", alt=title)


def _difference(change: HeadChange) -> None:
    st.caption(tr("fine_tune.difference_how"))
    left, right = (
        AttentionView.from_arrays(
            encoder_self=maps.encoder_self,
            decoder_self=maps.decoder_self,
            cross=maps.cross,
            source_tokens=change.source_pieces,
            target_tokens=change.target_pieces,
            prefix_tokens=change.prefix_pieces,
            is_causal=True,
            caption=tr(f"fine_tune.{side}_caption"),
        )
        for side, maps in (("before", change.before), ("after", change.after))
    )
    shared = _COPY.shared(left)
    attention_explorer(
        cache.memoize_by_content(
            pack, left, other=right, strings={}, first_index=session.read().first_index,
            options={"isMounted": True},
        ),
        [left, right],
        state=shared.sent if _COPY.held() else shared.reported,
        looked_at=shared.reported,
        revision=shared.revision,
        key=_COPY.key,
        on_report=lambda: _COPY.take(left),
        on_action=lambda: None,
        held=_COPY.held(),
    )  # fmt: skip


def actions(run: Run, seen_step: int | None) -> None:
    """One row of buttons; ``seen_step`` is the step shown in the film, so that any recorded step can be restored."""
    steps = recorded_steps(run.folder)
    has_result = run.folder.result.is_dir()
    step = seen_step if seen_step is not None and seen_step in steps else (steps[-1] if steps else None)
    is_result = has_result and (step is None or step == steps[-1])
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if step is not None or has_result:
            words = tr("fine_tune.use_result") if is_result else tr("fine_tune.use_step", step=step)
            about = (run.folder.path.name, step)
            if clicks.button(words, type="primary", icon=":material/check:", key="tune_use", about=about):
                _use(run, None if is_result else step)
            st.download_button(
                tr("fine_tune.download"),
                lambda: shelf.zip_model(_bundle(run.folder, None if is_result else step)),
                file_name=f"{_name(run, step or run.status.step)}.zip",
                mime="application/zip",
                icon=":material/download:",
                key="tune_download",
                on_click="ignore",
            )
        if run.is_steered:
            _continue(run)
        st.button(tr("fine_tune.new_run"), icon=":material/add:", key="tune_new", on_click=show_run, args=("",))
        if run.is_steered:
            _delete(run)


def _bundle(folder: JobFolder, step: int | None) -> Bundle:
    return result_of(folder) if step is None else bundle_at(folder, step)


def _name(run: Run, step: int) -> str:
    lesson = run.job.lesson if run.job else ""
    data_set = tr(f"fine_tune.set_{lesson}") if lesson else tr("fine_tune.own_pairs")
    return tr("fine_tune.result_name", set=data_set, step=step)


def _use(run: Run, step: int | None) -> None:
    name = _name(run, run.status.step if step is None else step)
    with errors.explained(), budget.releasing("models"):
        shelf.check_room(size_of(run.folder.initial / WEIGHTS))
        bundle = replace(_bundle(run.folder, step), name=name)
        models = session.held_models()
        models.pop(name, None)
        models, name, evicted = shelf.place(models, bundle, cache.model_names())
        shelf.keep(models)
    use_model(name)
    messages = [tr("fine_tune.used", name=escape_markdown(name))]
    if evicted:
        messages.append(tr("checkpoints.let_go", names=escape_markdown(", ".join(evicted))))
    session.remember("tune_said", sentences(*messages))
    st.rerun()


def _continue(run: Run) -> None:
    job = run.job
    assert job is not None
    config, limits = job.config, cache.run_queue().limits
    is_unfinished = run.status.step < config.steps
    with st.popover(tr("fine_tune.go_on_with"), icon=":material/resume:", key="tune_go_on_with"):
        st.caption(tr("fine_tune.go_on_help"))
        least = min(run.status.step + 1, limits.max_steps)
        steps = st.number_input(
            tr("fine_tune.steps"), least, limits.max_steps,
            max(least, config.steps if is_unfinished else min(config.steps * 2, limits.max_steps)), key="tune_on_steps",
        )  # fmt: skip
        rate = st.number_input(
            tr("fine_tune.learning_rate"), 1e-6, 1.0, _suggested_rate(run), step=1e-5, format="%.2e", key="tune_on_rate"
        )
        batch = st.number_input(tr("fine_tune.batch_tokens"), 50, 100_000, _suggested_batch(run), key="tune_on_batch")
        if clicks.button(tr("fine_tune.go_on"), type="primary", key="tune_on", about=run.folder.path.name):
            with errors.explained():
                changed = replace(config, steps=steps, learning_rate=rate, batch_tokens=batch)
                continue_with(run.folder, changed, limits)
                cache.run_queue().submit(run.folder, owner=session.visitor())
            st.rerun()


def _suggested_rate(run: Run) -> float:
    """The rate to suggest: a third of the rate at which the loss became NaN."""
    assert run.job is not None
    fault = run.status.fault
    rate = run.job.config.learning_rate
    return rate / 3 if fault is not None and fault.kind == "not_finite" else rate


def _suggested_batch(run: Run) -> int:
    """The batch to suggest: half of one that was too large."""
    assert run.job is not None
    fault = run.status.fault
    batch = run.job.config.batch_tokens
    return max(50, batch // 2) if fault is not None and fault.kind in ("device_memory", "memory", "killed") else batch


def _delete(run: Run) -> None:
    with st.popover(tr("fine_tune.throw_away"), icon=":material/delete:", key="tune_throw"):
        st.caption(tr("fine_tune.throw_away_sure"))
        about = run.folder.path.name
        if not clicks.button(tr("fine_tune.throw_away"), type="primary", key="tune_throw_sure", about=about):
            return
        if not remove(run.folder):
            st.warning(tr("fine_tune.busy"))
            return
        session.remember("tune_runs", [name for name in session_runs() if name != run.folder.path.name])
        show_run("")
        st.rerun()
