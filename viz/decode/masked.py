"""Decode for an encoder: hidden tokens, and what its masked-LM head predicts in their places."""

import numpy as np
import streamlit as st

from model.inference.masked import MaskedReading, fill_masks, mask_id
from model.interventions import NONE, Interventions
from model.text.tokens import describe
from viz import cache
from viz.components.matrix import Block, Matrix, matrix
from viz.decode.choices import bind, choices, choose
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.reading import Reading, find_reading
from viz.plain_text import chip_text, escape_markdown
from viz.state import session

_KEY = "masked"
_MAX_PLACES = 4
"""Places whose candidates are side by side."""


def masked_panel(reading: Reading) -> None:
    """Draw the choice of a token to hide, and the candidates for each hidden place, with and without interventions."""
    hidden = _choose_hidden(reading)
    with errors.explained():
        now, before = (_fill_masks(reading, hidden, edits) for edits in (reading.selection.interventions, NONE))
    if not now.places:
        st.info(tr("decode.masked_none", mask=_mask(reading)))
        return
    _describe(reading, now)
    blocks = tuple(_block(reading, row, now, before) for row in range(min(_MAX_PLACES, len(now.places))))
    matrix(
        Matrix(blocks=blocks, digits=1, help=tr("decode.masked_cell"), unknown="",
               is_signed=False, can_click=True),
        key=_KEY, on_cell=_insert_candidate,
    )  # fmt: skip
    if len(now.places) > _MAX_PLACES:
        st.caption(tr("decode.masked_more", n=len(now.places) - _MAX_PLACES))
    st.caption(tr("decode.masked_click"))


def _choose_hidden(reading: Reading) -> tuple[int, ...]:
    """Draw the choice of a token to hide, and return the hidden ones."""
    source = reading.trace.source
    words = {
        i: escape_markdown(chip_text(source.pieces[i]))
        for i, is_special in enumerate(source.is_special)
        if not is_special
    }
    hidden = choices().hidden if choices().hidden in words else -1
    st.markdown(tr("decode.masked_read", mask=_mask(reading)))
    st.pills(
        tr("decode.masked_hide"), list(words), format_func=words.__getitem__,
        **bind(
            "hidden", value=None if hidden < 0 else hidden,
            take=lambda place: choose(hidden=-1 if place is None else place),
        ),
    )  # fmt: skip
    return () if hidden < 0 else (hidden,)


def _fill_masks(reading: Reading, hidden: tuple[int, ...], edits: Interventions) -> MaskedReading:
    return cache.compute(fill_masks, reading.bundle, text=reading.text, hidden=hidden, interventions=edits)


def _describe(reading: Reading, masked: MaskedReading) -> None:
    """Draw the most probable tokens in the sentence, and the probability of the token that is hidden."""
    best = [escape_markdown(chip_text(pieces[0])) for pieces in masked.candidates.pieces]
    words = [chip_text(piece) for piece in masked.tokens.pieces]
    for place, piece in zip(masked.places, best, strict=True):
        words[place] = f"**{piece}**"
    sentence = " ".join(
        word if i in masked.places else escape_markdown(word)
        for i, word in enumerate(words)
        if i in masked.places or not masked.tokens.is_special[i]
    )
    st.markdown(tr("decode.masked_best", text=sentence))
    for place, log_prob in zip(masked.places, masked.hidden_log_probs, strict=True):
        if np.isfinite(log_prob):
            token = escape_markdown(chip_text(reading.trace.source.pieces[place]))
            st.markdown(tr("decode.masked_own", token=token, share=number(100 * float(np.exp(log_prob)), ".2g")))


def _block(reading: Reading, row: int, now: MaskedReading, before: MaskedReading) -> Block:
    ids, place = now.candidates.ids[row], now.places[row]
    columns, values = (tr("decode.masked_share"),), 100 * np.exp(now.candidates.log_probs[row])[:, None]
    if reading.selection.interventions:
        columns = (tr("decode.masked_now"), tr("decode.masked_before"))
        values = np.hstack([values, 100 * np.exp(before.log_probs[row, ids])[:, None]])
    return Block(
        title=tr("decode.masked_place", n=place + reading.selection.first_index),
        kind="encoder_self", rows=tuple(map(chip_text, now.candidates.pieces[row])), columns=columns,
        values=values.astype(np.float32), rows_name=tr("decode.masked_token"),
    )  # fmt: skip


def _mask(reading: Reading) -> str:
    """The mask token as text."""
    mask = mask_id(reading.bundle)
    assert mask is not None
    return describe(reading.bundle.source_tokenizer, (mask,), ()).pieces[0]


def _insert_candidate() -> None:
    """Write the candidate that was clicked into the sentence."""
    cell, reading = session.clicked_cell(_KEY), find_reading()
    if cell is None or reading is None or mask_id(reading.bundle) is None:
        return
    hidden = (choices().hidden,) if 0 <= choices().hidden < len(reading.trace.source) else ()
    masked = _fill_masks(reading, hidden, reading.selection.interventions)
    if cell[0] < len(masked.places) and cell[1] < len(masked.candidates.pieces[cell[0]]):
        piece, place = masked.candidates.pieces[cell[0]][cell[1]], masked.places[cell[0]]
        text = fill_place(reading.text, masked, place, piece, mask=_mask(reading))
        choose(hidden=-1)
        session.new_sentence(text)


def fill_place(text: str, masked: MaskedReading, place: int, piece: str, *, mask: str) -> str:
    """The text with a piece in place of a hidden token, or of a mask token that the text contains."""
    span = masked.tokens.spans[place]
    if span is None:
        n_before = sum(
            other < place and masked.tokens.spans[other] is None and masked.tokens.pieces[other] == mask
            for other in masked.places
        )
        start = -1
        for _ in range(n_before + 1):
            start = text.find(mask, start + 1)
        if start < 0:
            return text
        span = (start, start + len(mask))
    word, before = piece.strip("▁Ġ"), text[: span[0]]
    if word.startswith("##"):
        word, before = word[2:], before.rstrip()
    return before + word + text[span[1] :]
