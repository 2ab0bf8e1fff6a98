"""Weights and logits of a padded batch of ids."""

from collections.abc import Sequence
from operator import index
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.config import GREY_LEVELS
from model.decoding.step import stack_layers
from model.inference import memory
from model.inference.fitting import with_donors
from model.inference.reading import kinds_of
from model.inference.teacher_forcing import teacher_forced
from model.interventions import NONE, Interventions, attention_shapes
from model.nn.attention_selection import AttentionSelection, SelectionError
from model.nn.transformer import Transformer
from model.text.tokens import TextError
from model.trace import BatchAttention


@torch.inference_mode()
def attend(
    bundle: Bundle,
    source_ids: NDArray[np.integer] | Sequence[Sequence[int]],
    target_ids: NDArray[np.integer] | Sequence[Sequence[int]],
    *,
    interventions: Interventions | Sequence[Interventions] = NONE,
    cached: bool = False,
    only: AttentionSelection | None = None,
    logits: bool = True,
    as_tensors: bool = False,
) -> BatchAttention:
    """Attention weights and logits of a padded batch of encoder inputs (B, S) and decoder inputs (B, T).

    For a model that reads pictures, each source is the S strips of a picture, each of P pixels, as in
    ``trace.source.ids``. Rows of different length are padded here, and each gives the same alone and in a batch. An
    intervention on positions that a row does not have has no effect on that row.

    Args:
        cached: decode position by position with a key-value cache, as ``translate`` does; by default all positions are
            computed in one pass, which is faster and gives the same.
        only: the kinds, layers, heads and rows whose weights are returned, in ascending order, or block-averaged maps;
            other weights are never held. All by default.
        logits: return the logits. Without them the output projection, which dominates with a large vocabulary, and the
            layers after the last one in ``only`` are not computed.
        as_tensors: return float32 tensors on the model's device instead of arrays; nothing is copied from a GPU.

    Raises:
        SelectionError: when ``only`` names what the model or the batch does not have.
        TooLargeError: when the weights and logits would take too much memory.
        TextError: when an id is outside the vocabulary, or the rows are no integer ids.
        InterventionError: when an intervention names what the model or the batch does not have.
    """
    config = bundle.config
    extra = int(getattr(config, "starts_from_zero", False))  # the id past the vocabulary, which reads as zeros
    if bundle.grid is not None:
        sources = _strips(source_ids, bundle.grid.n_values, bundle.grid.pad)
    elif bundle.picture is None:
        sources = _rows(source_ids, config.source_vocab_size + extra, "source_ids")
    else:
        sources = _strips(source_ids, bundle.picture.n_pixels, GREY_LEVELS)
    targets = _rows(target_ids, config.target_vocab_size + extra, "target_ids")
    if len(sources) != len(targets):
        raise TextError(f"source_ids has {len(sources)} rows and target_ids {len(targets)}: give a row of each")
    n_source, n_target = (max(map(len, side), default=0) for side in (sources, targets))
    changes = with_donors(bundle, interventions)
    for row in (changes,) if isinstance(changes, Interventions) else changes:
        if row.within(n_source=n_source, n_target=n_target) != row:
            row.check(config, n_source=n_source, n_target=n_target)  # no row is long enough: raises, naming the item
    rows = list(zip(sources, targets, strict=True))
    if only is not None:
        _check(only, bundle, len(rows), n_source, n_target, logits=logits)
    forced = teacher_forced(
        bundle, rows, interventions=changes, capture=only or True, cached=cached, has_bound=only is None,
        n_layers=(None, None) if logits else _n_layers(bundle, only or AttentionSelection()),
    )  # fmt: skip
    captured = (forced.encoded.attention, forced.decoded.self_attention, forced.decoded.cross)
    scores = forced.logits if logits else None
    if as_tensors:
        with torch.inference_mode(False):  # so that callers may differentiate through them
            maps: Any = [torch.stack(layers, 1).float() if layers else None for layers in captured]
            return BatchAttention(maps[0], maps[1], maps[2], cast(Any, None if scores is None else scores.clone()))
    encoder_self, decoder_self, cross = map(stack_layers, captured)
    return BatchAttention(encoder_self, decoder_self, cross, None if scores is None else scores.cpu().numpy())


def _n_layers(bundle: Bundle, only: AttentionSelection) -> tuple[int | None, int | None]:
    """Encoder and decoder layers to run for the selected weights; None: all."""
    if not isinstance(bundle.model, Transformer):
        return None, None
    config = bundle.config
    last = config.n_encoder_layers + config.n_decoder_layers if only.layers is None else only.layers[-1] + 1
    if not (only.has("decoder_self") or only.has("cross")) or not config.n_decoder_layers:
        return min(last, config.n_encoder_layers), 0
    return None, min(last, config.n_decoder_layers)


def _check(only: AttentionSelection, bundle: Bundle, batch: int, n_source: int, n_target: int, *, logits: bool) -> None:
    """Refuse layers and heads that the model lacks, and more weights than the memory takes."""
    lengths = {
        "encoder_self": (n_source, n_source),
        "decoder_self": (n_target, n_target),
        "cross": (n_target, n_source),
    }
    n_bytes = 0
    for kind in filter(only.has, kinds_of(bundle)):
        n_layers, n_heads = attention_shapes(bundle.config)[kind]
        for name, indices, most in (("layer", only.layers, n_layers), ("head", only.heads, n_heads)):
            wrong = [index for index in indices or () if index >= most]
            if wrong:
                raise SelectionError(f"{kind} has no {name} {wrong[0]}: its {name}s go from 0 to {most - 1}")
        n_bytes += 2 * 4 * batch * only.numbers(n_layers, n_heads, *lengths[kind])
    remedy = "ask for fewer layers, heads or rows"
    if logits and bundle.config.predicts:
        n_bytes += 4 * batch * max(n_target, 1) * bundle.config.target_vocab_size
        remedy += ", or for no logits"
    memory.check(n_bytes, "what is asked for", remedy=remedy)


def _strips(pictures: Any, n_pixels: int, n_levels: int) -> list[tuple[int, ...]]:
    """The strips of each picture, tuples of pixels; or the frames of each sound, which may end with padding."""
    try:
        rows = [tuple(tuple(map(index, strip)) for strip in row) for row in pictures]
    except TypeError as error:
        raise TextError("source_ids must be a list of pictures, each a list of strips of whole numbers") from error
    strips = [strip for row in rows for strip in row]
    is_picture = n_levels == GREY_LEVELS
    if any(len(strip) != n_pixels or not 0 <= min(strip) <= max(strip) <= n_levels - is_picture
           for strip in strips):  # fmt: skip
        raise TextError(f"source_ids must hold strips of {n_pixels} pixels from 0 to {n_levels - 1}")
    return cast("list[tuple[int, ...]]", rows)


def _rows(ids: NDArray[np.integer] | Sequence[Sequence[int]], vocab_size: int, name: str) -> list[tuple[int, ...]]:
    try:
        rows = [tuple(map(index, row)) for row in ids]
    except TypeError as error:
        raise TextError("source_ids and target_ids must be lists of rows of whole numbers, a row a sentence") from error
    wrong = next((token for row in rows for token in row if not 0 <= token < vocab_size), None)
    if wrong is not None:
        raise TextError(f"{name} holds {wrong}: ids go from 0 to {vocab_size - 1}")
    return rows
