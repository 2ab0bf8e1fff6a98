"""What stands above the sentence: the question that the page answers; on the front page also what this is, or what is
changed in it, and two doors."""

import streamlit as st

from model import Bundle
from model.teaching.sentences import collections
from model.text.language_codes import main_language
from viz.i18n import catalogue, current_language, tr
from viz.panels import changes
from viz.panels.reading import find_bundle, find_reading, is_alone, use_model
from viz.shipped_models import shipped_for
from viz.state import session

DOORS = (("lesson", ":material/school:"), ("checkpoints", ":material/upload_file:"))
"""Pages that a newcomer may look for first."""


def first_steps() -> None:
    """Draw the row."""
    bundle, selection = find_bundle(), session.read()
    is_changed = bool(selection.interventions or selection.prefix)
    if bundle is None or (selection.presenter and not is_changed):
        return
    grid = bundle.grid
    what = "first.what_alone" if is_alone(bundle) else "first.what"
    if grid is not None:
        what = f"grid.what_{grid.reads}"
    elif bundle.picture is not None:
        what = "pad.what"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="first_steps"):
        if not selection.presenter:
            st.markdown(f"## {tr('first.ask')}", width="content")
        # An introduction that disappears would move what follows up, and it would be rebuilt; the chips take its place.
        with st.container(width="stretch"):
            if is_changed and (reading := find_reading()) is not None:
                changes.chips(reading)
            else:
                st.markdown("" if session.is_chosen("text") else tr(what))
        if selection.presenter:
            return
        _offer_language(bundle)
        for page, icon in DOORS:
            st.page_link(f"{page}/{page}.py", label=tr(f"first.door_{page}"), icon=icon, width="content")


def question(page: str) -> None:
    """Draw the question that a page answers as its heading, and a line on how it is answered."""
    key = f"frame.ask_{page}"
    if key not in catalogue("en") or session.read().presenter:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="page_question"):
        st.markdown(f"## {tr(key)}", width="content")
        st.markdown(tr(f"{key}_line"), width="content")


def _offer_language(bundle: Bundle) -> None:
    """The model that translates into the reader's language, if there is one and another is in use."""
    name, read_or_written = shipped_for(current_language()), (bundle.source_language, bundle.target_language)
    if name and current_language() not in map(main_language, read_or_written):
        st.button(
            tr("first.own_language"), key="first.own_language", type="tertiary", icon=":material/translate:",
            on_click=_take_model, args=(name,),
        )  # fmt: skip


def _take_model(name: str) -> None:
    """Switch to a shipped model, with one of its sentences where the reader has not chosen one."""
    is_chosen = session.is_chosen("text")
    use_model(name)
    collection = next((group for group in collections() if group.model == name), None)
    if collection is not None and not is_chosen:
        session.new_sentence(collection.scenes["cross"])
