"""The explorer's JavaScript and style sheet, read from their files; the same text serves the app and exported HTML."""

from __future__ import annotations

import base64
import gzip
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
SCRIPTS = (
    "unpack", "transform", "align", "colour", "painter", "dom", "state", "tokens", "thumbnail", "grid",
    "map", "map_view", "lines", "lines_view", "cards", "table", "toolbar", "menus", "keyboard", "picture",
    "bridge", "pane", "main_card", "reporter", "explorer", "entry",
)  # fmt: skip
"""In the order in which they are joined into one module."""


@cache
def javascript() -> str:
    """The whole component as one ES module with a default export, free of ``</script``.

    Every file shares the module's scope, since a component in Streamlit is one file without imports.
    """
    texts = [(_FOLDER / "js" / f"{name}.js").read_text("utf-8") for name in SCRIPTS]
    return "\n".join(texts)


@cache
def control_javascript() -> str:
    """The invisible second component, which brings state and exact weights without sending the view again."""
    return (_FOLDER / "control.js").read_text("utf-8")


@cache
def stylesheet() -> str:
    """The component's style sheet."""
    return (_FOLDER / "component.css").read_text("utf-8")


def standalone(packet: bytes, *, element_id: str = "regard") -> str:
    """A ``<div>``, style and module script that draw a packet (:func:`viz.components.attention.pack`) anywhere.

    The packet is compressed and written in base64, whose alphabet has no ``<``: nothing that a token contains can
    end the script. The surrounding page needs no network and no further script.
    """
    data = base64.b64encode(gzip.compress(packet, 9, mtime=0)).decode("ascii")
    return (
        f'<div id="{element_id}"></div>\n<style>{stylesheet()}</style>\n'
        f"<script type=\"module\">{javascript()}\nboot(document.getElementById('{element_id}'), '{data}');</script>\n"
    )
