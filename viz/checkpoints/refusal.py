"""Why a checkpoint does not open: the rule and the remedy in the reader's language, then the exact message."""

import streamlit as st

from model import CheckpointError, TokenizerError
from model.checkpoints.answers.kinds import Suspicion
from model.checkpoints.basis import errors
from viz.i18n import tr
from viz.plain_text import public_message

_MANY = 12
"""Up to this many names are listed in the message."""
_REASONS: dict[type[Exception], str] = {
    errors.MappingError: "mapped",
    errors.UnusedError: "unused",
    errors.ChangedCodeError: "changed",
    errors.TensorsError: "tensors",
    errors.FamilyError: "family",
    errors.QuantisedError: "quantised",
    errors.AdapterError: "adapter",
    errors.NewerError: "newer",
    errors.UnshownError: "known",
    errors.LackingPartError: "part",
    errors.UnrecognisedError: "files",
    errors.CodeError: "code",
    errors.UnsafeFileError: "damaged",
    errors.LimitError: "limit",
    errors.ConfinementError: "system",
    errors.HintError: "answer",
    TokenizerError: "tokens",
    CheckpointError: "settings",
}
"""Checked in this order; any other error is about the configuration."""


def problem(error: Exception, suspicion: Suspicion | None = None) -> None:
    """Draw the error, with the names of all tensors that do not fit."""
    reason = next((name for kind, name in _REASONS.items() if isinstance(error, kind)), "settings")
    if reason == "family" and suspicion is not None and suspicion.advice == "recurrent":
        reason = "recurrent"
    lists = (error.missing, error.unexpected, error.misshapen) if isinstance(error, errors.TensorsError) else ()
    counts = dict(zip(("missing", "unexpected", "misshapen"), map(len, lists), strict=False))
    with st.container(border=True, key="mishap"):
        st.markdown(f"**{tr('frame.error_model')}**")
        st.text(tr(f"refusal.{reason}", **counts))
        st.caption(tr("refusal.detail"))
        st.text(public_message(error))
    for names in lists:
        if len(names) > _MANY:
            st.code("\n".join(names), language=None, height=220)
