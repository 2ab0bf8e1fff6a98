"""The output object of a ``transformers`` model, read by the names of its fields; the library is not needed."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from model.attention_files.record import AttentionRecord, RecordError
from model.attention_files.tensors import from_generation, from_tensors, is_generation
from model.trace import AttentionMaps, Floats

_FIELDS = ("encoder_attentions", "decoder_attentions", "cross_attentions", "attentions")


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
        target_tokens = target_tokens[: len(target_tokens) - _n_generated(outputs) + len(beams)]
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


def _n_generated(outputs: Any) -> int:
    """Number of tokens of the longest sequence of a beam search."""
    return len(_value(outputs, "beam_indices")[0])


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
