"""Cases in which two features meet, each with its right value: a loss and a cap, a survey and a lifted mask."""

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

import model
from model import AttentionSelection, ForcedRow, HeadAblation, Interventions, Patch, PositionEdit
from model.corpus.neighbours import gather_states, read_states, searchable
from model.corpus.survey import survey
from model.decoding.options import DecodingOptions
from model.decoding.strategies import greedy
from model.inference.long_text import read_long
from model.inference.reading import NO_TOKENS
from model.interpret.direct import direct_contributions
from model.intervention_text import read_interventions, write_interventions
from model.text.pairs import Pair
from model.text.tokens import describe_target
from model.training.evaluation import batch_loss
from tests.checkpoint import tiny_bundle
from tests.tiny import heterogeneous_stacks, tiny_batch, tiny_model

MOVES: Any = (("shuffle", 12_345), ("shuffle", 2**40), ("shuffle", -3), ("shift", 10_000), ("shift", -10_000))
SOURCE, TARGET = [[4, 5, 6, 7, 8, 3], [9, 5, 3]], [[2, 9, 10, 4, 12], [2, 7]]


@pytest.mark.parametrize("has_bias", [True, False])
def test_a_capped_model_is_trained_on_its_own_logits(has_bias: bool) -> None:
    made, (source, target) = tiny_model(output_cap=2.0, output_scale=3.0, output_bias=has_bias), tiny_batch()
    prefix, wanted = target[:, :-1], target[:, 1:]
    real, weights = wanted > 0, list(made.parameters())
    ours = batch_loss(made, source, prefix, wanted, real, smoothing=0.1)
    logits = made(source, prefix).logits[real]
    expected = torch.nn.functional.cross_entropy(logits, wanted[real], reduction="sum", label_smoothing=0.1)
    torch.testing.assert_close(ours, expected)
    slopes = (torch.autograd.grad(loss, weights, allow_unused=True) for loss in (ours, expected))
    for mine, other in zip(*slopes, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "only",
    [
        AttentionSelection(layers=(1,), heads=(1, 0), rows=(1, 4)),
        AttentionSelection(block=2),
        AttentionSelection(rows=(1, 4), block=2),
        AttentionSelection(kinds=("cross",), heads=(1,)),
    ],
)
@pytest.mark.parametrize("changes", [{}, heterogeneous_stacks()], ids=["plain", "own"])
def test_some_weights_are_the_same_with_a_cache(only: AttentionSelection, changes: dict[str, Any]) -> None:
    bundle = tiny_bundle(seed=3, **changes)
    sources, targets = SOURCE[:1], TARGET[:1]
    whole = model.attend(bundle, sources, targets, only=only)
    cached = model.attend(bundle, sources, targets, only=only, cached=True)
    for kind in ("encoder_self", "decoder_self", "cross"):
        first, second = getattr(whole, kind), getattr(cached, kind)
        assert (first is None) == (second is None) == (only.kinds is not None and kind not in only.kinds)
        if first is not None:
            np.testing.assert_allclose(first, second, rtol=0, atol=2e-6)


def test_without_logits_only_the_requested_weights_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = tiny_bundle(seed=3)
    whole, done = model.attend(bundle, SOURCE, TARGET), []
    network: Any = bundle.model
    for stack, layers in (("encoder", network.encoder.layers), ("decoder", network.decoder.layers)):
        for index, layer in enumerate(layers):
            forward = layer.forward
            monkeypatch.setattr(
                layer, "forward", lambda *a, f=forward, at=(stack, index), **k: (done.append(at), f(*a, **k))[1]
            )
    monkeypatch.setattr(network, "project", None)
    plain = model.attend(bundle, SOURCE, TARGET, logits=False)
    assert plain.logits is None and np.array_equal(np.asarray(plain.cross), np.asarray(whole.cross))
    for only, expected in (
        (AttentionSelection(kinds=("encoder_self",), layers=(0,)), [("encoder", 0)]),
        (AttentionSelection(layers=(0,)), [("encoder", 0), ("encoder", 1), ("decoder", 0)]),
    ):
        done.clear()
        some = model.attend(bundle, SOURCE, TARGET, only=only, logits=False)
        np.testing.assert_allclose(
            np.asarray(some.encoder_self), np.asarray(whole.encoder_self)[:, :1], rtol=0, atol=1e-6
        )
        assert done == expected and (some.cross is None) == (only.kinds is not None)


def test_a_loop_ends_a_text_also_beside_one_that_is_in_its_prompt() -> None:
    made: Any = tiny_model(3, n_encoder_layers=0, tie_embeddings=True)
    nothing = torch.zeros(2, 0, dtype=torch.long)
    prompts = ((5,), (6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 4, 5, 6, 9, 8))
    options = DecodingOptions(max_length=40, stop_loops=True, prefixes=prompts, begins=(2, 2), n_read=(1, 19))
    alone = dataclasses.replace(options, prefixes=prompts[:1], begins=(2,), n_read=(1,))
    with torch.no_grad():
        made.output.weight[9] += 50 * made.decoder.final_norm.bias  # a model that says one token again and again
    lengths = [
        next(step.position for step in greedy(made, nothing[: len(item.prefixes)], item)
             if 0 in step.sentences[step.chosen.rows[step.chosen.is_final]])
        for item in (alone, options)
    ]  # fmt: skip
    assert lengths[0] == lengths[1] < 19


def test_decoding_with_a_cache_is_that_without_where_padding_blanks_its_query() -> None:
    for seed in range(25):
        bundle = tiny_bundle(seed=seed, blank_target_padding=True, mask_target_padding=False)
        first, second = (model.translate(bundle, "#5 #6 #7", cached=cached, max_length=8) for cached in (True, False))
        assert first.target.ids == second.target.ids
        np.testing.assert_allclose(first.log_probs, second.log_probs, atol=1e-4)
        fed = [[2, 0, 5, 0, 7]]
        whole, steps = (model.attend(bundle, [[5, 6]], fed, cached=cached) for cached in (False, True))
        np.testing.assert_allclose(np.asarray(whole.decoder_self), np.asarray(steps.decoder_self), atol=1e-5)


def test_neighbours_of_states_beyond_half_precision_are_found(tmp_path) -> None:
    bundle, pairs = tiny_bundle(embedding_scale=2e5), (Pair("the cat is sleeping .", "le chat dort ."),) * 2
    result = survey(bundle, pairs, tmp_path / "s", translate=False, states=("encoder.0",))
    retained, now = read_states(result, "encoder.0"), gather_states(bundle, pairs, ["encoder.0"])["encoder.0"]
    assert np.abs(now.vectors).max() > 65_504
    np.testing.assert_allclose(retained.vectors, now.vectors, rtol=1e-3)
    for states in (retained, now):
        places, cosines = searchable(states).nearest(states.vectors[1], 2)
        assert set(states.positions[places].tolist()) == {1} and cosines == pytest.approx(1, abs=2e-3)


def _patches() -> list[Patch]:
    place: Any = {"name": "encoder.1.residual.after", "positions": (1,)}
    rng = np.random.default_rng(0)
    return [
        Patch(**place, from_text="é" * 700), Patch(**place, from_ids=(5, 6, 1_000_000)), Patch(**place, noise=-7),
        Patch(**place, noise=2**60), Patch(**place, noise=1, noise_scale=1 / 3), Patch(**place, scale=1 / 3),
        Patch(**place, value=rng.random((2, 3))), Patch(**place, value=[5.0]), Patch(**place, value=rng.random(1024)),
        Patch(**place, add=rng.random((1, 1, 4)), strength=1 / 7), Patch(**place, project_out=rng.random((2, 5))),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [
        *(Interventions(source_positions=PositionEdit(*edit)) for edit in MOVES),
        *(Interventions(patches=patch) for patch in _patches()),
        Interventions(forced_rows=ForcedRow("cross", 0, 1, 2, (1 / 3, 1e-9, 2, 1_000_000))),
        Interventions(HeadAblation("cross", layer, head) for layer in range(40) for head in range(16)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_link", [True, False])
def test_a_link_and_a_file_hold_a_change_whole(changed: Interventions, is_link: bool) -> None:
    assert read_interventions(write_interventions(changed, is_link=is_link)) == changed


@pytest.mark.parametrize(
    "changes", [{"position_offset": 2}, {"source_position_order": (3, 4, 5), "positions": "learned"}]
)
def test_no_token_has_a_negative_position(changes: dict[str, Any]) -> None:
    made = tiny_model(**changes)
    encodings = made.encoder.positions(0, 6, (PositionEdit("shift", -2),), (6,))
    plain = made.encoder.positions(0, 6)
    assert isinstance(encodings, torch.Tensor) and isinstance(plain, torch.Tensor)
    torch.testing.assert_close(encodings[0], plain[0, [0, 0, 0, 1, 2, 3]])


def test_weights_that_were_laid_out_are_laid_out_again_after_a_change() -> None:
    bundle, ids = tiny_bundle(), (5, 6, 7)
    network: Any = bundle.model
    network.keep_layout()

    def log_probs(cached: bool) -> np.ndarray:
        return model.translate(bundle, ids, cached=cached, max_length=5).log_probs

    before = log_probs(cached=True)
    with torch.no_grad():
        network.decoder.layers[1].self_attention.query.weight.mul_(-3)
    np.testing.assert_allclose(log_probs(cached=True), log_probs(cached=False), atol=1e-5)
    assert log_probs(cached=True).tolist() != before.tolist()
    network.to(torch.float64)
    np.testing.assert_allclose(log_probs(cached=True), log_probs(cached=False), atol=1e-5)


@pytest.mark.parametrize("changes", [{"output_log_softmax": True}, {"output_cap": 3.0}])
def test_direct_contributions_add_up_to_the_output_projections_logit(changes: dict[str, Any]) -> None:
    bundle = tiny_bundle(**changes)
    trace = model.score(bundle, (5, 6, 7), (9, 10))
    network: Any = bundle.model
    state = model.record(bundle, trace, names="decoder.final_norm")["decoder.final_norm"][0, 1]
    logits = network.output.weight.detach().numpy() @ state
    contributions = direct_contributions(bundle, trace, step=1, token_id=7, rival_id=4)
    assert contributions.logit == pytest.approx(logits[7] - logits[4], abs=1e-4)
    assert contributions.values.sum() == pytest.approx(contributions.logit, abs=1e-4)


def test_a_text_of_which_nothing_is_read_has_no_rows() -> None:
    """A decoder-only model's long text, whose encoder reads nothing."""
    bundle = tiny_bundle(seed=3, n_encoder_layers=0, tie_embeddings=True)
    tokens = describe_target(bundle, [4 + i % 9 for i in range(30)])
    text = read_long(bundle, NO_TOKENS, tokens)
    assert text.blocks.encoder_self is None and text.blocks.decoder_self is not None
