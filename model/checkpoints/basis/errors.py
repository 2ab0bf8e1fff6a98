"""Errors of checkpoints: each message gives the finding, the rule and the remedy."""

from model.errors import RegardError


class CheckpointError(RegardError, ValueError):
    """A checkpoint that cannot be opened or written."""


class UnrecognisedError(CheckpointError):
    """Files that are not a known kind of checkpoint."""


class FamilyError(UnrecognisedError):
    """Weights of no known family."""

    table = ""
    """A mapping file with what could be placed, for somebody to correct; empty where a table cannot help."""
    rows: tuple[str, ...] = ()
    """The lines of the table that are wrong or lack a place: their names or ours."""


class UnshownError(UnrecognisedError):
    """A model that is known for what it is and cannot be shown."""


class QuantisedError(UnshownError):
    """Weights that are rounded and packed."""


class AdapterError(UnshownError):
    """A LoRA adapter without its base model, or one that is not merged into it."""


class NewerError(UnshownError):
    """A type of model that this release does not know."""


class LackingPartError(UnrecognisedError):
    """Weights in several files, of which some are missing."""


class UnsafeFileError(CheckpointError):
    """A file that cannot be read without running code, or whose contents contradict its header."""


class CodeError(UnsafeFileError):
    """A file that could be read only by running code, or of a form that only its own program writes out plainly."""


class LimitError(CheckpointError):
    """A file beyond a limit of this installation."""


class ConfinementError(CheckpointError):
    """A system on which a stranger's file cannot be read apart from everything else."""


class TensorsError(CheckpointError):
    """Tensors that do not fit the configuration, each by name."""

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
    """Tensors that a model of the named type would not read, though they change what the original computes."""

    remedy = (
        "use the configuration that was saved with these weights; where the original code computes more than this type "
        "of model does, save its attention as a file instead (docs/attention-files.md)"
    )


class MappingError(TensorsError):
    """Tensors that do not fit as a mapping places them."""

    remedy = "change their lines in the table of names"


class ChangedCodeError(TensorsError):
    """A file with the marks of a family and other tensors than the family's, as changed code leaves it."""

    remedy = "its code was changed, so open it by a table of names (inspect --propose > mapping.toml, mapping=)"


class HintError(CheckpointError):
    """A hint that is unknown, out of range, or contradicts the file."""


class AnswerWarning(UserWarning):
    """A file does not say a setting, and several answers fit nearly as well: one of them is used for now."""


class SaveError(CheckpointError):
    """A checkpoint that could not be written; files that were there before are untouched."""


def unsupported(what: str) -> CheckpointError:
    """The error for a variant that is not read, and what can be done instead."""
    return CheckpointError(f"{what}, which is not supported: bring its attention as a file instead")


def some_of(names: tuple[str, ...], limit: int = 12) -> str:
    """The first of several names, and how many follow."""
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"
