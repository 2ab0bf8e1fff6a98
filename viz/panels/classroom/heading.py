"""Headings whose words a visitor, a file or a model wrote: nothing in them is read as Markdown."""

import streamlit as st

from viz.plain_text import escape_markdown


def heading(words: str, *, level: int = 2) -> None:
    """Draw a heading of a stranger's words, shown as they are written.

    Args:
        level: 2 for a page's heading, 3 below it.
    """
    draw = st.header if level == 2 else st.subheader
    draw(escape_markdown(words), anchor=False)
