"""A probe is logistic regression on recorded activations, and its control task is random by word type."""

from typing import Any

import numpy as np
import pytest
import torch

import model
from model.interpret.probing import _control, _train_probe
from tests.checkpoint import tiny_bundle

NOUNS, VERBS = ("cat", "dog", "sofa"), ("is", "sleeping", "on")


def labelled_sentences(n_sentences: int = 24, seed: int = 0) -> list[Any]:
    """Sentences of words at random, labelled by kind; the article has no label."""
    rng = np.random.default_rng(seed)
    collected = []
    for _ in range(n_sentences):
        words = [str(rng.choice([*NOUNS, *VERBS, "the"])) for _ in range(5)]
        labels = ["N" if word in NOUNS else "V" if word in VERBS else None for word in words]
        collected.append((" ".join(words), labels))
    return collected


def test_a_probe_reads_the_embedding_and_its_numbers_are_counts() -> None:
    bundle = tiny_bundle()
    probed = model.probe(bundle, labelled_sentences(), sites=("encoder.embedding", "encoder.1.residual.after"))
    one = probed.sites[0]
    assert one.site == "encoder.embedding" and probed.labels == ("N", "V")
    assert one.accuracy.mean > 0.9, "six words in sixteen dimensions can be told apart"
    assert one.selectivity.mean == pytest.approx(one.accuracy.mean - one.control.mean)
    assert one.accuracy.low <= one.accuracy.mean <= one.accuracy.high
    assert (one.accuracy.mean * probed.n_test) == pytest.approx(round(one.accuracy.mean * probed.n_test))
    assert 0.4 < probed.majority < 1
    assert probed == model.probe(bundle, labelled_sentences(), sites=("encoder.embedding", "encoder.1.residual.after"))
    frame = probed.to_frame()
    assert list(frame["site"]) == ["encoder.embedding", "encoder.1.residual.after"]
    assert frame["selectivity_low"].tolist()[0] == pytest.approx(one.selectivity.low)


def test_labels_at_random_are_learned_by_heart_and_so_not_selective() -> None:
    """Where the task itself is one label for each word at random, the control is as easy: nothing is selective."""
    bundle = tiny_bundle()
    task = {word: str(i % 2) for i, word in enumerate((*NOUNS, *VERBS, "the"))}
    sentences = [(text, [task[word] for word in text.split()]) for text, _ in labelled_sentences(40)]
    probed = model.probe(bundle, sentences, sites="encoder.embedding")
    assert probed.sites[0].accuracy.mean > 0.9 and abs(probed.sites[0].selectivity.mean) < 0.15


def test_every_occurrence_of_a_word_has_the_same_random_label() -> None:
    collected = [(0, "cat", "N"), (0, "is", "V"), (1, "cat", "N"), (2, "is", "V"), (2, "dog", "N")]
    labels = _control(collected, np.array([0, 1, 1, 0]), np.random.default_rng(3))
    assert labels[0] == labels[2] and labels[1] == labels[3]
    seen = {tuple(_control(collected, np.array([0, 1]), np.random.default_rng(seed))) for seed in range(90)}
    assert len(seen) == 8, "three types with two labels each"


def test_the_fit_is_the_minimum_of_the_regularised_loss() -> None:
    generator = torch.Generator().manual_seed(0)
    x, targets = torch.randn(60, 5, generator=generator), torch.randint(0, 3, (60,), generator=generator)
    weight, bias = _train_probe(x, targets, 3, 0.7)
    probabilities = (x @ weight.T + bias).softmax(-1)
    wrong = probabilities - torch.nn.functional.one_hot(targets, 3)
    assert (wrong.T @ x + 0.7 * weight).abs().max() < 1e-3
    assert wrong.sum(0).abs().max() < 1e-3


def test_vectors_are_those_that_record_gives_at_the_word(monkeypatch: pytest.MonkeyPatch) -> None:
    import model.interpret.probing as probing

    retained: list[torch.Tensor] = []
    train_probe = probing._predict_labels
    monkeypatch.setattr(probing, "_predict_labels", lambda x, *rest: (retained.append(x), train_probe(x, *rest))[1])
    bundle = model.load("tiny")
    pairs = [("The cat is here.", "Le chat est ici."), ("A dog is there.", "Un chien est là."),
             ("She is tired.", "Elle est fatiguée."), ("He is tired.", "Il est fatigué.")]  # fmt: skip
    labels = [["a", "b", "c", "d"], ["a", "b", "c", "d"], ["b", "c", "d"], ["b", "c", "d"]]
    site = "decoder.1.residual.after"
    model.probe(bundle, list(zip(pairs, labels, strict=True)), sites=site, pooling="first")
    trained = [index for index in range(4) if index not in np.random.default_rng(0).permutation(4)[:1]]
    scored = model.score(bundle, *pairs[trained[0]])
    # the row after the begin token is fed the first piece of the first word
    expected = model.record(bundle, scored, names=site)[site][0, 1]
    np.testing.assert_allclose(retained[0][0].numpy(), expected, atol=1e-4)


def test_a_decoder_only_and_an_encoder_only_stack_are_probed_at_their_words() -> None:
    bundle = model.load("tiny-decoder")
    sentences = [("The little boy", ["D", "A", "N"]), ("A big dog", ["D", "A", "N"])] * 4
    probed = model.probe(bundle, sentences, sites="decoder.0.self.mixed")
    assert probed.n_train + probed.n_test == 24 and len(probed.sites) == 1


@pytest.mark.parametrize(
    ("sentences", "options", "message"),
    [
        (labelled_sentences()[:3], {}, "there are 3 sentences"),
        ([("the cat is", ["D", "N"])] * 5, {}, "has 3 words and 2 labels"),
        ([("the cat", ["N", "N"])] * 5, {}, "two labels at least"),
        (labelled_sentences(), {"test_share": 1.0}, "test_share"),
        (labelled_sentences(), {"pooling": "max"}, "choose mean, first or last"),
        (labelled_sentences(), {"sites": "encoder.0.self.weights"}, "has no vector for a token"),
        (labelled_sentences(), {"sites": "decoder.0.residual.after"}, "belongs to the tokens of"),
        ([*labelled_sentences(), (("the cat", "le chat"), ["D", "N"])], {}, "some sentences have a translation"),
    ],
)
def test_impossible_probes_are_refused(sentences: Any, options: Any, message: str) -> None:
    with pytest.raises(model.ProbeError, match=message):
        model.probe(tiny_bundle(), sentences, **options)
