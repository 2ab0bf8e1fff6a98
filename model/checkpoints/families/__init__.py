"""The families of checkpoints, each in a file of its own; recognised in this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType

from torch import Tensor

from model.checkpoints.basis.conversion import Conversion, Tokenizers
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families import (
    aladdin,
    annotated,
    bentrevett,
    ctranslate2,
    d2l,
    fairseq,
    graykode,
    hkproj,
    hyunwoongko,
    jadore,
    joeynmt,
    marian,
    opennmt,
    strips,
    torch_module,
    xtransformers,
)
from model.checkpoints.families.renaming import first_complete
from model.checkpoints.families.single_stack import MODULES as SINGLE_STACK
from model.checkpoints.formats.source import Source


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of checkpoint."""

    name: str
    recognise: Callable[[Mapping[str, Tensor]], tuple[str, ...]]
    """The tensors by which this family is recognised; none if it is another family."""
    convert: Callable[[Source, Hints, Tokenizers], Conversion]
    """Bring a source onto our Transformer."""


def _family(module: ModuleType) -> Family:
    """A family as its module describes it: recognised by its marks, all of them, or by a function of its own."""
    if hasattr(module, "MARKS"):
        return Family(module.NAME, lambda tensors: first_complete(tensors, module.MARKS), module.convert)
    return Family(module.NAME, module.recognise, module.convert)


FAMILIES = tuple(
    _family(module)
    for module in (
        jadore, annotated, d2l, graykode, joeynmt, hkproj, hyunwoongko, bentrevett, aladdin, fairseq, opennmt,
        ctranslate2, marian, xtransformers, strips, torch_module, *SINGLE_STACK,
    )
)  # fmt: skip
