"""Normalises equivalent forms: a projection shared by all heads, attention without an output projection, and a linear
layer over one-hot vectors instead of an embedding."""

import re
from collections.abc import Mapping

import torch
from torch import Tensor

from model.checkpoints.answers.mapping import SIDES
from model.checkpoints.basis.conversion import Answers
from model.checkpoints.basis.errors import TensorsError
from model.checkpoints.basis.measured import FEW, reads_numbers

_PROJECTION = re.compile(r"((?:en|de)coder\.layers\.\d+\.\w+_attention)\.(query|key|value)\.(weight|bias)\Z")


def simplify(by_name: Mapping[str, Tensor], answers: Answers, where: str) -> tuple[dict[str, Tensor], int | None]:
    """The normalised tensors under our names, and the number of heads if a shared projection shows it.

    Raises:
        UnshownError: when the model reads numbers and not tokens.
    """
    tensors = _from_one_hot(dict(by_name), answers, where)
    width = next((t.shape[1] for name, t in tensors.items() if name.endswith("embedding.weight") and t.dim() == 2), 0)
    n_shared = _shared(tensors, width)
    if n_shared is not None:
        for name, tensor in tensors.items():
            if _PROJECTION.match(name):
                is_matrix = name.endswith("weight")
                tensors[name] = torch.block_diag(*[tensor] * n_shared) if is_matrix else tensor.repeat(n_shared)
    attentions = {match[1]: tensor for name, tensor in tensors.items()
                  if (match := _PROJECTION.match(name)) and match.group(2, 3) == ("value", "weight")}  # fmt: skip
    has_output = any(f"{attention}.output.weight" in tensors for attention in attentions)
    for attention, value in attentions.items() if not has_output else ():
        if value.shape[0] != width:
            raise TensorsError(where, missing=(f"{attention}.output.weight",))
        tensors[f"{attention}.output.weight"] = torch.eye(width, dtype=value.dtype)
    return tensors, n_shared


def _shared(tensors: Mapping[str, Tensor], width: int) -> int | None:
    """How many heads share each projection, if every projection is a square whose width divides d_model."""
    shapes = {tuple(tensor.shape) for name, tensor in tensors.items()
              if _PROJECTION.match(name) and name.endswith("weight")}  # fmt: skip
    if len(shapes) != 1:
        return None
    rows, columns = (*next(iter(shapes)), 0, 0)[:2]
    is_shared = rows == columns and 1 < rows < width and width % rows == 0
    return width // rows if is_shared else None


def _from_one_hot(tensors: dict[str, Tensor], answers: Answers, where: str) -> dict[str, Tensor]:
    """The tensors with embeddings (V, D) instead of linear layers with biases.

    Raises:
        UnshownError: when such a layer reads numbers.
    """
    names = [name for side in SIDES if (name := f"{side}.embedding.bias") in tensors]
    if not names:
        return tensors
    weights = [tensors[name.replace("bias", "weight")] for name in names]
    sizes = [len(weight) for weight in weights]
    n_written = len(tensors["output.weight"]) if "output.weight" in tensors else 0
    fits = sizes[-1] == n_written
    if not fits or not answers.ask("one_hot", min(sizes) > FEW, choices=(True, False)):
        more = ". If it reads tokens as one-hot vectors, open it with one_hot=True" if fits else ""
        raise reads_numbers(where, sizes[0], more)
    for name, weight in zip(names, weights, strict=True):
        tensors[name.replace("bias", "weight")] = weight + tensors.pop(name)
    return tensors
