"""Error messages in the reader's language: what happened, then what to do."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from model import NONE, CheckpointError, ConfigError, InterventionError, RecordingError, TokenizerError
from model.attention_files import AttentionFileError, RecordError
from model.checkpoints.basis.errors import LimitError
from model.corpus.metrics import SentencesError
from model.decoding.step import DecodingError
from model.errors import LocalizableError
from model.interpret.attribution import AttributionError
from model.interpret.inspection import InspectionError
from model.interpret.tracing.pair_reading import CausalError
from model.runs.errors import QueueError, RunError
from model.text.links import CorpusError
from model.text.tokens import TextError
from viz.components.attention import ViewError
from viz.i18n import tr
from viz.plain_text import public_message
from viz.state import session

_HEADINGS: dict[type[Exception], str] = {
    LimitError: "frame.error_limit",
    CheckpointError: "frame.error_model",
    ConfigError: "frame.error_model",
    TokenizerError: "frame.error_model",
    TextError: "frame.error_text",
    DecodingError: "frame.error_text",
    InspectionError: "inside.error",
    InterventionError: "frame.error_intervention",
    AttributionError: "frame.error_reading",
    RecordingError: "frame.error_reading",
    CausalError: "frame.error_reading",
    CorpusError: "frame.error_file",
    SentencesError: "frame.error_file",
    AttentionFileError: "frame.error_file",
    RecordError: "frame.error_file",
    ViewError: "frame.error_file",
    QueueError: "training_error.queue",
    RunError: "fine_tune.error",
}
_AREAS: dict[type[Exception], str] = {CorpusError: "corpus_error", RunError: "training_error"}
"""Where the texts of an error's cases stand."""
USER_ERRORS: tuple[type[Exception], ...] = (*_HEADINGS, MemoryError)
"""What a reader can cause; each message gives the value, the rule and the remedy."""


def show(heading: str, remedy: str) -> None:
    """Show a panel with the error and what to do about it."""
    with st.container(border=True):  # without a key: a page may have several
        st.markdown(f"**{heading}**")
        st.text(remedy)


def remedy(error: Exception) -> str:
    """The error's message, translated where the error names its case."""
    area = next((area for kind, area in _AREAS.items() if isinstance(error, kind)), "")
    if isinstance(error, LocalizableError) and area and error.case:
        return public_message(tr(f"{area}.{error.case}", **error.values))
    return public_message(error)


def explain(error: Exception) -> None:
    """Draw the panel of one of ``USER_ERRORS``."""
    if isinstance(error, MemoryError):
        show(tr("frame.error_memory"), tr("frame.error_memory_remedy"))
        return
    heading = next(key for kind, key in _HEADINGS.items() if isinstance(error, kind))
    show(tr(heading), remedy(error))
    selection = session.read()
    if selection.interventions or selection.prefix:  # they may be the cause, and a run that ends early draws no chips
        with suppress(StreamlitDuplicateElementKey):  # a page with several panels has one button
            st.button(tr("frame.undo_all"), key="undo_mishap", on_click=session.intervene, args=(NONE, ()))


@contextmanager
def explained_here() -> Iterator[None]:
    """Turn a user's error inside the block into a panel, and go on with the page."""
    try:
        yield
    except USER_ERRORS as error:
        explain(error)


@contextmanager
def explained() -> Iterator[None]:
    """Turn a user's error inside the block into a panel, and stop the run."""
    try:
        yield
    except USER_ERRORS as error:
        explain(error)
        st.stop()
