"""Attention as ``transformers`` returns it: tensors per layer, or an output object; the library is not needed.

With ``output_attentions=True`` it returns ``attentions``, ``encoder_attentions``, ``decoder_attentions`` and
``cross_attentions`` as tuples of (batch, head, query, key), one per layer. From ``generate`` each of the decoder's is a
tuple of such tuples, one per step.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from model.attention_files.record import AttentionRecord, RecordError
from model.trace import AttentionMaps, Floats

_FIELDS = ("encoder_attentions", "decoder_attentions", "cross_attentions", "attentions")


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


def is_output(outputs: Any) -> bool:
    """Whether this looks like an output of a ``transformers`` model, with or without attention."""
    names = outputs if isinstance(outputs, dict) else dir(outputs)
    return any(name in names for name in (*_FIELDS, "last_hidden_state", "logits"))


def from_outputs(
    outputs: Any,
    *,
    source_tokens: Sequence[str] = (),
    target_tokens: Sequence[str] = (),
    batch: int | None = None,
    model: str = "",
) -> AttentionRecord:
    """The attention of one sentence from a model's output.

    Args:
        outputs: the output of a model with ``output_attentions=True``, or of ``generate`` with
            ``return_dict_in_generate=True`` as well. In a beam search rows are reordered from step to step;
            ``beam_indices`` of the same output gives those of a sequence.
        source_tokens: the tokens of ``input_ids``.
        target_tokens: the decoder's input; for ``generate`` all tokens of ``sequences``.
        batch: index of the sentence in the batch, or of the generated sequence; optional if there is only one.

    Raises:
        RecordError: when there is no attention, the tokens do not fit, or the rows are ambiguous.
    """
    beams = _beam_rows(outputs, batch)
    weights = {name: _weights(_field(outputs, name), name, _row(outputs, name, batch, beams)) for name in _FIELDS}
    if beams is not None:
        n_generated = len(_value(outputs, "beam_indices")[0])  # of the longest sequence
        target_tokens = target_tokens[: len(target_tokens) - n_generated + len(beams)]
    if all(each is None for each in weights.values()):
        raise RecordError(
            "this output holds no attention: call the model with output_attentions=True, "
            'loaded with attn_implementation="eager"'
        )
    self_attention = weights["attentions"]
    if self_attention is not None and not target_tokens and not is_causal(self_attention):
        maps = AttentionMaps(self_attention, None, None)
        return AttentionRecord(maps=maps, source_tokens=tuple(source_tokens), model=model, is_causal=False)
    decoder = weights["decoder_attentions"] if self_attention is None else self_attention
    cross, target = weights["cross_attentions"], tuple(target_tokens)
    if self_attention is not None:
        target = target or tuple(source_tokens)
    rows = next((weights.shape[2] for weights in (decoder, cross) if weights is not None), None)
    fed: tuple[str, ...] | None = None
    if rows is not None and len(target) == rows + 1:
        fed, target = target[:-1], target[1:]
    return AttentionRecord(
        maps=AttentionMaps(weights["encoder_attentions"], decoder, cross),
        source_tokens=() if self_attention is not None else tuple(source_tokens),
        target_tokens=target,
        prefix_tokens=fed,
        model=model,
        is_causal=decoder is not None and is_causal(decoder),
    )


def is_causal(weights: Floats) -> bool:
    """Whether no query attends to a later key."""
    return weights.shape[-1] == weights.shape[-2] > 1 and not np.triu(weights, 1).any()


def _beam_rows(outputs: Any, batch: int | None) -> list[int] | None:
    """The row from which each token of a beam-search sequence was chosen; None for other decoding methods.

    Raises:
        RecordError: when a beam search has no ``beam_indices``, or ``batch`` is needed and missing.
    """
    indices = _value(outputs, "beam_indices")
    if indices is None:
        decoder = _field(outputs, "decoder_attentions") or _field(outputs, "attentions")
        sequences = _value(outputs, "sequences")
        is_beam = sequences is not None and is_generation(decoder) and len(decoder[-1][0]) != len(sequences)
        if is_beam or _value(outputs, "sequences_scores") is not None:
            raise RecordError(
                "this beam-search output does not tell which rows belong to which sequence: "
                "call generate with output_scores=True as well, which adds beam_indices"
            )
        return None
    rows = [[int(row) for row in sequence] for sequence in indices]
    if batch is None and len(rows) > 1:
        raise RecordError(f"{len(rows)} sequences were generated: choose one, batch=0 to batch={len(rows) - 1}")
    if not 0 <= (batch or 0) < len(rows):
        raise RecordError(f"there is no sequence {batch}: {len(rows)} were generated")
    return [row for row in rows[batch or 0] if row >= 0]


def _row(outputs: Any, name: str, batch: int | None, beams: list[int] | None) -> int | list[int] | None:
    """The sentence's row of a field, or its row at each step."""
    if beams is None or not is_generation(_field(outputs, name)):
        if beams is None or name != "encoder_attentions":
            return batch
        n_sequences = len(_value(outputs, "sequences"))
        layers = _field(outputs, name)
        return (batch or 0) * len(layers[0]) // n_sequences if layers else None
    return beams


def _value(outputs: Any, name: str) -> Any:
    return outputs.get(name) if isinstance(outputs, dict) else getattr(outputs, name, None)


def _field(outputs: Any, name: str) -> Any:
    field = _value(outputs, name)
    return field if isinstance(field, (list, tuple)) and field else None


def _weights(layers: Any, name: str, batch: int | list[int] | None) -> Floats | None:
    if layers is None:
        return None
    if is_generation(layers):
        if len({len(step) for step in layers}) > 1:
            raise RecordError(f"the steps of {name} differ in their number of layers")
        return from_generation(layers, name=name, batch=batch)
    assert not isinstance(batch, list)
    return from_tensors(layers, name=name, batch=batch)
