"""Explore: every head of the chosen kind at a glance, one of them large, and how to read it."""

from __future__ import annotations

import streamlit as st

from viz import session
from viz.export import view_of as view_of_record
from viz.i18n import tr
from viz.panels import changes, compare, curve, errors, measure, row_meaning, sentence, take_away
from viz.panels.explorer import explorer, greet, record_of, view_of
from viz.panels.reading import reading
from viz.plain_text import as_written

opened = take_away.opened()
if opened is not None:
    name, record = opened
    with errors.explained():
        view = view_of_record(record, first_index=session.read().first_index)
    with sentence.tools():
        take_away.menu((view, record))
        st.button(tr("explore.close_file"), on_click=take_away.close, key="close_file")
    st.caption(tr("explore.opened", name=as_written(name)))
    explorer(view, actions=())
    st.stop()

here = reading()
changes.chips(here)
effects = measure.effects(here)
view = view_of(here, effects=effects, corpus=measure.corpus(here))
greet(view)
other = compare.other(here)
other_view = None if other is None else view_of(other)
if other is not None:
    compare.summary(here, other)
explorer(view, other=other_view, beneath=lambda: row_meaning.line(here.bundle))
with sentence.tools():  # after the views, which the reader waits for
    compare.menu()
    measure.menu(here)
    if here.is_finite:
        compared_with = None if other is None or other_view is None else (other_view, record_of(other))
        take_away.menu((view, record_of(here)), other=compared_with)
curve.offer(here.fitted.text, language=here.bundle.source_language)
