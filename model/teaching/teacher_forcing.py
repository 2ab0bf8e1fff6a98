"""Training on one pair of sentences: training against inference position by position, and the effect of one step.

In training the decoder is fed the reference whatever it predicts (teacher forcing, Williams & Zipser 1989). At
inference it is fed its own predictions, which can differ from the reference (exposure bias, Ranzato et al. 2016).
"""

import copy
import dataclasses
import itertools
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.decoding.strategies import DecodingOptions, greedy
from model.inference.teacher_forcing import chosen_log_probs, teacher_forced, token_log_probs
from model.interpret.inspection import InspectionError, encoder_decoder_of
from model.interventions import NONE, Interventions
from model.text.tokens import TextError, describe_target, source_tokens, target_tokens
from model.trace import Floats, TokenSequence

MOST_PARAMETERS = 100_000_000
"""Maximum parameters: larger models need more memory and time than a lesson has."""
LEARNING_RATE = 0.01
_MOST_HALVINGS = 8


@dataclass(frozen=True, slots=True)
class Mode:
    """The decoder's input and its predictions at the T positions of the reference."""

    fed: TokenSequence
    predicted: TokenSequence
    losses: Floats
    """(T,) minus the log-probability of the reference's token there, in nats; NaN after the translation ended."""

    @property
    def mean_loss(self) -> float:
        """Mean over the positions that were reached, in nats."""
        return float(np.nanmean(self.losses))


@dataclass(frozen=True, slots=True)
class TeacherForcing:
    """Both modes over one reference."""

    reference: TokenSequence
    """T tokens, end of sentence included."""
    training: Mode
    inference: Mode
    first_divergence: int | None
    """First position where inference predicts another token than the reference; None when there is none."""


@torch.inference_mode()
def teacher_forcing(
    bundle: Bundle, source: str, reference: str, *, interventions: Interventions = NONE
) -> TeacherForcing:
    """Compare the two modes on a given translation.

    Lifting the causal mask changes only training mode: at inference there are no future tokens to see.

    Raises:
        TextError: when a text cannot be read, or the reference is empty.
    """
    read, target, prefix_ids = _pair_tokens(bundle, source, reference)
    logits = teacher_forced(bundle, [(read.ids, prefix_ids)], interventions=interventions).logits
    labels = torch.tensor([target.ids], device=logits.device)
    training = Mode(
        describe_target(bundle, prefix_ids),
        describe_target(bundle, logits[0].argmax(-1).tolist()),
        -chosen_log_probs(logits, labels)[0].cpu().numpy(),
    )
    inference = _inference(bundle, read, target, dataclasses.replace(interventions, lift_causal_mask=False))
    both = itertools.zip_longest(target.ids, inference.predicted.ids)  # a translation that ends early differs there
    first_divergence = next((t for t, (a, b) in enumerate(both) if a != b), None)
    return TeacherForcing(target, training, inference, first_divergence)


def _pair_tokens(bundle: Bundle, source: str, reference: str) -> tuple[TokenSequence, TokenSequence, tuple[int, ...]]:
    """The tokens of both sides, and the ids that the decoder is fed; TextError for an empty reference."""
    read, target = source_tokens(bundle, source), target_tokens(bundle, reference)
    if len(target) < 2:
        raise TextError("there is no reference translation: write one")
    return read, target, (bundle.config.bos_id, *target.ids[:-1])


def _inference(bundle: Bundle, read: TokenSequence, target: TokenSequence, edits: Interventions) -> Mode:
    """Greedy over as many positions as the reference has, and the reference's loss after each own prefix."""
    free = DecodingOptions(max_length=len(target), n_candidates=1, capture=False, interventions=edits)
    source_ids = torch.tensor([read.ids], device=bundle.device)
    generated = [int(step.chosen.ids[0]) for step in greedy(bundle.model, source_ids, free)]
    fed = [bundle.config.bos_id, *generated[:-1]]
    losses = np.full(len(target), np.nan, np.float32)
    losses[: len(generated)] = -token_log_probs(
        bundle, read.ids, fed, target.ids[: len(generated)], interventions=edits
    )
    return Mode(describe_target(bundle, fed), describe_target(bundle, generated), losses)


@dataclass(frozen=True, slots=True)
class OneStep:
    """The probability of each target token before and after one step of gradient descent."""

    reference: TokenSequence
    """The T target tokens, end of sentence included: the labels."""
    fed: TokenSequence
    """The decoder's T input tokens: the labels shifted by one, after the begin token."""
    preferred: TokenSequence
    """The model's T most probable tokens before the step."""
    before: Floats
    """(T,) probability of each target token."""
    after: Floats
    """(T,)"""
    losses: tuple[float, float]
    """Mean of -log p over the tokens, in nats: before and after."""
    n_parameters: int
    learning_rate: float


def one_step(bundle: Bundle, *, source: str, reference: str) -> OneStep:
    """Make one gradient step on a copy of the model, at a learning rate that lowers the loss.

    Args:
        reference: the reference translation.

    Raises:
        InspectionError: for a model that runs in its original implementation, or is too large.
        TextError: when a text cannot be read, or the reference is empty.
    """
    network = encoder_decoder_of(bundle)
    n_parameters = sum(parameter.numel() for parameter in network.parameters())
    if n_parameters > MOST_PARAMETERS:
        raise InspectionError(
            f"{bundle.name} has {n_parameters:,} parameters: one step of training is shown for models of at most "
            f"{MOST_PARAMETERS:,}"
        )
    read, target, fed = _pair_tokens(bundle, source, reference)
    row = (read.ids, fed, target.ids)
    trained = dataclasses.replace(bundle, model=copy.deepcopy(network).requires_grad_(True))
    with torch.enable_grad():
        forced = teacher_forced(trained, [row])
        loss = -forced.log_probs.mean()
        loss.backward()
    parameters = [each for each in trained.model.parameters() if each.grad is not None]
    with torch.no_grad():
        preferred = forced.logits[0].argmax(-1).tolist()
        before = forced.log_probs[0].detach()
        after, rate = _take_step(trained, row, parameters, float(loss.detach()))
    return OneStep(
        target, describe_target(bundle, fed), describe_target(bundle, preferred), before.exp().cpu().numpy(),
        after.exp().cpu().numpy(),
        (float(loss.detach()), float(-after.mean())), n_parameters, rate,
    )  # fmt: skip


def _take_step(bundle: Bundle, row: tuple, parameters: list[torch.nn.Parameter], loss: float) -> tuple[Tensor, float]:
    """Log-probabilities (T,) after the step, and its rate, which is halved until the loss falls."""
    rate, moved, log_probs = LEARNING_RATE, 0.0, torch.zeros(0)
    for _ in range(_MOST_HALVINGS):
        for parameter in parameters:
            assert parameter.grad is not None
            parameter.sub_((rate - moved) * parameter.grad)
        moved = rate
        log_probs = teacher_forced(bundle, [row]).log_probs[0]
        if float(-log_probs.mean()) < loss:
            return log_probs, rate
        rate /= 2
    return log_probs, moved
