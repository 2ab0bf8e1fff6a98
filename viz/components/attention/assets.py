"""The explorer's code; the same serves the application and exported HTML."""

import base64
import gzip

from viz.components.source import Source

SOURCE = Source("attention", "js/entry.js")


def standalone(packet: bytes, *, element_id: str = "regard") -> str:
    """A ``<div>``, style and module script that draw a packet (:func:`viz.components.attention.pack`) anywhere.

    The packet is compressed and written in base64, whose alphabet has no ``<``: nothing that a token contains can
    end the script. The surrounding page needs no network and no further script.
    """
    data = base64.b64encode(gzip.compress(packet, 9, mtime=0)).decode("ascii")
    return (
        f'<div id="{element_id}"></div>\n<style>{SOURCE.stylesheet}</style>\n'
        f'<script type="module">{SOURCE.javascript}\n'
        f"boot(document.getElementById('{element_id}'), '{data}');</script>\n"
    )
