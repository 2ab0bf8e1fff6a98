"""A path is two passes with hooks: what the sender wrote for the other sentence, with all between held as it was."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import model
from model.interpret.causal import read_pair
from model.interpret.inspection import transformer_of
from tests.checkpoint import tiny_bundle

PAIR = ("the cat is on the sofa .", "the dog is on the sofa .")
PROMPTS = ("The little boy wanted to", "The little girl wanted to")
KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "post-norm": {"encoder_norm_first": False, "decoder_norm_first": False},
    "T5": {"positions": "relative", "norm_kind": "rms", "gated_feed_forward": True, "score_scale": 1.0,
           "attention_bias": False, "feed_forward_bias": False},
}  # fmt: skip
ROLES = ("query", "key", "value")
Replace = Callable[[Tensor], Tensor]


def parted(**changes: Any) -> model.Bundle:
    """A tiny model that translates the two sentences differently."""
    for seed in range(135, 175):
        found = tiny_bundle(seed=seed, **changes)
        first, second = (model.translate(found, text) for text in PAIR)
        if first.target.ids != second.target.ids and first.target.ids[0] == second.target.ids[0]:
            return found
    raise AssertionError("no tiny model translates the two sentences differently after an equal first token")


def margin_by_hooks(bundle: model.Bundle, texts: tuple[str, str], sender: str, receiver: str) -> tuple[float, float]:
    """The second sentence's margin with the path and without it, by hooks on the model's modules alone."""
    pair, run = read_pair(bundle, *texts), transformer_of(bundle)
    ids = [tuple(torch.tensor([side], dtype=torch.long) for side in fed) for fed in pair.fed]
    modules = dict(run.named_modules())

    def passed(row: int, hooks: list[tuple[str, bool, Callable[..., Any]]]) -> Tensor:
        handles = []
        for name, is_before, hook in hooks:
            place = modules[name]
            handles.append(place.register_forward_pre_hook(hook) if is_before else place.register_forward_hook(hook))
        try:
            with torch.no_grad():
                return run(*ids[row]).logits[0, -1]
        finally:
            for handle in handles:
                handle.remove()

    def noting(kept: dict[str, Tensor]) -> list[tuple[str, bool, Callable[..., Any]]]:
        def into(key: str, is_input: bool) -> Callable[..., Any]:
            def hook(_m: Any, given: Any, *out: Any) -> None:
                kept[key] = (given[0] if is_input else out[0]).clone()

            return hook

        noted: list[tuple[str, bool, Callable[..., Any]]] = []
        for name in sublayers:
            last = f"{name}.output" if name.endswith("attention") else name
            noted += [(last, True, into(f"{last}.in", True)), (last, False, into(f"{last}.out", False))]
        for name in ("self_attention", "cross_attention"):
            for layer, role in product((key for key in modules if key.endswith(name)), ROLES):
                noted.append((f"{layer}.{role}", False, into(f"{layer}.{role}.out", False)))
        stacks = [stack for stack in ("encoder", "decoder") if f"{stack}.layers.0" in modules]
        noted += [(f"{stack}.layers.0", True, into(f"{stack}.embedding", True)) for stack in stacks]
        noted.append(("output", True, into("output.in", True)))
        return noted

    sublayers = [
        name
        for name in sorted(modules, key=lambda name: (name.split(".")[0] == "decoder", name.split(".")[2:3]))
        if name.endswith((".self_attention", ".cross_attention", ".feed_forward"))
    ]
    order = {"self_attention": 0, "cross_attention": 1, "feed_forward": 2}
    sublayers.sort(key=lambda name: (name.startswith("decoder"), int(name.split(".")[2]), order[name.split(".")[3]]))
    first: dict[str, Tensor] = {}
    second: dict[str, Tensor] = {}
    passed(0, noting(first))
    plain = passed(1, noting(second))

    stack, *rest = sender.split(".")
    targets, sources = (list(side) for side in zip(*pair.places(stack), strict=True))

    def head_from_first(key: str, head: int, n_heads: int) -> Callable[..., Any]:
        def hook(_m: Any, given: Any) -> Any:
            x = given[0].clone()
            width = x.shape[-1] // n_heads
            part = slice(head * width, (head + 1) * width)
            x[:, targets, part] = first[key][:, sources, part]
            return (x,)

        return hook

    def whole_from_first(key: str, is_input: bool) -> Callable[..., Any]:
        def hook(_m: Any, given: Any, *out: Any) -> Any:
            x = (given[0] if is_input else out[0]).clone()
            x[:, targets] = first[key][:, sources]
            return (x, *given[1:]) if is_input else x

        return hook

    def same(key: str) -> Callable[..., Any]:
        return lambda *_: second[key].clone()

    direct: list[tuple[str, bool, Callable[..., Any]]] = []
    if rest == ["embedding"]:
        place = -1
        direct.append((f"{stack}.layers.0", True, whole_from_first(f"{stack}.embedding", True)))
    elif rest[1] == "feed_forward":
        name = f"{stack}.layers.{rest[0]}.feed_forward"
        place = sublayers.index(name)
        direct.append((name, False, whole_from_first(f"{name}.out", False)))
    else:
        name = f"{stack}.layers.{rest[0]}.{rest[1]}_attention"
        place = sublayers.index(name)
        direct.append((f"{name}.output", True, head_from_first(f"{name}.output.in", int(rest[2]),
                                                               modules[name].n_heads)))  # type: ignore[arg-type]  # fmt: skip
    for name in sublayers[place + 1 :]:
        if name.startswith(stack):
            last = f"{name}.output" if name.endswith("attention") else name
            direct.append((last, False, same(f"{last}.out")))
    reached: dict[str, Tensor] = {}

    def keep(key: str, is_input: bool) -> Callable[..., Any]:
        def hook(_m: Any, given: Any, *out: Any) -> None:
            reached[key] = (given[0] if is_input else out[0]).clone()

        return hook

    final: list[tuple[str, bool, Callable[..., Any]]] = []
    if receiver == "logits":
        logits = passed(1, direct)
    elif receiver.endswith("feed_forward"):
        at, layer, _ = receiver.split(".")
        name = f"{at}.layers.{layer}.feed_forward"
        # a hook that hands out what was held runs after this one has seen the input
        passed(1, [*direct, (name, True, keep("x", True))])
        logits = passed(1, [(name, True, lambda *_: (reached["x"],))])
    else:
        at, layer, kind, head, role = receiver.split(".")
        name = f"{at}.layers.{layer}.{kind}_attention"
        passed(1, [*direct, (f"{name}.{role}", False, keep("x", False))])
        n_heads: Any = modules[name].n_heads

        def put(_m: Any, _given: Any, out: Tensor) -> Tensor:
            x, width = out.clone(), out.shape[-1] // n_heads
            part = slice(int(head) * width, (int(head) + 1) * width)
            x[..., part] = reached["x"][..., part]
            return x

        final.append((f"{name}.{role}", False, put))
        logits = passed(1, final)
    return tuple(float(x[pair.word_id] - x[pair.rival_id]) for x in (logits, plain))  # type: ignore[return-value]


PATHS = [
    ("encoder.0.self.1", "encoder.1.self.0.key"), ("encoder.0.self.0", "encoder.1.feed_forward"),
    ("encoder.0.feed_forward", "decoder.1.cross.1.value"), ("encoder.1.self.1", "decoder.0.cross.0.key"),
    ("encoder.embedding", "decoder.1.cross.0.value"), ("decoder.0.cross.1", "decoder.1.cross.0.query"),
    ("decoder.0.cross.0", "decoder.0.feed_forward"), ("decoder.0.feed_forward", "decoder.1.self.1.value"),
    ("decoder.0.cross.1", "logits"), ("decoder.1.feed_forward", "logits"),
]  # fmt: skip


@pytest.mark.nightly("T5")
@pytest.mark.parametrize("kind", KINDS)
def test_paths_within_and_between_the_stacks_equal_two_passes_with_hooks(kind: str) -> None:
    bundle = parted(**KINDS[kind])
    found = model.path_effects(
        bundle, [PAIR], senders=[s for s, _ in PATHS], receivers=[r for _, r in PATHS]
    )  # fmt: skip
    moved = []
    for sender, receiver in PATHS:
        with_path, without = margin_by_hooks(bundle, PAIR, sender, receiver)
        cell = found.effects[0, found.senders.index(sender), found.receivers.index(receiver)]
        assert cell == pytest.approx(with_path - without, abs=2e-4), (sender, receiver)
        moved.append(abs(cell))
    assert sum(effect > 1e-4 for effect in moved) >= 7, "paths that move nothing test nothing"
    assert found.base[0] == pytest.approx(margin_by_hooks(bundle, PAIR, *PATHS[0])[1], abs=1e-4)


@pytest.mark.nightly
def test_paths_of_a_decoder_only_model_equal_two_passes_with_hooks() -> None:
    bundle = model.load("tiny-decoder")
    paths = [("decoder.embedding", "decoder.1.self.2.key"), ("decoder.0.self.1", "decoder.2.self.0.value"),
             ("decoder.0.feed_forward", "decoder.1.feed_forward"), ("decoder.2.self.5", "logits")]  # fmt: skip
    found = model.path_effects(bundle, [PROMPTS], senders=[s for s, _ in paths], receivers=[r for _, r in paths])
    for sender, receiver in paths:
        with_path, without = margin_by_hooks(bundle, PROMPTS, sender, receiver)
        cell = found.effects[0, found.senders.index(sender), found.receivers.index(receiver)]
        assert cell == pytest.approx(with_path - without, abs=2e-4), (sender, receiver)
        assert abs(cell) > 1e-6, (sender, receiver)


@pytest.mark.nightly
def test_every_path_is_the_edge_of_an_exact_circuit_of_the_turned_pair() -> None:
    """What a circuit cuts, a path patches: with the sentences turned round both give the same number."""
    bundle = parted()
    edges = {(e.sender, e.receiver): e.score for e in model.circuit(bundle, [PAIR], method="exact", sizes=()).edges}
    found = model.path_effects(bundle, [(PAIR[1], PAIR[0])], senders="*", receivers="*")
    n_seen = 0
    for (row, sender), (column, receiver) in product(enumerate(found.senders), enumerate(found.receivers)):
        if (sender, receiver) in edges:
            assert found.effects[0, row, column] == pytest.approx(edges[sender, receiver], abs=3e-4), (sender, receiver)
            n_seen += 1
    assert n_seen == len(edges)


def test_positions_single_texts_sums_and_tables() -> None:
    bundle = model.load("tiny")
    pairs = [("The old woman is tired.", "The old man is tired."), ("She is tired.", "He is tired.")]
    found = model.path_effects(bundle, pairs, senders="encoder.final_norm", receivers="decoder.*.cross.*.value")
    assert found.effects.shape == (2, 1, 2 * bundle.config.n_decoder_heads) and np.isfinite(found.effects).all()
    whole = model.sweep(bundle, pairs[:1], sites="encoder.*.residual.after", positions=["man"])
    at = model.path_effects(
        bundle, pairs[:1], senders="encoder.*.residual.after", receivers="encoder.final_norm", positions="man"
    )  # fmt: skip
    last = at.senders.index(f"encoder.{bundle.config.n_encoder_layers - 1}.residual.after")
    assert at.effects[0, last, 0] == pytest.approx(whole.effects[0, -1, 0], abs=2e-4), "the only path there is"
    assert at.effects[0, 0, 0] != pytest.approx(whole.effects[0, 0, 0], abs=1e-3), "one of several paths"
    frame = found.to_frame()
    assert len(frame) == found.effects.size and frame["receiver"].tolist()[1] == "decoder.0.cross.1.value"
    interval = found.interval()[0][0]
    assert interval is not None and interval.mean == pytest.approx(found.mean[0, 0])
    off = model.path_effects(bundle, ["The cat is sleeping."], senders="decoder.*.cross.*", change="zero")
    assert off.metric == "log_prob" and np.isnan(off.distance).all() and (off.effects != 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"senders": "decoder.1.cross.0", "receivers": "decoder.0.self.0.query"}, "no direct path leads from"),
        ({"senders": "encoder.0.self.0", "receivers": "logits"}, "it is a key or a value of cross-attention"),
        ({"senders": "encoder.0.self.9"}, "there is no sender 'encoder.0.self.9'"),
        ({"senders": "encoder.0.self.0", "receivers": "encoder.1.self.0"}, "there is no receiver"),
        ({"senders": "decoder.0.cross.0", "change": lambda site, at: []}, "a path begins with a changed activation"),
        ({"senders": "decoder.0.cross.0", "positions": "dog"}, "no sentence has these positions"),
    ],
)
def test_what_is_no_path_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(model.SweepError, match=message):
        model.path_effects(model.load("tiny"), [("She is tired.", "He is tired.")], **options)
