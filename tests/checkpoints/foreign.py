"""The small shipped checkpoint in the form that a plain script around ``torch.nn.Transformer`` would save."""

from pathlib import Path
from typing import Any

import torch

import model
from model.checkpoints.families.renaming import expand
from model.checkpoints.families.torch_module import STACKS


def save_foreign(folder: Path, name: str = "w.pth") -> Path:
    """Write the weights with that module's names and the tokenizer beside them; returns the folder."""
    bundle: Any = model.load("tiny")
    state = bundle.model.state_dict()
    parts: dict[str, dict[int, torch.Tensor]] = {}
    for ours, place in expand(STACKS, bundle.config).items():
        if ours in state:
            parts.setdefault(f"core.{place.name}", {})[place.part] = state[ours]
    tensors = {stored: torch.cat([result[index] for index in sorted(result)]) for stored, result in parts.items()}
    torch.save(tensors | {"embed.weight": state["encoder.embedding.weight"]}, folder / name)
    bundle.source_tokenizer.save(folder, "tokenizer")
    return folder
