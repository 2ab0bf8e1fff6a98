"""Corpus: what heads do over many sentences: search, alignment, pruning, and comparison with removal."""

import streamlit as st

from viz import cache
from viz.corpus import align, choices, explains, find, heads, neighbours, pruning, visitor_surveys
from viz.i18n import tr
from viz.panels import errors
from viz.panels.reading import find_bundle, is_alone
from viz.panels.widgets import segmented_picker
from viz.plain_text import escape_markdown

VIEWS = {
    "heads": heads.draw,
    "find": find.draw,
    "fires": find.largest_weights,
    "neighbours": neighbours.draw,
    "align": lambda survey: align.draw(),
    "pruning": pruning.draw,
    "explains": explains.draw,
}
OF_TEXTS = ("heads", "find", "fires")
"""Views of a survey by an encoder-only or decoder-only model; the others need translations."""


def page() -> None:
    """Read, compute, draw, store."""
    survey = choices.current()
    visitor_surveys.menu(survey)
    views = [name for name in VIEWS if name in OF_TEXTS or not choices.is_alone(survey)]
    view, bundle = choices.read().view, find_bundle()
    view = view if view in views else views[0]
    names = {name: tr(f"corpus.view_{name}") for name in views}
    segmented_picker(tr("corpus.views"), names, **choices.bind("view", value=view))
    if view in ("heads", "find", "fires") and bundle is not None and bundle.fingerprint != survey.fingerprint:
        words = "corpus.surveyed_other_alone" if is_alone(bundle) else "corpus.surveyed_other"
        st.caption(tr(words, model=escape_markdown(survey.model), own=escape_markdown(bundle.name)))
    if view != "align" and survey.n_done == len(survey.skipped):
        st.info(tr("corpus.none_measured"), icon=":material/info:")
        return
    with errors.explained():
        VIEWS[view](survey)
    if view != "align" and cache.is_shipped(survey):
        st.caption(tr("corpus.attribution"))


page()
