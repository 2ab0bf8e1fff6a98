"""Which weights the model in use shares, measured: embeddings and output matrix do, layers do not."""

from __future__ import annotations

import streamlit as st

from model.teaching.weight_sharing import WeightSharing, weight_sharing
from viz import cache
from viz.i18n import number, tr
from viz.panels.reading import Reading


def draw(here: Reading) -> None:
    """The three uses of the table with their scales, and how alike the layers are."""
    plain = cache.translate(here.bundle, here.fitted.text)
    found: WeightSharing | None = cache.get_or_compute(
        ("weight sharing", here.bundle.fingerprint, here.fitted.text), lambda: weight_sharing(here.bundle, plain)
    )
    if found is None:
        st.caption(tr("overview.sharing_elsewhere"))
        return
    uses = "three" if found.is_input_shared and found.is_output_tied else "two" if found.is_output_tied else "one"
    st.markdown(tr(f"overview.sharing_{uses}", n=number(found.n_entries)))
    if found.is_output_tied:
        st.markdown(
            tr("overview.sharing_scale", unit=number(found.unit, ".3f"), now=number(found.deviation, ".3f"),
               input_scale=number(found.input_scale, ".3g"), output_scale=number(found.output_scale, ".3g"),
               logits=number(found.logit_deviation, ".2f"),
               without=number(found.logit_deviation / found.unit, ".1f"))
        )  # fmt: skip
    st.markdown(tr("overview.sharing_pretrained"))
    if len(found.cosines) > 1:
        st.markdown(tr("overview.sharing_layers"))
        st.markdown(_table(found, here.selection.first_index))


def _table(found: WeightSharing, first: int) -> str:
    names = [tr("overview.sharing_layer", layer=layer + first) for layer in range(len(found.cosines))]
    lines = ["| | " + " | ".join(names) + " |", "| --- " + "| ---: " * len(names) + "|"]
    for name, row in zip(names, found.cosines.tolist(), strict=True):
        lines.append(f"| {name} | " + " | ".join(number(round(value, 2) + 0.0, ".2f") for value in row) + " |")
    return "\n".join(lines)
