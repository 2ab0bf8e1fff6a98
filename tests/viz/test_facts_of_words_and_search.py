"""Computes what the texts say of words, of dropout, of sentence length and of beam search with the shipped models."""

from itertools import pairwise

import pytest

import model
from model.teaching.experiments import with_doubled_word
from model.teaching.sentences import collection, collections
from model.training.by_length import read_scores


@pytest.mark.nightly(but=("de",))
@pytest.mark.parametrize("own", collections(), ids=lambda own: own.model)
def test_a_frequent_word_is_usually_one_token(own):
    """lesson.pieces_answer, of the words that a class meets in the gallery."""
    tokenizer = model.load(own.model).source_tokenizer
    words = {word.strip(".,?!").lower() for example in own.gallery for word in example.text.split()}
    assert tokenizer is not None
    assert sum(len(tokenizer.encode(word).ids) == 1 for word in words) >= 0.8 * len(words)


@pytest.mark.nightly
def test_a_doubled_word_is_invented_repeated_or_passed_over(shipped):
    """lesson.pieces_expect."""
    texts = ("I love chocolate.", "The garden is large.", "I am reading a book.", "My dog is big.")
    found = [tuple(model.translate(shipped, each).text for each in (text, with_doubled_word(text))) for text in texts]
    same = sum(before == after for before, after in found)
    assert 0 < same < len(texts), found


def test_the_french_model_was_trained_with_dropout_on_results_and_not_on_weights(shipped):
    """laboratory.read_optimisation_dropout."""
    assert shipped.config.attention_dropout == 0 < shipped.config.dropout


def test_from_six_words_on_both_grus_get_worse_and_the_gap_widens_up_to_twelve():
    """laboratory.why_recurrent_lengths."""
    scores = read_scores()
    later = {name: [row.bleu for row in rows if row.longest >= 6] for name, rows in scores.items()}
    for name in ("attention", "without"):
        assert all(one > other for one, other in pairwise(later[name]))
    six, eight, ten, *longer = later["transformer"]
    assert six > eight + 5 and abs(eight - ten) < 1 and ten > longer[0] + 5 and longer[0] > longer[1]
    gaps = [
        one.bleu - other.bleu
        for one, other in zip(scores["attention"], scores["without"], strict=True)
        if one.longest <= 12
    ]
    assert all(one < other for one, other in pairwise(gaps))


@pytest.mark.nightly
def test_a_beam_divides_by_the_length_and_is_usually_more_probable_as_a_whole(shipped):
    """lesson.beam_answer."""
    found = []
    for example in collection().gallery:
        if example.phenomenon == "beam_differs":
            greedy, wide = (
                model.translate(shipped, example.text, method=method, beam_size=4) for method in ("greedy", "beam")
            )
            assert greedy.text != wide.text
            found.append(wide.log_probs.sum() > greedy.log_probs.sum())
    assert found and all(found)


def test_the_winner_of_a_beam_may_be_less_probable_as_a_whole_because_regard_divides_by_the_length(shipped):
    """lesson.beam_answer."""
    text = "Tell me more."
    greedy, wide = (model.translate(shipped, text, method=method, beam_size=4) for method in ("greedy", "beam"))
    assert greedy.text != wide.text and wide.log_probs.sum() < greedy.log_probs.sum()
    assert wide.log_probs.mean() > greedy.log_probs.mean()
