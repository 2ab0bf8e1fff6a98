"""Attributions by the embeddings that a model is given: Captum on the library's own model, and Inseq's gradient × input
of the log-probability, summed over an embedding's numbers."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import torch
from captum.attr import InputXGradient, IntegratedGradients
from torch import Tensor

import model
from benchmarks.peers.models import Row, Twin, compared, words

N_STEPS, BASELINE = 300, 9
_GRADIENT = {"method": "gradient_input"}
_OURS: dict[str, Any] = {"method": "integrated_gradients", "n_points": N_STEPS}


def captum(twin: Twin) -> Iterator[Row]:
    """Three attributions of every prediction of one family."""
    if not twin.predicts:
        return
    for quantity, options, theirs in (
        ("gradient_input", _GRADIENT, _gradient_input),
        ("integrated_gradients", _OURS | {"baseline": "zeros"}, _integrated),
        ("integrated_from_token", _OURS | {"baseline": BASELINE}, partial(_integrated, token=BASELINE)),
    ):
        yield compared(quantity, twin, partial(_ours, twin, options), partial(_every_step, twin, theirs))


def _ours(twin: Twin, options: dict[str, Any]) -> Any:
    """Regard's numbers by what each prediction reads, (T, S + T)."""
    found = model.attribute(twin.bundle, twin.trace, **options)
    return np.concatenate((found.source, found.prefix), 1)


def _every_step(twin: Twin, attribute: Callable[[Twin, int], tuple[Tensor, ...]]) -> Any:
    """(T, S + T), zeros for tokens that are not fed yet."""
    n_source, n_target = len(twin.trace.source), len(twin.trace.target)
    found = np.zeros((n_target, n_source + n_target), np.float32)
    for step in range(n_target):
        parts = np.concatenate([part[0].sum(-1).detach().numpy() for part in attribute(twin, step)])
        found[step, : len(parts)] = parts
    return found


def embedded(twin: Twin, step: int, token: int | None = None) -> tuple[Tensor, ...]:
    """Embeddings, as the library's layers add positions to them, of what a prediction reads; or of one token."""
    network, ids = twin.network, [twin.trace.prefix.ids[: step + 1]]
    sides = [twin.trace.source.ids, *ids] if twin.has_two_stacks else ids
    stacks = [network.get_encoder(), network.get_decoder()] if twin.has_two_stacks else [network]
    found = []
    for stack, own in zip(stacks, sides, strict=True):
        row = own if token is None else [token] * len(own)
        # Marian's decoder alone scales embeddings that it is given.
        scale = 1.0 if twin.family == "Marian" and found else getattr(stack, "embed_scale", 1.0)
        found.append(stack.get_input_embeddings()(torch.tensor([row])).detach() * scale)
    return tuple(found)


def log_prob_at(twin: Twin, step: int) -> Callable[..., Tensor]:
    """The log-probability of a prediction from embeddings."""
    names = ("inputs_embeds", "decoder_inputs_embeds") if twin.has_two_stacks else ("inputs_embeds",)

    def forward(*sides: Tensor) -> Tensor:
        logits = twin.network(**dict(zip(names, sides, strict=True)), use_cache=False).logits[:, step]
        return logits.log_softmax(-1)[:, twin.trace.target.ids[step]]

    return forward


def _gradient_input(twin: Twin, step: int) -> tuple[Tensor, ...]:
    given = tuple(side.requires_grad_() for side in embedded(twin, step))
    return InputXGradient(log_prob_at(twin, step)).attribute(given)


def _integrated(twin: Twin, step: int, token: int | None = None) -> tuple[Tensor, ...]:
    own = embedded(twin, step)
    start = tuple(map(torch.zeros_like, own)) if token is None else embedded(twin, step, token)
    return IntegratedGradients(log_prob_at(twin, step)).attribute(own, start, n_steps=N_STEPS)


def inseq(twin: Twin) -> Iterator[Row]:
    """Gradient × input of every prediction of one family."""
    if twin.predicts:
        yield compared("gradient_input", twin, lambda: _ours(twin, _GRADIENT), lambda: _by_inseq(twin))


def _by_inseq(twin: Twin) -> Any:
    import inseq  # only in its own environment

    asked = inseq.load_model(twin.network, "input_x_gradient", tokenizer=words(has_end=twin.has_two_stacks))
    if twin.family == "Marian":  # Inseq scales the embeddings that it gives, and Marian's decoder scales them again
        twin.network.model.decoder.embed_scale = 1.0
    whole = (*twin.trace.prefix.ids, twin.trace.target.ids[-1])
    sides = (twin.trace.source.ids, twin.trace.target.ids) if twin.has_two_stacks else (whole[:1], whole)
    if twin.has_two_stacks:  # the tokenizer adds the end to each text
        sides = tuple(ids[:-1] for ids in sides)
    source, target = (" ".join("</s>" if index == 2 else f"t{index}" for index in ids) for ids in sides)
    found = asked.attribute(
        source, target, attribute_target=twin.has_two_stacks, attributed_fn="probability", logprob=True,
        show_progress=False,
    ).sequence_attributions[0]  # fmt: skip
    sides = (side for side in (found.source_attributions, found.target_attributions) if side is not None)
    width = len(twin.trace.source) + len(twin.trace.prefix)
    return np.nan_to_num(np.concatenate([side.sum(-1).numpy() for side in sides])).T[
        :, :width
    ]  # Inseq has a row for the last token too
