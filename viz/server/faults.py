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
        "%s at %s on page %s with %s",
        type(error).__name__,
        _place(error),
        session.page_name(),
        session.describe_choices(),
    )


def _place(error: BaseException) -> str:
    """File and line of the innermost frame in this repository, or of the innermost frame."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "an unknown place"
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_ROOT) and ".venv" not in frame.filename]
    last = (ours or frames)[-1]
    name = Path(last.filename)
    return f"{name.relative_to(_ROOT) if name.is_relative_to(_ROOT) else name.name}:{last.lineno}"
