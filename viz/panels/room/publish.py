"""Put on the phones what the teacher looks at: one packet a state, made once and sent to all."""

from __future__ import annotations

import hashlib

from viz import session
from viz.components.attention import AttentionView, pack
from viz.panels.reading import Reading, find_reading
from viz.panels.room import held


def publish() -> None:
    """Tell the room, if there is one, what is on this teacher's screen now."""
    room = held.room()
    if room is None:
        return
    here = find_reading()
    if here is None or not here.is_finite:
        return
    name = _name(here)
    packet = None
    if room.shown().get("packet") != name:
        packet = pack(_view(here), strings={}, exact=False, first_index=here.selection.first_index)
    state = _view(here).nearest(session.read()).to_mapping()
    shown = {
        "packet": name, "state": state, "page": session.page_name(),
        "source": list(here.trace.source.pieces), "text": here.trace.text,
    }  # fmt: skip
    room.show(shown, packet=packet)


def _view(here: Reading) -> AttentionView:
    return AttentionView.of(here.trace, caption=f"{here.trace.source_text} → {here.trace.text}")


def _name(here: Reading) -> str:
    return hashlib.sha256(repr((here.key, here.selection.first_index)).encode("utf-8", "replace")).hexdigest()[:16]
