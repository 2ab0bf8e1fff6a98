"""A text with too many weights to show: block-averaged maps of every head, and the chosen head's rows on demand.

Before a long pass begins, the page shows its expected time and memory; it can be cancelled, or run for one layer alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from model.inference.long_text import LongText, rows_of_head
from model.interventions import KINDS, AttentionKind, attention_shapes
from model.trace import AttentionMaps, Floats
from viz import cache
from viz.components.attention import Axis
from viz.components.attention.view import LongView, whole
from viz.export.names import with_language
from viz.i18n import number, tr
from viz.panels import changes, errors, long_texts
from viz.panels.explorer import explorer
from viz.panels.long_texts import LongPass
from viz.panels.reading import Reading, find_bundle
from viz.panels.widgets import progress
from viz.state import session

_REQUEST, _STOPPED = "long.wish", "long.stopped"
_ALL = -1


@dataclass(frozen=True, slots=True)
class Part:
    """Exact rows of a head, computed when the reader looks at them. It holds no model, because callbacks keep it."""

    long_pass: LongPass
    layer: int
    """The layer on screen."""

    def __call__(self, kind: AttentionKind, layer: int, head: int, rows: tuple[int, int]) -> Floats | None:
        """(rows, keys), or None where the pass is not cached or did not compute the layer."""
        long_text, bundle = self.long_pass.find(self.layer), find_bundle()
        if long_text is None or bundle is None or bundle.fingerprint != self.long_pass.fingerprint:
            return None
        if long_text.layers is not None and layer > max(long_text.layers):
            return None
        return cache.get_or_compute(
            self.long_pass.key("rows", kind, layer, head, rows),
            lambda: rows_of_head(bundle, long_text, kind=kind, layer=layer, head=head, rows=rows),
        )


def page(reading: Reading, *, follow: Callable[[], object]) -> None:
    """Draw the page for a text that is read in blocks; ``follow`` is called with each change of what is on screen."""
    long_pass = LongPass(reading.bundle.fingerprint, reading.text, reading.selection.interventions)
    layer = reading.selection.layer
    long_text = long_pass.find(layer)
    is_partial = long_text is None or (long_text.layers is not None and _request(long_pass) == _ALL)
    if is_partial and _starts_now(reading, long_pass):
        _compute(reading, long_pass)
        st.rerun()  # to draw the translation on the stage and remove the bar
    if long_text is None:
        _offer(reading, long_pass)
        return
    if long_text.layers is not None:
        _offer(reading, long_pass)
    explorer(_view(reading, long_pass, long_text), actions=("switch_off", "switch_on"), follow=follow)


def _starts_now(reading: Reading, long_pass: LongPass) -> bool:
    """Whether to compute now: the reader has asked for it, or the pass is short; not after a cancellation."""
    if session.recall(_STOPPED, lambda: None) == long_pass:
        return False
    return _request(long_pass) is not None or not long_texts.needs_confirmation(reading.bundle, reading.trace)


def _request(long_pass: LongPass) -> int | None:
    """The reader's request for this text: all layers (-1), the one on screen (0), or None."""
    requested_pass, request = session.recall(_REQUEST, lambda: (None, None))
    return request if requested_pass == long_pass else None


def _request_pass(long_pass: LongPass, request: int) -> None:
    session.remember(_REQUEST, (long_pass, request))
    session.remember(_STOPPED, None)


def _compute(reading: Reading, long_pass: LongPass) -> None:
    request = _request(long_pass)
    layer = reading.selection.layer if request not in (None, _ALL) else None
    with (
        errors.explained(),
        progress(
            key="long_cancel", help=tr("explore.long_cancel"), on_cancel=lambda: session.remember(_STOPPED, long_pass)
        ) as show,
    ):
        trace = reading.trace
        if long_texts.translates(reading.bundle):
            long_texts.translation(reading.bundle, long_pass, trace.source, on_progress=show("explore.long_writing"))
            trace = long_texts.long_trace(reading.bundle, long_pass.text, long_pass.interventions)
        long_texts.read(reading.bundle, long_pass, trace, layer, on_progress=show("explore.long_reading"))


def _offer(reading: Reading, long_pass: LongPass) -> None:
    """Draw the pass's expected time and memory, and its buttons."""
    trace, layer = reading.trace, reading.selection.layer
    with errors.explained():
        of_layer, of_all_layers = (long_texts.expectation(reading.bundle, trace, which) for which in (layer, None))
    with st.container(border=True, key="long_offer"):
        if session.recall(_STOPPED, lambda: None) == long_pass:
            st.caption(tr("explore.long_stopped"))
        st.markdown(tr("explore.long_expect", n=number(len(trace.source), ",")))
        with st.container(horizontal=True, gap="small"):
            if long_pass.find(layer) is None:
                seconds, mib = number(of_layer.seconds, "g"), _mib(of_layer.n_bytes)
                st.button(
                    tr("explore.long_one", layer=layer + reading.selection.first_index, seconds=seconds, mib=mib),
                    key="long_one", type="primary", on_click=_request_pass, args=(long_pass, 0),
                )  # fmt: skip
            st.button(
                tr("explore.long_all", seconds=number(of_all_layers.seconds, "g"), mib=_mib(of_all_layers.n_bytes)),
                key="long_all", on_click=_request_pass, args=(long_pass, _ALL),
            )  # fmt: skip


def _mib(n_bytes: int) -> int:
    return -(-n_bytes // (10 << 20)) * 10


def _view(reading: Reading, long_pass: LongPass, long_text: LongText) -> LongView:
    shapes, trace = attention_shapes(reading.bundle.config), reading.trace
    source, fed = Axis.of(long_text.source), Axis.of(long_text.prefix)
    predicted = Axis.of(trace.target) if len(trace.target) else fed
    maps: list[Floats | None] = []
    for kind in KINDS:
        blocks = long_text.blocks.of(kind)
        maps.append(None if blocks is None else whole(blocks, long_text.layers, shapes[kind][0]))
    return LongView(
        attention=AttentionMaps(*maps),
        block=long_text.block,
        exact=Part(long_pass, reading.selection.layer),
        source=source,
        fed=fed,
        predicted=predicted,
        heads_off=frozenset((head.kind, head.layer, head.head) for head in long_pass.interventions.heads_off),
        is_causal=not long_pass.interventions.lift_causal_mask,
        caption=" · ".join(filter(None, (long_pass.text[:80] + "…", changes.in_words(reading),
                                         with_language(reading.bundle.name, reading.bundle.target_language)))),
    )  # fmt: skip
