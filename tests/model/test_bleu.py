"""Our step-by-step BLEU, compared with sacrebleu."""

import random

import pytest
import sacrebleu

from model.teaching.bleu import bleu
from tests.training.jobs import pairs

WORDS = tuple("the a cat dog sits on mat . , it's 3.5 and 1,000 Le chat l'homme ? ! 猫 é".split())  # noqa: SIM905


def sentences() -> list[tuple[str, str]]:
    """200 pairs: near-copies of real sentences, and random words of every length."""
    chosen, made = random.Random(0), []
    corpus = [pair.target for pair in pairs()]
    for i in range(200):
        reference = chosen.choice(corpus) if i % 2 else " ".join(chosen.choices(WORDS, k=chosen.randint(1, 14)))
        words = reference.split()
        for _ in range(chosen.randint(0, 4)):
            action, place = chosen.random(), chosen.randrange(len(words) + 1)
            if action < 0.4:
                words.insert(place, chosen.choice(WORDS))
            elif words and action < 0.8:
                words.pop(min(place, len(words) - 1))
            else:
                chosen.shuffle(words)
        made.append((" ".join(words), reference))
    return made


def test_it_equals_sacrebleu_on_two_hundred_pairs():
    scores = set()
    for candidate, reference in sentences():
        result, expected = bleu(candidate, reference), sacrebleu.sentence_bleu(candidate, [reference])
        assert result.score == pytest.approx(expected.score, abs=1e-9), (candidate, reference)
        assert result.brevity_penalty == pytest.approx(expected.bp)
        assert [order.matches for order in result.orders] == expected.counts
        assert [order.total for order in result.orders] == expected.totals
        scores.add(round(result.score))
    assert len(scores) > 30


@pytest.mark.nightly(but=("1",))
@pytest.mark.parametrize("max_order", [1, 2, 3])
def test_several_references_and_shorter_sequences_equal_sacrebleu(max_order):
    theirs_at = sacrebleu.BLEU(max_ngram_order=max_order, effective_order=True)
    made = sentences()
    for place, (candidate, reference) in enumerate(made):
        references = [reference, made[(place + 1) % len(made)][1], f"{reference} {reference}"]
        result, expected = (
            bleu(candidate, references, max_order=max_order),
            theirs_at.sentence_score(candidate, references),
        )
        assert result.score == pytest.approx(expected.score, abs=1e-9), (candidate, references)
        assert result.brevity_penalty == pytest.approx(expected.bp)
        assert len(result.reference) == expected.ref_len


def test_no_reference_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        bleu("a", [])


def test_matches_are_clipped_and_marked():
    score = bleu("the the the cat", "the cat")
    assert (score.orders[0].matches, score.orders[0].total) == (2, 4)
    assert score.marks[0] == (True, False, False, True)
    assert score.marks[1] == (False, False, True, True)


@pytest.mark.parametrize(("candidate", "reference"), [("", ""), ("", "a"), ("a", ""), ("x y", "a b")])
def test_nothing_in_common_is_zero(candidate, reference):
    assert bleu(candidate, reference).score == 0


def test_a_short_candidate_pays():
    assert bleu("le chat dort", "le chat dort sur le canapé").brevity_penalty == pytest.approx(
        2.718281828 ** (1 - 6 / 3)
    )


def test_chinese_is_counted_by_characters_as_sacrebleu_does():
    candidate, reference = "猫在沙发上睡觉。", "那只猫睡在沙发上。"
    score = bleu(candidate, reference, language="zh")
    assert score.tokens == tuple(candidate)
    expected = sacrebleu.sentence_bleu(candidate, [reference], tokenize="zh").score
    assert score.score == pytest.approx(expected, abs=1e-6) and 0 < expected < 100
