"""Explore: every head of the chosen kind at a glance, one of them large, and how to read it."""

from functools import partial

import streamlit as st

from viz.explore import compare, curve, long_text, take_away, tools
from viz.export import view_of as view_of_record
from viz.i18n import tr
from viz.panels import errors, measure
from viz.panels.explorer import choose_first_head, explorer, record_of, view_of
from viz.panels.measure import Matters
from viz.panels.reading import current_reading
from viz.panels.stage import sentence
from viz.plain_text import escape_markdown
from viz.room import publish
from viz.state import session

opened = take_away.open_attention_file()
if opened is not None:
    name, record = opened
    with errors.explained():
        view = view_of_record(record, first_index=session.read().first_index)
    with st.container(horizontal=True, vertical_alignment="center", key="opened_file"):
        st.caption(tr("explore.opened", name=escape_markdown(name)), width="content")
        st.button(tr("explore.close_file"), on_click=take_away.close, key="close_file")
    explorer(view, actions=(), follow=publish.publish)
    take_away.dialog((view, record))
    st.stop()

reading = current_reading()
if reading.is_long:
    long_text.page(reading, follow=publish.publish)
    st.stop()
effects = measure.effects(reading)
view = view_of(reading, effects=effects, corpus=measure.corpus(reading))
if choose_first_head(view, reading):
    publish.publish()  # the phones were sent the choices before a head was open
other = compare.other(reading)
other_view = None if other is None else view_of(other)
if other is not None:
    compare.summary(reading, other)
explorer(
    view,
    compared=other_view,
    matters=None if other else Matters.of(reading),
    beneath=partial(tools.row_meaning, reading.bundle.fingerprint),
    follow=publish.publish,
)
with sentence.tools():  # drawn after the views, which take longest
    tools.menu(reading)
if reading.is_finite:
    compared_with = None if other is None or other_view is None else (other_view, record_of(other))
    take_away.dialog((view, record_of(reading)), other=compared_with)
curve.offer(reading.text, language=reading.bundle.source_language)
