"""Refuses models of time series, whose inputs are numbers and not tokens."""

from collections.abc import Mapping

from torch import Tensor

from model.checkpoints.basis.errors import UnshownError

FEW = 32
"""Maximum inputs or outputs of a linear layer that suggest a model of measurements."""


def reads_numbers(where: str, n_numbers: int | None, more: str = "") -> UnshownError:
    """The error for such a model.

    Args:
        n_numbers: inputs per position, if known.
        more: a further sentence for the message.
    """
    read = "numbers" if n_numbers is None else f"{n_numbers} numbers at each place"
    return UnshownError(
        f"{where} reads {read} and not tokens (it has no embedding), as models of time series and measurements do, and "
        "nothing is translated or continued here: save its attention where it runs, and open that file "
        f"(docs/attention-files.md){more}"
    )


def refuse_numbers(around: Mapping[str, Tensor], embedding: str, width: int, where: str) -> None:
    """Refuse a model whose only candidate for an embedding is a linear layer with a bias.

    Args:
        around: the tensors outside the stacks.
        embedding: the candidate.
        width: d_model.

    Raises:
        UnshownError: when it reads numbers.
    """
    inputs = [tensor for name, tensor in around.items() if _is_linear(around, name)
              and tensor.shape[0] == width != tensor.shape[1]]  # fmt: skip
    n_rows = len(around[embedding])
    if _is_linear(around, embedding) and (inputs or n_rows == width or n_rows <= FEW):
        raise reads_numbers(where, inputs[0].shape[1] if inputs else None)


def _is_linear(around: Mapping[str, Tensor], name: str) -> bool:
    """Whether a matrix has a bias, which embeddings do not."""
    return around[name].dim() == 2 and name.endswith("weight") and name.removesuffix("weight") + "bias" in around
