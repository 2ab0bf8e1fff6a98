"""Which weights the model in use shares, measured: embeddings and output matrix do, layers do not."""

import streamlit as st

from model.teaching.weight_sharing import WeightSharing, weight_sharing
from viz import cache
from viz.i18n import number, tr
from viz.panels.reading import Reading


def draw(reading: Reading) -> None:
    """The three uses of the table with their scales, and how alike the layers are."""
    plain = cache.translate(reading.bundle, reading.fitted.text)
    sharing: WeightSharing | None = cache.get_or_compute(
        ("weight sharing", reading.bundle.fingerprint, reading.fitted.text),
        lambda: weight_sharing(reading.bundle, plain),
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
    lines = ["| | " + " | ".join(names) + " |", "| --- " + "| ---: " * len(names) + "|"]
    for name, row in zip(names, sharing.cosines.tolist(), strict=True):
        lines.append(f"| {name} | " + " | ".join(number(round(value, 2) + 0.0, ".2f") for value in row) + " |")
    return "\n".join(lines)
