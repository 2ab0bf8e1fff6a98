"""The output object of a ``transformers`` model, read by the names of its fields; the library is not needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from model.attention_files.record import AttentionRecord, RecordError
from model.attention_files.tensors import from_generation, from_tensors, is_generation
from model.trace import AttentionMaps, Floats

_FIELDS = ("encoder_attentions", "decoder_attentions", "cross_attentions", "attentions")


def is_output(outputs: Any) -> bool:
    """Whether this looks like an output of a ``transformers`` model, with attention in it or not."""
    names = outputs if isinstance(outputs, dict) else dir(outputs)
    return any(name in names for name in (*_FIELDS, "last_hidden_state", "logits"))


def from_outputs(
    outputs: Any,
    *,
    source_tokens: Sequence[str] = (),
    target_tokens: Sequence[str] = (),
    batch: int = 0,
    model: str = "",
) -> AttentionRecord:
    """The attention of one sentence out of a model's output.

    Args:
        outputs: what a model returns with ``output_attentions=True``, or ``generate`` with
            ``return_dict_in_generate=True`` as well, without beam search (whose rows change places).
        source_tokens: the tokens of ``input_ids``.
        target_tokens: what the decoder was fed; from ``generate`` the tokens of ``sequences``, first to last.
        batch: which sentence of a batch.

    Raises:
        RecordError: when there is no attention or the tokens do not fit.
    """
    found = {name: _weights(_field(outputs, name), name, batch) for name in _FIELDS}
    if all(weights is None for weights in found.values()):
        raise RecordError(
            "this output holds no attention: call the model with output_attentions=True, "
            'loaded with attn_implementation="eager"'
        )
    own = found["attentions"]
    if own is not None and not target_tokens and not is_causal(own):
        maps = AttentionMaps(own, None, None)
        return AttentionRecord(maps=maps, source_tokens=tuple(source_tokens), model=model, is_causal=False)
    decoder = found["decoder_attentions"] if own is None else own
    cross, target = found["cross_attentions"], tuple(target_tokens)
    if own is not None:
        target = target or tuple(source_tokens)
    rows = next((weights.shape[2] for weights in (decoder, cross) if weights is not None), None)
    fed: tuple[str, ...] | None = None
    if rows is not None and len(target) == rows + 1:
        fed, target = target[:-1], target[1:]
    return AttentionRecord(
        maps=AttentionMaps(found["encoder_attentions"], decoder, cross),
        source_tokens=() if own is not None else tuple(source_tokens),
        target_tokens=target,
        prefix_tokens=fed,
        model=model,
        is_causal=decoder is not None and is_causal(decoder),
    )


def is_causal(weights: Floats) -> bool:
    """Whether no query looks at a later key."""
    return weights.shape[-1] == weights.shape[-2] > 1 and not np.triu(weights, 1).any()


def _field(outputs: Any, name: str) -> Any:
    found = outputs.get(name) if isinstance(outputs, dict) else getattr(outputs, name, None)
    return found if isinstance(found, (list, tuple)) and found else None


def _weights(layers: Any, name: str, batch: int) -> Floats | None:
    if layers is None:
        return None
    if is_generation(layers):
        if len({len(step) for step in layers}) > 1:
            raise RecordError(f"the steps of {name} differ in their number of layers")
        return from_generation(layers, name=name, batch=batch)
    return from_tensors(layers, name=name, batch=batch)
