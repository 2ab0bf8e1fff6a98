"""Errors that name their case, so that a page can say them in another language than the message's."""

from __future__ import annotations

from model.errors import RegardError


class LocalizableError(RegardError, ValueError):
    """An error that the user can correct; the message gives the value, the rule and the remedy.

    Args:
        case: a word for the error, by which a page finds its text in other languages; empty if there is none.
        values: what that text names.
    """

    def __init__(self, message: str, case: str = "", /, **values: object) -> None:
        super().__init__(message)
        self.case, self.values = case, values
