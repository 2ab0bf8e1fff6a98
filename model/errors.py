"""The base of every error that a user of the library can cause, and of those that a page says in its own language."""


class RegardError(Exception):
    """The base of this library's errors; the message says why and what to do. Each kind is also a ValueError."""


class TextError(RegardError, ValueError):
    """A text or a picture that the model cannot read; the message says why and what to do."""


class EmptyTextError(TextError):
    """The text is empty, or the picture has no ink."""


class LocalizableError(RegardError, ValueError):
    """An error that the user can correct, which names its case so that a page can say it in another language.

    Args:
        case: a word for the error, by which a page finds its text in other languages; empty if there is none.
        values: what that text names.
    """

    def __init__(self, message: str, case: str = "", /, **values: object) -> None:
        super().__init__(message)
        self.case, self.values = case, values
