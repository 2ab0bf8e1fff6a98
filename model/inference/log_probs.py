"""Teacher forcing: one pass over given tokens, and the log-probability of each (Williams & Zipser 1989).

All scoring of given translations uses this module, on the model's own device and in its own precision;
log-probabilities are float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.donors import with_donors
from model.inference.memory import check_forced
from model.interventions import NONE, Interventions
from model.nn.padding import pad
from model.nn.passes import Decoded, Encoded
from model.nn.transformer import NOTHING
from model.trace import Floats


@dataclass(frozen=True, slots=True)
class Forced:
    """The output of a model for B pairs of source and decoder tokens."""

    encoded: Encoded
    decoded: Decoded
    logits: Tensor
    """float32 (B, T, V); log-probabilities where the original gives those."""

    @property
    def log_probs(self) -> Tensor:
        """Natural logarithm of every token's probability, (B, T, V)."""
        return self.logits.log_softmax(-1)


def forced_pass(
    bundle: Bundle,
    source_ids: Sequence[int],
    prefix_ids: Sequence[int],
    *,
    interventions: Interventions | Sequence[Interventions] = NONE,
    capture: bool = False,
    record: frozenset[str] = NOTHING,
) -> Forced:
    """Run the encoder on S tokens and the decoder on the T tokens that it is fed.

    Args:
        interventions: one set, or B of them for B rows of the same tokens. An item that names a position beyond these
            tokens has no effect, because the same set is used for translations of different length.
        capture: keep attention and the residual stream.
        record: names of the activations to keep.

    Raises:
        InterventionError: when an intervention names what the model does not have.
        TooLargeError: when the attention would take too much memory.
    """
    encoded, decoded = forced_states(
        bundle, source_ids, prefix_ids, interventions=interventions, capture=capture, record=record
    )
    return Forced(encoded, decoded, bundle.model.project(decoded.hidden).float())


def forced_states(
    bundle: Bundle,
    source_ids: Sequence[int],
    prefix_ids: Sequence[int],
    *,
    interventions: Interventions | Sequence[Interventions] = NONE,
    capture: bool = False,
    record: frozenset[str] = NOTHING,
) -> tuple[Encoded, Decoded]:
    """Like ``forced_pass``, up to the last hidden states, so that the caller projects only what it needs."""
    given = [interventions] if isinstance(interventions, Interventions) else interventions
    rows = [row.within(n_source=len(source_ids), n_target=len(prefix_ids)) for row in with_donors(bundle, given)]
    for row in dict.fromkeys(rows):
        row.check(bundle.config, n_source=len(source_ids))
    edited = rows if any(rows) else None
    model, config = bundle.model, bundle.config
    check_forced(config, n_source=len(source_ids), n_target=len(prefix_ids), batch=len(rows) if capture else 1)
    source = pad([source_ids], config.source_pad_id, device=bundle.device).expand(len(rows), -1)
    prefix = pad([prefix_ids], config.target_pad_id, device=bundle.device).expand(len(rows), -1)
    extra = {"record": record} if record else {}
    encoded = model.encode(source, capture=capture, interventions=edited, **extra)
    decoded = model.decode(prefix, encoded, capture=capture, interventions=edited, **extra)
    return encoded, decoded


@torch.inference_mode()
def token_log_probs(
    bundle: Bundle,
    source_ids: Sequence[int],
    prefix_ids: Sequence[int],
    target_ids: Sequence[int],
    *,
    interventions: Interventions | Sequence[Interventions] = NONE,
) -> Floats:
    """Natural logarithm of the probability of each given token.

    Args:
        source_ids: the S tokens that the encoder reads.
        prefix_ids: the T tokens that the decoder is fed.
        target_ids: the T tokens whose probability is asked for; row t is fed ``prefix_ids[t]``.
        interventions: one set, or B of them.

    Returns:
        (T,) for one set of interventions, (B, T) for B of them.

    Raises:
        InterventionError: when an intervention names what the model does not have.
    """
    logits = forced_pass(bundle, source_ids, prefix_ids, interventions=interventions).logits
    found = chosen_log_probs(logits, torch.tensor([list(target_ids)], device=logits.device)).cpu().numpy()
    return found[0] if isinstance(interventions, Interventions) else found


def chosen_log_probs(logits: Tensor, target_ids: Tensor) -> Tensor:
    """Log-probabilities of given tokens: logits (B, T, V), ids (1 or B, T) -> float32 (B, T)."""
    logits = logits.float()
    chosen = logits.gather(2, target_ids.expand(len(logits), -1).unsqueeze(2)).squeeze(2)
    return chosen - logits.logsumexp(-1)
