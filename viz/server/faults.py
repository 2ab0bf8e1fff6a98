"""Logs exceptions that no page has caught, in one line without the visitor's text."""

import logging
import traceback
from pathlib import Path

log = logging.getLogger(__name__)
_ROOT = Path(__file__).parents[2]


def on_script_error(error: Exception) -> None:
    """Log where it happened, on which page and with which choices; Streamlit then shows its own error panel.

    Neither the exception's message nor the sentence is logged: both may hold what the visitor has typed.
    """
    from viz.state import session

    log.error(
        "%s at %s on page %s with %s", type(error).__name__, _place(error), session.page_name(), session.described()
    )


def _place(error: BaseException) -> str:
    """The file and line in our own code where it was raised, or the innermost frame if none is ours."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_ROOT) and ".venv" not in frame.filename]
    if not frames:
        return "an unknown place"
    last = (ours or frames)[-1]
    name = Path(last.filename)
    return f"{name.relative_to(_ROOT) if name.is_relative_to(_ROOT) else name.name}:{last.lineno}"
