"""The summary of a comparison."""

from __future__ import annotations

import numpy as np
import pytest

from model import score, translate
from model.analysis import CompareError, compare_traces, moved
from model.bundle import Bundle
from tests.checkpoint import tiny_bundle
from tests.tiny import tiny_model
from viz.explore.compare import MOST_HEADS, escape_markdown, marked, movers


def test_words_that_the_other_side_has_not_are_marked_and_every_word_is_escaped() -> None:
    found = marked(["Le", "<b>", "dort"], ["Le", "chien", "dort"], colour="#112233")
    assert (
        found == 'Le <mark style="background:none;color:inherit;border-bottom:3px solid #112233">&lt;b&gt;</mark> dort'
    )
    assert marked(["a"], ["a"], colour="#000000") == "a"
    assert marked([], ["a"], colour="#000000") == ""


def test_text_is_no_markdown() -> None:
    assert escape_markdown("**a** [b](c) $x$ :red[d]") == r"\*\*a\*\* \[b\]\(c\) \$x\$ \:red\[d\]"


def test_the_heads_that_moved_most_come_first() -> None:
    bundle = tiny_bundle()
    left = translate(bundle, "the cat is sleeping on the sofa .")
    right = translate(bundle, "the dog is sleeping on the sofa .")
    found = movers(left, right)
    assert 0 < len(found) <= MOST_HEADS
    shares = [mover.share for mover in found]
    assert shares == sorted(shares, reverse=True)
    best = found[0]
    assert best.share == pytest.approx(moved(compare_traces(left, right, best.kind))[best.layer, best.head])
    largest = max(np.nanmax(moved(compare_traces(left, right, kind))) for kind in left.attention.kinds)
    assert best.share == pytest.approx(largest)


def test_nothing_moves_between_a_sentence_and_itself() -> None:
    trace = translate(tiny_bundle(), "the cat is sleeping .")
    assert movers(trace, trace) == ()


def test_models_of_other_shapes_are_not_subtracted() -> None:
    def bundle(n_heads: int) -> Bundle:
        model = tiny_model(n_encoder_heads=n_heads, n_decoder_heads=n_heads)
        return Bundle("tiny", model, model.config, None, None)

    left, right = (score(bundle(n), "#5 #6 #3", "#7 #3") for n in (2, 4))
    with pytest.raises(CompareError, match="layers and heads differ"):
        movers(left, right)
