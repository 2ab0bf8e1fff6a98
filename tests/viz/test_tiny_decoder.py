"""The shipped decoder-only model: its continuations, heads and pages."""

from functools import cache as once

import numpy as np
import pytest

import model
from model.checkpoints.loading import PRETRAINED
from model.interpret.inspection import inspect_head
from tests.pages import go_to
from tests.viz.page import page_text, run_page
from tests.viz.test_inside import check_rules
from viz.i18n import speaking, tr
from viz.inside.screens import TURNING, screen_of
from viz.inside.turning import before_turn, turning_matrix
from viz.inside.view import VECTORS, View
from viz.panels.opening import PROMPTS

PROMPT = PROMPTS[0]


@once
def decoder() -> model.Bundle:
    return model.load("tiny-decoder")


def inspected(layer: int = 1, head: int = 3):
    trace = model.translate(decoder(), PROMPT)
    return inspect_head(decoder(), trace, kind="decoder_self", layer=layer, head=head), trace


@pytest.mark.nightly
def test_it_is_small_and_continues_every_prompt_to_the_end_of_a_sentence():
    assert sum(path.stat().st_size for path in (PRETRAINED / "tiny-decoder").iterdir()) < 8_000_000
    for prompt in PROMPTS:
        trace = model.translate(decoder(), prompt)
        assert trace.text.startswith(prompt) and len(trace.text) > len(prompt)
        assert not trace.is_truncated and trace.target.ids[-1] == decoder().config.eos_id


@pytest.mark.nightly
def test_batched_beam_and_cached_decoding_equal_separate_decoding():
    alone = [model.translate(decoder(), prompt, method="beam") for prompt in PROMPTS[:3]]
    together = model.translate(decoder(), list(PROMPTS[:3]), method="beam")
    plain = model.translate(decoder(), PROMPT, method="beam", cached=False)
    for single, batched in zip(alone, together, strict=True):
        assert isinstance(batched, model.Trace) and single.target.ids == batched.target.ids
    assert plain.target.ids == alone[0].target.ids


@pytest.mark.parametrize("is_matrix", [False, True])
def test_every_number_of_a_turned_head_follows_by_its_rule(is_matrix):
    head, trace = inspected()
    labels = trace.prefix.pieces
    n_rules = 0
    for step in TURNING:
        for vector in VECTORS if step in ("project", "split") else VECTORS[:2] if step == "turn" else ("query",):
            screen = screen_of(step, View(head, labels, labels, 4, 2, is_matrix, vector, "silu"))
            if step == "turn" and not is_matrix:
                assert {len(block.values) for block in screen.blocks if block.name != "matrix"} == {1}
            n_rules += check_rules(screen, step)
    assert n_rules >= 12


def test_scores_of_turned_vectors_depend_on_the_distance_alone():
    head, _ = inspected()
    assert head.turn is not None
    query, key = before_turn(head, "query")[4], before_turn(head, "key")[2]
    turned = [turning_matrix(head.turn, place, len(query)) for place in range(6)]
    score, shifted_score = ((query @ turned[m]) @ (key @ turned[n]) for m, n in ((4, 2), (5, 3)))
    assert score == pytest.approx(shifted_score, rel=1e-4) == pytest.approx(head.scores[4, 2], rel=1e-3)


def test_heads_of_a_group_have_the_same_keys_and_other_queries():
    (first, _), (second, _), (other_group, _) = inspected(head=2), inspected(head=3), inspected(head=4)
    assert first.group_size == 2 and first.group == second.group != other_group.group
    np.testing.assert_array_equal(first.key, second.key)
    np.testing.assert_array_equal(first.value, second.value)
    assert np.abs(first.query - second.query).max() > 0.01 < np.abs(first.key - other_group.key).max()


@pytest.mark.parametrize("part", ["tokens", "direct"])
def test_contributions_of_tokens_and_parts_are_shown_for_a_continuation(part):
    page = run_page("causal", model="tiny-decoder", causal__part=part, causal__whole_words="1")
    assert not page.error
    key = "causal.with_erasure" if part == "tokens" else "causal.direct_read"
    assert tr(key, r="|", word="|", rival="|", total="|").partition("|")[0] in page_text(page)


@pytest.mark.nightly(but=("fr",))
@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_its_pages_open_in_each_language(language):
    page = run_page(model="tiny-decoder", language=language)
    for name in ("explore", "decode", "inside", "overview", "positions", "causal"):
        with speaking(language):  # AppTest formats the selected options again in the test's thread
            go_to(page, name)
