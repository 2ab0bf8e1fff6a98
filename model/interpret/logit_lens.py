"""The logit lens (nostalgebraist 2020): what the model would predict if it stopped after each layer."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.inference.reading import check_predicts
from model.inference.teacher_forcing import Ids, ids_of, teacher_forced, trace_interventions
from model.interpret.inspection import transformer_of
from model.interventions import Interventions
from model.patch import Patch
from model.text.tokens import pieces_of
from model.trace import Floats, ShapeError, Trace


@dataclass(frozen=True, slots=True)
class LogitLens:
    """The C most probable next tokens after each of L decoder layers, at each of T steps, best first.

    Of an encoder-only model with a head for hidden tokens, the tokens at each of its S positions after each encoder
    layer.
    """

    ids: NDArray[np.int64]
    """(L, T, C)"""
    logits: Floats
    """(L, T, C), before the softmax; log-probabilities where the model's own output is that."""
    log_probs: Floats
    """(L, T, C), natural logarithm."""
    entropy: Floats
    """(L, T), bits, of the whole distribution."""
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
    """Read the residual stream after each layer through the model's own last norm and output matrix: the decoder's, or
    an encoder-only model's.

    A layer's entry is what the model predicts when the last layer hands on that layer's residual stream; whatever is
    changed after the last layer, by a patch of its norm, is in force. The last layer's entry is the model's own
    prediction under these interventions.

    Args:
        trace: the translation; or the ids alone, what the encoder reads (S) and what the decoder is fed (T).
        n_best: candidates of each layer and step.
        interventions: those in force; None takes the trace's.

    Raises:
        InspectionError: for a model that runs in its original implementation.
        DecodingError: for an encoder-only model without a head for hidden tokens.
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
    # 0 · log 0 is 0: a token of probability zero carries no surprise.
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
