"""A model of ``transformers`` whose layers are described as values, as our own Transformer: compared with the library's
before it opens."""

import dataclasses
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from model.checkpoints.basis.assembly import assemble
from model.checkpoints.basis.errors import CheckpointError, TensorsError
from model.checkpoints.families.huggingface import decoders, encoders
from model.checkpoints.families.huggingface import stack_tables as tables
from model.checkpoints.families.huggingface.agreement import agrees
from model.checkpoints.families.huggingface.stack_description import Described, NotOursError
from model.checkpoints.families.renaming import Table, rename
from model.config import ConfigError, TransformerConfig
from model.interventions import KINDS, AttentionKind
from model.layer_spec import fields_of_layers
from model.nn.transformer import Transformer

_FAMILIES: Mapping[tuple[AttentionKind, ...], Mapping[str, Callable[[Any, Any], Described]]] = {
    ("encoder_self",): encoders.ENCODERS, ("decoder_self",): decoders.DECODERS, KINDS: decoders.ENCODER_DECODERS
}  # fmt: skip
_OF_THE_LIBRARY = (
    tables.LLAMA, tables.GEMMA2, tables.OLMO2, tables.COHERE, tables.PHI3, tables.PHI, tables.STARCODER2,
    tables.PERSIMMON, tables.GPT_NEOX, tables.BLOOM, tables.FALCON, tables.FALCON_NEW, tables.GPT_NEO, tables.GPTJ,
    tables.CODEGEN, tables.MPT, tables.OPT, encoders.BERT, encoders.DISTILBERT, encoders.MPNET,
    encoders.MODERNBERT,
)  # fmt: skip
"""Tables whose names nobody else's code has; those of GPT-2 are nanoGPT's too."""
_IN_LAYER = re.compile(r"(?:^|\.)\d+\.(.+)")
log = logging.getLogger(__name__)


def stack_as_transformer(
    kind: str, kinds: tuple[AttentionKind, ...], network: Any, usual: TransformerConfig, where: str
) -> Transformer | None:
    """The same model as our Transformer; None where it has something that ours lacks.

    Args:
        kinds: of attention that it has.
        network: the library's, around the file's tensors.
        usual: the fields that all kinds have in common.

    Raises:
        CheckpointError: when the configuration contradicts itself.
    """
    describe = _FAMILIES[kinds].get(kind)
    if describe is None:
        return None
    try:
        stack = describe(network.config, network)
        stack = encoders.with_head(stack, kind, network) if kinds == ("encoder_self",) else stack
        config = _configured(stack, usual, network, is_decoder=kinds == ("decoder_self",))
    except NotOursError as error:
        log.info("%a is left to the library, because of %s", where, error)
        return None
    except ConfigError as error:
        raise CheckpointError(
            f"config.json contradicts itself ({error}): give the one saved with these weights"
        ) from error
    try:
        tensors = stack.prepared(dict(network.eval().state_dict()))
        renamed = rename(stack.table, tensors, config, where=where, ignored=stack.ignored, fill=True)
    except TensorsError as error:
        log.warning("%a is left to the library: %s", where, error)
        return None
    model = assemble(config, renamed.tensors, where=where)
    return model if agrees(model, network) else None


def _configured(stack: Described, usual: TransformerConfig, network: Any, *, is_decoder: bool) -> TransformerConfig:
    embedding, output = network.get_input_embeddings().weight, network.get_output_embeddings()
    fields: dict[str, Any] = {
        "positions": "none", "max_positions": 512, "encoder_final_norm": is_decoder, "decoder_final_norm": True,
        "output_bias": getattr(output, "bias", None) is not None,
        "tie_output": output is not None and output.weight.data_ptr() == embedding.data_ptr(),
        "target_vocab_size": len(embedding), "source_vocab_size": len(embedding), "dropout": 0.0,
    }  # fmt: skip
    return dataclasses.replace(usual, **fields | fields_of_layers(stack.layers, is_decoder=is_decoder) | stack.fields)


def has_the_librarys_names(names: Iterable[str], *, is_single_stack: bool) -> bool:
    """Whether layers have every name that those of a model of the library have.

    Such a file without its configuration would open as another model: the library's rotary bases, first rows of
    positions, windows, parallel branches and scales leave no trace in a file.
    """
    inside = {match[1] for name in names if (match := _IN_LAYER.search(name))}
    return any(_needed(table) <= inside for table in (_OF_THE_LIBRARY if is_single_stack else (tables.T5GEMMA,)))


def _needed(table: Table) -> set[str]:
    """The matrices and norms of a layer, under the library's names."""
    return {stored.partition("{}.")[2].partition("[")[0].replace("*", "weight") for ours, stored in table.items()
            if "{}." in stored and not re.search(r"fused\.", stored) and not re.search(r"(query|key)_norm", ours)
            and not ours.endswith("bias")}  # fmt: skip
