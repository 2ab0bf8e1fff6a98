"""Steering: the direction is the difference of means, and it does what it is shown to do."""

import re
from typing import Any

import numpy as np
import pytest

import model
from model.interpret.editing.steering import SteeringError, steered, steering_examples, steering_vector
from tests.checkpoint import tiny_bundle

POSITIVES = [("the cat is sleeping .", "le chat dort ."), ("dog", "le chien")]
NEGATIVES = [("the cat", "un chat est sur"), ("the dog is on the sofa .", "le chien")]
PLACES = ("encoder.1.residual.after", "decoder.0.residual.after", "decoder.1.cross.mixed", "decoder.0.cross.value")
HELD_OUT = (
    "Is this your house?", "You never listen to me.", "I love you.", "Did you find your purse?", "You lied to me.",
    "I know that you are right.", "Do you plan to go abroad?", "Where is your sister?", "You are my friend.",
    "Your dog is in the garden.", "You forgot your keys.", "You have a nice voice.", "I will call you.", "I miss you.",
    "I forgot your name.", "You are my brother.", "I need you.", "You sing well.", "You must eat.", "Take your time.",
)  # fmt: skip
"""In no list; those count that the model translates with tu."""
TU = re.compile(r"\b(tu|te|toi|ton|ta|tes)\b|\bt['’]", re.I)

PERSON = frozenset({"tu", "te", "toi", "t", "ton", "ta", "tes", "vous", "votre", "vos", "êtes"})


@pytest.mark.parametrize("at", PLACES)
def test_the_vector_is_the_difference_of_the_means_that_record_gives(at: str) -> None:
    bundle = tiny_bundle()

    def mean(examples: list[tuple[str, str]]) -> Any:
        results = [model.record(bundle, *example, names=at)[at][0].mean(-2, keepdims=True) for example in examples]
        return np.mean(results, axis=0)

    expected = mean(POSITIVES) - mean(NEGATIVES)
    results = steering_vector(bundle, POSITIVES, NEGATIVES, at=at)
    np.testing.assert_allclose(results, expected if "cross" in at else expected[0], atol=1e-5)
    patch = model.Patch(at, add=results, strength=2.0)
    model.translate(bundle, "the cat", interventions=model.Interventions(patches=patch))


def test_sentences_without_a_translation_take_the_models_own() -> None:
    bundle, texts = tiny_bundle(), ["the cat is on the sofa", "dog"]
    pairs = [(text, model.translate(bundle, text).text) for text in texts]
    without, translated = (steering_vector(bundle, value, ["the"], at=PLACES[1]) for value in (texts, pairs))
    np.testing.assert_allclose(without, translated, atol=1e-5)


def test_ids_and_traces_give_the_direction_that_their_texts_give() -> None:
    bundle, texts = tiny_bundle(), ["the cat is on the sofa", "dog"]
    expected = steering_vector(bundle, texts, ["the"], at=PLACES[1])
    traces = [model.translate(bundle, text) for text in texts]
    ids = [list(trace.source.ids) for trace in traces]
    for value in (traces, ids, [(trace.source.ids, trace.target.ids) for trace in traces]):
        np.testing.assert_allclose(steering_vector(bundle, value, ["the"], at=PLACES[1]), expected, atol=1e-5)


def test_impossible_directions_are_refused() -> None:
    bundle = tiny_bundle()
    with pytest.raises(SteeringError, match="at least one sentence on each side"):
        steering_vector(bundle, [], ["the"], at=PLACES[0])
    with pytest.raises(SteeringError, match="at least one sentence on each side"):
        steering_vector(bundle, "the cat", ["the"], at=PLACES[0])  # type: ignore[arg-type]
    with pytest.raises(SteeringError, match="no vector that a patch can add to"):
        steering_vector(bundle, ["the"], ["cat"], at="encoder.0.self.weights")
    with pytest.raises(model.RecordingError, match="near it are"):
        steering_vector(bundle, ["the"], ["cat"], at="encoder.0.residual.aftr")


@pytest.mark.nightly
def test_the_shipped_direction_brings_vous_and_keeps_the_other_words() -> None:
    """On sentences that are in no list, at the example's own place and strength; ``python -m model steer`` has a figure
    of Tatoeba's."""
    bundle, example = model.load(), steering_examples()["formal"]
    assert not {*HELD_OUT} & {text for text, _ in example.positives}
    vector = steering_vector(bundle, example.positives, example.negatives, at=example.at)
    patch = model.Patch(example.at, add=vector, strength=example.strength)
    texts = [HELD_OUT[index] for index, text in model.translate_texts(bundle, HELD_OUT) if TU.search(text)]
    assert len(texts) >= 10
    plain = dict(sorted(model.translate_texts(bundle, texts)))
    translations = dict(sorted(model.translate_texts(bundle, texts, interventions=model.Interventions(patches=patch))))
    formal = [bool(re.search(r"\b(vous|votre|vos)\b|ez\b", text, re.I)) for text in translations.values()]
    familiar = [bool(TU.search(text)) for text in translations.values()]
    rest = [
        [
            [word for word in re.findall(r"\w+", text.lower()) if word not in PERSON and not word.endswith("ez")]
            for text in row
        ]
        for row in (plain.values(), translations.values())
    ]
    retained = [len(set(after) - set(before)) == 0 for before, after in zip(*rest, strict=True)]
    assert sum(retained) >= 0.8 * len(texts), translations
    assert sum(formal) >= 0.9 * len(texts) and sum(familiar) <= 0.1 * len(texts), translations
    away = steered(bundle, HELD_OUT[0], vector=vector, at=example.at, strengths=(0.0, 2.5, -2.5))
    assert away.chrf[0] == pytest.approx(100) and "votre" in away.texts[1] and "ta " in away.texts[2]


@pytest.mark.nightly
def test_how_much_else_changes_is_measured_against_the_unsteered() -> None:
    bundle, example = model.load(), steering_examples()["past"]
    vector = steering_vector(bundle, example.positives, example.negatives, at=example.at)
    result = steered(
        bundle, example.tries[0], vector=vector, at=example.at, strengths=(0.0, example.strength, 40.0),
        others=("I'm home.", "Nobody knows."),
    )  # fmt: skip
    assert result.texts[0] == model.translate(bundle, example.tries[0]).text
    assert re.search(r"\b(dormait|était|avait|a dormi)\b", result.texts[1]), result.texts[1]
    assert result.chrf[0] == result.others[0] == pytest.approx(100)
    assert result.others[1] > result.others[2] and result.chrf[2] < 50
    assert [bound.mean for bound in result.bounds] == list(result.others)
    assert all(bound.low <= bound.mean <= bound.high for bound in result.bounds)
