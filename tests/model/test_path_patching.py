"""A path is two passes: the sender's output for the other sentence, with all outputs between as they were."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import model
from model.inference.teacher_forcing import teacher_forced
from model.interpret.causal import read_pair
from tests.checkpoint import tiny_bundle
from tests.tiny import POST_NORM, T5

PAIR = ("the cat is on the sofa .", "the dog is on the sofa .")
PROMPTS = ("The little boy wanted to", "The little girl wanted to")
KINDS: dict[str, dict[str, Any]] = {"plain": {}, "post-norm": POST_NORM, "T5": T5}
ROLES = ("query", "key", "value")


def make_bundle(**changes: Any) -> model.Bundle:
    """A tiny model that translates the two sentences differently."""
    for seed in range(135, 175):
        result = tiny_bundle(seed=seed, **changes)
        first, second = (model.translate(result, text) for text in PAIR)
        if first.target.ids != second.target.ids and first.target.ids[0] == second.target.ids[0]:
            return result
    raise AssertionError("no tiny model translates the two sentences differently after an equal first token")


def margin_by_patches(bundle: model.Bundle, texts: tuple[str, str], sender: str, receiver: str) -> tuple[float, float]:
    """The second sentence's margin with the path and without it, by two passes with patches of whole activations."""
    pair, config = read_pair(bundle, *texts), bundle.config
    has_cross = config.n_encoder_layers > 0
    parts = {"encoder": ["self", "feed_forward"], "decoder": ["self", *["cross"] * has_cross, "feed_forward"]}
    sizes = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers}

    def run(
        row: int, patches: Sequence[model.Patch] = (), names: Sequence[str] = ()
    ) -> tuple[Tensor, dict[str, Tensor]]:
        edits = model.Interventions(patches=tuple(patches))
        with torch.no_grad():
            result = teacher_forced(bundle, [pair.fed[row]], interventions=edits, record=tuple(names))
        return result.logits[0, -1].detach(), {name: recorded[0] for name, recorded in result.recorded.items()}

    stack, *place = sender.split(".")
    targets, sources = zip(*pair.places(stack), strict=True)
    heads: tuple[int, ...] | None = None
    outputs = [f"{stack}.{layer}.{part}.output" for layer in range(sizes[stack]) for part in parts[stack]]
    written = f"{stack}.0.residual.before"
    if place[1:] == ["feed_forward"]:
        written = f"{stack}.{place[0]}.feed_forward.output"
    elif place != ["embedding"]:
        written, heads = f"{stack}.{place[0]}.{place[1]}.mixed", (int(place[2]),)
    later = outputs[outputs.index(written.replace("mixed", "output")) + 1 :] if place != ["embedding"] else outputs
    _, first = run(0, names=[written])
    plain, second = run(1, names=outputs)
    changed = first[written] if heads is None else first[written][list(heads)]
    sent = model.Patch(written, positions=targets, heads=heads, value=changed[..., list(sources), :])
    read = f"{receiver}.output" if receiver.endswith("feed_forward") else receiver
    heads = None
    if receiver.endswith(ROLES):
        *name, head, role = receiver.split(".")
        read, heads = ".".join((*name, role)), (int(head),)
    direct = [sent, *(model.Patch(name, value=second[name]) for name in later if name != read)]
    logits, reached = run(1, direct, names=[] if receiver == "logits" else [read])
    if receiver != "logits":
        value = reached[read] if heads is None else reached[read][list(heads)]
        logits, _ = run(1, [model.Patch(read, heads=heads, value=value)])
    with_path, without = (float(x[pair.word_id] - x[pair.rival_id]) for x in (logits, plain))
    return with_path, without


PATHS = [
    ("encoder.0.self.1", "encoder.1.self.0.key"), ("encoder.0.self.0", "encoder.1.feed_forward"),
    ("encoder.0.feed_forward", "decoder.1.cross.1.value"), ("encoder.1.self.1", "decoder.0.cross.0.key"),
    ("encoder.embedding", "decoder.1.cross.0.value"), ("decoder.0.cross.1", "decoder.1.cross.0.query"),
    ("decoder.0.cross.0", "decoder.0.feed_forward"), ("decoder.0.feed_forward", "decoder.1.self.1.value"),
    ("decoder.0.cross.1", "logits"), ("decoder.1.feed_forward", "logits"),
]  # fmt: skip


@pytest.mark.nightly("T5")
@pytest.mark.parametrize("kind", KINDS)
def test_paths_within_and_between_the_stacks_equal_two_passes_with_patches(kind: str) -> None:
    bundle = make_bundle(**KINDS[kind])
    effects = model.path_effects(
        bundle, [PAIR], senders=[s for s, _ in PATHS], receivers=[r for _, r in PATHS]
    )  # fmt: skip
    moved = []
    for sender, receiver in PATHS:
        with_path, without = margin_by_patches(bundle, PAIR, sender, receiver)
        cell = effects.effects[0, effects.senders.index(sender), effects.receivers.index(receiver)]
        assert cell == pytest.approx(with_path - without, abs=2e-4), (sender, receiver)
        moved.append(abs(cell))
    assert sum(effect > 1e-4 for effect in moved) >= 7, "paths that move nothing test nothing"
    assert effects.base[0] == pytest.approx(margin_by_patches(bundle, PAIR, *PATHS[0])[1], abs=1e-4)


@pytest.mark.nightly
def test_paths_of_a_decoder_only_model_equal_two_passes_with_patches() -> None:
    bundle = model.load("tiny-decoder")
    paths = [("decoder.embedding", "decoder.1.self.2.key"), ("decoder.0.self.1", "decoder.2.self.0.value"),
             ("decoder.0.feed_forward", "decoder.1.feed_forward"), ("decoder.2.self.5", "logits")]  # fmt: skip
    effects = model.path_effects(bundle, [PROMPTS], senders=[s for s, _ in paths], receivers=[r for _, r in paths])
    for sender, receiver in paths:
        with_path, without = margin_by_patches(bundle, PROMPTS, sender, receiver)
        cell = effects.effects[0, effects.senders.index(sender), effects.receivers.index(receiver)]
        assert cell == pytest.approx(with_path - without, abs=2e-4), (sender, receiver)
        assert abs(cell) > 1e-6, (sender, receiver)


@pytest.mark.nightly
def test_every_path_is_the_edge_of_an_exact_circuit_of_the_turned_pair() -> None:
    """What a circuit cuts, a path patches: with the sentences turned round both give the same number."""
    bundle = make_bundle()
    edges = {(e.sender, e.receiver): e.score for e in model.circuit(bundle, [PAIR], method="exact", sizes=()).edges}
    effects = model.path_effects(bundle, [(PAIR[1], PAIR[0])], senders="*", receivers="*")
    n_seen = 0
    for (row, sender), (column, receiver) in product(enumerate(effects.senders), enumerate(effects.receivers)):
        if (sender, receiver) in edges:
            assert effects.effects[0, row, column] == pytest.approx(edges[sender, receiver], abs=3e-4), (
                sender,
                receiver,
            )
            n_seen += 1
    assert n_seen == len(edges)


def test_positions_single_texts_sums_and_tables() -> None:
    bundle = model.load("tiny")
    pairs = [("The old woman is tired.", "The old man is tired."), ("She is tired.", "He is tired.")]
    effects = model.path_effects(bundle, pairs, senders="encoder.final_norm", receivers="decoder.*.cross.*.value")
    assert effects.effects.shape == (2, 1, 2 * bundle.config.n_decoder_heads) and np.isfinite(effects.effects).all()
    whole = model.sweep(bundle, pairs[:1], sites="encoder.*.residual.after", positions=["man"])
    at = model.path_effects(
        bundle, pairs[:1], senders="encoder.*.residual.after", receivers="encoder.final_norm", positions="man"
    )  # fmt: skip
    last = at.senders.index(f"encoder.{bundle.config.n_encoder_layers - 1}.residual.after")
    assert at.effects[0, last, 0] == pytest.approx(whole.effects[0, -1, 0], abs=2e-4), "the only path there is"
    assert at.effects[0, 0, 0] != pytest.approx(whole.effects[0, 0, 0], abs=1e-3), "one of several paths"
    frame = effects.to_frame()
    assert len(frame) == effects.effects.size and frame["receiver"].tolist()[1] == "decoder.0.cross.1.value"
    interval = effects.interval()[0][0]
    assert interval is not None and interval.mean == pytest.approx(effects.mean[0, 0])
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
def test_impossible_paths_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(model.SweepError, match=message):
        model.path_effects(model.load("tiny"), [("She is tired.", "He is tired.")], **options)
