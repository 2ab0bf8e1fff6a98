"""Words and named spans in place of pieces, for every result; attention knocked out between groups of tokens."""

import dataclasses
import sys
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import model
from model import BlockedKey, Interventions
from model.analysis.aggregation import merge_spans
from model.analysis.words import merge_attention, words_of
from model.interpret.ablation import head_effects
from model.interpret.attribution import gradient_attention
from model.interpret.contrast import source_contribution
from model.interpret.token_attribution import METHODS, token_attribution
from model.trace import ShapeError, TokenSequence, Trace

TEXT, TRANSLATION = "The unbelievably old man sleeps.", "Le vieil homme incroyable dort."


@pytest.fixture(scope="module")
def bundle() -> model.Bundle:
    return model.load("tiny")


@pytest.fixture(scope="module")
def trace(bundle: model.Bundle) -> Trace:
    result = model.score(bundle, TEXT, TRANSLATION)
    assert len(words_of(result.source)) < len(result.source) and len(words_of(result.target)) < len(result.target)
    return result


def by_hand(array: np.ndarray, groups: tuple[Any, ...], rows: str) -> np.ndarray:
    """The rule of the docstring, cell by cell."""
    result = np.zeros((*array.shape[: -len(groups)], *(max(group) + 1 for group in groups)))
    for place in np.ndindex(array.shape[-len(groups) :]):
        there = tuple(group[i] for group, i in zip(groups, place, strict=True))
        share = 1 / list(groups[0]).count(there[0]) if rows == "mean" else 1
        result[(..., *there)] += array[(..., *place)] * share
    return result


@pytest.mark.nightly("raw", "integrated_gradients")
@pytest.mark.parametrize("method", METHODS)
def test_attributions_of_words_are_sums_and_shares_stay_shares(bundle: model.Bundle, trace: Trace, method: Any) -> None:
    attribution = token_attribution(bundle, trace, method=method)
    words = model.by_words(attribution, trace)
    rows = "sum" if attribution.is_signed else "mean"
    for name, side in (("source", words.source), ("prefix", words.prefix)):
        expected = by_hand(getattr(attribution, name), (words.target.groups, side.groups), rows)
        np.testing.assert_allclose(words[name], expected, atol=1e-5)
    total = words["source"].sum(1) + words["prefix"].sum(1)
    if attribution.is_signed:
        np.testing.assert_allclose(
            total.sum(), attribution.source.sum() + attribution.prefix.sum(), rtol=1e-4, atol=1e-5
        )
    else:
        np.testing.assert_allclose(total, 1, atol=1e-5)


def test_effects_contributions_gradients_and_attention_have_words(bundle: model.Bundle, trace: Trace) -> None:
    effects = head_effects(bundle, trace)
    words = model.by_words(effects, trace)
    for kind, changes in effects.changes.items():
        np.testing.assert_allclose(words[kind], by_hand(changes, (words.target.groups,), "sum"), atol=1e-5)
    sources = source_contribution(bundle, trace)
    words = model.by_words(sources, trace)
    np.testing.assert_allclose(words["source"], by_hand(sources.source, (words.target.groups,), "sum"), atol=1e-5)
    gradients = gradient_attention(bundle, trace, step=1)
    words, cross = model.by_words(gradients, trace), gradients.maps.cross
    assert cross is not None
    expected = by_hand(cross, (words.target.groups, words.source.groups), "sum")
    np.testing.assert_allclose(words["cross"], expected, atol=1e-5)
    words, cross = model.by_words(trace, trace), trace.attention.cross
    assert cross is not None
    np.testing.assert_allclose(words["cross"], merge_attention(cross, words.target, words.source), atol=1e-6)
    assert words["log_probs"].sum() == pytest.approx(trace.log_probs.sum(), rel=1e-5)


def test_spans_are_read_as_one_and_the_rest_by_words(trace: Trace) -> None:
    words = model.by_words(
        trace, trace, source_spans={"subject": "The unbelievably old man"}, target_spans={"verb": (26, 30)}
    )
    assert words.source.labels[:2] == ("subject", "sleeps") and "verb" in words.target.labels
    assert words["cross"].shape[-1] == len(words.source)
    np.testing.assert_allclose(words["cross"].sum(-1), 1, atol=1e-5)
    for wrong in ("ol", "cat", "", (900, 901)):
        with pytest.raises(ShapeError, match=r"does not stand in|no token stands at"):
            model.by_words(trace, trace, source_spans={"x": wrong})
    with pytest.raises(ShapeError, match="no numbers for each token"):
        model.by_words("text", trace)


def test_knocked_out_keys_get_no_weight_and_the_others_do(bundle: model.Bundle, trace: Trace) -> None:
    man = [i for i, word in enumerate(trace.source.words) if word == 3]
    edits = model.knock_out(trace, "cross", keys="man", queries="homme", layers=1)
    result = model.score(bundle, TEXT, TRANSLATION, interventions=edits)
    start = trace.text.index("homme")
    rows = [i for i, span in enumerate(trace.target.spans) if span is not None and start < span[1] <= start + 5]
    assert rows and man
    weights, plain = result.attention.cross, trace.attention.cross
    assert weights is not None and plain is not None
    assert not weights[1][:, rows][..., man].any() and plain[1][:, rows][..., man].all()
    others = [i for i in range(len(trace.target)) if i not in rows]
    np.testing.assert_allclose(weights[0], plain[0], atol=1e-6)
    np.testing.assert_allclose(weights[1][:, others], plain[1][:, others], atol=1e-6)
    retained = [i for i in range(len(trace.source)) if i not in man]
    again = plain[1][:, rows][..., retained]
    np.testing.assert_allclose(weights[1][:, rows][..., retained], again / again.sum(-1, keepdims=True), atol=1e-5)


def test_a_knock_out_adds_blocked_keys_to_the_other_interventions(bundle: model.Bundle, trace: Trace) -> None:
    off = Interventions(model.HeadAblation("cross", 0, 1))
    edits = model.knock_out(trace, "encoder_self", keys=[0, 2], queries=(1,), heads=(0, 3), interventions=off)
    expected = {BlockedKey("encoder_self", key, None, head, 1) for key in (0, 2) for head in (0, 3)}
    assert set(edits.blocked_keys) == expected and edits.heads_off == off.heads_off
    ablated = dataclasses.replace(trace, interventions=off)
    assert model.knock_out(ablated, "cross", keys=1).heads_off == off.heads_off
    silent = model.score(
        bundle, TEXT, TRANSLATION, interventions=model.knock_out(trace, "cross", keys=None)
    ).attention.cross
    assert silent is not None and not silent.any()
    for wrong, message in (
        ({"keys": "cat"}, "does not stand in"), ({"keys": 99}, "choose 0 to"), ({"keys": 0, "queries": -1}, "choose"),
    ):  # fmt: skip
        with pytest.raises(model.InterventionError, match=message):
            model.knock_out(trace, "cross", **wrong)  # type: ignore[arg-type]
    with pytest.raises(model.InterventionError, match="there is no 'self' attention"):
        model.knock_out(trace, "self", keys=0)  # type: ignore[arg-type]


CHINESE = "猫在沙发上睡觉。"


@pytest.mark.parametrize("has_jieba", [False, True], ids=["by characters", "by words"])
def test_chinese_is_read_by_words_or_characters_and_never_by_a_clause(
    has_jieba: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(text: str) -> list[str]:
        return {"猫在沙发上睡觉": ["猫", "在", "沙发", "上", "睡觉"]}[text]

    jieba = SimpleNamespace(lcut=cut, setLogLevel=lambda level: None) if has_jieba else None
    monkeypatch.setitem(sys.modules, "jieba", jieba)
    pieces = ("▁", "猫", "在", "沙", "发", "上", "<0xE7>", "<0x9D>", "<0xA1>", "觉", "。", "</s>")
    places = (0, 0, 1, 2, 3, 4, 5, 5, 5, 6, 7, None)
    spans = tuple(None if at is None else (at, at + (piece != "▁")) for piece, at in zip(pieces, places, strict=True))
    tokens = TokenSequence(tuple(range(12)), pieces, (0,) * 11 + (-1,), spans)
    words = merge_spans(tokens, CHINESE, {})
    expected = ["猫", "在", "沙发", "上", "睡觉", "。", "</s>"] if has_jieba else [*CHINESE, "</s>"]
    assert [label for label in words.labels if label != "▁"] == expected
    assert words.is_special == (False,) * (len(words) - 1) + (True,)
    assert merge_spans(tokens, CHINESE, {"谁": "猫"}).labels.count("谁") == 1


def test_labels_of_byte_level_tokens_can_be_read() -> None:
    tokens = TokenSequence((0, 1, 2, 3, 4), ("Ġcaf", "<0xC3>", "<0xA9>", "Ġau", "##lait"), (0, 0, 0, 1, 1), (None,) * 5)
    assert words_of(tokens).labels == ("café", "aulait")


def test_knocked_out_layers_and_heads_must_exist(trace: Trace) -> None:
    cases: list[dict[str, Any]] = [{"layers": 9}, {"heads": (0, 9)}, {"layers": "last"}]
    for wrong in cases:
        with pytest.raises(model.InterventionError, match=r"cross has no (layer|head) .*: choose 0 to"):
            model.knock_out(trace, "cross", keys=0, **wrong)
    zero, one = (cast(Any, np.int64(number)) for number in range(2))
    assert model.knock_out(trace, "cross", keys=one, layers=zero) == model.knock_out(trace, "cross", keys=1, layers=0)
