"""How attention developed: one sentence in a small model at several steps of its training."""

import streamlit as st

from model import Trace
from model.interventions import AttentionKind
from model.text.language_codes import main_language
from model.training.jobs.probe import MAX_PIECES, Frame
from viz import cache, theme
from viz.components.film import film, pack
from viz.i18n import current_language, group, tr
from viz.panels import errors
from viz.state import session
from viz.state.view_state import nearest_head

_LONGEST = 2 * MAX_PIECES


def offer(text: str, *, language: str | None) -> None:
    """Draw a switch and the film below it; nothing where the small model does not read the sentence's language."""
    steps = cache.curve_steps()
    if not steps or main_language(language) != (cache.curve_bundle(steps[-1]).source_language or ""):
        return
    if st.toggle(tr("curve.show"), key="curve"):
        draw(text)


def draw(text: str) -> None:
    """Draw the film: every head after each recorded step of training."""
    steps = cache.curve_steps()
    last = cache.curve_bundle(steps[-1])
    assert last.source_tokenizer is not None
    if len(last.source_tokenizer.encode(text)) > MAX_PIECES:
        st.caption(tr("curve.long", n=MAX_PIECES))
        return
    config = last.config
    st.caption(
        tr("curve.about", encoder=config.n_encoder_layers, decoder=config.n_decoder_layers,
           heads=config.n_decoder_heads, n=len(steps), steps=steps[-1])
    )  # fmt: skip
    selection = session.read()
    kind: AttentionKind = selection.kind
    start = nearest_head(selection, (config.n_decoder_layers, config.n_decoder_heads))
    with errors.explained():
        frames = [_frame(cache.translate(cache.curve_bundle(step), text, max_length=_LONGEST), step) for step in steps]
    packet = cache.get_or_compute(
        ("curve", last.fingerprint, text, kind, start, session.mode(), current_language(), selection.first_index),
        lambda: pack(
            frames, kind=kind, palette=theme.palette(session.mode()), words=group("film"), start=start,
            first_index=selection.first_index, last_step=steps[-1],
        ),
    )  # fmt: skip
    film(packet, steps=steps, shape=(config.n_decoder_layers, config.n_decoder_heads), start=start, key="curve_film")


def _frame(trace: Trace, step: int) -> Frame:
    return Frame(step, trace.text, trace.source, trace.target, trace.prefix, trace.attention)
