"""The families of checkpoints, in the order in which they are tried; most have their own file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType

from torch import Tensor

from model.checkpoints.basis.conversion import Conversion, Tokenizers
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families import (
    ctranslate2,
    fairseq,
    graykode,
    jadore,
    joeynmt,
    marian,
    opennmt,
    strips,
    torch_module,
    xtransformers,
)
from model.checkpoints.families.renaming import marked
from model.checkpoints.families.single_stack import (
    annotated_alone,
    gpt,
    litgpt,
    llama,
    torch_alone,
    xtransformers_alone,
)
from model.checkpoints.families.tutorials import TUTORIALS
from model.checkpoints.formats.source import Source


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of checkpoint."""

    name: str
    recognise: Callable[[Mapping[str, Tensor]], tuple[str, ...]]
    """The tensors by which this family is recognised; empty if it is another family."""
    convert: Callable[[Source, Hints, Tokenizers], Conversion]
    """Converts a source to our Transformer."""


def _family(module: ModuleType) -> Family:
    """The family that a module describes: recognised by all of its ``MARKS``, or by its ``recognise``."""
    recognise = marked(module.MARKS) if hasattr(module, "MARKS") else module.recognise
    return Family(module.NAME, recognise, module.convert)


FAMILIES = (
    *(Family(*tutorial) for tutorial in TUTORIALS),
    *(_family(module) for module in (
        jadore, graykode, joeynmt, fairseq, opennmt, ctranslate2, marian, xtransformers, strips, torch_module,
        gpt, llama, litgpt, xtransformers_alone, annotated_alone, torch_alone,
    )),
)  # fmt: skip
