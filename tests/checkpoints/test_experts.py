"""The experts that each token took are those of the library's routers, and those that its output comes from."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.inference.reading import kinds_of
from tests.checkpoint import tiny_bundle
from tests.checkpoints.architectures import ARCHITECTURES, save

FAMILIES = ("mixtral", "deepseek_v3", "qwen2_moe", "qwen3_moe", "olmoe", "switch_transformers", "nllb-moe")
SINGLE_STACK = FAMILIES[:5]
TEXT = "word5 word6 word7 word8 word6 word9"


def open_both(name: str, folder: Path) -> tuple[Any, model.Bundle, model.Trace]:
    """The library's model, ours, and a trace of the text."""
    original = save(ARCHITECTURES[name], folder)
    bundle = model.load(folder)
    is_alone = kinds_of(bundle) == ("decoder_self",)
    trace = model.read(bundle, TEXT) if is_alone else model.score(bundle, TEXT, "word11 word12 word13 word14")
    return original, bundle, trace


def run(original: Any, trace: model.Trace) -> torch.Tensor:
    """The library's logits over a trace's tokens, (T, V)."""
    prefix = torch.tensor([trace.prefix.ids])
    source = {"input_ids": prefix} if not len(trace.source) else {
        "input_ids": torch.tensor([trace.source.ids]), "decoder_input_ids": prefix}  # fmt: skip
    with torch.inference_mode():
        return original(**source).logits[0]


def library_logits(original: Any, trace: model.Trace) -> list[torch.Tensor]:
    """Every router's logits (tokens, E) in the order of the pass."""
    collected: list[torch.Tensor] = []
    routers = [module for module in original.modules() if type(module).__name__.endswith("Router")]
    hooks = [router.register_forward_hook(lambda _m, _i, out: collected.append(out)) for router in routers]
    run(original, trace)
    for hook in hooks:
        hook.remove()
    parts = [next(part for part in out if part.is_floating_point() and part.shape[-1] == 4) for out in collected]
    is_first = collected[0][2].is_floating_point()  # Switch and NLLB return their logits last
    return [(out[2] if is_first else part).reshape(-1, 4) for out, part in zip(collected, parts, strict=True)]


def expected_choice(name: str, logits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Experts and weights (N, k) from one router's logits (N, E), as the papers define them."""
    shares = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    order = np.argsort(-shares, -1, kind="stable")
    if name == "switch_transformers":
        return order[:, :1], np.take_along_axis(shares, order[:, :1], 1)
    if name == "deepseek_v3":  # sigmoid scores; the best of two groups of two; normalised, times 2.5
        scores = 1 / (1 + np.exp(-logits))
        group = scores.reshape(-1, 2, 2).sum(-1).argmax(-1)
        pair = group[:, None] * 2 + np.arange(2)
        taken = np.take_along_axis(scores, pair, 1)
        best = np.argsort(-taken, -1, kind="stable")
        weights = np.take_along_axis(taken, best, 1)
        return np.take_along_axis(pair, best, 1), 2.5 * weights / weights.sum(-1, keepdims=True)
    weights = np.take_along_axis(shares, order[:, :2], 1)
    is_normed = name in ("mixtral", "qwen3_moe", "nllb-moe")
    return order[:, :2], weights / weights.sum(-1, keepdims=True) if is_normed else weights


@pytest.mark.nightly(but=("mixtral",))
@pytest.mark.parametrize("name", FAMILIES)
def test_each_token_took_the_experts_that_the_librarys_router_chose(name: str, tmp_path: Path) -> None:
    original, bundle, trace = open_both(name, tmp_path)
    routed = model.routing(bundle, trace)
    expected = library_logits(original, trace)
    assert [item.stack for item in routed] == (["decoder"] if name in SINGLE_STACK else ["encoder", "decoder"])
    assert sum(len(item.layers) for item in routed) == len(expected)
    for item in routed:
        assert item.tokens == (trace.source if item.stack == "encoder" else trace.prefix)
        for place in range(len(item.layers)):
            logits = expected.pop(0).numpy()
            np.testing.assert_allclose(item.logits[place], logits, rtol=0, atol=1e-5)
            experts, weights = expected_choice(name, logits.astype(np.float64))
            np.testing.assert_array_equal(item.experts[place], experts)
            np.testing.assert_allclose(item.weights[place], weights, rtol=0, atol=1e-5)
    assert not expected


def erase(original: Any, layer: int, expert: int, stack: str) -> None:
    """Let one expert compute nothing."""
    side = getattr(original.base_model, stack, original.base_model)
    experts = next(
        module for name, module in side.named_modules()
        if name.endswith("experts") and f".{layer}." in f".{name}" and "shared" not in name
    )  # fmt: skip
    with torch.no_grad():
        if hasattr(experts, "down_proj"):
            experts.down_proj[expert] = 0
        else:
            experts[f"expert_{expert}"].wo.weight.zero_()


@pytest.mark.nightly
@pytest.mark.parametrize("name", FAMILIES[:-1])
def test_an_expert_counts_for_exactly_the_tokens_that_took_it(name: str, tmp_path: Path) -> None:
    """In the last layer with experts of the decoder: without it their predictions change, and no others."""
    original, bundle, trace = open_both(name, tmp_path)
    result = model.routing(bundle, trace)[-1]
    layer, taken = result.layers[-1], result.experts[-1]
    later = layer + 1 < (original.config.num_decoder_layers if name == "switch_transformers" else 3)
    whole = run(original, trace)
    expert = next(n for n in range(4) if 0 < (taken == n).any(-1).sum() < len(taken))
    erase(original, layer, expert, "decoder")
    changed = (run(original, trace) - whole).abs().amax(-1).numpy() > 1e-6
    took = (taken == expert).any(-1)
    if later:  # further layers carry the change to later tokens
        assert changed.argmax() == took.argmax() and changed[took].all()
    else:
        np.testing.assert_array_equal(changed, took)


@pytest.mark.nightly
def test_the_librarys_nllb_moe_runs_its_first_two_experts_whatever_the_router_chose(tmp_path: Path) -> None:
    """What the page says of it. Once the library follows its router, the sentence goes and the test above takes it."""
    original, bundle, trace = open_both("nllb-moe", tmp_path)
    result = model.routing(bundle, trace)[-1]
    whole = run(original, trace)
    assert {2, 3} & set(result.experts.ravel().tolist())
    for expert, counts in enumerate((True, True, False, False)):
        with torch.no_grad():
            feed = original.base_model.decoder.layers[result.layers[-1]].ffn.experts[f"expert_{expert}"].fc2
            retained = feed.weight.clone(), feed.bias.clone()
            feed.weight.zero_()
            feed.bias.zero_()
            assert bool((run(original, trace) != whole).any()) == counts
            feed.weight.copy_(retained[0])
            feed.bias.copy_(retained[1])


def test_an_expert_that_is_full_takes_no_more_tokens(tmp_path: Path) -> None:
    architecture = ARCHITECTURES["switch_transformers"]
    full = type(architecture)(architecture.class_name, "both", architecture.fields | {"expert_capacity": 1})
    save(full, tmp_path)
    bundle = model.load(tmp_path)
    (one, _) = model.routing(bundle, model.score(bundle, TEXT, "word11"))
    best = one.logits[0].argmax(-1)
    for token, expert in enumerate(best):
        is_full = expert in best[:token]
        assert one.experts[0, token, 0] == (-1 if is_full else expert)
        assert (one.weights[0, token, 0] == 0) == is_full


def test_a_model_without_experts_has_no_routing() -> None:
    bundle = tiny_bundle()
    assert model.routing(bundle, model.translate(bundle, "the cat")) == ()


@pytest.mark.nightly
def test_threads_that_share_a_model_get_their_own_routing(tmp_path: Path) -> None:
    _, bundle, _ = open_both("mixtral", tmp_path)
    texts = ["word5 word6", "word9 word8 word7 word6", "word30 word31 word32"]
    traces = [model.read(bundle, text) for text in texts]
    alone = [model.routing(bundle, trace)[0] for trace in traces]
    with ThreadPoolExecutor(3) as pool:
        result = list(pool.map(lambda n: model.routing(bundle, traces[n % 3])[0], range(30)))
    for number, item in enumerate(result):
        np.testing.assert_array_equal(item.logits, alone[number % 3].logits)
