"""Which row of a cross-attention head aligns words, in one line under the explorer, as it was measured."""

from __future__ import annotations

import streamlit as st

from model import Bundle
from viz import cache, session
from viz.i18n import number, sentences, tr


def line(bundle: Bundle) -> None:
    """Say it for the head on screen, where it was measured for this model."""
    selection = session.read()
    measured = cache.shipped_alignment(bundle.fingerprint) if selection.kind == "cross" else None
    if measured is None:
        return
    found = {
        row["row"]: row["aer"] for row in measured["heads"]
        if (row["layer"], row["head"], row["weights"]) == (selection.layer, selection.head, "raw")
    }  # fmt: skip
    if len(found) == 2:
        better, diagonal = min(found, key=lambda row: found[row]), measured["diagonal"]["aer"]
        numbers = {row: number(error, ".2f") for row, error in found.items()}
        said = [tr(f"explore.aligns_{better}", **numbers, n=measured["n_pairs"])]
        if found[better] >= diagonal:
            said.append(tr("explore.aligns_no_better", diagonal=number(diagonal, ".2f")))
        st.caption(sentences(*said))
