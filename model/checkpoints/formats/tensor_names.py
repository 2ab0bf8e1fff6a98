"""Checks tensor names before any tensor is read: refuses unprintable names, quantised weights and adapters."""

import re
from collections.abc import Iterable

from model.checkpoints.basis.errors import AdapterError, QuantisedError, UnsafeFileError

_LONGEST = 512
_PACKED = (
    (re.compile(r"\.(qweight|qzeros|g_idx)$"), "GPTQ or AWQ"),
    (re.compile(r"\.(absmax|nested_absmax|quant_map|nested_quant_map|SCB|quant_state\.\w+)$"), "bitsandbytes"),
    (re.compile(r"\.(weight_packed|weight_scale_inv)$"), "compressed or 8-bit floats"),
)
_ADDED = re.compile(r"\.(lora_(A|B|embedding_A|embedding_B|magnitude_vector)|ia3_l|hada_w1_a|lokr_w1)(\.|$)")
TO_UNPACK = (
    "give the folder of the model that it was made from, or write one with model.dequantize() and save_pretrained"
)
TO_MERGE = "merge the two with merge_and_unload() of peft, then save_pretrained, and give that folder"


def check_name(name: str, where: str) -> None:
    """Raise UnsafeFileError for a name that is too long or not text."""
    if len(name) > _LONGEST or not name.isprintable():
        raise UnsafeFileError(
            f"{where} names a tensor {name[:40]!a}, which is not a printable name of at most {_LONGEST} characters: "
            "copy it again"
        )


def refuse_packed(names: Iterable[str], where: str) -> None:
    """Refuse quantised tensors and adapters that are not merged."""
    names = list(names)
    for pattern, method in _PACKED:
        if any(pattern.search(name) for name in names):
            raise QuantisedError(f"{where} is quantised ({method}), so its numbers are rounded and packed: {TO_UNPACK}")
    added = sum(bool(_ADDED.search(name)) for name in names)
    if added == len(names) and added:
        raise AdapterError(
            f"{where} holds only an adapter (LoRA), without the weights of the model that it belongs to: {TO_MERGE}"
        )
    if added:
        raise AdapterError(f"{where} holds an adapter (LoRA) beside the weights, not merged into them: {TO_MERGE}")
