"""Checks the lesson's scenes on one layer, the loss and a handwritten word with the shipped models."""

import math

import numpy as np
import pytest
import torch

import model
from model import BlockedKey, Interventions, Picture
from model.teaching.measured.handwriting import most_expected, painted_out, read_word, written_words
from model.teaching.one_layer import one_layer
from model.teaching.sentences import collection, reference_of
from model.teaching.teacher_forcing import one_step
from model.text.tokens import TextError
from tests.browser.actions import LETTERS
from tests.checkpoint import tiny_bundle
from tests.viz.page import reading_of
from viz.i18n import LANGUAGES, number, speaking, tr
from viz.lesson.scenes import loss, reader
from viz.lesson.scenes.reader import SECOND
from viz.lesson.views import chances
from viz.panels.reading import read_under
from viz.state.selection import Selection

PAIRS = ("en-fr", "en-de", "en-zh")


@pytest.fixture(scope="module", params=PAIRS)
def bundle(request):
    return model.load(request.param)


@pytest.fixture(scope="module")
def step(bundle):
    """One training step on the scene's sentence."""
    text = collection(bundle.name).scenes["loss"]
    assert reference_of(bundle, text)
    return one_step(bundle, source=text, reference=reference_of(bundle, text))


@pytest.mark.nightly(but=("zh",))
def test_the_rows_of_the_table_are_sums_of_each_other(bundle):
    result = one_layer(bundle, text=collection(bundle.name).scenes["layer"])
    inputs, attended, summed, normalised, fed, outputs = (vector for _, vector in result.steps)
    assert np.allclose(inputs + attended, summed, atol=1e-4)
    assert np.allclose(summed + fed, outputs, atol=1e-4) and result.norm_first
    recorded = model.record(bundle, collection(bundle.name).scenes["layer"], names="encoder.*.residual.*")
    for part, vector in (("before", inputs), ("middle", summed), ("after", outputs)):
        assert np.allclose(recorded[f"encoder.{result.layer}.residual.{part}"][0, result.token], vector, atol=1e-4)
    layer = bundle.model.encoder.layers[result.layer]
    assert np.allclose(layer.feed_forward(torch.from_numpy(normalised)).detach().numpy(), fed, atol=1e-3), (
        "the network reads this vector alone"
    )


def test_additions_make_the_vectors_longer_from_layer_to_layer(bundle):
    """The reason for normalising the sum."""
    recording = model.record(bundle, collection(bundle.name).scenes["layer"], names="encoder.*.residual.after")
    lengths = [np.linalg.norm(recording[name][0], axis=-1).mean() for name in sorted(recording)]
    assert (np.diff(lengths) > 0).all()


@pytest.mark.nightly(but=("en-fr-layer",))
@pytest.mark.parametrize("scene", ["layer", "heads", "cross", "mask"])
def test_where_attention_replaces_the_vectors_the_translation_falls_apart(bundle, scene):
    result = one_layer(bundle, text=collection(bundle.name).scenes[scene])
    assert result.translation == model.translate(bundle, collection(bundle.name).scenes[scene]).text
    is_spaced = " " in result.translation
    words, words_after = (
        set(text.split()) if is_spaced else set(text) for text in (result.translation, result.replaced)
    )
    assert len(words & words_after) <= len(words) / 2, (result.translation, result.replaced)


def test_the_feed_forward_network_reads_one_vector_and_no_other_word(bundle):
    network = bundle.model.encoder.layers[0].feed_forward
    x = torch.randn(1, 5, bundle.config.d_model, generator=torch.Generator().manual_seed(0))
    order = torch.tensor([3, 1, 4, 0, 2])
    with torch.inference_mode():
        assert torch.allclose(network(x)[:, order], network(x[:, order]), atol=1e-5)


@pytest.mark.nightly(but=("zh",))
def test_one_step_lowers_the_loss_and_leaves_the_model_as_it_was(bundle, step):
    assert step.losses[1] < step.losses[0]
    assert step.losses[0] == pytest.approx(float(-np.log(step.before).mean()), abs=1e-5)
    assert step.losses[1] == pytest.approx(float(-np.log(step.after).mean()), abs=1e-5)
    text = collection(bundle.name).scenes["loss"]
    scored = model.score(bundle, text, reference_of(bundle, text))
    assert np.allclose(np.exp(scored.log_probs), step.before, atol=1e-5)
    assert all(parameter.grad is None for parameter in bundle.model.parameters())


def test_each_teacher_forced_row_gets_the_reference_token(step):
    assert step.fed.ids[1:] == step.reference.ids[:-1]
    places = [
        place for place, ids in enumerate(zip(step.preferred.ids, step.reference.ids, strict=True)) if len(set(ids)) > 1
    ]
    assert places and places[0] + 1 < len(step.fed)
    assert step.fed.ids[places[0] + 1] == step.reference.ids[places[0]] != step.preferred.ids[places[0]]
    assert int((step.after - step.before).argmax()) in places


@pytest.mark.nightly(but=("zh",))
def test_the_teachers_notes_name_the_token_that_gains_most_and_the_models_choice(bundle, step):
    reading = read_under(bundle, Selection(text=collection(bundle.name).scenes["loss"]))
    assert reading is not None
    place = int((step.after - step.before).argmax())
    for language in LANGUAGES:
        with speaking(language):
            finding = loss.SCENE.finding(reading)
            for value in (step.before[place], step.after[place]):
                assert number(float(value), ".2f") in finding
            assert all(tokens.pieces[place].strip("▁") in finding for tokens in (step.reference, step.preferred))


def test_the_surprises_of_the_texts_are_logarithms():
    stated = {1: 0, 0.5: 0.7, 0.1: 2.3, 0.2: 1.6}
    assert all(-np.log(p) == pytest.approx(nats, abs=0.05) for p, nats in stated.items())
    assert np.mean([0, 0.69, 1.39]) == pytest.approx(0.69, abs=0.005)


def test_the_softmax_of_the_explanation_is_computed_right():
    shares = np.exp([2, 1, 0]) / np.exp([2, 1, 0]).sum()
    for language in LANGUAGES:
        with speaking(language):
            assert all(number(float(share), ".2f") in tr("lesson.head_answer") for share in shares)


@pytest.mark.nightly
def test_a_count_of_errors_stays_where_a_small_step_lowers_the_loss():
    bundle = model.load("en-fr")
    text = collection().scenes["mask"]
    trace = model.translate(bundle, text)
    result = one_step(bundle, source=text, reference=trace.text)
    assert result.preferred.ids == result.reference.ids and result.losses[1] < result.losses[0]


def test_a_reference_of_one_token_is_enough_for_a_step_and_an_empty_one_is_refused():
    tiny = tiny_bundle()
    result = one_step(tiny, source="the cat", reference="chat")
    assert len(result.reference) == 2  # the word and the end
    with pytest.raises(TextError, match="no reference translation"):
        one_step(tiny, source="the cat", reference=" ")


GAP, SIZE = 0.25, 40  # between letters, in heights of small ones; and their height in pixels


@pytest.fixture(scope="module")
def hand():
    return model.load("reader")


def draw_word(word: str, strip: int) -> tuple[Picture, list[tuple[float, float]]]:
    """A picture of a handwritten word, and the strips at which each letter begins and ends."""
    lines, ends, x_offset = [], [], 0.0
    for letter in word:
        strokes = [[(SIZE * (x_offset + x), SIZE * y) for x, y in stroke] for stroke in LETTERS[letter]["strokes"]]
        lines += strokes
        across = [x for stroke in strokes for x, _ in stroke]
        ends.append((min(across), max(across)))
        x_offset += LETTERS[letter]["width"] + GAP
    heights = [y for line in lines for _, y in line]
    scale = 25 / (max(heights) - min(heights))  # the ink is 28 pixels high, including a pen of 3 pixels
    first = ends[0][0]
    return Picture.drawn(lines), [tuple((4 + 1.5 + (x - first) * scale) / strip for x in bounds) for bounds in ends]


@pytest.mark.parametrize("word", ["hello", "line", "about"])
def test_one_head_looks_at_the_strokes_of_the_second_letter(hand, word):
    picture, ends = draw_word(word, hand.picture.strip)
    trace = read_word(hand, text=picture.text)
    assert trace.text == word and trace.goes_along
    begin, end = ends[SECOND]
    looked = int(trace.looks_at_ink[SECOND].argmax())
    assert begin - 1.5 <= looked + 0.5 <= end + 0.5, (begin, end, looked)


def test_the_probabilities_are_those_of_the_word_with_the_letter_painted_over(hand):
    text = written_words(hand)[0].picture
    place = most_expected(hand, text=text)
    result = painted_out(hand, text=text, place=place)
    source = hand.picture
    grey = Picture.of_text(text).prepared(source).pixels.copy()
    n_strips = source.width // source.strip
    strips = [strip for strip in range(n_strips) if strip in result.strips]
    for strip in strips:
        grey[:, source.strip * strip : source.strip * (strip + 1)] = 0
    assert strips and Picture.of_text(result.after.picture).prepared(source) == Picture(grey)
    word = result.before.text
    assert result.chance == pytest.approx(math.exp(model.score(hand, Picture(grey), word).log_probs[place]), rel=1e-4)
    assert result.before.chances[place] == pytest.approx(
        math.exp(model.score(hand, text, word).log_probs[place]), rel=1e-3
    )
    blind = Interventions(blocked_keys=tuple(BlockedKey("cross", strip) for strip in range(n_strips)))
    without = model.score(hand, text, word, interventions=blind)
    assert result.by_language == pytest.approx(math.exp(without.log_probs[place]), rel=1e-4)
    assert without.candidates is not None and without.candidates.pieces[place][0] == result.expected
    assert result.after.text == model.translate(hand, Picture(grey)).text.rstrip("\n")


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scenes_claims_are_measured_on_its_word(hand, language):
    text = written_words(hand)[0].picture
    result = painted_out(hand, text=text, place=most_expected(hand, text=text))
    assert (result.before.text, result.letter, result.is_gap, result.expected) == ("beauty", "u", True, "u")
    assert result.after.text[result.place] == " " or " " in result.after.text
    reading = reading_of(model.load(), "I like tea.")
    with speaking(language):
        numbers, measured = reader.SCENE.numbers(reading), reader.measured_effect(reading)
        answer = tr("lesson.reader_answer", **numbers)
        displayed = chances(result.before.chances[result.place], result.chance, result.chance_expected)
        assert all(share in answer and share in measured for share in displayed)
        assert tr("lesson.reader_gap") in answer and tr("lesson.reader_read") not in answer
        assert chances(float(result.before.looks_at_ink[SECOND].max()))[0] in answer
        assert "beauty" in tr("lesson.reader_expect")


def test_a_word_of_one_letter_asks_for_a_longer_one(hand):
    picture, _ = draw_word("o", 4)
    trace = read_word(hand, text=picture.text)
    assert not trace.goes_along or len(trace.letters) > 1
