"""The contribution of each source token and each earlier target token to every prediction, by several methods.

Attention weights are one method, and not the best. ALTI+ (Ferrando et al. 2022, sections 2 and 3) measures each token's
contribution to a layer's output, including values, output matrix and residual, and multiplies the layers. Gradient ×
input uses the gradient with respect to each token's embedding, before positions are added, and integrated gradients its
mean on the path from embeddings of zeros. Erasure removes each token in turn; the other methods are compared with it.
"""

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import torch
from torch import Tensor

from model.activations import activation_shapes
from model.analysis.agreement import rank_agreement
from model.analysis.rollout import rollout
from model.bundle import Bundle
from model.inference.batches import MAX_BATCH_ROWS, group_by_length
from model.inference.teacher_forcing import teacher_forced
from model.interpret.attribution import AttributionError, share_of_row, value_weighted
from model.interpret.inspection import transformer_of
from model.interpret.integrated_gradients import COMPLETE, FLOOR, Rule, integrated_gradients, token_embeddings
from model.interventions import SUBLAYERS, BlockedKey
from model.nn.norms import gain_and_shift, part_of_norm
from model.progress import Progress, ignore_progress
from model.trace import AttentionMaps, Floats, ShapeError, Trace

Method = Literal["raw", "rollout", "value_weighted", "alti", "gradient_input", "integrated_gradients", "erasure"]
METHODS: tuple[Method, ...] = get_args(Method)


class AttributionWarning(UserWarning):
    """The rows of an attribution do not sum as its definition requires; the message gives the gap."""


@dataclass(frozen=True, slots=True)
class TokenAttribution:
    """Contributions to each of T predictions."""

    TOKEN_AXES: ClassVar = {"source": ("target", "source"), "prefix": ("target", "prefix")}
    method: Method
    source: Floats
    """(T, S)"""
    prefix: Floats
    """(T, T), row t over the tokens fed up to t; begin of sentence is column 0."""
    gap: float | None = None
    """Integrated gradients: the largest difference between a row's sum and the change along its path, in nats."""
    n_points: int | None = None
    """Integrated gradients: the largest number of points of a path."""
    baseline: int | None = None
    """Integrated gradients: the token at whose embedding the paths begin; None means zeros."""

    def __post_init__(self) -> None:
        t = len(self.source)
        if self.source.ndim != 2 or self.prefix.shape != (t, t):
            raise ShapeError(f"source {self.source.shape} and prefix {self.prefix.shape} are not (T, S) and (T, T)")

    @property
    def is_signed(self) -> bool:
        """Whether the values are signed nats; otherwise they are non-negative and a row of both sides sums to 1."""
        return self.method in ("gradient_input", "integrated_gradients", "erasure")

    @property
    def is_complete(self) -> bool:
        """Whether the gap is below 1 % of the largest row sum, or below 0.001 nats; true for methods without a gap."""
        if self.gap is None:
            return True
        return self.gap < max(COMPLETE * float(np.abs(self.source.sum(1) + self.prefix.sum(1)).max()), FLOOR)


def agreement_with_erasure(attribution: TokenAttribution, erased: TokenAttribution) -> float | None:
    """Spearman's correlation with erasure over all tokens visible to a prediction; signed values by magnitude."""
    seen = np.tril(np.ones(attribution.prefix.shape, bool), -1)  # a step's own input is not erased
    sides = [np.concatenate((each.source.ravel(), each.prefix[seen])) for each in (attribution, erased)]
    sizes = np.abs(sides[0]) if attribution.is_signed else sides[0]
    return rank_agreement(sizes, np.abs(sides[1])).correlation


def token_attribution(
    bundle: Bundle,
    trace: Trace,
    *,
    method: Method = "alti",
    baseline: int | Literal["zeros"] | None = None,
    n_points: int | None = None,
    rule: Rule = "gausslegendre",
    on_progress: Progress = ignore_progress,
) -> TokenAttribution:
    """Contributions by one method, under the trace's interventions.

    Args:
        method: "raw", weights of the last layer, mean over heads, cross- and self-attention sharing a row equally;
            "rollout" (Abnar & Zuidema 2020); "value_weighted", norms of weighted values in the last layer (Kobayashi et
            al. 2020); "alti", ALTI+; "gradient_input", the gradient of the prediction's log-probability with respect to
            each token's embedding, before positions are added, times that embedding; "integrated_gradients", the mean
            of that gradient on the path from the baseline, times embedding minus baseline; "erasure", the fall of the
            log-probability when the token is masked in all attention.
        baseline: for integrated gradients, the id of the token at whose embedding the paths begin, or "zeros". None
            means zeros; for models with RMS norms, whose paths from zeros do not converge, it means the first of the
            unknown, padding and end tokens that the model has.
        n_points: for integrated gradients, the points of each path; None takes as many as needed, 50 to 800.
        rule: for integrated gradients, Captum's name of the quadrature.
        on_progress: called by integrated gradients, which take long, with the predictions done and in all.

    Raises:
        AttributionError: for an unknown method, a baseline that is no token, or a model that predicts no tokens.
        InspectionError: when the method needs the parts of a model that runs in its original code.

    Warns:
        AttributionWarning: when the gap of integrated gradients is 1 % of the change along their path or more.
    """
    if trace.attention.decoder_self is None:
        raise AttributionError(
            f"{bundle.name} predicts no tokens one after another, so attribute() has nothing to divide: choose "
            "a model with a decoder"
        )
    if method == "rollout":
        return _last(rollout(trace.attention), method)
    if method == "raw":
        return _last_layer_mean(trace.attention, method)
    if method == "value_weighted":
        return _last_layer_mean(share_of_row(value_weighted(bundle, trace)), method)
    if method == "alti":
        return alti(bundle, trace)
    if method == "gradient_input":
        return _gradient_input(bundle, trace)
    if method == "integrated_gradients":
        return _integrate(bundle, trace, baseline, n_points, rule, on_progress)
    if method == "erasure":
        return _erasure(bundle, trace)
    raise AttributionError(f"attribute() has no method {method!r:.40}: choose {', '.join(METHODS)}")


def _integrate(
    bundle: Bundle,
    trace: Trace,
    baseline: int | Literal["zeros"] | None,
    n_points: int | None,
    rule: Rule,
    on_progress: Progress,
) -> TokenAttribution:
    n_tokens = min(size for size in (bundle.config.source_vocab_size, bundle.config.target_vocab_size) if size)
    if baseline is None:
        baseline = _usual_start(bundle, n_tokens)
    start = None if isinstance(baseline, str) else baseline
    if (isinstance(baseline, str) and baseline != "zeros") or (start is not None and not 0 <= start < n_tokens):
        raise AttributionError(f'there is no token {baseline} to begin at: choose 0 to {n_tokens - 1}, or "zeros"')
    if rule not in get_args(Rule) or (n_points is not None and n_points < 1):
        raise AttributionError(f"n_points is {n_points} and rule {rule!r:.40}: choose {', '.join(get_args(Rule))}")
    source, prefix, gap, used = integrated_gradients(
        bundle, trace, baseline=start, n_points=n_points, rule=rule, on_progress=on_progress
    )
    attribution = TokenAttribution("integrated_gradients", _floats(source), _floats(prefix), gap, used, start)
    if not attribution.is_complete:
        warnings.warn(
            f"the rows of integrated gradients miss up to {gap:.2f} nats of what changes along their path, at {used} "
            + ("points: " if n_points is None else "points: leave n_points out, or ")
            + ("begin at a token instead of zeros, such as baseline=0" if start is None else "choose another baseline"),
            AttributionWarning, stacklevel=3,
        )  # fmt: skip
    return attribution


def _usual_start(bundle: Bundle, n_tokens: int) -> int | None:
    """The default baseline token of a model with RMS norms, which divide by nearly zero at zeros; otherwise None."""
    model = transformer_of(bundle)
    stacks = [stack for stack in (model.encoder, model.decoder) if not stack.is_absent]
    specs = (*bundle.config.layers(encoder=True), *bundle.config.layers(encoder=False))
    if all(spec.norm_kind != "rms" for spec in specs):
        return None
    config, unknown = bundle.config, getattr(bundle.source_tokenizer, "unknown_id", None)
    for token in (unknown, config.source_pad_id, config.eos_id):
        if token is not None and 0 <= token < n_tokens and all(stack.embedding.weight[token].any() for stack in stacks):
            return int(token)
    return None


@torch.inference_mode()
def alti(bundle: Bundle, trace: Trace) -> TokenAttribution:
    """ALTI+ (Ferrando et al. 2022): the product of layer contributions; rows of both sides together sum to 1."""
    model = transformer_of(bundle)
    names = [name for name in activation_shapes(bundle.config) if name.endswith(_READ)]
    passed = teacher_forced(bundle, [trace], interventions=trace.interventions, record=names)
    recorded = {name: x[0].double() for name, x in passed.recorded.items()}
    for off in trace.interventions.heads_off:
        if off.mode == "zero":
            recorded[f"{SUBLAYERS[off.kind].format(off.layer)}.weights"][off.head] = 0.0
    memory = torch.eye(len(trace.source), dtype=torch.float64, device=bundle.device)
    for index, layer in enumerate(model.encoder.layers):
        shares = _shares(layer, "self", f"encoder.{index}", "before", recorded)
        memory = _with_residual(shares) @ memory
    prefix = torch.eye(len(trace.prefix), dtype=torch.float64, device=bundle.device)
    source = torch.zeros(len(trace.prefix), len(trace.source), dtype=torch.float64, device=bundle.device)
    for index, layer in enumerate(model.decoder.layers):
        self_shares = _with_residual(_shares(layer, "self", f"decoder.{index}", "before", recorded))
        prefix, source = self_shares @ prefix, self_shares @ source
        if bundle.config.is_single_stack:
            continue
        crossed, residual = _shares(layer, "cross", f"decoder.{index}", "middle", recorded)
        prefix, source = residual[:, None] * prefix, residual[:, None] * source + crossed @ memory
    return TokenAttribution("alti", _floats(source), _floats(prefix))


_READ = (
    "self.weights", "self.value", "self.output", "cross.weights", "cross.value", "cross.output", "residual.before",
    "residual.middle",
)  # fmt: skip


def _shares(
    layer: Any, sublayer: Literal["self", "cross"], place: str, stream: str, recorded: dict[str, Tensor]
) -> tuple[Tensor, Tensor]:
    """Contributions to one sublayer's output: of the positions attended to (Q, X), and of the residual (Q,)."""
    attention = layer.self_attention if sublayer == "self" else layer.cross_attention
    weights, values = recorded[f"{place}.{sublayer}.weights"], recorded[f"{place}.{sublayer}.value"]
    brought = attention.head_outputs(values[None].to(attention.output.weight)).double()[0]  # (H, X, D)
    parts = torch.einsum("hqx,hxd->qxd", weights, brought)  # (Q, X, D)
    parts = attention.contributions_after_norm(parts[:, :, None])[:, :, 0]
    residual = recorded[f"{place}.residual.{stream}"] * layer.residual_scale  # (Q, D)
    whole = residual + recorded[f"{place}.{sublayer}.output"]
    parts = torch.cat((parts, residual[:, None]), 1)  # (Q, X + 1, D)
    if sublayer == "self":  # a token's own value and its residual are one contribution (section 2.2)
        diagonal = torch.arange(parts.shape[0], device=parts.device)
        parts[diagonal, -1] += parts[diagonal, diagonal]
        parts[diagonal, diagonal] = 0.0
    if not layer.norm_first:
        norm = layer.self_attention_norm if sublayer == "self" else layer.cross_attention_norm
        shift = gain_and_shift(norm, whole)[1]
        parts, whole = part_of_norm(norm, parts, whole[:, None]), part_of_norm(norm, whole, whole) + shift
    distance = (whole[:, None] - parts).abs().sum(-1)  # (Q, X + 1)
    near = (whole.abs().sum(-1, keepdim=True) - distance).clamp(min=0)
    if sublayer == "self":
        near[:, :-1] = near[:, :-1].masked_fill(torch.eye(len(near), dtype=torch.bool, device=near.device), 0.0)
    total = near.sum(-1, keepdim=True)
    alone = torch.zeros_like(near)
    alone[:, -1] = 1.0
    shares = torch.where(total > 0, near / total.clamp(min=1e-300), alone)
    return shares[:, :-1], shares[:, -1]


def _with_residual(shares: tuple[Tensor, Tensor]) -> Tensor:
    """Self-attention's contributions with the residual on the diagonal, (Q, Q); rows sum to 1."""
    return shares[0] + torch.diag(shares[1])


def _gradient_input(bundle: Bundle, trace: Trace) -> TokenAttribution:
    tokens = token_embeddings(bundle, trace)
    with torch.enable_grad():
        for side in tokens:
            side.requires_grad_()
        passed = teacher_forced(bundle, [trace], interventions=trace.interventions, tokens=tokens)
        # Patches may disconnect the output from one side, or from both: its gradient is then 0.
        aims = passed.log_probs[0] + 0.0 * (tokens[0].sum() + tokens[1].sum())  # (T,)
        slopes = [torch.autograd.grad(aim, tokens, retain_graph=True) for aim in aims]
    source, prefix = (
        torch.stack([(row[side] * ids)[0].sum(-1) for row in slopes]).detach()  # (T, N)
        for side, ids in enumerate(tokens)
    )
    return TokenAttribution("gradient_input", _floats(source), _floats(prefix))


@torch.inference_mode()
def _erasure(bundle: Bundle, trace: Trace) -> TokenAttribution:
    """The fall of the log-probability when a source token is masked everywhere, or a target token in later steps."""
    n_source, n_target, base = len(trace.source), len(trace.prefix), trace.interventions
    hidden = [(BlockedKey("encoder_self", i), BlockedKey("cross", i)) for i in range(n_source)]
    hidden += [
        tuple(BlockedKey("decoder_self", i, query=query) for query in range(i + 1, n_target)) for i in range(n_target)
    ]
    rows = [base, *map(base.hiding, hidden)]
    log_probs_of_rows = []
    for part in group_by_length([(n_source, n_target)] * len(rows), MAX_BATCH_ROWS):
        edits = [rows[index] for index in part]
        log_probs_of_rows.append(teacher_forced(bundle, [trace] * len(edits), interventions=edits).log_probs)
    log_probs = torch.cat(log_probs_of_rows)
    lost = (log_probs[0] - log_probs[1:]).T  # (T, S + T)
    return TokenAttribution("erasure", _floats(lost[:, :n_source]), _floats(lost[:, n_source:]))


def _last(maps: AttentionMaps, method: Method) -> TokenAttribution:
    """The last layer of maps with one head, in which the rows of both kinds together sum to 1."""
    assert maps.decoder_self is not None
    prefix = maps.decoder_self[-1].mean(0)
    source = np.zeros((len(prefix), 0), np.float32) if maps.cross is None else maps.cross[-1].mean(0)
    return TokenAttribution(method, source, prefix)


def _last_layer_mean(maps: AttentionMaps, method: Method) -> TokenAttribution:
    """The last layer, mean over heads; each kind makes up half of a row, or all of it in a decoder-only model."""
    whole = _last(maps, method)
    if maps.cross is None:
        return whole
    half = np.float32(0.5)
    return TokenAttribution(method, whole.source * half, whole.prefix * half)


def _floats(x: Tensor) -> Floats:
    return x.float().cpu().numpy()
