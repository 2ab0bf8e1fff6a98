"""Every change in force has its verdict under the sentence: the translation without it and with it, word by word."""

import math

import pytest

import model
from model.trace import TokenSequence
from tests.checkpoint import tiny_bundle
from tests.viz.page import stage
from viz.panels.stage import sentence
from viz.panels.stage.verdict import spoken

TEXT = "the cat is on the sofa ."


def test_the_probability_of_a_word_is_the_product_of_its_tokens():
    trace = model.translate(model.load(), "I'm learning Japanese.")
    found = spoken(trace)
    assert " ".join(found.words).replace(" .", ".") in (trace.text, trace.text.replace(" .", "."))
    ordinary = [float(p) for p, special in zip(trace.log_probs, trace.target.is_special, strict=True) if not special]
    assert math.log(math.prod(found.shares)) == pytest.approx(sum(ordinary), abs=1e-4)


def test_a_language_without_spaces_is_told_token_by_token():
    bundle = model.load("pretrained/en-zh")
    found = spoken(model.translate(bundle, "I like tea."))
    assert found.joiner == "" and len(found.words) > 1


@pytest.mark.nightly(but=("overview",))
@pytest.mark.parametrize("page", ["explore", "decode", "overview", "inside"])
def test_a_change_has_the_same_verdict_on_every_page(open_page, page):
    app = open_page(page, text=TEXT)
    assert stage(app)["verdict"] is None
    app.query_params["interventions"] = "off:x.0.1"
    del app.session_state["regard.choices"]
    app.run()
    found = stage(app)["verdict"]
    off = model.Interventions(heads_off=(model.HeadAblation("cross", 0, 1),))
    for side, trace in (("before", model.translate(tiny_bundle(), TEXT)),
                        ("after", model.translate(tiny_bundle(), TEXT, interventions=off))):  # fmt: skip
        assert found[side]["words"] == list(spoken(trace).words)
        assert found[side]["shares"] == pytest.approx(list(spoken(trace).shares), rel=1e-4)


def test_only_a_token_outside_of_words_is_special_and_a_long_text_says_how_many_follow():
    tokens = TokenSequence((5, 6, 7, 3), ("▁the", "▁ca", "t", "</s>"), (0, 1, 1, -1), (None,) * 4)
    assert [chip.special for chip in sentence._chips(tokens)] == [False, False, False, True]
    chips = (sentence.Chip("a"),) * sentence.MAX_PIECES
    assert sentence._beginning(chips) == chips
    assert [chip.text for chip in sentence._beginning((*chips, *chips[:2]))[-2:]] == ["a", "… +2"]
