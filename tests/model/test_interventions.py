"""Interventions switch off, force, block or move exactly what they name, and nothing else."""

import re
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import model
from model.interventions import NONE, BlockedKey, ForcedRow, HeadOff, InterventionError, Interventions, PositionEdit
from model.nn.attention import MultiHeadAttention
from model.nn.edits import LayerEdit
from model.patch import Patch
from tests.tiny import bundle_of_ids, tiny_batch, tiny_config, tiny_model


@pytest.fixture(autouse=True)
def _without_gradients() -> Any:
    with torch.no_grad():
        yield


def test_no_intervention_changes_nothing() -> None:
    model, (source, target) = tiny_model(), tiny_batch()
    plain = model(source, target, capture=True)
    assert torch.equal(model(source, target, capture=True, interventions=NONE).logits, plain.logits)
    assert torch.equal(model(source, target, capture=True, interventions=[NONE] * 3).logits, plain.logits)
    assert not NONE and Interventions(lift_causal_mask=True)


def test_weight_on_hidden_tokens_alone_and_another_number_of_sets_are_refused() -> None:
    forced = Interventions(forced_rows=(ForcedRow("decoder_self", 0, 1, 0, (0, 1)),))
    with pytest.raises(InterventionError, match="row 0 of decoder_self head 0·1 gives all its weight to masked tokens"):
        tiny_model()(*tiny_batch(), interventions=forced)
    with pytest.raises(InterventionError, match="2 sets of interventions for 3 sentences"):
        tiny_model()(*tiny_batch(), interventions=[NONE, NONE])


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (HeadOff("cross", 2, 0), "cross has no layer 2: choose 0 to 1"),
        (HeadOff("encoder_self", 0, 4), "encoder_self has no head 4: choose 0 to 3"),
        (HeadOff("decoder_self", -1, 0), "decoder_self has no layer -1: choose 0 to 1"),
    ],
)
def test_a_head_that_the_model_lacks_is_named(item: HeadOff, message: str) -> None:
    with pytest.raises(InterventionError, match=message):
        Interventions((item,)).check(tiny_config(n_encoder_heads=4))


UNTYPED: Any = Interventions


def _forced_row(weights: tuple[float, ...]) -> ForcedRow:
    return ForcedRow("cross", 0, 0, 0, weights)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HeadOff("corss", 0, 0), "there is no kind 'corss': choose encoder_self, decoder_self, cross"),  # type: ignore[arg-type]
        (lambda: HeadOff("cross", 0, 1.5), "head is 1.5: give a whole number"),  # type: ignore[arg-type]
        (lambda: BlockedKey("cross", "1"), "key is '1': give a whole number"),  # type: ignore[arg-type]
        (lambda: HeadOff("cross", 0, 0, "half"), "there is no mode 'half': choose zero, uniform"),  # type: ignore[arg-type]
        (lambda: BlockedKey("cross", -1), "key (-1) must not be negative"),
        (lambda: BlockedKey("cross", 1, query=-2), "query (-2) must not be negative"),
        (lambda: ForcedRow("cross", 0, 0, -1, (1.0,)), "query (-1) must not be negative"),
        (lambda: PositionEdit("turn"), "there is no mode 'turn'"),  # type: ignore[arg-type]
        (lambda: PositionEdit("shift", 10**9), "choose within ±10,000"),
        (lambda: _forced_row(()), "a forced row needs some weight: raise at least one token above 0"),
        (lambda: _forced_row((0.0, 0.0)), "a forced row needs some weight"),
        (lambda: _forced_row((1e-320, 0.0)), "a forced row needs some weight"),
        (lambda: _forced_row((1.0, -0.5)), "forced weights must be finite and not negative"),
        (lambda: _forced_row((float("nan"),)), "forced weights must be finite and not negative"),
        (lambda: _forced_row((float("inf"),)), "forced weights must be finite and not negative"),
        (lambda: _forced_row((1e308, 1e308)), "at most 1e+30"),
        (lambda: UNTYPED(Patch("encoder.embedding", zero=True)), "heads_off contains Patch"),
        (lambda: UNTYPED([Patch("encoder.embedding", zero=True)]), "write patches=…"),
        (lambda: UNTYPED(PositionEdit("reverse")), "write source_positions=…"),
        (lambda: UNTYPED("off"), "give HeadAblation, or several in a tuple"),
        (lambda: UNTYPED(source_positions="reverse"), "source_positions is 'reverse': give PositionEdit"),
    ],
)
def test_an_intervention_that_makes_no_sense_is_refused_when_it_is_built(make: Any, message: str) -> None:
    with pytest.raises(InterventionError, match=re.escape(message)):
        make()


@pytest.mark.parametrize(
    ("interventions", "message"),
    [
        (Interventions(blocked_keys=(BlockedKey("cross", 999),)), "cross has no key 999: choose 0 to 3"),
        (Interventions(blocked_keys=(BlockedKey("encoder_self", 4),)), "encoder_self has no key 4: choose 0 to 3"),
        (Interventions(blocked_keys=(BlockedKey("decoder_self", 3),)), "decoder_self has no key 3: choose 0 to 2"),
        (Interventions(forced_rows=(ForcedRow("cross", 0, 0, 7, (1.0,)),)), "cross has no query 7: choose 0 to 2"),
        (Interventions(forced_rows=(ForcedRow("cross", 0, 0, 0, (1.0,) * 5),)), "has 5 weights for 4 keys"),
        (Interventions(source_positions=PositionEdit("shift", 61)), "shift by 60 at most"),
    ],
)
def test_an_intervention_that_does_not_fit_the_sentence_is_refused(interventions: Interventions, message: str) -> None:
    bundle = bundle_of_ids(positions="learned")
    for run in (lambda: model.score(bundle, "#5 #6 #7", "#8 #9", interventions=interventions),
                lambda: model.translate(bundle, "#5 #6 #7", max_length=3, interventions=interventions)):  # fmt: skip
        with pytest.raises(InterventionError, match=re.escape(message)):
            run()


def test_interventions_beyond_a_shorter_sentence_are_dropped() -> None:
    inside = BlockedKey("cross", 1), ForcedRow("encoder_self", 0, 0, 1, (0.5, 0.5))
    outside = BlockedKey("cross", 5), ForcedRow("decoder_self", 0, 0, 9, (1.0,))
    value = Interventions(forced_rows=(inside[1], outside[1]), blocked_keys=(inside[0], outside[0]))
    retained = value.within(n_source=2, n_target=4)
    assert retained == Interventions(forced_rows=(inside[1],), blocked_keys=(inside[0],))
    assert retained.within(n_source=2, n_target=4) is retained


def test_a_single_item_needs_no_tuple() -> None:
    off, block = HeadOff("cross", 1, 0), BlockedKey("cross", 2)
    assert Interventions(off) == Interventions((off,)) == Interventions([off])  # type: ignore[arg-type]
    assert Interventions(blocked_keys=block) == Interventions(blocked_keys=(block,))  # type: ignore[arg-type]
    with pytest.raises(InterventionError, match=r"heads_off contains BlockedKey.*: write blocked_keys="):
        Interventions(block)  # type: ignore[arg-type]
    assert hash(Interventions([off])) == hash(Interventions((off,)))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [["off"], [HeadOff("cross", 0, 0), 5], "off", None], ids=str)
def test_other_values_than_interventions_are_refused(value: Any) -> None:
    bundle = bundle_of_ids()
    for run in (lambda: model.translate(bundle, "#5 #6", interventions=value),
                lambda: model.score(bundle, "#5 #6", "#8", interventions=value),
                lambda: model.attend(bundle, [[5, 6]], [[2]], interventions=value)):  # fmt: skip
        with pytest.raises(InterventionError, match=re.escape("give it inside Interventions(…)")):
            run()


def test_a_bundle_has_a_repr_of_one_line_and_moves_to_a_device() -> None:
    bundle = bundle_of_ids()
    assert re.fullmatch(r"Bundle\('tiny', own, [\d,]+ parameters on cpu\)", repr(bundle))
    assert bundle.to("cpu") is bundle


@pytest.mark.parametrize("rows", [1, 3])
def test_without_the_source_cross_attention_is_skipped_with_equal_outputs(rows: int) -> None:
    model, (source, target) = tiny_model(), tiny_batch()
    off = Interventions(tuple(HeadOff("cross", layer, head) for layer in range(2) for head in range(2)))
    value = off if rows == 1 else [off] * 3
    encoded = model.encode(source)
    computed = model.decode(target, encoded, capture=True, interventions=value)
    calls: list[str] = []
    attention = model.decoder.layers[0].cross_attention
    assert isinstance(attention, MultiHeadAttention)
    attention.key.register_forward_hook(lambda *_: calls.append("key"))
    assert_close(model.decode(target, encoded, interventions=value).hidden, computed.hidden, atol=1e-6, rtol=1e-6)
    assert calls == ["key"]  # a module with a hook runs even where no head needs it
    skipped = model.decoder.layers[1].cross_attention
    assert isinstance(skipped, MultiHeadAttention)
    assert skipped.all_heads_zeroed(
        LayerEdit(((HeadOff("cross", 1, 0), HeadOff("cross", 1, 1)),), ((),), ((),)), capture=False, tap=None
    )
    retained = model.decode(target, encoded, keep_cache=True, interventions=value).cache
    assert retained is not None and retained.cross[1][0].shape[2] == source.shape[1]


def test_heads_are_silent_only_where_all_of_every_row_are_zeroed() -> None:
    zero, one = HeadOff("cross", 0, 0), HeadOff("cross", 0, 1)
    uniform = HeadOff("cross", 0, 1, "uniform")
    for rows, expected in (
        (((zero, one),), True), (((zero,),), False), (((zero, one), (zero,)), False), (((zero, uniform),), False),
        (((zero, one), ()), False),
    ):  # fmt: skip
        empty: tuple = ((),) * len(rows)
        assert LayerEdit(rows, empty, empty).silences(2) is expected


def test_a_single_change_or_a_list_of_them_is_taken_as_interventions() -> None:
    bundle = model.load("tiny")
    off, hidden = model.HeadAblation("cross", 0, 1), model.BlockedKey("encoder_self", 1)
    whole = model.Interventions((off,), blocked_keys=(hidden,))
    expected = model.translate(bundle, "the cat", interventions=whole)
    for value in ([off, hidden], (hidden, off)):
        trace = model.translate(bundle, "the cat", interventions=value)
        assert trace.interventions == whole and np.array_equal(trace.log_probs, expected.log_probs)
    alone = model.Interventions(off)
    assert model.score(bundle, "the cat", "le chat", interventions=off).interventions == alone
    assert model.read(bundle, "the cat", interventions=off).interventions == alone
    assert model.record(bundle, "the cat", names="logits", interventions=off).trace.interventions == alone
    ids = [list(expected.source.ids)], [list(expected.prefix.ids)]
    maps = [model.attend(bundle, *ids, interventions=value).cross for value in (off, [alone])]  # type: ignore[arg-type]
    assert np.array_equal(*maps)  # type: ignore[arg-type]
    move = model.PositionEdit("shift", 2)
    assert model.translate(bundle, "the cat", interventions=move).interventions.source_positions == move
    with pytest.raises(model.InterventionError, match=r"give it inside Interventions\(…\)"):
        model.translate(bundle, "the cat", interventions=[move, move])  # type: ignore[arg-type]
