"""The residual stream layer by layer: the logit lens, and how far each token's vector has moved from its embedding.

The logit lens (nostalgebraist 2020) is what the model would predict if it stopped after each layer.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.bundle import Bundle
from model.inference.reading import check_predicts
from model.inference.teacher_forcing import Ids, ids_of, teacher_forced, trace_interventions
from model.interpret.inspection import encoder_decoder_of, transformer_of
from model.interventions import NONE, Interventions
from model.nn.transformer import Transformer
from model.patch import Patch
from model.text.tokenizer import WORD_MARK
from model.text.tokens import pieces_of, source_tokens
from model.trace import Floats, ShapeError, Trace


@dataclass(frozen=True, slots=True)
class LogitLens:
    """The C most probable next tokens after each of L decoder layers, at each of T steps, best first.

    For an encoder-only model with a masked-LM head: the tokens at each of S positions after each encoder layer.
    """

    ids: NDArray[np.int64]
    """(L, T, C)"""
    logits: Floats
    """(L, T, C), before the softmax; log-probabilities if the model returns those."""
    log_probs: Floats
    """(L, T, C), natural logarithm."""
    entropy: Floats
    """(L, T), entropy of the whole distribution in bits."""
    pieces: tuple[tuple[tuple[str, ...], ...], ...]
    """Layer, step, candidate."""

    def __post_init__(self) -> None:
        if self.ids.shape != self.log_probs.shape or self.entropy.shape != self.ids.shape[:2]:
            raise ShapeError(
                f"lens: ids {self.ids.shape}, log_probs {self.log_probs.shape}, entropy {self.entropy.shape}"
            )


@torch.inference_mode()
def logit_lens(
    bundle: Bundle, trace: Trace | Ids, *, n_best: int = 8, interventions: Interventions | None = None
) -> LogitLens:
    """Apply the final norm and the output projection to the residual stream after each layer.

    A layer's entry is the model's prediction if the last layer's output were that layer's residual stream; patches of
    the final norm are in force. The last layer's entry is the model's prediction under these interventions.

    Args:
        trace: the translation; or the encoder's input ids (S) and the decoder's input ids (T).
        n_best: candidates per layer and step.
        interventions: None means those of the trace.

    Raises:
        InspectionError: for a model that runs in its original implementation.
        DecodingError: for an encoder-only model without a masked-LM head.
    """
    config = transformer_of(bundle).config
    if not config.predicts:
        check_predicts(bundle)
    stack = "decoder" if config.n_decoder_layers else "encoder"
    row = ids_of(trace)[:2]
    interventions = trace_interventions(trace) if interventions is None else interventions
    whole = teacher_forced(bundle, [row], interventions=interventions, capture=True)
    logits = whole.logits  # (1, T, V)
    states = (whole.decoded if config.n_decoder_layers else whole.encoded).hidden_states
    last = len(states) - 2
    if last > 0:
        patches = [Patch(f"{stack}.{last}.residual.after", value=x[0]) for x in states[1:-1]]
        stopped = [dataclasses.replace(interventions, patches=(*interventions.patches, patch)) for patch in patches]
        forced = teacher_forced(bundle, [row] * last, interventions=stopped)
        logits = torch.cat((forced.logits, logits))  # (L, T, V)
    log_probs = logits.log_softmax(-1)
    n_best = min(n_best, log_probs.shape[-1])
    best, ids = log_probs.topk(n_best, -1)  # (L, T, C)
    # 0 · log 0 counts as 0
    entropy = -torch.xlogy(log_probs.exp(), log_probs.exp()).sum(-1) / np.log(2)
    chosen = logits.gather(-1, ids).cpu().numpy()
    ids = ids.cpu()
    names = pieces_of(bundle, ids.flatten().tolist())
    return LogitLens(
        ids.numpy(),
        chosen,
        best.cpu().numpy(),
        entropy.cpu().numpy(),
        tuple(tuple(tuple(names[int(i)] for i in step) for step in layer) for layer in ids),
    )


@dataclass(frozen=True, slots=True)
class ContextDrift:
    """Cosine of each token's residual stream with its input to the first layer."""

    cosine: Floats
    """(layers + 1, S): before the first layer (1 by definition), then after each."""

    def __post_init__(self) -> None:
        if self.cosine.ndim != 2:
            raise ShapeError(f"cosine must be (layers + 1, tokens), not {self.cosine.shape}")


@torch.inference_mode()
def context_drift(bundle: Bundle, trace: Trace | Ids, *, interventions: Interventions | None = None) -> ContextDrift:
    """Measure the drift in the encoder's residual stream. ``interventions`` None means those of the trace.

    Raises:
        InspectionError: for a model that runs in its original implementation.
    """
    encoder_decoder_of(bundle)
    interventions = trace_interventions(trace) if interventions is None else interventions
    stream = _stream(bundle, ids_of(trace)[0], interventions)
    return ContextDrift(torch.cosine_similarity(stream, stream[:1], dim=-1).cpu().numpy())


@torch.inference_mode()
def word_in_context(bundle: Bundle, *, texts: tuple[str, str], word: str) -> Floats | None:
    """Cosine between a word's two vectors in two sentences, (layers + 1,): before the first layer, then after each.

    None where the word is not one token of both sentences. Raises as ``context_drift``.
    """
    encoder_decoder_of(bundle)
    vectors = []
    for text in texts:
        source = source_tokens(bundle, text)
        places = [i for i, piece in enumerate(source.pieces) if piece.strip(WORD_MARK).lower() == word]
        if len(places) != 1:
            return None
        vectors.append(_stream(bundle, source.ids)[:, places[0]])  # (layers + 1, D)
    return torch.cosine_similarity(*vectors, dim=-1).cpu().numpy()


def _stream(bundle: Bundle, source_ids: Sequence[int], interventions: Interventions = NONE) -> Tensor:
    """The encoder's residual stream (layers + 1, S, D) of a sentence."""
    row = (source_ids, (bundle.config.bos_id,))
    forced = teacher_forced(bundle, [row], interventions=interventions, capture=True)
    return torch.cat(forced.encoded.hidden_states).float()


@torch.inference_mode()
def untrained_weights(bundle: Bundle, trace: Trace | Ids, *, seed: int) -> Floats:
    """Cross-attention (L, H, T, S) of a model of the same shape with random weights. Raises as ``context_drift``."""
    config = encoder_decoder_of(bundle).config
    fresh = Transformer.seeded(config, torch.Generator().manual_seed(seed)).eval()
    source_ids, prefix_ids, _ = ids_of(trace)
    output = fresh(torch.tensor([source_ids]), torch.tensor([prefix_ids]), capture=True)
    return torch.cat(output.cross).numpy()  # (L, H, T, S)
