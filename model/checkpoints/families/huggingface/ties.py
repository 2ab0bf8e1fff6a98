"""An encoder-decoder of ``transformers`` as its configuration and its tensors, without the library's modules.

The modules' code takes two seconds of processor time to import, most of it for training on many machines; the classes
of configurations take half a second. A file whose names are exactly the usual ones needs only the configuration's
defaults and the knowledge of which matrices are one, which is here. Every other file is left to the library.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

_CONFIGURATIONS = {"marian": "MarianConfig", "bart": "BartConfig", "mbart": "MBartConfig", "m2m_100": "M2M100Config",
                   "t5": "T5Config", "mt5": "MT5Config"}  # fmt: skip
SPARE = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"
"""Stored with the first T5 models, and read by no version of the library."""


def configuration(kind: str, described: dict[str, Any]) -> Any:
    """The library's configuration of an encoder-decoder, with its defaults for what the file leaves open."""
    import transformers

    return getattr(transformers, _CONFIGURATIONS[kind]).from_dict(described)


def complete(kind: str, config: Any, tensors: Mapping[str, Tensor]) -> dict[str, Tensor] | None:
    """The tensors under every name that the library's modules have, the embeddings shared as the library shares them.

    Returns:
        None where the file does not show which tensors are tied, so that the library has to tie them.
    """
    tied = {name: tensor for name, tensor in tensors.items() if name != SPARE}
    prefix = "" if kind in ("t5", "mt5") else "model."
    shared, output = f"{prefix}shared.weight", "lm_head.weight"
    source, target = (f"{prefix}{side}.embed_tokens.weight" for side in ("encoder", "decoder"))
    is_shared = kind != "marian" or config.share_encoder_decoder_embeddings
    if config.tie_word_embeddings:
        whole, parts = (shared, (source, target, output)) if is_shared else (target, (output,))
        if not _tie(tied, whole, parts):
            return None
    expected = {source, target, output} | ({shared} if is_shared else set())
    if not expected <= set(tied) or (not is_shared and shared in tied):
        return None
    if kind in ("marian", "bart", "mbart"):
        tied.setdefault("final_logits_bias", torch.zeros(1, tied[output].shape[0]))
    return tied


def _tie(tensors: dict[str, Tensor], whole: str, parts: tuple[str, ...]) -> bool:
    """Share one tensor under several names; those that the file holds with other numbers keep them."""
    held = [name for name in (whole, *parts) if name in tensors]
    if not held:
        return False
    if whole not in tensors:
        if any(not _equal(tensors[held[0]], tensors[name]) for name in held[1:]):
            return False
        tensors[whole] = tensors[held[0]]
    for name in parts:
        if name not in tensors or _equal(tensors[whole], tensors[name]):
            tensors[name] = tensors[whole]
    return True


def _equal(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and (a.data_ptr() == b.data_ptr() or torch.equal(a, b))
