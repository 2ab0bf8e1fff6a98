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
