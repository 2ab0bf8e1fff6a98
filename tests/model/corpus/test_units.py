"""The words that excite hidden units most."""

import numpy as np
import pytest

import model
from benchmarks.serving import ROOT
from model.corpus.units import OTHERS, shipped_units_of, units_of, words_by_token
from model.text.tokens import source_tokens

TEXTS = ("The dog sleeps.", "He lost his keys.", "We teach and they learn.")


def test_each_units_peak_is_the_largest_activation_and_its_words_are_where_it_is_largest() -> None:
    bundle = model.load()
    found = units_of(bundle, TEXTS)
    name = "encoder.2.feed_forward.hidden"
    hidden = [model.record(bundle, text, names=name)[name][0] for text in TEXTS]  # (S, F) each
    words = [word for text in TEXTS for word in words_by_token(source_tokens(bundle, text))]
    values = np.concatenate(hidden)
    layer = found["layers"][2]
    assert np.allclose(layer["peaks"], values.max(0), atol=0.006)
    assert np.allclose(layer["shares"], (values > 0).mean(0), atol=6e-4)
    assert found["n_tokens"] == len(words) == len(values)
    for unit in np.argsort(-values.max(0))[:50]:
        assert layer["words"][unit].split()[0] == words[values[:, unit].argmax()]


def test_a_word_of_several_tokens_is_named_whole() -> None:
    tokens = source_tokens(model.load(), "The housekeeper slept.")
    named = list(words_by_token(tokens))
    assert named[0] == "the" and named[-1] == "</s>"
    assert next(word for word in named if "keeper" in word) == "housekeeper"


@pytest.mark.parametrize("name", ["en-fr", *OTHERS])
def test_the_shipped_file_belongs_to_the_shipped_model(name: str) -> None:
    bundle = model.load(ROOT / "pretrained" / name)
    found = shipped_units_of(bundle)
    assert found is not None and found["n_sentences"] == 2_000
    assert len(found["layers"]) == bundle.config.n_encoder_layers
    for layer in found["layers"]:
        assert len(layer["words"]) == len(layer["peaks"]) == len(layer["shares"]) == bundle.config.d_feed_forward


def test_a_model_that_was_not_measured_has_none() -> None:
    assert shipped_units_of(model.load(ROOT / "pretrained" / "tiny")) is None
