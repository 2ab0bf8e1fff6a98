"""A model of the ``transformers`` library that is in memory: it is saved to a folder of its own and read from there, so
that one reader decides what it is, and what is trained further leaves the bundle as it was."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from model.bundle import Bundle
from model.checkpoints.basis.assembly import fingerprint_of
from model.checkpoints.basis.errors import UnrecognisedError
from model.checkpoints.basis.hints import Hints
from model.checkpoints.basis.identity import name_in
from model.checkpoints.families.huggingface.folder import load_huggingface
from model.checkpoints.families.huggingface.network import quiet
from model.nn.transformer import Transformer


def load_network(network: Any, hints: Hints) -> Bundle:
    """Open a copy of a ``transformers`` model, with the tokenizer in the hints.

    Raises:
        UnrecognisedError: when it is no such model.
        CheckpointError: as for a folder.
    """
    if not hasattr(network, "save_pretrained") or not hasattr(network, "config"):
        raise UnrecognisedError(
            f"a {type(network).__name__} cannot be opened: give a path, a shipped name or a model of transformers"
        )
    with TemporaryDirectory(prefix="regard-model-") as place, quiet():
        network.save_pretrained(place)
        if hints.tokenizer is not None:
            hints.tokenizer.save_pretrained(place)
        bundle = load_huggingface(Path(place), name_in(getattr(network, "name_or_path", "")), hints)
    return _with_its_positions(bundle, network)


def _with_its_positions(bundle: Bundle, network: Any) -> Bundle:
    """The copy with the model's sinusoidal table if it was changed, because the library does not save it."""
    model, changed = bundle.model, False
    if not isinstance(model, Transformer):
        return bundle
    for stack in ("encoder", "decoder"):
        stored: Any = getattr(getattr(network.base_model, stack, None), "embed_positions", None)
        if not hasattr(stored, "create_weight"):
            continue
        ours: Any = model.get_submodule(stack).positions
        rows = stored.weight.detach()
        if rows.shape == ours.table.shape and not torch.allclose(rows, stored.create_weight().to(rows), atol=1e-6):
            ours.register_buffer("table", rows.to(ours.table, copy=True), persistent=False)
            changed = True
    if not changed:
        return bundle
    return bundle.but(fingerprint=fingerprint_of(model, bundle.source_tokenizer, bundle.target_tokenizer))
