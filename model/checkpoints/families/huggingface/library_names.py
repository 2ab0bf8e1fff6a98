"""Whether a file without a configuration has the names of the library's single stacks."""

from __future__ import annotations

import re
from collections.abc import Iterable

from model.checkpoints.families.huggingface import stack_tables as tables
from model.checkpoints.families.huggingface.encoders import BERT, DISTILBERT, MODERNBERT, MPNET
from model.checkpoints.families.renaming import Table

_OF_THE_LIBRARY = (
    tables.LLAMA, tables.GEMMA2, tables.OLMO2, tables.COHERE, tables.PHI3, tables.PHI, tables.STARCODER2,
    tables.PERSIMMON, tables.GPT_NEOX, tables.BLOOM, tables.FALCON, tables.FALCON_NEW, tables.GPT_NEO, tables.GPTJ,
    tables.CODEGEN, tables.MPT, tables.OPT, BERT, DISTILBERT, MPNET, MODERNBERT,
)  # fmt: skip
"""Tables whose names nobody else's code has; those of GPT-2 are nanoGPT's too."""
_IN_LAYER = re.compile(r"(?:^|\.)\d+\.(.+)")


def has_the_librarys_names(names: Iterable[str], *, is_single_stack: bool) -> bool:
    """Whether layers have every name that those of a model of the library have.

    Such a file without its configuration would open as another model: the library's rotary bases, first rows of
    positions, windows, parallel branches and scales leave no trace in a file.
    """
    inside = {match[1] for name in names if (match := _IN_LAYER.search(name))}
    return any(_needed(table) <= inside for table in (_OF_THE_LIBRARY if is_single_stack else (tables.T5GEMMA,)))


def _needed(table: Table) -> set[str]:
    """The matrices and norms of a layer, under the library's names."""
    return {theirs.partition("{}.")[2].partition("[")[0].replace("*", "weight") for ours, theirs in table.items()
            if "{}." in theirs and not re.search(r"fused\.", theirs) and not re.search(r"(query|key)_norm", ours)
            and not ours.endswith("bias")}  # fmt: skip
