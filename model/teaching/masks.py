"""The decoder's mask, the fill values of masked scores (Vaswani et al. 2017, section 3.2.3), and the masks' effects.

The effects of the padding mask and the causal mask are measured by removing each.
"""

import itertools
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.decoding.strategies import most_probable
from model.inference.teacher_forcing import teacher_forced
from model.interpret.inspection import encoder_decoder_of
from model.interventions import NONE, Interventions
from model.nn.layers import EncoderLayer
from model.nn.masks import pad
from model.nn.passes import Encoded
from model.nn.transformer import Transformer
from model.text.tokens import describe, source_tokens, text_of
from model.trace import Floats

PRECISIONS = ("float32", "bfloat16", "float16")
FILLS = (-np.inf, -1e9)
"""Fill values that programs add to the score of a masked key."""
LONGEST = 48
"""Maximum steps of a translation without the padding mask, which may never end."""


@dataclass(frozen=True, slots=True)
class DecoderMask:
    """Both conditions of the decoder's self-attention over T positions; True = may attend."""

    not_later: NDArray[np.bool_]
    """(T, T): the key is not after the query."""
    not_padding: NDArray[np.bool_]
    """(T, T): the key is a real token; the same in every row."""

    @property
    def both(self) -> NDArray[np.bool_]:
        """(T, T): True where both conditions hold."""
        return self.not_later & self.not_padding


def decoder_mask(n_tokens: int, n_padding: int) -> DecoderMask:
    """The mask of ``n_tokens`` real tokens followed by ``n_padding`` tokens of padding."""
    n = n_tokens + n_padding
    is_real = np.arange(n) < n_tokens
    return DecoderMask(np.tri(n, dtype=bool), np.broadcast_to(is_real, (n, n)).copy())


@dataclass(frozen=True, slots=True)
class HiddenWeights:
    """Weights after softmax when a large negative number is added to masked scores."""

    precision: str
    fill: float
    """The added number."""
    stored: float
    """The number in this precision; float16 ends at 65,504."""
    one_hidden: tuple[float, ...]
    """Weights of the scores 2, 1 and 3 with the last masked."""
    all_hidden: tuple[float, ...]
    """Weights with all scores masked; NaN for 0 / 0."""


def hidden_weights() -> tuple[HiddenWeights, ...]:
    """Each of ``FILLS`` in each of ``PRECISIONS``, computed by PyTorch."""
    computed = []
    for precision, fill in itertools.product(PRECISIONS, FILLS):
        dtype = getattr(torch, precision)
        scores, added = torch.tensor([2.0, 1.0, 3.0], dtype=dtype), torch.tensor(fill).to(dtype)
        last_hidden = torch.where(torch.tensor([False, False, True]), scores + added, scores)
        last, every = (tuple(hidden.softmax(-1).tolist()) for hidden in (last_hidden, scores + added))
        computed.append(HiddenWeights(precision, fill, float(added), last, every))
    return tuple(computed)


@dataclass(frozen=True, slots=True)
class PaddingEffect:
    """A padded batch of B sentences, encoded with its mask and without."""

    ids: NDArray[np.int64]
    """(B, S)"""
    pieces: tuple[tuple[str, ...], ...]
    """B rows of S."""
    lengths: tuple[int, ...]
    """Real tokens of each sentence."""
    share: Floats
    """(B, H): share of the first encoder layer's weights on padding without the mask, mean over queries."""
    drift: Floats
    """(B,): change of the encoder's output for real tokens without the mask, relative to its norm."""
    with_mask: tuple[str, ...]
    """The B translations."""
    without_mask: tuple[str, ...]


@torch.inference_mode()
def padding_effect(bundle: Bundle, *, texts: tuple[str, ...]) -> PaddingEffect:
    """Encode several sentences as one batch, with the padding masked and unmasked.

    Raises:
        InspectionError: for a model that runs in its original implementation.
        TextError: when a text cannot be read.
    """
    model = encoder_decoder_of(bundle)
    rows = [source_tokens(bundle, text).ids for text in texts]
    pad_id = model.config.source_pad_id
    ids = pad(rows, pad_id, device=bundle.device)  # (B, S)
    real = ids != pad_id
    masked = model.encode(ids)
    open_ = _encode_unmasked(model, ids)
    moved = (open_.memory - masked.memory).float().norm(dim=-1) / masked.memory.float().norm(dim=-1)  # (B, S)
    drift = (moved * real).sum(1) / real.sum(1)
    layer = model.encoder.layers[0]
    assert isinstance(layer, EncoderLayer)
    x = model.encoder.embed(ids, 0)
    x = layer.self_attention_norm(x) if layer.norm_first else x
    attention = layer.self_attention
    _, weights = attention(x, *attention.keys_values(x), None, capture=True)  # (B, H, S, S)
    on_padding = (weights * ~real[:, None, None]).sum(-1)  # (B, H, S)
    share = (on_padding * real[:, None]).sum(-1) / real.sum(1)[:, None]
    special = (pad_id, model.config.bos_id, model.config.eos_id)
    return PaddingEffect(
        ids.cpu().numpy(),
        tuple(describe(bundle.source_tokenizer, row, special).pieces for row in ids.tolist()),
        tuple(map(len, rows)),
        share.float().cpu().numpy(),
        drift.float().cpu().numpy(),
        _greedy(bundle, model, masked),
        _greedy(bundle, model, open_),
    )


@dataclass(frozen=True, slots=True)
class FutureEffect:
    """Teacher forcing with the causal mask and without."""

    share: Floats
    """(L, H): share of the decoder's weights on later tokens without the mask, mean over queries."""
    masked: Floats
    """(T, T) weights of the chosen head, with the mask."""
    lifted: Floats
    """(T, T) without."""
    log_probs: tuple[float, float]
    """Mean natural logarithm of the translation's tokens, with the mask and without."""


@torch.inference_mode()
def future_effect(
    bundle: Bundle, *, source_ids: tuple[int, ...], target_ids: tuple[int, ...], layer: int, head: int
) -> FutureEffect:
    """Score a translation with the causal mask and with it lifted.

    Raises:
        InspectionError: for a model that runs in its original implementation.
    """
    prefix_ids = (encoder_decoder_of(bundle).config.bos_id, *target_ids[:-1])
    maps, means = [], []
    for changed in (NONE, Interventions(lift_causal_mask=True)):
        output = teacher_forced(bundle, [(source_ids, prefix_ids, target_ids)], interventions=changed, capture=True)
        maps.append(torch.stack(output.decoded.self_attention, 1)[0].float().cpu().numpy())  # (L, H, T, T)
        means.append(float(output.log_probs.mean()))
    later = np.triu(np.ones(maps[1].shape[-2:], bool), 1)
    share = (maps[1] * later).sum(-1).mean(-1)
    return FutureEffect(share, maps[0][layer, head], maps[1][layer, head], (means[0], means[1]))


def _encode_unmasked(model: Transformer, ids: torch.Tensor) -> Encoded:
    x = model.encoder.embed(ids, 0)
    for layer in model.encoder.layers:
        x, _ = layer(x, None)
    return Encoded(model.encoder.finish(x), torch.ones_like(ids, dtype=torch.bool)[:, None, None], (), ())


def _greedy(bundle: Bundle, model: Transformer, encoded: Encoded) -> tuple[str, ...]:
    """Greedy translations of encoded sentences, as text."""
    n_rows, eos = len(encoded.memory), model.config.eos_id
    finished, steps = torch.zeros(n_rows, dtype=torch.bool, device=encoded.memory.device), []
    for _, _, ids in most_probable(model, encoded, min(LONGEST, 2 * encoded.memory.shape[1] + 8)):
        steps.append(ids.masked_fill(finished, eos))  # (B,)
        finished |= ids == eos
        if finished.all():
            break
    return tuple(text_of(bundle, row) for row in torch.stack(steps, 1).tolist())
