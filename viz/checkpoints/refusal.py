"""Why a checkpoint does not open: the rule and the remedy in the reader's language, then the exact message."""

from __future__ import annotations

import streamlit as st

from model import CheckpointError, TokenizerError
from model.checkpoints.answers.suspicion import Suspicion
from model.checkpoints.basis.errors import (
    AdapterError,
    ChangedCodeError,
    CodeError,
    ConfinementError,
    FamilyError,
    HintError,
    LackingPartError,
    LimitError,
    MappingError,
    NewerError,
    QuantisedError,
    TensorsError,
    UnrecognisedError,
    UnsafeFileError,
    UnshownError,
    UnusedError,
)
from viz.i18n import tr
from viz.plain_text import public_message

_MANY = 12
"""Up to this many names are listed in the message itself."""
_REASONS: dict[type[Exception], str] = {
    MappingError: "mapped",
    UnusedError: "unused",
    ChangedCodeError: "changed",
    TensorsError: "tensors",
    FamilyError: "family",
    QuantisedError: "quantised",
    AdapterError: "adapter",
    NewerError: "newer",
    UnshownError: "known",
    LackingPartError: "part",
    UnrecognisedError: "files",
    CodeError: "code",
    UnsafeFileError: "damaged",
    LimitError: "limit",
    ConfinementError: "system",
    HintError: "answer",
    TokenizerError: "tokens",
    CheckpointError: "settings",
}
"""Checked in this order; any other error is about the configuration."""


def problem(error: Exception, suspicion: Suspicion | None = None) -> None:
    """Draw it; each tensor that does not fit by its name."""
    reason = next((name for kind, name in _REASONS.items() if isinstance(error, kind)), "settings")
    if reason == "family" and suspicion is not None and suspicion.advice == "recurrent":
        reason = "recurrent"
    lists = (error.missing, error.unexpected, error.misshapen) if isinstance(error, TensorsError) else ()
    counts = dict(zip(("missing", "unexpected", "misshapen"), map(len, lists), strict=False))
    with st.container(border=True, key="mishap"):
        st.markdown(f"**{tr('frame.error_model')}**")
        st.text(tr(f"refusal.{reason}", **counts))
        st.caption(tr("refusal.detail"))
        st.text(public_message(error))
    for names in lists:
        if len(names) > _MANY:
            st.code("\n".join(names), language=None, height=220)
