"""The experiments of the lesson: which change each makes, and that its effect is visible on its own sentence."""

import dataclasses
import functools

import numpy as np
import pytest

import model
from model.interpret.inspection import inspect_head
from model.interpret.inspection_steps import Variation
from model.interventions import Interventions, PositionEdit
from model.teaching.experiments import (
    aligning_head,
    focused_head,
    greedy_under,
    removals,
    scale_effect,
    twin_of,
    with_doubled_word,
    without_mark,
)
from model.teaching.measured.claims import visibility
from model.teaching.sentences import OF_ONE_MODEL, collection, collection_for, collections
from tests.checkpoint import tiny_bundle


@functools.cache
def bundle_of(name: str) -> model.Bundle:
    """A shipped model, opened once."""
    return model.load(name)


@pytest.fixture(scope="module")
def shipped():
    return bundle_of("en-fr")


@pytest.mark.nightly(but=("en-fr-mask", "en-fr-heads", "en-fr-reader"))
@pytest.mark.parametrize(("pair", "scene"), [(item.pair, scene) for item in collections() for scene in item.scenes])
def test_each_scenes_claim_holds_on_its_sentence(pair, scene):
    chosen = collection(pair)
    result = visibility(bundle_of(chosen.model), scene, chosen.scenes[scene])
    assert result.is_visible, (
        f"on “{chosen.scenes[scene]}” ({result.outcome}) it does not hold that {'; that '.join(result.lacks)}. Choose "
        f"another: python -m model choose-sentences PAIRS.tsv --checkpoint {chosen.model} --write"
    )


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        ("The man bites the dog.", "The dog bites the man."),
        ("Go.", "Go."),
        ("A cat sees a dog", "A dog sees a cat"),
        ("the cat is on the sofa .", "the sofa is on the cat ."),
        ("Go now !", "Go now !"),
    ],
)
def test_the_twin_has_the_same_words_in_another_order(text, twin):
    assert twin_of(text) == twin


@pytest.mark.parametrize("positions", ["interleaved", "learned", "relative"])
def test_without_positions_two_orders_have_one_translation_whatever_kind_of_positions(positions):
    bundle, text = tiny_bundle(positions=positions), "the cat is on the sofa ."
    none = Interventions(source_positions=PositionEdit("zero"))
    first, second = (greedy_under(bundle, item, [none]) for item in (text, twin_of(text)))
    assert first == second


def test_marks_go_and_words_double():
    assert without_mark("Is Tom a doctor?") == "Is Tom a doctor" and without_mark("...") == "..."
    assert with_doubled_word("I love chocolate.") == "I love chocolatechocolate."


def test_the_weights_without_the_division_are_those_that_the_model_computes():
    bundle = tiny_bundle()
    trace = model.translate(bundle, "the cat is on the sofa .")
    result = scale_effect(trace, bundle.config)
    assert result is not None
    inspected = inspect_head(
        bundle, trace, kind="cross", layer=result.layer,
        head=result.head, variation=Variation(without_scaling=True),
    )  # fmt: skip
    assert np.allclose(inspected.weights[result.query], result.unscaled, atol=1e-4)


def test_the_most_focused_head_is_the_one_with_the_largest_weights():
    cross = model.translate(tiny_bundle(), "the cat is on the sofa .").attention.cross
    assert cross is not None
    means = {(i, j): cross[i, j].max(-1).mean() for i in range(2) for j in range(2)}
    assert means[focused_head(cross) or (0, 0)] == max(means.values())


def test_the_hunt_agrees_with_switching_each_head_off_alone():
    bundle, text = tiny_bundle(), "the cat is on the sofa ."
    plain = model.translate(bundle, text).text
    result = removals(bundle, text=text).is_changed
    for layer, head in np.ndindex(result.shape):
        off = model.Interventions(heads_off=(model.HeadAblation("cross", layer, head),))
        (alone,) = greedy_under(bundle, text, [off])
        assert (alone != plain) == result[layer, head]


def test_other_models_are_offered_no_sentence_that_says_something_of_one_model():
    shipped = collection()
    other = tiny_bundle()
    assert collection_for(other) == shipped and not shipped.is_tried_on(other)
    assert {example.phenomenon for example in shipped.gallery} - {
        example.phenomenon for example in shipped.examples(other)
    } == set(OF_ONE_MODEL)
    assert collection_for(dataclasses.replace(other, target_language="es")) == shipped, "of the language that it reads"
    assert collection_for(dataclasses.replace(other, source_language="fr")) is None


@pytest.mark.nightly
def test_the_sentences_were_tried_on_the_models_that_are_shipped():
    for chosen in collections():
        bundle = bundle_of(chosen.model)
        assert chosen.is_tried_on(bundle) and collection_for(bundle) == chosen, chosen.pair


@pytest.mark.parametrize("text", [item.text for item in collection("en-de").gallery if item.phenomenon == "verb_end"])
def test_the_link_of_a_final_verb_crosses_the_others(text):
    trace = model.translate(bundle_of("en-de"), text)
    cross = trace.attention.cross
    assert cross is not None
    crosses = (np.diff(cross[..., :-1, :].argmax(-1)) < 0).any(-1)  # (L, H): some row looks further left than the last
    assert crosses.mean() > 0.5


def test_the_aligning_head_looks_at_the_word_of_the_same_meaning(shipped):
    text = collection().scenes["cross"]
    trace = model.translate(shipped, text)
    layer, head = aligning_head(shipped, text=text)
    cross = trace.attention.cross
    assert cross is not None
    source = [piece.strip("▁") for piece in trace.source.pieces]
    looked = dict(zip(trace.target.pieces, (source[i] for i in cross[layer, head].argmax(-1)), strict=True))
    pairs = {"▁petite": "little", "▁fille": "girl", "▁livre": "book", "▁jardin": "garden"}
    known = {word: meant for word, meant in pairs.items() if word in looked}
    assert len(known) >= 3 and sum(looked[word] == meant for word, meant in known.items()) >= len(known) - 1


SHOWN = [(each.pair, example) for each in collections() for example in each.gallery]


@pytest.mark.nightly(but=("fr",))
@pytest.mark.parametrize(("pair", "example"), SHOWN, ids=lambda value: getattr(value, "text", value))
def test_each_sentence_of_the_gallery_shows_its_phenomenon(pair, example):
    bundle = bundle_of(collection(pair).model)
    translation = model.translate(bundle, example.text).text
    assert example.shows and example.shows in translation, (
        f"“{example.text}” is now “{translation}”. If it is right, write what it shows into the file of the sentences; "
        "if it is wrong, take the sentence out: python -m model choose-sentences does that"
    )
    if example.phenomenon == "beam_differs":
        wide = model.translate(bundle, example.text, method="beam", beam_size=4, length_penalty=1.0)
        assert wide.text != translation
    if example.phenomenon == "head_matters":
        assert removals(bundle, text=example.text).first is not None


def test_a_word_that_is_one_token_when_doubled_too_shows_nothing_of_pieces() -> None:
    assert "the doubled word has more tokens" in visibility(tiny_bundle(), "pieces", "the cat is sleeping .").lacks
