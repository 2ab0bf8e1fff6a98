"""Questions about a translation: which heads matter, why one word and not another, and training against inference."""

import dataclasses

import numpy as np
import streamlit as st

from model import TextError
from model.interpret.contrast import Contrast, contrast
from model.teaching.teacher_forcing import teacher_forcing
from model.text.tokens import describe_target
from viz import cache
from viz.components.forcing import Forcing, forcing
from viz.components.matrix import Block, Matrix, matrix
from viz.decode.choices import bind, choices
from viz.decode.heads import which_heads
from viz.figures.tokens import as_candidates
from viz.i18n import group, number, tr
from viz.panels import errors
from viz.panels.opening import target_examples
from viz.panels.reading import Reading
from viz.panels.widgets import token_picker
from viz.plain_text import chip_text, escape_markdown, public_message
from viz.state import session


def questions(reading: Reading) -> None:
    """Draw the choice of a question, and its answer."""
    st.pills(
        tr("decode.ask"),
        ("heads", "why"),
        format_func={name: tr(f"decode.ask_{name}") for name in ("heads", "why")}.__getitem__,
        label_visibility="collapsed",
        **bind("question"),
    )
    question = choices().question
    if question == "heads":
        which_heads(reading)
    elif question == "why":
        why_this(reading)


def why_this(reading: Reading) -> None:
    """Draw the choice of a word and a rival, and which source tokens favour either."""
    trace, chosen = reading.trace, choices()
    assert trace.candidates is not None
    step = min(chosen.why_step, len(trace.target) - 1)
    left, right = st.columns(2, width=560)
    token_picker(tr("decode.word"), trace.target.pieces, place=left, **bind("why_step", value=step))
    word = trace.target.ids[step]
    rivals = {int(i): piece for i, piece in zip(trace.candidates.ids[step], trace.candidates.pieces[step], strict=True)}
    rivals.pop(word, None)
    if not rivals:
        st.caption(tr("decode.no_rival"))
        return
    is_known = 0 <= chosen.why_rival < reading.bundle.config.target_vocab_size
    if is_known and chosen.why_rival not in (*rivals, word):
        rivals[chosen.why_rival] = describe_target(reading.bundle, [chosen.why_rival]).pieces[0]
    rival = chosen.why_rival if chosen.why_rival in rivals else next(iter(rivals))
    right.selectbox(
        tr("decode.rival"),
        list(rivals),
        format_func=dict(zip(rivals, as_candidates(list(rivals.values())), strict=True)).__getitem__,
        **bind("why_rival", value=rival),
    )
    with errors.explained(), st.spinner(tr("frame.computing")):
        margins: Contrast = cache.get_or_compute(
            ("contrast", *reading.key, step, rival), lambda: contrast(reading.bundle, trace, step=step, rival_id=rival)
        )
    names = {
        "word": escape_markdown(chip_text(trace.target.pieces[step])),
        "rival": escape_markdown(chip_text(rivals[rival])),
    }
    st.markdown(tr("decode.why_read", margin=number(margins.margin, "+.2f"), **names))
    _contrast_matrix(reading, margins)
    st.caption(tr("decode.why_how"))


def _contrast_matrix(reading: Reading, margins: Contrast) -> None:
    first = reading.selection.first_index
    layers, heads, n_source = margins.by_head.shape
    flat = margins.by_head.reshape(layers * heads, n_source)
    order = np.argsort(-np.abs(flat).max(1), kind="stable")[:12]
    pieces = tuple(chip_text(piece) for piece in reading.trace.source.pieces)
    blocks = (
        Block(title=tr("decode.why_all"), kind="cross", rows=(tr("decode.why_every"),), columns=pieces,
              values=margins.by_token[None]),
        Block(title=tr("decode.why_heads", n=len(order)), kind="cross",
              rows=tuple(f"{at // heads + first}·{at % heads + first}" for at in order), columns=pieces,
              values=flat[order], rows_name=tr("decode.why_rows"), columns_name=tr("decode.why_columns")),
    )  # fmt: skip
    matrix(
        Matrix(blocks=blocks, digits=2, help=tr("decode.why_cell"), unknown=tr("decode.not_tried"), is_stacked=True),
        key="why",
    )


def training_against_inference(reading: Reading) -> None:
    """Draw the field for a reference, and its loss in training beside decoding."""
    chosen = choices()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            tr("decode.reference_box"),
            placeholder=target_examples(reading.bundle).reference,
            help=tr("decode.reference_help"),
            **bind("reference"),
        )
    reference = chosen.reference.strip() or reading.trace.text
    if not chosen.reference.strip():
        st.caption(tr("decode.reference_own"))
    edits = reading.selection.interventions
    try:
        comparison = cache.compute(
            teacher_forcing, reading.bundle, source=reading.text, reference=reference, interventions=edits
        )
        masked = None
        if edits.lift_causal_mask:
            masked = cache.compute(
                teacher_forcing, reading.bundle, source=reading.text, reference=reference,
                interventions=dataclasses.replace(edits, lift_causal_mask=False),
            ).training  # fmt: skip
    except TextError as error:
        errors.show(tr("frame.error_text"), public_message(error))
        return
    if masked is not None:
        change = comparison.training.mean_loss - masked.mean_loss
        key = "decode.mask_better" if change < 0 else "decode.mask_worse"
        numbers = {"before": number(masked.mean_loss, ".2f"), "after": number(comparison.training.mean_loss, ".2f")}
        st.info(tr(key, **numbers))
    forcing(Forcing(comparison=comparison, masked=masked, words=group("decode")), key="forcing")
    lifted = edits.lift_causal_mask
    st.button(
        tr("decode.mask_restore" if lifted else "decode.mask_lift"),
        help=tr("decode.mask_how"),
        on_click=session.intervene,
        args=(dataclasses.replace(edits, lift_causal_mask=not lifted),),
        key="forcing_mask",
    )
