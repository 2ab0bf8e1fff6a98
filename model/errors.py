"""Base classes of errors that a user of the library can cause, and of those that pages translate."""


class RegardError(Exception):
    """The base of this library's errors; the message says why and what to do. Each kind is also a ValueError."""


class TextError(RegardError, ValueError):
    """The model cannot read a text or picture; the message says why and what to do."""


class EmptyTextError(TextError):
    """The text is empty, or the picture has no ink."""


class LocalizableError(RegardError, ValueError):
    """An error that the user can correct, with a case by which pages translate the message.

    Args:
        case: the key of the message in other languages; empty if there is none.
        values: the values in that message.
    """

    def __init__(self, message: str, case: str = "", /, **values: object) -> None:
        super().__init__(message)
        self.case, self.values = case, values
