"""The context vector of a recurrent decoder, step by step (Bahdanau, Cho & Bengio 2015, section 3.1)."""

from dataclasses import dataclass

import torch

from model.bundle import Bundle
from model.interpret.inspection import InspectionError
from model.nn.recurrent import RecurrentTranslator
from model.trace import Floats


@dataclass(frozen=True, slots=True)
class ContextSteps:
    """The intermediate values from the decoder's state to the context vector, for T steps over S source tokens."""

    states: Floats
    """(T, D): the decoder's state s before each step."""
    memory: Floats
    """(S, D): the encoder's state h at each source token, both directions."""
    scores: Floats
    """(T, S): e = v·tanh(W s + U h)."""
    weights: Floats
    """(T, S): α, the softmax of the scores."""
    context: Floats
    """(T, D): Σ α h."""


@torch.inference_mode()
def context_steps(bundle: Bundle, *, source_ids: tuple[int, ...], prefix_ids: tuple[int, ...]) -> ContextSteps:
    """Follow a recurrent translator with attention over a translation.

    Raises:
        InspectionError: for a model without additive attention.
    """
    model = bundle.model
    if not isinstance(model, RecurrentTranslator) or model.attention is None:
        raise InspectionError(
            "only a recurrent model with attention has a context vector: choose the GRU with attention"
        )
    encoded = model.encode(torch.tensor([source_ids], device=bundle.device))
    attention, memory = model.attention, encoded.memory
    keys, state = attention.key(memory), torch.tanh(model.first_state(model.summary(encoded)))
    rows = []
    for token in prefix_ids:
        scores = attention.score(torch.tanh(attention.query(state)[:, None] + keys)).squeeze(-1)  # (1, S)
        weights = scores.softmax(-1)
        context = (weights[:, None] @ memory).squeeze(1)  # (1, D)
        rows.append((state, scores, weights, context))
        fed = model.embedding(torch.tensor([token], device=bundle.device))
        state = model.decoder(torch.cat((fed, context), -1), state)
    states, scores, weights, context = (torch.cat(each).float().cpu().numpy() for each in zip(*rows, strict=True))
    return ContextSteps(states, memory[0].float().cpu().numpy(), scores, weights, context)
