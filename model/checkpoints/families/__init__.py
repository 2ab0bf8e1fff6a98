"""The families of checkpoints, in the order in which they are tried; most have their own file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.families import (
    ctranslate2,
    fairseq,
    joeynmt,
    marian,
    opennmt,
    strips,
    torch_module,
    xtransformers,
)
from model.checkpoints.families.renaming import recognise_by_names
from model.checkpoints.families.repositories import REPOSITORIES
from model.checkpoints.families.single_stack import gpt, litgpt, llama, xtransformers_alone
from model.checkpoints.families.single_stack.common import single_vocabulary
from model.checkpoints.families.single_stack.layers_alone import LAYERS_ALONE
from model.checkpoints.families.tutorials import TUTORIALS
from model.checkpoints.formats.source import Source


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of checkpoint."""

    name: str
    recognise: Callable[[Mapping[str, Tensor]], tuple[str, ...]]
    """The tensors by which this family is recognised; empty if it is another family."""
    convert: Callable[[Source, Answers, Tokenizers], Conversion]
    """Converts a source to our Transformer."""


def _family(module: ModuleType) -> Family:
    """The family that a module describes: recognised by all of its ``MARKS``, or by its ``recognise``."""
    recognise = recognise_by_names(module.MARKS) if hasattr(module, "MARKS") else module.recognise
    return Family(module.NAME, recognise, module.convert)


def _single_stack(family: Family) -> Family:
    """A family of single stacks, whose one vocabulary serves both sides."""
    return replace(family, convert=lambda source, answers, tokenizers: family.convert(
        source, answers, single_vocabulary(tokenizers)))  # fmt: skip


FAMILIES = (
    *(Family(*family) for family in (*TUTORIALS, *REPOSITORIES)),
    *map(_family, (joeynmt, fairseq, opennmt, ctranslate2, marian, xtransformers, strips,
                   torch_module)),
    *map(_single_stack, (*map(_family, (gpt, llama, litgpt, xtransformers_alone)),
                         *(Family(*family) for family in LAYERS_ALONE))),
)  # fmt: skip
