"""A lone encoder or decoder of ``transformers`` as our own Transformer, compared with the library's before it opens."""

from __future__ import annotations

import copy
import dataclasses
import logging
from typing import Any

import torch
from torch import nn

from model.checkpoints.assembly import assemble
from model.checkpoints.errors import CheckpointError, TensorsError
from model.checkpoints.families.huggingface import decoders, encoders
from model.checkpoints.families.huggingface.stack_description import Described, NotOursError
from model.checkpoints.families.renaming import rename
from model.config import ConfigError, TransformerConfig
from model.layer_spec import common_fields
from model.nn.transformer import Transformer

_N_TOKENS = 7
_MOST, _MOST_IN_LOW = 1e-4, 0.03
"""The largest difference of logits, against one more than the largest logit."""
_N_ROWS = 64
"""Rows of the output that are compared in low precision."""
log = logging.getLogger(__name__)


def own_stack(kind: str, network: Any, usual: TransformerConfig, where: str) -> Transformer | None:
    """The same model as our Transformer; None where it has something that ours lacks.

    Args:
        network: the library's, around the file's tensors.
        usual: the fields that all kinds have in common.

    Raises:
        CheckpointError: when the configuration contradicts itself.
    """
    family = decoders if kind in decoders.DECODERS else encoders if kind in encoders.ENCODERS else None
    if family is None:
        return None
    try:
        found = family.described(kind, network)
        config = _configured(found, usual, network, is_decoder=family is decoders)
    except NotOursError as error:
        log.info("%a is left to the library, because of %s", where, error)
        return None
    except ConfigError as error:
        raise CheckpointError(
            f"config.json contradicts itself ({error}): give the one saved with these weights"
        ) from error
    try:
        tensors = found.prepared(dict(network.eval().state_dict()))
        renamed = rename(found.table, tensors, config, where=where, ignored=found.ignored, fill=True)
    except TensorsError as error:
        log.warning("%a is left to the library: %s", where, error)
        return None
    model = assemble(config, renamed.tensors, where=where)
    return model if _agrees(model, network) else None


def _configured(found: Described, usual: TransformerConfig, network: Any, *, is_decoder: bool) -> TransformerConfig:
    kinds = tuple(dict.fromkeys(found.layers))
    first, n_layers = found.layers[0], len(found.layers)
    pattern = tuple(map(kinds.index, found.layers)) if len(kinds) > 1 else ()
    fields: dict[str, Any] = {
        "n_encoder_layers": 0 if is_decoder else n_layers, "n_decoder_layers": n_layers if is_decoder else 0,
        "layer_specs": kinds, "layer_pattern": pattern, "positions": "none", "max_positions": 512,
        "encoder_final_norm": is_decoder, "decoder_final_norm": True, "output_bias": _has_bias(network),
        "tie_output": _is_tied(network), "target_vocab_size": _n_rows(network), "source_vocab_size": _n_rows(network),
    }  # fmt: skip
    return dataclasses.replace(usual, **fields | common_fields(first) | found.fields | {"dropout": 0.0})


def _has_bias(network: Any) -> bool:
    output = network.get_output_embeddings()
    return getattr(output, "bias", None) is not None


def _n_rows(network: Any) -> int:
    return network.get_input_embeddings().weight.shape[0]


def _is_tied(network: Any) -> bool:
    output = network.get_output_embeddings()
    return output is not None and output.weight.data_ptr() == network.get_input_embeddings().weight.data_ptr()


@torch.no_grad()
def _agrees(model: Transformer, network: Any) -> bool:
    """Whether both give the same logits for a few tokens: none opens with a wrong number.

    Weights of low precision round at every step, and are large where they are kept so. There the comparison is of the
    layers up to the last kind of layer that is new, and of a few rows of the output; an encoder is compared whole.
    """
    size, pad = model.config.target_vocab_size, model.config.source_pad_id
    is_low = next(model.parameters()).dtype != torch.float32
    most = _MOST_IN_LOW if is_low else _MOST
    ids = torch.tensor([[index % size for index in range(3, 4 + _N_TOKENS) if index % size != pad][:_N_TOKENS]])
    if model.config.n_decoder_layers:
        if is_low:
            kinds = model.config.layer_pattern or (0,)
            n_layers = 1 + max(kinds.index(kind) for kind in kinds)
            model, network = _first_layers(model, n_layers), _first_layers(network, n_layers)
        theirs, hidden = network(ids, use_cache=False).logits, model.decode(ids, model.encode(ids[:, :0])).hidden
    else:
        found = network(input_ids=ids, attention_mask=torch.ones_like(ids))
        theirs = found.logits if model.config.masked_head else found.last_hidden_state
        hidden = model.encode(ids).memory
    ours = model.project(hidden)
    apart = float((ours - theirs).abs().max())
    is_same = apart <= most * (1 + float(theirs.abs().max()))
    if not is_same:
        log.warning("our Transformer differs from the library's %s by %.1e", network.config.model_type, apart)
    return is_same


def _first_layers(network: Any, n_layers: int) -> Any:
    """A network of the same modules with the first layers alone, and an output of a few rows."""
    count = len(max((m for m in network.modules() if isinstance(m, nn.ModuleList)), key=len))
    output = network.output if isinstance(network, Transformer) else network.get_output_embeddings()
    few = copy.copy(output)
    few._parameters = {
        name: None if given is None else nn.Parameter(given[:_N_ROWS], requires_grad=False)
        for name, given in output._parameters.items()
    }

    def twin(module: Any) -> Any:
        if module is None:
            return None
        if module is output:
            return few
        if isinstance(module, nn.ModuleList) and len(module) == count:
            return nn.ModuleList(list(module)[:n_layers])
        if not any(module.children()):
            return module
        other = copy.copy(module)
        other._modules = {name: twin(part) for name, part in module._modules.items()}
        return other

    return twin(network)
