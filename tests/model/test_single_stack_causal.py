"""The causal map of two prompts equals one patched pass per cell, whatever a decoder-only model's layers are."""

from __future__ import annotations

import numpy as np
import pytest

import model
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
from model.interpret.tracing.pair_reading import CausalMap, SameTranslationError
from model.interventions import Interventions

FIRST, SECOND = "The little boy wanted to", "The little girl wanted to"
LONGER = "The little boy and Tom wanted to"


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return model.load("tiny-decoder")


@pytest.fixture(scope="module", params=[FIRST, LONGER, "Yesterday"])
def found(bundle: model.Bundle, request: pytest.FixtureRequest) -> CausalMap:
    return causal_map(bundle, first=request.param, second=SECOND)


def margin(bundle: model.Bundle, found: CausalMap, *patches: model.Patch) -> float:
    ids = found.pair.second.prefix.ids[: found.pair.step + 1]
    logits = teacher_forced(bundle, [((), ids)], interventions=Interventions(patches=patches)).logits[0, -1]
    return float((logits[found.pair.word_id] - logits[found.pair.rival_id]).detach())


def test_the_pair_parts_at_the_next_token(bundle: model.Bundle) -> None:
    pair = read_pair(bundle, FIRST, SECOND)
    texts = [trace.text for trace in (pair.first, pair.second)]
    assert texts[0].startswith(FIRST) and texts[1].startswith(SECOND) and texts[0][24:] != texts[1][25:]
    assert pair.changed == (3,) and pair.margin_first > 0 > pair.margin_second
    assert pair.rival_id == pair.second.target.ids[pair.step]


@pytest.mark.nightly("The little boy and Tom wanted to")
def test_every_cell_equals_one_pass_with_that_patch(bundle: model.Bundle, found: CausalMap) -> None:
    assert found.done == found.total and set(found.heads) == {"decoder_self"}
    for component, effects in found.effects.items():
        for row in (0, len(effects) - 1):
            for place, there in enumerate(found.pair.alignment):
                if there is None:
                    assert np.isnan(effects[row, place])
                    continue
                patch = patch_of_cell(bundle, found.pair, component, row, place)
                expected = margin(bundle, found, patch) - found.pair.margin_second
                assert abs(effects[row, place] - expected) < 1e-4, (component, row, place)
    for head in (0, 5):
        patch = patch_of_head(bundle, found.pair, "decoder_self", 2, head)
        expected = margin(bundle, found, patch) - found.pair.margin_second
        assert abs(found.heads["decoder_self"][2, head] - expected) < 1e-4


def test_the_last_state_restores_the_first_margin(found: CausalMap) -> None:
    assert abs(found.shares("decoder.residual")[-1, -1] - 1) < 1e-4


@pytest.mark.nightly
def test_one_gradient_estimates_the_map(bundle: model.Bundle) -> None:
    exact = causal_map(bundle, first=FIRST, second=SECOND)
    estimated = attribution_map(bundle, first=FIRST, second=SECOND)
    assert not estimated.is_exact and agreement(exact, estimated) > 0.8


@pytest.mark.nightly
def test_the_map_comes_layer_by_layer(bundle: model.Bundle) -> None:
    steps = [step.done / step.total for step in causal_map_as_it_comes(bundle, first=FIRST, second=SECOND)]
    assert len(steps) == 4 and steps == sorted(steps) and steps[-1] == 1


def test_prompts_that_go_on_alike_are_refused(bundle: model.Bundle) -> None:
    with pytest.raises(SameTranslationError, match="change a word"):
        read_pair(bundle, SECOND, SECOND)
