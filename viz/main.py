"""The page's frame: pickers, navigation and sentence; then the chosen page."""

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz import imports
from viz.pages import APART, MENUS, PAGES
from viz.state.turns import TURNS

_HERE = Path(__file__).parent


def main() -> None:
    """Draw one run of the application."""
    st.set_page_config("Regard", page_icon=str(_HERE / "regard.svg"), layout="wide")
    waiting = st.empty()
    if not imports.is_first_ready():
        _draw_skeleton(waiting)  # PyTorch takes seconds to import
    imports.import_first()
    from viz import processors
    from viz.i18n import current_language, speaking
    from viz.state import session
    from viz.state.page_run import page_run

    waiting.empty()
    processors.one_thread_per_page()
    session.begin()
    with page_run(), speaking(current_language()):
        _draw()


def _draw() -> None:
    """The frame and the page, in one language and of one reading of the sentence."""
    from viz.frame import first_steps, fitting_pages, frame
    from viz.i18n import tr
    from viz.lesson import carried
    from viz.panels.reading import find_bundle
    from viz.panels.stage import sentence
    from viz.room import publish
    from viz.state import clicks, session

    bundle = find_bundle()
    session.note_source(reads_pictures=bundle is not None and bundle.picture is not None)
    st.set_page_config(menu_items={"About": f"**Regard** · {tr('frame.tagline')}"})
    st.logo(str(_HERE / "regard-name.svg"), size="large")
    hidden = {*APART, *fitting_pages.hidden_pages()}
    pages = {
        name: st.Page(
            f"{name}/{name}.py",
            title=tr(f"frame.page_{name}"),
            default=name == PAGES[0],
            visibility="hidden" if name in hidden else "visible",
        )
        for name in PAGES
    }
    menus = {tr(f"frame.menu_{menu}"): [pages.pop(name) for name in names] for menu, names in MENUS.items()}
    chosen = st.navigation({"": list(pages.values()), **menus}, position="top")
    if chosen.url_path or session.run_number() > 1:
        imports.import_all()
    session.set_page(chosen.url_path)
    with clicks.drop_unused_clicks():
        carried.arrive(chosen.url_path)
        frame.top_bar()
        fitting_pages.warn_missing_model()
        if chosen.url_path != "checkpoints":
            frame.assumptions()
        if chosen.url_path:
            first_steps.question(chosen.url_path)
        else:
            first_steps.first_steps()
        sentence.stage(is_used=fitting_pages.uses_sentence(chosen.url_path))
        frame.name_tab(chosen.title)
        carried.chip(chosen.url_path)
        publish.publish(chosen.url_path)
        if not fitting_pages.explain_instead(chosen.url_path):
            chosen.run()


def _draw_skeleton(place: DeltaGenerator) -> None:
    """Draw the outline of the page: two lines of a sentence, a row of controls, all heads and the chosen one."""
    with place.container():
        st.skeleton(height=36, width=520)
        st.skeleton(height=36, width=460)
        st.skeleton(height=32)
        left, right = st.columns([5, 7])
        left.skeleton(height=420)
        right.skeleton(height=520)


with TURNS.turn():
    imports.page_begins()
    try:
        main()
    finally:
        imports.page_is_drawn()
