"""Switching heads off, compared with models that were built without them."""

import copy
from typing import Any

import numpy as np
import pytest
import torch
from sacrebleu.metrics.bleu import BLEU

import model
from model.bundle import Bundle
from model.interpret.ablation import corpus_effects_as_they_come, head_effects, head_effects_as_they_come, without_layer
from model.interventions import KINDS, NONE, AttentionKind, HeadOff, Interventions, attention_shapes
from model.nn.attention import MultiHeadAttention
from model.nn.transformer import Transformer
from model.text.tokens import TextError
from model.trace import Trace
from tests.tiny import tiny_model

TEXT, TARGET = "#5 #6 #7 #8", "#9 #10 #11"


def tiny_bundle(seed: int = 0, **changes) -> Bundle:
    built = tiny_model(seed, **changes)
    return Bundle("tiny", built, built.config, None, None, fingerprint=str(seed))


def attention_of(built: Transformer, kind: AttentionKind, layer: int) -> MultiHeadAttention:
    found: Any = (built.encoder if kind == "encoder_self" else built.decoder).layers[layer]
    if kind == "encoder_self":
        return found.self_attention
    return found.self_attention if kind == "decoder_self" else found.cross_attention


def built_without(bundle: Bundle, kind: AttentionKind, layer: int, heads: list[int]) -> Transformer:
    """A copy whose output projection has zero columns for these heads."""
    built: Any = copy.deepcopy(bundle.model)
    attention = attention_of(built, kind, layer)
    with torch.no_grad():
        for head in heads:
            attention.output.weight[:, head * attention.d_value : (head + 1) * attention.d_value] = 0
    return built


def log_probs(built: Transformer, trace: Trace, edits: Interventions = NONE) -> np.ndarray:
    with torch.no_grad():
        logits = built(torch.tensor([trace.source.ids]), torch.tensor([trace.prefix.ids]), interventions=edits).logits[
            0
        ]
    return logits.log_softmax(-1)[range(len(trace.target)), list(trace.target.ids)].numpy()


@pytest.mark.nightly(but=("changes2",))
@pytest.mark.parametrize("changes", [{}, {"encoder_norm_first": False, "decoder_norm_first": False}, {"d_value": 3}])
def test_each_heads_effect_is_that_of_a_model_built_without_it(changes: dict) -> None:
    bundle = tiny_bundle(1, **changes)
    trace = model.score(bundle, TEXT, TARGET)
    effects = head_effects(bundle, trace)
    assert effects.done == effects.total == 3 * 2 * 2
    assert effects.log_prob == pytest.approx(trace.log_probs.sum(), abs=1e-5)
    for kind, (layers, heads) in attention_shapes(bundle.config).items():
        for layer in range(layers):
            for head in range(heads):
                expected = log_probs(built_without(bundle, kind, layer, [head]), trace) - trace.log_probs
                np.testing.assert_allclose(effects.changes[kind][layer, head], expected, atol=2e-5)
        assert np.abs(effects.totals(kind)).max() > 1e-3


def test_depths_and_heads_may_differ() -> None:
    bundle = tiny_bundle(4, n_encoder_layers=3, n_encoder_heads=4, n_decoder_layers=1)
    effects = head_effects(bundle, model.score(bundle, TEXT, TARGET))
    assert effects.changes["encoder_self"].shape == (3, 4, 4)
    assert effects.changes["cross"].shape == (1, 2, 4)
    assert not any(np.isnan(change).any() for change in effects.changes.values())


def test_stopping_early_leaves_the_untried_heads_unknown() -> None:
    bundle = tiny_bundle(5)
    coming = head_effects_as_they_come(bundle, model.score(bundle, TEXT, TARGET))
    first = next(coming)
    del coming
    assert 0 < first.done < first.total
    known = sum(int((~np.isnan(first.totals(kind))).sum()) for kind in KINDS)
    assert known == first.done
    assert model.translate(bundle, TEXT).interventions == NONE


def test_a_layer_without_cross_attention_is_a_model_built_without_it() -> None:
    bundle = tiny_bundle(6)
    trace = model.score(bundle, TEXT, TARGET, interventions=without_layer(bundle, NONE, "cross", 1))
    np.testing.assert_allclose(trace.log_probs, log_probs(built_without(bundle, "cross", 1, [0, 1]), trace), atol=1e-5)


@pytest.mark.nightly
def test_bleu_without_each_head_is_that_of_translating_one_by_one() -> None:
    bundle = tiny_bundle(8)
    sources = ["#5 #6 #7", "#8 #9 #10 #11 #12", "#4", "#13 #14"]
    references = [model.translate(bundle, text, max_length=6).text for text in sources]
    *_, effects = corpus_effects_as_they_come(bundle, sources, references)
    assert effects.done == effects.total == 12
    metric = BLEU()
    for kind in KINDS:
        for layer in (0, 1):
            for head in (0, 1):
                off = Interventions(heads_off=(HeadOff(kind, layer, head),))
                longest = 2 * 6 + 16
                texts = [model.translate(bundle, text, max_length=longest, interventions=off).text for text in sources]
                expected = metric.corpus_score(texts, [references]).score - effects.bleu
                assert effects.changes[kind][layer, head] == pytest.approx(expected, abs=1e-3)


def test_a_set_without_translations_is_refused() -> None:
    with pytest.raises(TextError, match="1 sentences and 0 translations"):
        next(corpus_effects_as_they_come(tiny_bundle(), ["#5"], []))
