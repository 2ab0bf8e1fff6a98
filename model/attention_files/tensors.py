"""Attention as other libraries return it: one tensor per layer, with a batch axis, on any device.

``transformers`` with ``output_attentions=True`` returns ``attentions``, ``encoder_attentions``,
``decoder_attentions`` and ``cross_attentions`` as tuples of (batch, head, query, key), one per layer. From
``generate`` each of the decoder's is a tuple of such tuples, one per step.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from model.attention_files.record import RecordError
from model.trace import Floats


def from_tensors(layers: Any, *, name: str = "attention", batch: int | None = None) -> Floats:
    """One sentence's weights, (L, H, Q, K) float32.

    Args:
        layers: an array or tensor (L, H, Q, K); or one per layer, each (H, Q, K) or (B, H, Q, K).
        name: the name in error messages.
        batch: index of the sentence in the batch; optional if there is only one.

    Raises:
        RecordError: when the shapes differ, ``batch`` is needed and missing, or fused attention returned None instead
            of weights.
    """
    if not isinstance(layers, (list, tuple)):
        whole = _array(layers, name)
        if whole.ndim != 4:
            raise RecordError(f"{name} is {whole.shape}: give (layer, head, query, key), or a list of one per layer")
        return whole
    if not layers:
        raise RecordError(f"{name} is an empty list: call the model with output_attentions=True")
    sentences = [_sentence(_array(layer, name), name, batch) for layer in layers]
    shapes = {sentence.shape for sentence in sentences}
    if len(shapes) > 1:
        raise RecordError(f"the layers of {name} differ in shape, {sorted(shapes)}: give equal ones")
    return np.stack(sentences)


def from_generation(
    steps: Sequence[Any], *, name: str = "attention", batch: int | Sequence[int] | None = None
) -> Floats:
    """Weights that ``generate`` returned step by step, (L, H, Q, K) float32.

    Args:
        steps: for each step a tuple of layers, each (B, H, new queries, keys so far). Later keys get weight 0.
        batch: row of the batch; for beam search, which reorders rows, one row per step.

    Raises:
        RecordError: when the steps do not fit together.
    """
    if not steps:
        raise RecordError(f"{name} has no step: call generate with output_attentions and return_dict_in_generate")
    rows = batch if isinstance(batch, Sequence) else [batch] * len(steps)
    parts = [
        from_tensors(step, name=name, batch=row) for step, row in zip(steps, rows, strict=False)
    ]  # each (L, H, new, keys so far)
    if len({part.shape[:2] for part in parts}) > 1:
        raise RecordError(f"the steps of {name} differ in layers or heads")
    n_keys = max(part.shape[3] for part in parts)
    widened = [np.pad(part, ((0, 0), (0, 0), (0, 0), (0, n_keys - part.shape[3]))) for part in parts]
    return np.concatenate(widened, axis=2)


def is_generation(layers: Any) -> bool:
    """Whether these are steps of layers rather than layers."""
    return isinstance(layers, (list, tuple)) and bool(layers) and isinstance(layers[0], (list, tuple))


def _array(values: Any, name: str) -> Floats:
    if values is None:
        raise RecordError(
            f"{name} holds None instead of weights: fused attention does not return them, "
            'so load the model with attn_implementation="eager"'
        )
    for step in ("detach", "cpu", "float"):
        if hasattr(values, step):
            values = getattr(values, step)()
    try:
        return np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise RecordError(f"{name} is not an array of numbers: {error}") from error


def _sentence(layer: Floats, name: str, batch: int | None) -> Floats:
    if layer.ndim == 3:
        return layer
    if layer.ndim != 4:
        raise RecordError(f"a layer of {name} is {layer.shape}: give (head, query, key) or (batch, head, query, key)")
    n_sentences = layer.shape[0]
    if batch is None and n_sentences > 1:
        raise RecordError(f"{name} holds {n_sentences} sentences: choose one, batch=0 to batch={n_sentences - 1}")
    chosen = batch or 0
    if not 0 <= chosen < n_sentences:
        raise RecordError(f"{name} has no sentence {chosen}: the batch holds {n_sentences}")
    return layer[chosen]
