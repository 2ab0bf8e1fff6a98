"""Teacher forcing (Williams & Zipser 1989): one pass over a known translation, and its decoding steps."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from model.decoding.options import DecodingOptions
from model.decoding.step import Continuations, DecodingStep, Ids, check_numbers, stack_layers
from model.nn.attention_selection import AttentionSelection, SelectedWeights
from model.nn.passes import Decoded, Encoded
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import NOTHING, InterventionsLike
from model.trace import Floats


def run_teacher_forced(
    model: EncoderDecoder,
    source: Tensor,
    prefix: Tensor,
    *,
    capture: bool | AttentionSelection = False,
    interventions: InterventionsLike = None,
    record: frozenset[str] = NOTHING,
    tokens: tuple[Tensor, Tensor] | None = None,
    cached: bool = False,
    n_layers: tuple[int | None, int | None] = (None, None),
) -> tuple[Encoded, Decoded]:
    """The encoder over int64 (B, S) and the decoder over what it is fed, int64 (B, T), both padded.

    Args:
        record: names of the activations to keep.
        tokens: embeddings (B, S, D) and (B, T, D) that replace those of the ids, before positions are added.
        cached: feed the decoder one position at a time; the residual stream and activations are not kept then.
        n_layers: encoder and decoder layers to run, None for all; only our own Transformer supports it.
    """
    passed: dict[str, Any] = {"capture": capture, "interventions": interventions}
    passed |= {"record": record} if record else {}
    sides: list[dict[str, Any]] = [  # adapters of foreign models do not accept tokens and n_layers
        passed | ({} if embeddings is None else {"tokens": embeddings}) | ({} if most is None else {"n_layers": most})
        for embeddings, most in zip(tokens or (None, None), n_layers, strict=True)
    ]
    of_encoder, of_decoder = sides
    encoded = model.encode(source, **of_encoder)
    if cached and prefix.shape[1]:
        return encoded, _one_by_one(model, prefix, encoded, of_decoder)
    return encoded, model.decode(prefix, encoded, **of_decoder)


def _one_by_one(model: Any, prefix: Tensor, encoded: Encoded, passed: dict[str, Any]) -> Decoded:
    """Run the decoder position by position with a cache.

    Each step computes one row of weights for all heads and drops at once what was not selected.
    """
    length, cache, hidden = prefix.shape[1], None, []
    only = passed["capture"]
    if not isinstance(only, AttentionSelection):
        only = AttentionSelection()
    else:
        passed = passed | {"capture": AttentionSelection(kinds=only.kinds, layers=only.layers)}
    by_layer: tuple[dict[int, SelectedWeights], ...] = ({}, {})  # of self-attention and of cross-attention
    for t in range(length):
        step = model.decode(prefix[:, t : t + 1], encoded, cache=cache, keep_cache=True, **passed)
        cache = step.cache
        hidden.append(step.hidden)
        for weights_of, layers in zip(by_layer, (step.self_attention, step.cross), strict=True):
            for layer, row in enumerate(layers):
                width = length if weights_of is by_layer[0] else row.shape[-1]
                whole = functional.pad(row, (0, width - row.shape[-1]))  # (B, H, 1, keys)
                weights_of.setdefault(layer, SelectedWeights(only, length)).take(whole, t)
    self_attention, cross = (tuple(of_layer.weights for of_layer in weights_of.values()) for weights_of in by_layer)
    return Decoded(torch.cat(hidden, 1), self_attention, cross, (), None)


def rank_candidates(logits: Tensor, target_ids: Tensor, n: int) -> tuple[Floats, Ids, Floats]:
    """Log-probabilities of known tokens, int64 (B, T), and the best candidates, from logits (B, T, V).

    Returns:
        The log-probability of each known token (B, T), the n most probable tokens, best first, and their
        log-probabilities, (B, T, n) each.

    Raises:
        DecodingError: when a probability is not a number.
    """
    total = logits.logsumexp(-1, keepdim=True)  # (B, T, 1)
    check_numbers(total)
    top = logits.topk(min(n, logits.shape[-1]), -1)
    known = target_ids.clamp(max=logits.shape[-1] - 1)  # padding may be an id past the vocabulary
    chosen = (logits.gather(2, known.unsqueeze(2)) - total).squeeze(2)
    return chosen.cpu().numpy(), top.indices.cpu().numpy(), (top.values - total).cpu().numpy()


@torch.inference_mode()
def forced(
    model: EncoderDecoder, source_ids: Tensor, target_ids: Tensor, options: DecodingOptions | None = None
) -> Iterator[DecodingStep]:
    """The decoding steps of known translations int64 (B, T) of sources int64 (B, S), both padded, from one pass.

    Every row runs to position T - 1; the caller drops the steps after a sentence's end. With the causal mask lifted,
    a ``decoder_self`` row covers all T keys.

    Raises:
        DecodingError: when a probability is not a number.
    """
    options = options or DecodingOptions()
    begin = torch.full_like(target_ids[:, :1], model.config.bos_id)
    fed = torch.cat((begin, target_ids[:, :-1]), 1)  # (B, T)
    encoded, decoded = run_teacher_forced(
        model, source_ids, fed, capture=options.capture, interventions=options.interventions or None
    )
    logits = model.project(decoded.hidden).float()  # (B, T, V)
    log_probs, candidate_ids, candidate_log_probs = rank_candidates(logits, target_ids, options.n_candidates)
    self_attention, cross = stack_layers(decoded.self_attention), stack_layers(decoded.cross)
    n_rows, length = target_ids.shape
    every, none = np.arange(n_rows), np.zeros(n_rows, bool)
    target, read = target_ids.cpu().numpy(), fed.cpu().numpy()
    sums = np.concatenate((np.zeros((n_rows, 1), np.float32), log_probs.cumsum(1)), 1)  # (B, T + 1)
    for t in range(length):
        yield DecodingStep(
            position=t,
            sentences=every,
            parents=every if t else np.full(n_rows, -1),
            fed=read[:, t],
            scores=sums[:, t],
            candidate_ids=candidate_ids[:, t],
            candidate_log_probs=candidate_log_probs[:, t],
            decoder_self=None if self_attention is None else self_attention[:, :, :, t],
            cross=None if cross is None else cross[:, :, :, t],
            encoder_self=None if t else stack_layers(encoded.attention),
            chosen=Continuations(every, target[:, t], log_probs[:, t], sums[:, t + 1], none | (t == length - 1), none),
        )
