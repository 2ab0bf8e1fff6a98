"""The front door: ``streamlit run app.py [-- --checkpoint PATH]``. Page, pickers, sentence; then the chosen page."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import streamlit as st

from viz import cache, session
from viz.i18n import tr
from viz.panels import frame, sentence

PAGES = ("explore", "decode", "inside", "positions", "laboratory", "fine_tune", "checkpoints", "lesson")
"""Files of viz/pages in the order of the navigation, the first one being the front page."""

_HERE = Path(__file__).parent


def main() -> None:
    """Draw one run of the application."""
    _take_arguments()
    session.begin()
    about = {"About": f"**Regard** · {tr('frame.tagline')}"}
    st.set_page_config("Regard", page_icon=str(_HERE / "viz/regard.svg"), layout="wide", menu_items=about)
    st.logo(str(_HERE / f"viz/regard-{session.mode()}.svg"), size="large")
    chosen = st.navigation(
        [
            st.Page(_HERE / f"viz/pages/{name}.py", title=tr(f"frame.page_{name}"), default=name == PAGES[0])
            for name in PAGES
        ],
        position="top",
    )
    frame.top_bar()
    sentence.stage()
    chosen.run()


def _take_arguments() -> None:
    parser = argparse.ArgumentParser(prog="streamlit run app.py --")
    parser.add_argument("--checkpoint", type=Path, help="a checkpoint to open beside the shipped ones")
    given = parser.parse_known_args()[0].checkpoint
    if given is not None:
        os.environ[cache.CHECKPOINT_VARIABLE] = str(given)


main()
