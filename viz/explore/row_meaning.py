"""Which row of a cross-attention head aligns words, in one line under the explorer, as it was measured."""

import streamlit as st

from viz import cache
from viz.i18n import number, sentences, tr
from viz.state import session


def line(fingerprint: str) -> None:
    """Say it for the head on screen, where it was measured for the model of this fingerprint."""
    selection = session.read()
    measured = cache.shipped_alignment(fingerprint) if selection.kind == "cross" else None
    if measured is None:
        return
    errors = {
        row["row"]: row["aer"] for row in measured["heads"]
        if (row["layer"], row["head"], row["weights"]) == (selection.layer, selection.head, "raw")
    }  # fmt: skip
    if len(errors) == 2:
        better, diagonal = min(errors, key=lambda row: errors[row]), measured["diagonal"]["aer"]
        numbers = {row: number(error, ".2f") for row, error in errors.items()}
        is_set = selection.rows == better  # then there is nothing to advise
        messages = [tr(f"explore.{'aligned' if is_set else 'aligns'}_{better}", **numbers, n=measured["n_pairs"])]
        if errors[better] >= diagonal:
            messages.append(tr("explore.aligns_no_better", diagonal=number(diagonal, ".2f")))
        with st.expander(tr("explore.aligns_title")):
            st.caption(sentences(*messages))
