"""Switches off Streamlit's first way to declare pages: a folder "pages" beside the main script.

Ours are declared with ``st.navigation`` in ``viz/main.py``, and their folder happens to have that name. Until the first
``st.navigation`` of a process (in AppTest: in each run) Streamlit would run a page's file without the frame around it.
"""

from __future__ import annotations

import functools
from typing import Any

from streamlit.runtime.pages_manager import PagesManager


def ignore_pages_folder() -> None:
    """Keep Streamlit from searching a folder for pages."""
    searching = PagesManager.__init__
    if hasattr(searching, "__wrapped__"):
        return

    @functools.wraps(searching)
    def begin(self: PagesManager, *args: Any, **options: Any) -> None:
        searching(self, *args, **options)
        PagesManager.uses_pages_directory = False

    PagesManager.__init__ = begin  # pyright: ignore[reportAttributeAccessIssue]
