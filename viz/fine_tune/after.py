"""The effects of a run: translations, heads and maps before and after."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from model.interventions import KINDS, AttentionKind
from model.training.jobs.comparison import Comparison, HeadChange, read_change, read_comparison
from viz import cache
from viz.components.attention import AttentionView, ViewState, pack
from viz.components.attention.explorer import attention_explorer
from viz.components.film import Seen
from viz.figures.training import moved_heads
from viz.fine_tune.run import Run, curves, film
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.explorer import Projection
from viz.state import session

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
