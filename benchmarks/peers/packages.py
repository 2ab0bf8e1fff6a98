"""What compares one model with each package: BertViz's page; TransformerLens's hooks; NNsight around residual streams
that are read, replaced, moved and differentiated; Captum's and Inseq's attributions by embeddings."""

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import torch
from captum.attr import InputXGradient, IntegratedGradients
from torch import Tensor

import model
from benchmarks.peers.models import OTHER, SOURCE, Row, Twin, compared, words

# Names of the kinds of attention: the library's, BertViz's and TransformerLens's.
ATTENTIONS = {"encoder_self": "encoder_attentions", "decoder_self": "decoder_attentions", "cross": "cross_attentions"}
VIEWS = {"Encoder": "encoder_self", "Decoder": "decoder_self", "Cross": "cross"}
MODULES = {
    "encoder_self": "encoder_blocks.{}.attn", "decoder_self": "decoder_blocks.{}.self_attn",
    "cross": "decoder_blocks.{}.cross_attn",
}  # fmt: skip
STRENGTH = 0.7
VECTOR = np.random.default_rng(0).normal(size=16).astype(np.float32)
N_STEPS, BASELINE = 300, 9
GRADIENT_INPUT = {"method": "gradient_input"}
INTEGRATED: dict[str, Any] = {"method": "integrated_gradients", "n_points": N_STEPS}


def transformers(twin: Twin) -> Iterator[Row]:
    """Attention and log-probabilities."""
    yield compared("attention", twin, lambda: _weights(twin), lambda: _library_weights(twin))
    if twin.predicts:
        yield compared("log_probs", twin, lambda: twin.trace.log_probs, lambda: twin.log_probs_of(_output(twin).logits))


def bertviz(twin: Twin) -> Iterator[Row]:
    """Attention, read from the page that BertViz writes."""
    yield compared("attention", twin, lambda: _weights(twin), lambda: _weights_in_page(twin))


def _weights(twin: Twin) -> dict[str, Any]:
    """Regard's weights by kind, (L, H, Q, K) each."""
    return {kind: twin.trace.attention.of(kind) for kind in twin.trace.attention.kinds}


def _single_kind(twin: Twin) -> str:
    """The kind of attention of a model of one stack."""
    return "decoder_self" if twin.predicts else "encoder_self"


@torch.no_grad()
def _output(twin: Twin) -> Any:
    return twin.network(**twin.inputs(), output_attentions=True)


def _library_weights(twin: Twin) -> dict[str, Any]:
    output = _output(twin)
    if twin.has_two_stacks:
        return {kind: torch.cat(getattr(output, name)) for kind, name in ATTENTIONS.items()}
    return {_single_kind(twin): torch.cat(output.attentions)}


def _weights_in_page(twin: Twin) -> dict[str, Any]:
    from bertviz import head_view  # only in its own environment

    output = _output(twin)
    tokens = [f"t{index}" for index in twin.inputs()["input_ids"][0].tolist()]
    if twin.has_two_stacks:
        fed = [f"t{index}" for index in twin.trace.prefix.ids]
        arguments = {name: getattr(output, f"{name}s") for name in ("encoder_attention", "decoder_attention")}
        arguments |= {"cross_attention": output.cross_attentions, "encoder_tokens": tokens, "decoder_tokens": fed}
    else:
        arguments = {"attention": output.attentions, "tokens": tokens}
    page = head_view(**arguments, html_action="return").data
    params, _ = json.JSONDecoder().raw_decode(page[page.index('{"attention": ') :])
    return {VIEWS.get(view["name"] or "", _single_kind(twin)): view["attn"] for view in params["attention"]}


def transformer_lens(twin: Twin) -> Iterator[Row]:
    """Patterns, log-probabilities, heads switched off, and the lens."""
    yield compared("attention", twin, lambda: _weights(twin), lambda: _patterns(twin))
    if not twin.predicts:
        return
    yield compared("log_probs", twin, lambda: twin.trace.log_probs, lambda: twin.log_probs_of(_run(twin)))
    yield compared(
        "head_off", twin, lambda: dict(model.head_effects(twin.bundle, twin.trace).changes), lambda: _heads_off(twin)
    )
    if not twin.has_two_stacks:
        yield compared("lens", twin, lambda: model.logit_lens(twin.bundle, twin.trace, n_best=40).logits,
                       lambda: _lens(twin))  # fmt: skip


@cache
def _bridge(folder: str) -> Any:
    from transformer_lens.model_bridge import TransformerBridge

    return TransformerBridge.boot_transformers(folder, device="cpu", tokenizer=words())


def _modules(twin: Twin) -> dict[str, str]:
    return MODULES if twin.has_two_stacks else {_single_kind(twin): "blocks.{}.attn"}


@torch.no_grad()
def _run(twin: Twin, method: str = "run_with_hooks", **options: Any) -> Any:
    source, *fed = twin.inputs().values()
    return getattr(_bridge(str(twin.folder)), method)(source, **({"decoder_input": fed[0]} if fed else {}), **options)


def _patterns(twin: Twin) -> dict[str, Any]:
    _, cache = _run(twin, "run_with_cache")
    return {
        kind: torch.cat([cache[f"{name.format(layer)}.hook_pattern"] for layer in range(2)])
        for kind, name in _modules(twin).items()
    }


def _heads_off(twin: Twin) -> dict[str, Any]:
    """The change in each token's log-probability without each head, (L, H, T) of each kind."""
    plain, effects = twin.log_probs_of(_run(twin)), {}
    for kind, name in _modules(twin).items():
        changes = np.zeros((2, 2, len(twin.trace.target)), np.float32)
        for layer, head in np.ndindex(2, 2):
            hook = (f"{name.format(layer)}.hook_z", partial(_silence, head=head))
            changes[layer, head] = (twin.log_probs_of(_run(twin, fwd_hooks=[hook])) - plain).numpy()
        effects[kind] = changes
    return effects


def _silence(z: torch.Tensor, hook: Any, *, head: int) -> torch.Tensor:
    """One head's mixed values, (B, T, H, K) or (B, T, H K), as zeros."""
    silenced = z.reshape(*z.shape[:2], 2, -1).clone()
    silenced[:, :, head] = 0.0
    return silenced.reshape(z.shape)


@torch.no_grad()
def _lens(twin: Twin) -> Any:
    """The same tokens' logits, best first, (L, T, V)."""
    bridge, (_, cache) = _bridge(str(twin.folder)), _run(twin, "run_with_cache")
    states = torch.cat([cache[f"blocks.{layer}.hook_resid_post"] for layer in range(2)])
    return bridge.unembed(bridge.ln_final(states)).sort(-1, descending=True).values


def nnsight(twin: Twin) -> Iterator[Row]:
    """Residual streams after the layers: read, patched, steered, and the gradient by one."""
    names = tuple(twin.blocks(twin.network))
    yield compared("residual", twin, lambda: dict(model.record(twin.bundle, twin.trace, names=names)),
                   lambda: _states(twin, SOURCE))  # fmt: skip
    if not twin.predicts:
        return
    name = names[0]
    patch = model.Patch(name, from_text=" ".join(f"#{index}" for index in twin.read(OTHER)))
    yield compared("patched", twin, lambda: _under(twin, patch),
                   lambda: _change_activation(twin, name, keeps=0.0, added=_states(twin, OTHER)[name]))  # fmt: skip
    steer = model.Patch(name, add=VECTOR, strength=STRENGTH)
    yield compared("steered", twin, lambda: _under(twin, steer),
                   lambda: _change_activation(twin, name, keeps=1.0,
                                              added=STRENGTH * torch.from_numpy(VECTOR)))  # fmt: skip
    yield compared(
        "gradient", twin, lambda: model.record(twin.bundle, twin.trace, names=name, gradients_of=1).gradients[name],
        lambda: _stream_gradient(twin, name),
    )  # fmt: skip


def _under(twin: Twin, patch: model.Patch) -> Any:
    fed = twin.trace.prefix.ids
    read = twin.trace.source.ids if twin.has_two_stacks else fed
    attended = model.attend(twin.bundle, [read], [fed], interventions=model.Interventions(patches=patch))
    assert attended.logits is not None
    return twin.log_probs_of(torch.from_numpy(attended.logits))


def _around(twin: Twin) -> Any:
    from nnsight import NNsight  # only in its own environment

    return NNsight(twin.network)


def _states(twin: Twin, source: tuple[int, ...]) -> dict[str, Any]:
    around, states = _around(twin), {}
    for name, block in twin.blocks(around).items():
        with torch.no_grad(), around.trace(**twin.inputs(source)):
            state = block.output.save()
        states[name] = (state[0] if isinstance(state, tuple) else state).detach()  # a layer returns it alone or first
    return states


def _change_activation(twin: Twin, name: str, *, keeps: float, added: torch.Tensor) -> Any:
    around = _around(twin)
    block = twin.blocks(around)[name]
    with torch.no_grad(), around.trace(**twin.inputs()):
        state = block.output
        state = state[0] if isinstance(state, tuple) else state
        state[:] = keeps * state + added
        logits = around.output.logits.save()
    return twin.log_probs_of(logits)


def _stream_gradient(twin: Twin, name: str) -> Any:
    around = _around(twin)
    block, token = twin.blocks(around)[name], twin.trace.target.ids[1]
    with around.trace(**twin.inputs()):
        state = block.output
        state = state[0] if isinstance(state, tuple) else state
        state.requires_grad_()
        aim = around.output.logits[0, 1].log_softmax(-1)[token]
        with aim.backward():
            gradient = state.grad.save()
    return gradient


def captum(twin: Twin) -> Iterator[Row]:
    """Attributions of every prediction by two methods, one of them from two baselines."""
    if not twin.predicts:
        return
    for quantity, options, attribute in (
        ("gradient_input", GRADIENT_INPUT, _captum_gradient_input),
        ("integrated_gradients", INTEGRATED | {"baseline": "zeros"}, _captum_integrated),
        ("integrated_from_token", INTEGRATED | {"baseline": BASELINE}, partial(_captum_integrated, token=BASELINE)),
    ):
        yield compared(quantity, twin, partial(_attributions, twin, options), partial(_every_step, twin, attribute))


def _attributions(twin: Twin, options: dict[str, Any]) -> Any:
    """Regard's numbers by what each prediction reads, (T, S + T)."""
    attribution = model.attribute(twin.bundle, twin.trace, **options)
    return np.concatenate((attribution.source, attribution.prefix), 1)


def _every_step(twin: Twin, attribute: Callable[[Twin, int], tuple[Tensor, ...]]) -> Any:
    """(T, S + T), zeros for tokens that are not fed yet."""
    n_source, n_target = len(twin.trace.source), len(twin.trace.target)
    attributions = np.zeros((n_target, n_source + n_target), np.float32)
    for step in range(n_target):
        parts = np.concatenate([part[0].sum(-1).detach().numpy() for part in attribute(twin, step)])
        attributions[step, : len(parts)] = parts
    return attributions


def embed(twin: Twin, step: int, token: int | None = None) -> tuple[Tensor, ...]:
    """Embeddings of the tokens that a prediction reads, as the library's layers add positions to them; or, at each of
    these positions, of one token."""
    network, ids = twin.network, [twin.trace.prefix.ids[: step + 1]]
    sides = [twin.trace.source.ids, *ids] if twin.has_two_stacks else ids
    stacks = [network.get_encoder(), network.get_decoder()] if twin.has_two_stacks else [network]
    embeddings: list[Tensor] = []
    for stack, side in zip(stacks, sides, strict=True):
        row = side if token is None else [token] * len(side)
        # Marian's decoder alone scales inputs_embeds.
        scale = 1.0 if twin.family == "Marian" and embeddings else getattr(stack, "embed_scale", 1.0)
        embeddings.append(stack.get_input_embeddings()(torch.tensor([row])).detach() * scale)
    return tuple(embeddings)


def log_prob_at(twin: Twin, step: int) -> Callable[..., Tensor]:
    """The log-probability of a prediction from embeddings."""
    names = ("inputs_embeds", "decoder_inputs_embeds") if twin.has_two_stacks else ("inputs_embeds",)

    def forward(*sides: Tensor) -> Tensor:
        logits = twin.network(**dict(zip(names, sides, strict=True)), use_cache=False).logits[:, step]
        return logits.log_softmax(-1)[:, twin.trace.target.ids[step]]

    return forward


def _captum_gradient_input(twin: Twin, step: int) -> tuple[Tensor, ...]:
    embeddings = tuple(side.requires_grad_() for side in embed(twin, step))
    return InputXGradient(log_prob_at(twin, step)).attribute(embeddings)


def _captum_integrated(twin: Twin, step: int, token: int | None = None) -> tuple[Tensor, ...]:
    embeddings = embed(twin, step)
    start = tuple(map(torch.zeros_like, embeddings)) if token is None else embed(twin, step, token)
    return IntegratedGradients(log_prob_at(twin, step)).attribute(embeddings, start, n_steps=N_STEPS)


def inseq(twin: Twin) -> Iterator[Row]:
    """Gradient × input of every prediction."""
    if twin.predicts:
        yield compared("gradient_input", twin, lambda: _attributions(twin, GRADIENT_INPUT), lambda: _by_inseq(twin))


def _by_inseq(twin: Twin) -> Any:
    import inseq  # only in its own environment

    attributor = inseq.load_model(twin.network, "input_x_gradient", tokenizer=words(has_end=twin.has_two_stacks))
    if twin.family == "Marian":  # Inseq scales the embeddings that it gives, and Marian's decoder scales them again
        twin.network.model.decoder.embed_scale = 1.0
    whole = (*twin.trace.prefix.ids, twin.trace.target.ids[-1])
    sides = (twin.trace.source.ids, twin.trace.target.ids) if twin.has_two_stacks else (whole[:1], whole)
    if twin.has_two_stacks:  # the tokenizer adds the end to each text
        sides = tuple(ids[:-1] for ids in sides)
    source, target = (" ".join("</s>" if index == 2 else f"t{index}" for index in ids) for ids in sides)
    attributed = attributor.attribute(
        source, target, attribute_target=twin.has_two_stacks, attributed_fn="probability", logprob=True,
        show_progress=False,
    ).sequence_attributions[0]  # fmt: skip
    sides = (side for side in (attributed.source_attributions, attributed.target_attributions) if side is not None)
    width = len(twin.trace.source) + len(twin.trace.prefix)
    rows = np.nan_to_num(np.concatenate([side.sum(-1).numpy() for side in sides])).T
    return rows[:, :width]  # Inseq has a row for the last token too
