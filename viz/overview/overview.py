"""Overview: the whole model on one screen, lit along the path of one predicted token."""

from dataclasses import dataclass

import streamlit as st

from model.teaching.weight_sharing import WeightSharing, weight_sharing
from viz import cache
from viz.i18n import number, tr
from viz.overview import experts
from viz.panels import changes, model_map
from viz.panels.reading import Reading, current_reading, is_alone
from viz.panels.widgets import token_picker
from viz.plain_text import chip_text, escape_markdown, markdown_table
from viz.state import session
from viz.state.selection import bounded


def _weight_sharing(reading: Reading) -> None:
    """Draw the uses of the embedding table with their scales, and the cosine similarities of the layers."""
    plain = cache.translate(reading.bundle, reading.text)
    sharing: WeightSharing | None = cache.get_or_compute(
        ("weight sharing", reading.bundle.fingerprint, reading.text), lambda: weight_sharing(reading.bundle, plain)
    )
    if sharing is None:
        st.caption(tr("overview.sharing_elsewhere"))
        return
    uses = "three" if sharing.is_input_shared and sharing.is_output_tied else "two" if sharing.is_output_tied else "one"
    st.markdown(tr(f"overview.sharing_{uses}", n=number(sharing.n_entries)))
    if sharing.is_output_tied:
        st.markdown(
            tr("overview.sharing_scale", unit=number(sharing.unit, ".3f"), now=number(sharing.deviation, ".3f"),
               input_scale=number(sharing.input_scale, ".3g"), output_scale=number(sharing.output_scale, ".3g"),
               logits=number(sharing.logit_deviation, ".2f"),
               without=number(sharing.logit_deviation / sharing.unit, ".1f"))
        )  # fmt: skip
    st.markdown(tr("overview.sharing_pretrained"))
    if len(sharing.cosines) > 1:
        st.markdown(tr("overview.sharing_layers"))
        st.markdown(_table(sharing, reading.selection.first_index))


def _table(sharing: WeightSharing, first: int) -> str:
    names = [tr("overview.sharing_layer", layer=layer + first) for layer in range(len(sharing.cosines))]
    rows = ((name, *(number(round(value, 2) + 0.0, ".2f") for value in row))
            for name, row in zip(names, sharing.cosines.tolist(), strict=True))  # fmt: skip
    return markdown_table(("", *names), rows, n_texts=1)


@dataclass(frozen=True, slots=True)
class Choices:
    """Which token is followed, and which layer's experts are shown."""

    step: int = bounded(2, 0, 511)
    experts: int = bounded(0, 0, 999)
    """Index among the layers with experts, the encoder's first."""


PAGE = session.Area(Choices, "overview")


def page() -> None:
    """Read, compute, draw, store."""
    reading = current_reading()
    model_map.follow()
    changes.chips(reading)
    is_single_stack = is_alone(reading.bundle)
    followed = reading.trace.target if len(reading.trace.target) else reading.trace.source
    step = min(PAGE.read().step, len(followed) - 1)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(tr("overview.lead" if len(reading.trace.target) else "overview.lead_encoder"), width="content")
        bound = PAGE.bind("step", value=step)
        token_picker(tr("overview.step"), followed.pieces, width=180, label_visibility="collapsed", **bound)
    st.caption(_how_to_read(reading, step, chip_text(followed.pieces[step])))
    model_map.draw(reading, step, on_step=lambda n: PAGE.change(step=n))
    experts_layer = PAGE.read().experts
    experts.draw(reading, step, experts_layer, PAGE.bind("experts"))
    if not is_single_stack:
        with st.expander(tr("overview.sharing_title")):
            _weight_sharing(reading)
    with st.expander(tr("overview.kinds_title")):
        st.markdown(tr("overview.kinds"))


def _how_to_read(reading: Reading, step: int, token: str) -> str:
    predicted = escape_markdown(token)
    if reading.n_prompt:
        is_in_prompt = step < reading.n_prompt - 1
        token_read = escape_markdown(chip_text(reading.trace.prefix.pieces[step]))
        return tr(
            "overview.read_prompt" if is_in_prompt else "overview.read_decoder", token=token_read, predicted=predicted
        )
    return tr(
        "overview.read" if len(reading.trace.target) else "overview.read_encoder", predicted=predicted, token=predicted
    )


page()
