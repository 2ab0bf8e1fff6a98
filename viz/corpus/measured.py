"""Slow measurements (half a minute): the shipped ones, those measured here, and a button to measure them."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import streamlit as st

from model import Bundle
from model.corpus.pruning.erasure import agreement_table
from model.corpus.pruning.table import pruning_table
from model.corpus.survey import Survey
from viz import cache
from viz.corpus import targets
from viz.i18n import tr
from viz.panels import errors
from viz.panels.reading import find_bundle, is_alone
from viz.plain_text import escape_markdown
from viz.state import clicks

Part = Literal["pruning", "erasure"]
MOST_PAIRS: dict[Part, int] = {"pruning": 50, "erasure": 25}
_MEASURE: dict[Part, Callable[..., dict[str, Any]]] = {
    "pruning": partial(pruning_table, with_translations=False),
    "erasure": agreement_table,
}


def measured_figures(survey: Survey, part: Part) -> tuple[dict[str, Any], str] | None:
    """A part's figures for the model in use on the survey on screen, and the fingerprint of the model they belong to.

    Where they were never measured it offers to, and gives the shipped ones, with the name of their model; None where
    these are missing as well.
    """
    bundle, shipped = find_bundle(), cache.corpus_figures()
    if bundle is None or (shipped and cache.is_shipped(survey) and shipped["fingerprint"] == bundle.fingerprint):
        return (shipped[part], shipped["fingerprint"]) if shipped else None
    figures = cache.find(_key(part, survey, bundle))
    if figures is not None:
        words = "corpus.figures_own_targets" if targets.are_foreign(survey, bundle) else "corpus.figures_own"
        st.caption(tr(words, model=escape_markdown(bundle.name)))
        return figures, bundle.fingerprint
    if not is_alone(bundle):
        n = min(MOST_PAIRS[part], survey.n_done)
        label = tr("corpus.figures_measure", n=n, model=escape_markdown(bundle.name))
        if targets.are_foreign(survey, bundle):
            st.caption(tr("corpus.own_targets_here"))
        about = (survey.identity, bundle.fingerprint)
        if clicks.button(label, key=f"corpus_measure_{part}", type="primary", about=about):
            _measure(survey, bundle, part, n)
    if shipped is None:
        st.info(tr("corpus.no_figures"), icon=":material/info:")
        return None
    st.caption(tr("corpus.figures_shipped", model=escape_markdown(shipped["model"])))
    return shipped[part], shipped["fingerprint"]


def _measure(survey: Survey, bundle: Bundle, part: Part, n: int) -> None:
    """A rerun in the middle, by any click, cancels it."""
    bar = st.progress(0.0, tr(f"corpus.working_{part}"))
    with errors.explained():
        table = _MEASURE[part](
            bundle, targets.pairs_for(survey, bundle, n),
            on_progress=lambda done, total: bar.progress(min(1.0, done / total), tr(f"corpus.working_{part}")),
        )  # fmt: skip
    cache.put(_key(part, survey, bundle), table)
    st.rerun()


def _key(part: Part, survey: Survey, bundle: Bundle) -> tuple:
    return ("corpus figures", part, survey.identity, bundle.fingerprint)
