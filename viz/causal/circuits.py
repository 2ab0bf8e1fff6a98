"""The circuit of two sentences: its strongest edges, and its faithfulness and completeness by size."""

import streamlit as st

from model.interpret.causal import read_pair
from model.interpret.editing.circuit import Circuit, circuit
from model.interpret.editing.graph import Graph, why_unsuited
from model.interpret.tracing.pair_reading import SameTranslationError
from model.nn.transformer import Transformer
from viz import cache
from viz.causal.choices import bind, choices, other_sentence
from viz.figures.circuit import circuit_plan
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.reading import Reading
from viz.panels.widgets import progress
from viz.plain_text import chip_text, escape_markdown
from viz.state import clicks, session

SIZES = (5, 10, 20, 50, 100, 200, 500)
_WORDS = ("self", "cross", "feed", "embedding", "output", "encoder", "decoder", "query", "key", "value", "score")


def draw(reading: Reading) -> None:
    """Draw the circuit of this sentence against the other, and the choice of its size."""
    other = other_sentence(reading.text)
    model = reading.bundle.model
    if not isinstance(model, Transformer) or model.config.is_single_stack or why_unsuited(model.config):
        st.info(tr("causal.circuit_unsuited"))
        return
    with errors.explained():
        try:
            pair = cache.compute(read_pair, reading.bundle, first=reading.text, second=other)
        except SameTranslationError:
            st.info(tr("causal.same"))
            return
        word, rival = (
            escape_markdown(chip_text(trace.target.pieces[pair.step])) for trace in (pair.first, pair.second)
        )
        if len(pair.first.source) != len(pair.second.source):
            st.info(tr("causal.circuit_lengths", first=len(pair.first.source), second=len(pair.second.source)))
            return
        st.markdown(tr("causal.circuit_is", word=word, rival=rival))
        measured = _measure_circuit(reading, other)
        if measured is not None:
            _draw_circuit(reading, measured)


def _measure_circuit(reading: Reading, other: str) -> Circuit | None:
    """The cached circuit, or the one measured now that the button is pressed; else None."""
    key = ("circuit", reading.bundle.fingerprint, reading.text, other)
    cached: Circuit | None = cache.find(key)
    if cached is not None:
        return cached
    place = st.empty()
    with place.container():
        is_pressed = clicks.button(tr("causal.circuit_start"), type="primary", key="circuit_start", about=key)
    if not is_pressed:
        st.caption(tr("causal.circuit_empty"))
        return None
    place.empty()
    n_edges = int(Graph.of(reading.bundle.model).reads.sum())
    with progress(key="circuit_cancel", help=tr("causal.circuit_cancel")) as show:
        return cache.put(key, circuit(
            reading.bundle, [(reading.text, other)], sizes=[size for size in SIZES if size <= n_edges],
            on_progress=show("causal.circuit_progress"),
        ))  # fmt: skip


def _draw_circuit(reading: Reading, measured: Circuit) -> None:
    size = max((n for n in measured.sizes if n <= choices().size), default=measured.sizes[0])
    st.select_slider(tr("causal.circuit_size"), measured.sizes, width=420, **bind("size", value=size))
    place = measured.sizes.index(size)
    shares = {"kept": _percent(measured.faithfulness[place]), "left": _percent(measured.completeness[place])}
    st.markdown(tr("causal.circuit_read", n=size, total=number(len(measured.edges), ","), **shares))
    words = {name: tr(f"causal.circuit_{name}") for name in _WORDS}
    st.altair_chart(
        circuit_plan(
            measured.edges[:size], reading.bundle.config, mode=session.mode(), words=words,
            first_index=reading.selection.first_index,
        ), theme=None,
    )  # fmt: skip
    st.caption(tr("causal.circuit_how"))
    with st.expander(tr("causal.circuit_each")):
        shares = zip(measured.sizes, measured.faithfulness, measured.completeness, strict=True)
        rows = [f"| {n} | {_percent(faithful)} | {_percent(complete)} |" for n, faithful, complete in shares]
        st.markdown("\n".join([tr("causal.circuit_table"), "| ---: | ---: | ---: |", *rows]))
    st.download_button(
        tr("causal.circuit_save"), lambda: measured.to_frame().to_csv(index=False, float_format="%.7g").encode(),
        file_name="circuit.csv", mime="text/csv", on_click="ignore", key="circuit_csv",
    )  # fmt: skip


def _percent(share: float) -> str:
    return number(100 * float(share), ".0f")
