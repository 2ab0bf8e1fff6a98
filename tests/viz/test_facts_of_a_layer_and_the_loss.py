"""Checks the lesson's scenes on one layer and on the loss with the shipped models."""

import numpy as np
import pytest
import torch

import model
from model.teaching.one_layer import one_layer
from model.teaching.one_step import one_step
from model.teaching.sentences import collection, reference_of
from model.text.tokens import TextError
from tests.checkpoint import tiny_bundle
from viz.i18n import LANGUAGES, number, speaking, tr
from viz.lesson.scenes import loss
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


def test_each_row_is_given_the_right_token_even_where_the_model_preferred_another(step):
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
