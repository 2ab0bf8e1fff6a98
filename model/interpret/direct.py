"""Direct logit attribution: the contribution of each head, feed-forward network and embedding to a token's logit.

The decoder's output is the sum of its parts' outputs, each rescaled by the norms that follow. With every norm's
deviation fixed, those norms are linear, so a token's logit is a sum of one number per part (Elhage et al. 2021).
Indirect effects through later parts that read these outputs are not included: see ``causal``.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

from model.activations import activation_shapes
from model.bundle import Bundle
from model.inference.reading import check_predicts, check_step
from model.inference.teacher_forcing import teacher_forced
from model.interpret.inspection import transformer_of
from model.nn.norms import gain_and_shift, part_of_norm
from model.trace import Floats, Trace

WriterKind = Literal["embedding", "self", "cross", "feed_forward", "biases"]


@dataclass(frozen=True, slots=True)
class Writer:
    """One part of the decoder that writes to the residual stream."""

    kind: WriterKind
    """ "biases" are those of attention outputs, norms and the output projection, and changes by patches of the residual
    stream, which belong to no part."""
    layer: int | None = None
    head: int | None = None


@dataclass(frozen=True, slots=True)
class DirectContributions:
    """Each component's contribution to a token's logit, or to the difference of two tokens' logits.

    If a model caps its logits (Gemma 2) or returns log-probabilities, these are the logits before that: a
    log-probability is not a sum over parts, and the difference of two log-probabilities equals that of the logits.
    """

    step: int
    token_id: int
    rival_id: int | None
    writers: tuple[Writer, ...]
    values: Floats
    """One per writer; they sum to ``logit``."""
    logit: float
    """The output of the projection, before any cap or softmax; minus the rival's if there is one."""


@torch.inference_mode()
def direct_contributions(
    bundle: Bundle, trace: Trace, *, step: int, token_id: int | None = None, rival_id: int | None = None
) -> DirectContributions:
    """Split the logit of one prediction into contributions.

    Args:
        step: the row that predicts the token.
        token_id: the token; None means the predicted one.
        rival_id: subtract this token's logit, to explain why ``token_id`` was chosen over it.

    Raises:
        DecodingError: when there is no such step or token, and for an encoder-only model, which predicts no tokens.
        InspectionError: for a model that runs in its original code.
    """
    model = transformer_of(bundle)
    check_predicts(bundle)
    check_step(bundle, trace, step, token_id, rival_id)
    token = trace.target.ids[step] if token_id is None else token_id
    known = [name for name in activation_shapes(bundle.config) if name.startswith("decoder.")]
    streams = {name for name in known if ".residual." in name or name == "decoder.final_norm"}
    patched = streams.intersection(patch.name for patch in trace.interventions.patches)
    outputs = [name for name in known if name.endswith((".head_output", ".output"))]
    names = frozenset(["decoder.embedding", *outputs, "decoder.final_norm", *patched])
    forced = teacher_forced(bundle, [trace], interventions=trace.interventions, record=names)
    parts = {name: x[0].double() for name, x in forced.recorded.items()}
    writers, written = _writers_of(model, parts, step, patched)
    output, weight = model.output, model.output.weight.double()
    direction = weight[token] - (weight[rival_id] if rival_id is not None else 0.0)
    values = written @ direction * model.config.output_scale
    if output.bias is not None:
        bias = output.bias[token] - (output.bias[rival_id] if rival_id is not None else 0.0)
        values[-1] += float(bias) * model.config.output_scale
    state = parts["decoder.final_norm"][step].to(weight)
    logits = (state @ weight.T + (output.bias.double() if output.bias is not None else 0.0)) * model.config.output_scale
    logit = float(logits[token] - (logits[rival_id] if rival_id is not None else 0.0))
    return DirectContributions(step, token, rival_id, writers, values.float().cpu().numpy().astype(np.float32), logit)


def _writers_of(
    model: Any, parts: dict[str, Tensor], step: int, patched: set[str]
) -> tuple[tuple[Writer, ...], Tensor]:
    """Every writer, biases last, and its part of the decoder's output, (writers, D).

    The change by a patch of the stream belongs to no writer and is counted to the biases.
    """
    kinds: tuple[WriterKind, ...] = ("self",) if model.config.is_single_stack else ("self", "cross")
    stream = _Stream(parts["decoder.embedding"][step])

    def follow(name: str) -> None:
        if name in patched:
            stream.become(parts[name][step])

    for index, layer in enumerate(model.decoder.layers):
        follow(f"decoder.{index}.residual.before")
        norms = {"self": layer.self_attention_norm, "cross": layer.cross_attention_norm}
        for kind in kinds:
            attention = layer.self_attention if kind == "self" else layer.cross_attention
            heads = attention.contributions_after_norm(
                parts[f"decoder.{index}.{kind}.head_output"][:, step : step + 1]
            )[:, 0]  # (H, D)
            output = parts[f"decoder.{index}.{kind}.output"][step]
            writers = [Writer(kind, index, head) for head in range(len(heads))]
            stream.add(layer, norms[kind], writers, heads, constant=output - heads.sum(0))
            follow(f"decoder.{index}.residual.{'middle' if kind == 'self' else 'after_cross'}")
        fed = parts[f"decoder.{index}.feed_forward.output"][step]
        stream.add(layer, layer.feed_forward_norm, [Writer("feed_forward", index)], fed[None], constant=None)
        follow(f"decoder.{index}.residual.after")
    if model.decoder.final_norm is not None:
        stream.normalise(model.decoder.final_norm)
    follow("decoder.final_norm")
    return (*stream.writers, Writer("biases")), torch.cat((stream.written, stream.constant[None]))


class _Stream:
    """The residual stream at one position, split by the part that wrote it."""

    def __init__(self, embedding: Tensor) -> None:
        self.writers = [Writer("embedding")]
        self.written = embedding[None]  # (writers, D)
        self.constant = torch.zeros_like(embedding)

    def add(
        self, layer: Any, norm: nn.Module, writers: list[Writer], written: Tensor, *, constant: Tensor | None
    ) -> None:
        """Add a sublayer's output, and apply the norm that follows it in a post-norm layer."""
        self.written = torch.cat((self.written * layer.residual_scale, written))
        self.constant = self.constant * layer.residual_scale + (0.0 if constant is None else constant)
        self.writers += writers
        if not layer.norm_first:
            self.normalise(norm)

    def become(self, patched: Tensor) -> None:
        """Replace the stream by a patched one: the difference is counted to no writer."""
        self.constant = patched - self.written.sum(0)

    def normalise(self, norm: nn.Module) -> None:
        """Apply a norm to each part, with the deviation of the whole; the shift is a part of its own."""
        whole = self.written.sum(0) + self.constant
        self.written = part_of_norm(norm, self.written, whole)
        self.constant = part_of_norm(norm, self.constant, whole) + gain_and_shift(norm, whole)[1]
