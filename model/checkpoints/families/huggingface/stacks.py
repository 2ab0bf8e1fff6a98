"""A model of ``transformers`` whose layers are described as values, as our own Transformer: compared with the library's
before it opens."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any

from model.checkpoints.basis.assembly import assemble
from model.checkpoints.basis.errors import CheckpointError, TensorsError
from model.checkpoints.families.huggingface import decoders, encoder_decoders, encoders
from model.checkpoints.families.huggingface.agreement import agrees
from model.checkpoints.families.huggingface.stack_description import Described, NotOursError
from model.checkpoints.families.renaming import rename
from model.config import ConfigError, TransformerConfig
from model.interventions import KINDS, AttentionKind
from model.layer_spec import fields_of_layers
from model.nn.transformer import Transformer

_FAMILIES: Mapping[tuple[AttentionKind, ...], tuple[Collection[str], Callable[[str, Any], Described]]] = {
    ("encoder_self",): (encoders.ENCODERS, encoders.described),
    ("decoder_self",): (decoders.DECODERS, decoders.described),
    KINDS: (encoder_decoders.ENCODER_DECODERS, encoder_decoders.described),
}
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
    known, describe = _FAMILIES[kinds]
    if kind not in known:
        return None
    try:
        stack = describe(kind, network)
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
