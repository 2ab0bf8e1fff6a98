"""Attention over long texts: block-averaged maps of every head, and exact rows of one head on demand.

All weights of 2,000 tokens in 12 layers of 12 heads take 2.3 GB. One pass keeps the block-averaged maps and the input
of each layer; exact rows are recomputed from that input by the layer's code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference import memory
from model.inference.fitting import interventions_per_sentence
from model.inference.long_cost import layers_to_run, long_bytes
from model.inference.reading import NO_TOKENS, Reading, kinds_of, prompt_tokens
from model.inference.trace_building import best_hypotheses
from model.inference.translation import decode_steps
from model.interventions import NONE, AttentionKind, Interventions
from model.nn.attention_selection import AttentionSelection, SelectionError
from model.nn.masks import pad
from model.nn.passes import Encoded
from model.nn.transformer import Transformer
from model.progress import Progress, ignore_progress
from model.text.tokens import TextError, prefix_ids, source_tokens
from model.trace import AttentionMaps, Floats, TokenSequence

MAX_LONG = 8_192
"""Maximum tokens of a long text."""
BLOCKS = 48
"""Maximum blocks along the longer side of a map, one pixel each in a small picture."""


@dataclass(frozen=True, slots=True)
class LongText:
    """One pass over a long text: block means, and the states from which rows are computed."""

    source: TokenSequence
    """S tokens that the encoder read; empty for a decoder-only model."""
    prefix: TokenSequence
    """T tokens that the decoder was fed; empty for an encoder-only model."""
    interventions: Interventions
    block: int
    """Block size in tokens."""
    layers: tuple[int, ...] | None
    """The layers whose block-averaged maps were kept; None: all."""
    blocks: AttentionMaps
    """(layers, H, blocks of queries, blocks of keys): the mean over a block's queries of the sum over its keys."""
    states: Mapping[str, Tensor]
    """Each layer's input, (1, N, D), by the activation's name."""
    encoded: Encoded
    """The encoder's output (1, S, D); (1, 0, 0) for a decoder-only model."""


def can_read_long(bundle: Bundle) -> bool:
    """Whether a model supports long texts: it must be our own Transformer, whose layers can be run one at a time."""
    return isinstance(bundle.model, Transformer)


def block_of(n_source: int, n_target: int) -> int:
    """The block size with which the longer side has at most ``BLOCKS`` blocks."""
    return max(1, -(-max(n_source, n_target) // BLOCKS))


def long_tokens(bundle: Bundle, text: str) -> TokenSequence:
    """The tokens of a text, at most ``MAX_LONG``, for an encoder or a decoder-only model; TextError if it cannot be
    read."""
    take = prompt_tokens if kinds_of(bundle) == ("decoder_self",) else source_tokens
    return take(bundle, text, max_tokens=MAX_LONG)


def translate_long(
    bundle: Bundle, source: TokenSequence, *, text: str, max_length: int, interventions: Interventions = NONE,
    on_progress: Progress = ignore_progress,
) -> tuple[int, ...]:  # fmt: skip
    """The ids of a long text's greedy translation, without attention; an exception from ``on_progress`` ends it."""
    reading = Reading(text, source, bundle.config.bos_id, prefix_ids(bundle, ()), len(source))
    steps = decode_steps(
        bundle, [reading], max_length=max_length, n_candidates=1, interventions=interventions, capture=False,
        on_step=on_progress,
    )  # fmt: skip
    return best_hypotheses(steps, 1)[0].ids


@torch.inference_mode()
def read_long(
    bundle: Bundle,
    source: TokenSequence,
    prefix: TokenSequence = NO_TOKENS,
    *,
    layers: tuple[int, ...] | None = None,
    interventions: Interventions = NONE,
    on_progress: Progress | None = None,
) -> LongText:
    """Run a model over S source tokens and the T tokens that its decoder is fed.

    Args:
        layers: layers whose block-averaged maps are kept; layers after the last of them are not computed.
        on_progress: called with the layers done and the layers in all; an exception from it ends the pass.

    Raises:
        TooLargeError: when block means and states would take too much memory.
        InterventionError: when an intervention names what the model or the text does not have.
        SelectionError: when a patch replaces weights or scores.
        TextError: for a model that runs in its original code.
    """
    model = _transformer(bundle)
    n_source, n_target = len(source), len(prefix)
    whole = [patch.name for patch in interventions.patches if patch.name.endswith((".scores", ".weights"))]
    if whole:
        raise SelectionError(
            f"{whole[0]} is patched as a whole, which a long text does not have: patch another activation"
        )
    memory.check(long_bytes(bundle, n_source, n_target, layers), "this text's attention", remedy="look at one layer")
    edits = interventions_per_sentence(bundle, interventions, [(n_source, n_target)])
    n_encoder, n_decoder = layers_to_run(bundle, layers)
    block, total = block_of(n_source, n_target), n_encoder + n_decoder
    only, changes = AttentionSelection(layers=layers, block=block), edits if any(edits) else None
    encoded = model.encode(
        _ids(source, bundle), capture=only, interventions=changes, record=_names("encoder", n_encoder),
        n_layers=n_encoder, on_layer=_from_layer(on_progress, 0, total),
    )  # fmt: skip
    decoded = model.decode(
        _ids(prefix, bundle), encoded, capture=only, interventions=changes,
        record=_names("decoder", n_decoder), n_layers=n_decoder, on_layer=_from_layer(on_progress, n_encoder, total),
    )  # fmt: skip
    blocks = AttentionMaps(*map(_stack, (encoded.attention, decoded.self_attention, decoded.cross)))
    states = {**encoded.recorded, **decoded.recorded}
    return LongText(source, prefix, interventions, block, layers, blocks, states, encoded)


@torch.inference_mode()
def rows_of_head(
    bundle: Bundle, text: LongText, *, kind: AttentionKind, layer: int, head: int, rows: tuple[int, int]
) -> Floats:
    """The exact weights of some rows of one head, float32 (rows, keys), equal to those of the whole pass.

    Args:
        rows: queries as (start, stop).

    Raises:
        KeyError: for a layer that the pass did not reach.
    """
    model = _transformer(bundle)
    place = "encoder" if kind == "encoder_self" else "decoder"
    patches = tuple(patch for patch in text.interventions.patches if patch.name.startswith(f"{place}.{layer}."))
    edits = interventions_per_sentence(
        bundle, replace(text.interventions, patches=patches), [(len(text.source), len(text.prefix))]
    )
    only = AttentionSelection(kinds=(kind,), layers=(layer,), heads=(head,))
    arguments: dict[str, Any] = {"begin": (layer, text.states[_entering(place, layer)]), "n_layers": layer + 1}
    arguments["interventions"] = edits if any(edits) else None
    # A patch may need every position, for example for their mean.
    arguments |= {"capture": replace(only, rows=rows)} if patches else {"capture": only, "rows": rows}
    if place == "encoder":
        weights = model.encode(_ids(text.source, bundle), **arguments).attention
    else:
        decoded = model.decode(_ids(text.prefix, bundle), text.encoded, **arguments)
        weights = decoded.cross if kind == "cross" else decoded.self_attention
    return np.ascontiguousarray(weights[0][0, 0].float().cpu().numpy())


def _transformer(bundle: Bundle) -> Transformer:
    if not isinstance(bundle.model, Transformer):
        raise TextError(
            f"{bundle.name} ({bundle.family}) runs in its original code, whose layers cannot be run one at a time: "
            "take a shorter text"
        )
    return bundle.model


def _ids(tokens: TokenSequence, bundle: Bundle) -> Tensor:
    return pad([tokens.ids], 0, device=bundle.device)  # (1, N), or (1, N, P) of a picture's strips


def _names(stack: str, n_layers: int) -> frozenset[str]:
    return frozenset(_entering(stack, layer) for layer in range(n_layers))


def _entering(stack: str, layer: int) -> str:
    """The name of a layer's input: the output of the layer before it, patches included."""
    return f"{stack}.{layer - 1}.residual.after" if layer else f"{stack}.embedding"


def _from_layer(on_progress: Progress | None, before: int, total: int) -> Callable[[int], object] | None:
    return None if on_progress is None else lambda done: on_progress(before + done, total)


def _stack(layers: tuple[Tensor, ...]) -> Floats | None:
    return torch.stack([layer[0] for layer in layers]).float().cpu().numpy() if layers else None
