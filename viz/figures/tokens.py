"""Tokens as they are printed in a figure."""

from __future__ import annotations

import html

from viz.components.attention.axis import readable


def printable(token: str, *, limit: int = 40) -> str:
    """One line, nothing invisible or reordering, at most ``limit`` characters."""
    shown = readable(token) if token else ""
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


def plotly_text(token: str, *, limit: int = 40) -> str:
    """The same for Plotly, which reads "</s>" as markup unless it is escaped."""
    return html.escape(printable(token, limit=limit), quote=False)
