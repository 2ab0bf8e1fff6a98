"""Accepts everything that can be shown or exported: a trace, a record, a file, or another library's output."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from model.attention_files import AttentionRecord, RecordError, from_generation, from_tensors, read_attention
from model.attention_files.outputs import from_outputs, is_causal, is_generation, is_output
from model.bundle import Bundle
from model.interpret.attribution import share_of_head, share_of_row
from model.trace import AttentionMaps, Trace, has_no_words
from viz import change_words
from viz.components.attention import AttentionView
from viz.export.names import with_language

Shown: TypeAlias = Any
"""A Trace, an AttentionRecord, a path, a ``transformers`` output, or one tensor per layer."""
_NORMALISED = {"value_weighted": share_of_row, "gradient": share_of_head}


def record_of(
    shown: Shown,
    *,
    source_tokens: Sequence[str] = (),
    target_tokens: Sequence[str] = (),
    bundle: Bundle | None = None,
    model: str = "",
    batch: int | None = None,
    padding: str = "",
) -> AttentionRecord:
    """Any of these inputs as a record.

    Args:
        shown: a Trace; an AttentionRecord; the path of an attention file; an output of a ``transformers`` model;
            or its list of one tensor per layer, read as decoder self-attention where no query sees a later key.
        source_tokens: tokens of the encoder, or of the only sequence there is; not for traces, records and files.
        target_tokens: tokens of the decoder.
        bundle: the model of a trace.
        model: name of another model.
        batch: which sentence of an output or of tensors that hold several.
        padding: the token that fills up shorter sentences, such as "<pad>", whose rows and columns are left out.

    Raises:
        AttentionFileError, RecordError: when it is nothing that can be shown, or does not fit together.
    """
    if padding:
        padded = record_of(shown, source_tokens=source_tokens, target_tokens=target_tokens, bundle=bundle, model=model,
                           batch=batch)  # fmt: skip
        return padded.without(padding)
    if isinstance(shown, Trace):
        return AttentionRecord.of(shown, bundle=bundle)
    if isinstance(shown, AttentionRecord):
        return shown
    if isinstance(shown, (str, Path)):
        return read_attention(Path(shown))
    if is_output(shown):
        return from_outputs(shown, source_tokens=source_tokens, target_tokens=target_tokens, model=model, batch=batch)
    if isinstance(shown, (list, tuple)) or hasattr(shown, "ndim"):
        return _of_tensors(shown, tuple(source_tokens), tuple(target_tokens), model, batch)
    raise RecordError(
        f"{type(shown).__name__} cannot be shown: give a Trace, an attention file, an output with attentions, "
        "or a list of one tensor per layer"
    )


def view_of(shown: Trace | AttentionRecord, *, bundle: Bundle | None = None, first_index: int = 0) -> AttentionView:
    """The interactive view of a trace or record. Norms are normalised per row, gradients by their head's strongest row.

    Args:
        first_index: 0 or 1, what the caption calls the first layer and head.
    """
    if isinstance(shown, Trace):
        words = caption(AttentionRecord.of(shown, bundle=bundle), first_index=first_index)
        return AttentionView.of(shown, caption=words)
    maps = _NORMALISED.get(shown.weighting, lambda maps: maps)(shown.maps)
    view = AttentionView.from_arrays(
        encoder_self=maps.encoder_self,
        decoder_self=maps.decoder_self,
        cross=maps.cross,
        source_tokens=shown.source_tokens,
        target_tokens=shown.target_tokens,
        prefix_tokens=shown.prefix_tokens,
        is_causal=shown.is_causal,
        caption=caption(shown, first_index=first_index),
    )
    return dataclasses.replace(view, weighting=shown.weighting, weightings=(shown.weighting,))


def caption(record: AttentionRecord, *, first_index: int = 0) -> str:
    """Sentence, translation, changes, model and its language in one line; empty where none is known."""
    read = "" if has_no_words(record.source_text) else record.source_text
    sentence = " → ".join(filter(None, (read, record.text)))
    fed = record.target_tokens if record.prefix_tokens is None else record.prefix_tokens
    tokens = change_words.Tokens(record.source_tokens, fed, first_index)
    changed = change_words.of_file(record.changes, tokens, record.target_tokens)
    return " · ".join(filter(None, (sentence, changed, with_language(record.model, record.target_language))))


def _of_tensors(
    shown: Any, source: tuple[str, ...], target: tuple[str, ...], model: str, batch: int | None
) -> AttentionRecord:
    read = from_generation if is_generation(shown) else from_tensors
    weights = read(shown, batch=batch)
    if source and target:
        maps = AttentionMaps(None, None, weights)
        return AttentionRecord(maps=maps, source_tokens=source, target_tokens=target, model=model)
    if is_causal(weights):
        return AttentionRecord(maps=AttentionMaps(None, weights, None), target_tokens=target or source, model=model)
    maps = AttentionMaps(weights, None, None)
    return AttentionRecord(maps=maps, source_tokens=source or target, model=model, is_causal=False)
