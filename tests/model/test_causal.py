"""Causal maps equal one patched pass per cell, and direct contributions add up to the logit."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.bundle import Bundle
from model.decoding.step import DecodingError
from model.inference.teacher_forcing import teacher_forced
from model.interpret.causal import (
    agreement,
    attribution_map,
    causal_map,
    causal_map_as_it_comes,
    patch_of_cell,
    patch_of_head,
    read_pair,
)
from model.interpret.direct import direct_contributions
from model.interpret.minimal_pairs import GROUPS, group_map_as_it_comes, minimal_pairs
from model.interpret.tracing.pair_reading import CausalError, CausalMap, PairReading, SameTranslationError, name_of_cell
from model.interventions import Interventions
from tests.tiny import POST_NORM, bundle_of_ids

FIRST, SECOND = "The cat is sleeping.", "The dog is sleeping."


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return model.load("tiny")


@pytest.fixture(scope="module")
def mapped(bundle: Bundle) -> CausalMap:
    return causal_map(bundle, first=FIRST, second=SECOND)


def margin(bundle: Bundle, mapped: CausalMap, patch: model.Patch) -> float:
    pair = mapped.pair
    row = (pair.second.source.ids, pair.second.prefix.ids[: pair.step + 1])
    logits = teacher_forced(bundle, [row], interventions=Interventions(patches=(patch,))).logits[0, -1]
    return float((logits[pair.word_id] - logits[pair.rival_id]).detach())


def _parting_late(bundle: Bundle) -> PairReading:
    """Two sentences of equal length whose translations begin alike."""
    texts = [f"#{left} #{right} #9 #3" for left in range(4, 20, 3) for right in range(4, 20, 3)]
    written = {text: model.translate(bundle, text, max_length=4).target.ids for text in texts}
    for first, second in combinations(texts, 2):
        if written[first][0] == written[second][0] and written[first][:3] != written[second][:3]:
            return read_pair(bundle, first, second)
    raise AssertionError("no pair parts after its first token: choose another seed")


def test_the_last_state_of_the_decoder_restores_the_first_margin(mapped: CausalMap) -> None:
    assert abs(mapped.shares("decoder.residual")[-1, -1] - 1) < 1e-4
    assert abs(mapped.pair.margin_first - mapped.pair.margin_second - mapped.pair.distance) < 1e-6


def test_the_map_comes_layer_by_layer_and_can_be_left(bundle: Bundle) -> None:
    steps = list(causal_map_as_it_comes(bundle, first=FIRST, second=SECOND))
    assert len(steps) == 4
    assert np.isnan(steps[0].effects["decoder.residual"]).all()
    assert [step.done for step in steps] == sorted(step.done for step in steps)


def test_attribution_patching_is_the_gradient_of_the_margin(bundle: Bundle, mapped: CausalMap) -> None:
    estimated = attribution_map(bundle, first=FIRST, second=SECOND)
    assert not estimated.is_exact
    name, place = name_of_cell("decoder.residual", 2), mapped.pair.step
    left, right = (model.record(bundle, text, names=name) for text in (FIRST, SECOND))
    assert left.trace.prefix.ids[: place + 1] == right.trace.prefix.ids[: place + 1]
    step = 1e-3
    moved = right[name][0, place] + step * (left[name][0, place] - right[name][0, place])
    patch = model.Patch(name, (place,), value=moved)
    slope = (margin(bundle, mapped, patch) - mapped.pair.margin_second) / step
    assert abs(estimated.effects["decoder.residual"][2, place] - slope) < 0.05 * abs(slope) + 0.05
    assert agreement(mapped, estimated) > 0.5
    assert agreement(mapped, mapped) == pytest.approx(1)


@pytest.mark.nightly
def test_traces_and_ids_give_the_map_of_their_texts_and_a_trace_its_own_translation() -> None:
    tiny = bundle_of_ids(30, **POST_NORM, decoder_final_norm=False)
    pair = _parting_late(tiny)
    expected = causal_map(tiny, first=pair.first.source_text, second=pair.second.source_text)
    for mapped in (
        causal_map(tiny, first=pair.first, second=pair.second),
        causal_map(tiny, first=pair.first.source.ids, second=pair.second.source.ids),
    ):
        for name, effects in expected.effects.items():
            np.testing.assert_allclose(mapped.effects[name], effects, atol=1e-6)
    target_ids = list(pair.first.target.ids)
    other = model.score(tiny, pair.second.source.ids, [target_ids[0] + 1, *target_ids[1:]])
    assert causal_map(tiny, first=pair.first, second=other).pair.step == 0


def test_sentences_of_different_length_are_aligned_from_both_ends(bundle: Bundle) -> None:
    pair = read_pair(bundle, "The cats are sleeping.", "The cat is sleeping.")
    first, second = pair.first.source.ids, pair.second.source.ids
    assert len(first) != len(second)
    assert pair.alignment[0] == 0 and pair.alignment[-1] == len(first) - 1
    for here, there in enumerate(pair.alignment):
        assert here in pair.changed or there is None or first[there] == second[here]
    place = next(i for i, j in enumerate(pair.alignment) if j is not None and j != i)
    patch = patch_of_cell(bundle, pair, "encoder.residual", 1, place)
    exact = causal_map(bundle, first="The cats are sleeping.", second="The cat is sleeping.")
    expected = margin(bundle, exact, patch) - pair.margin_second
    assert abs(exact.effects["encoder.residual"][1, place] - expected) < 1e-4


def test_a_heads_patch_equals_the_map_for_sentences_of_different_length(bundle: Bundle) -> None:
    exact = causal_map(bundle, first="The cats are sleeping.", second="The cat is sleeping.")
    assert len(exact.pair.first.source.ids) != len(exact.pair.second.source.ids)
    for kind, effects in exact.heads.items():
        for layer, head in np.ndindex(effects.shape):
            expected = margin(bundle, exact, patch_of_head(bundle, exact.pair, kind, layer, head))
            assert abs(effects[layer, head] - (expected - exact.pair.margin_second)) < 1e-4, (kind, layer, head)


def test_sentences_that_are_translated_alike_have_nothing_to_trace(bundle: Bundle) -> None:
    with pytest.raises(CausalError, match="both sentences are translated"):
        causal_map(bundle, first=FIRST, second=FIRST)


def test_forty_pairs_in_three_groups_are_shipped() -> None:
    pairs = minimal_pairs()
    assert len(pairs) == 40 and {pair.group for pair in pairs} == set(GROUPS)
    assert all(pair.first != pair.second for pair in pairs) and len({pair.first for pair in pairs}) == 40
    assert sum(len(minimal_pairs(group)) for group in GROUPS) == 40


@pytest.mark.nightly
def test_each_sentence_of_a_shipped_pair_makes_its_own_translation_the_more_probable() -> None:
    shipped, pairs = model.load(), minimal_pairs()
    texts = [text for pair in pairs for text in (pair.first, pair.second)]
    translations = dict(model.translate_texts(shipped, texts))
    assert all(translations[2 * i] != translations[2 * i + 1] for i in range(40))
    own_scores = _log_probs(shipped, texts, [translations[i] for i in range(80)])
    others = _log_probs(shipped, texts, [translations[i ^ 1] for i in range(80)])
    assert not [text for text, left, right in zip(texts, own_scores, others, strict=True) if left <= right]


def _log_probs(bundle: Bundle, sources: list[str], targets: list[str]) -> list[float]:
    """The log-probability of each translation."""
    traces = model.score(bundle, sources, targets)
    return [float(trace.log_probs.sum()) for trace in traces if isinstance(trace, model.Trace)]


def test_a_group_is_averaged_by_role_with_its_spread(bundle: Bundle) -> None:
    pairs = minimal_pairs("gender")[:3]
    *_, averaged = group_map_as_it_comes(bundle, pairs=pairs)
    assert averaged.n_pairs + len(averaged.skipped) == averaged.total == 3
    last = averaged.mean["decoder.residual"][-1, -1]
    assert abs(last - 1) < 1e-3 and averaged.spread["decoder.residual"][-1, -1] < 1e-3
    assert averaged.mean["encoder.residual"].shape == (3, 4)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        POST_NORM | {"decoder_final_norm": False},
        {"norm_kind": "annotated", "output_bias": True, "tie_output": False, "output_scale": 0.5},
        {"decoder_residual_scale": 1.4, "decoder_norm_first": False, "embedding_norm": True},
    ],
    ids=["pre-norm", "post-norm", "annotated", "scaled"],
)
@pytest.mark.parametrize("rival", [None, 7])
def test_direct_contributions_add_up_to_the_logit(changes: dict[str, Any], rival: int | None) -> None:
    tiny = bundle_of_ids(**changes)
    trace = model.score(tiny, [5, 6, 7, 3], [8, 9, 3])
    logits = teacher_forced(tiny, [trace]).logits[0]
    contributions = direct_contributions(tiny, trace, step=1, rival_id=rival)
    expected = float(logits[1, 9] - (logits[1, rival] if rival is not None else 0))
    assert len(contributions.writers) == len(contributions.values) == 1 + 2 * (2 + 2 + 1) + 1
    assert contributions.logit == pytest.approx(expected, abs=1e-4)
    assert contributions.values.sum() == pytest.approx(expected, abs=1e-4)


def test_a_contribution_to_a_step_that_is_not_there_is_refused(bundle: Bundle) -> None:
    trace = model.translate(bundle, FIRST)
    with torch.inference_mode(), pytest.raises(DecodingError, match="there is no step 99"):
        direct_contributions(bundle, trace, step=99)


BOY, GIRL = "The little boy wanted to", "The little girl wanted to"
BOY_AND_TOM = "The little boy and Tom wanted to"


@pytest.fixture(scope="module")
def decoder() -> Bundle:
    return model.load("tiny-decoder")


@pytest.fixture(scope="module", params=[BOY, BOY_AND_TOM, "Yesterday"])
def continued(decoder: Bundle, request: pytest.FixtureRequest) -> CausalMap:
    return causal_map(decoder, first=request.param, second=GIRL)


def test_the_pair_parts_at_the_next_token(decoder: Bundle) -> None:
    pair = read_pair(decoder, BOY, GIRL)
    texts = [trace.text for trace in (pair.first, pair.second)]
    assert texts[0].startswith(BOY) and texts[1].startswith(GIRL) and texts[0][24:] != texts[1][25:]
    assert pair.changed == (3,) and pair.margin_first > 0 > pair.margin_second
    assert pair.rival_id == pair.second.target.ids[pair.step]


@pytest.mark.nightly
def test_one_gradient_estimates_the_map_of_prompts(decoder: Bundle) -> None:
    exact, estimated = (of(decoder, first=BOY, second=GIRL) for of in (causal_map, attribution_map))
    assert not estimated.is_exact and agreement(exact, estimated) > 0.8


@pytest.mark.nightly
def test_the_map_of_prompts_comes_layer_by_layer(decoder: Bundle) -> None:
    steps = [step.done / step.total for step in causal_map_as_it_comes(decoder, first=BOY, second=GIRL)]
    assert len(steps) == 4 and steps == sorted(steps) and steps[-1] == 1


@pytest.mark.nightly("The little boy and Tom wanted to")
def test_every_cell_of_two_prompts_equals_one_pass_with_that_patch(decoder: Bundle, continued: CausalMap) -> None:
    assert continued.done == continued.total and set(continued.heads) == {"decoder_self"}
    for component, effects in continued.effects.items():
        for row in (0, len(effects) - 1):
            for place, there in enumerate(continued.pair.alignment):
                if there is None:
                    assert np.isnan(effects[row, place])
                    continue
                patch = patch_of_cell(decoder, continued.pair, component, row, place)
                expected = margin(decoder, continued, patch) - continued.pair.margin_second
                assert abs(effects[row, place] - expected) < 1e-4, (component, row, place)
    for head in (0, 5):
        patch = patch_of_head(decoder, continued.pair, "decoder_self", 2, head)
        expected = margin(decoder, continued, patch) - continued.pair.margin_second
        assert abs(continued.heads["decoder_self"][2, head] - expected) < 1e-4


def test_the_last_state_of_a_prompt_restores_the_first_margin(continued: CausalMap) -> None:
    assert abs(continued.shares("decoder.residual")[-1, -1] - 1) < 1e-4


def test_prompts_that_go_on_alike_are_refused(decoder: Bundle) -> None:
    with pytest.raises(SameTranslationError, match="change a word"):
        read_pair(decoder, GIRL, GIRL)
