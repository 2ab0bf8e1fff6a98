"""Errors of checkpoints; each message gives the finding, the rule and the remedy."""

from model.errors import RegardError


class CheckpointError(RegardError, ValueError):
    """A checkpoint cannot be opened or written."""


class UnrecognisedError(CheckpointError):
    """The files are not a known kind of checkpoint."""


class FamilyError(UnrecognisedError):
    """The weights belong to no known family."""

    table = ""
    """A mapping file with the placed tensors, to be corrected by the user; empty if a table cannot help."""
    rows: tuple[str, ...] = ()
    """The wrong or unplaced lines of the table, by the file's names or ours."""


class UnshownError(UnrecognisedError):
    """A known kind of model that is not supported."""


class QuantisedError(UnshownError):
    """Quantised weights, rounded and packed."""


class AdapterError(UnshownError):
    """A LoRA adapter without its base model, or not merged into it."""


class NewerError(UnshownError):
    """A type of model that is newer than this release."""


class LackingPartError(UnrecognisedError):
    """Some of several weights files are missing."""


class UnsafeFileError(CheckpointError):
    """A file that cannot be read without running code, or whose contents contradict its header."""


class CodeError(UnsafeFileError):
    """A file that cannot be read without running code, or in a format that only its own program can export."""


class LimitError(CheckpointError):
    """A file exceeds a limit of this installation."""


class ConfinementError(CheckpointError):
    """The system cannot confine the process that reads an untrusted file."""


class TensorsError(CheckpointError):
    """Tensors do not fit the configuration; the message names each."""

    remedy = "use the configuration that was saved with these weights"

    def __init__(
        self,
        where: str,
        *,
        missing: tuple[str, ...] = (),
        unexpected: tuple[str, ...] = (),
        misshapen: tuple[str, ...] = (),
    ) -> None:
        self.missing, self.unexpected, self.misshapen = missing, unexpected, misshapen
        self.rows = (*missing, *unexpected, *(name.partition(" ")[0] for name in misshapen))
        parts = [
            f"{len(names)} {kind}: {some_of(names)}"
            for kind, names in (("missing", missing), ("unexpected", unexpected), ("misshapen", misshapen))
            if names
        ]
        super().__init__(f"the tensors of {where} do not fit its configuration ({'; '.join(parts)}): {self.remedy}")


class UnusedError(TensorsError):
    """Tensors that this type of model does not use, although they change what the original computes."""

    remedy = (
        "use the configuration that was saved with these weights; where the original code computes more than this type "
        "of model does, save its attention as a file instead (docs/attention-files.md)"
    )


class MappingError(TensorsError):
    """Tensors do not fit the places of a mapping."""

    remedy = "change their lines in the table of names"


class ChangedCodeError(TensorsError):
    """A file that is recognised as a family but has other tensors, as after changes to its code."""

    remedy = "its code was changed, so open it by a table of names (inspect --propose > mapping.toml, mapping=)"


class HintError(CheckpointError):
    """A hint is unknown, out of range, or contradicts the file."""


class AnswerWarning(UserWarning):
    """A setting is missing in the file, and several answers fit nearly equally; one of them is used for now."""


class SaveError(CheckpointError):
    """A checkpoint could not be written; existing files are unchanged."""


def unsupported_error(what: str) -> CheckpointError:
    """The error for an unsupported variant, with the alternatives."""
    return CheckpointError(f"{what}, which is not supported: bring its attention as a file instead")


def some_of(names: tuple[str, ...], limit: int = 12) -> str:
    """The first ``limit`` names, and the number of the others."""
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"
