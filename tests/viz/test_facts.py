"""Checks the numbers and comparisons of the teaching texts."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch

import model
from model.interpret.inspection import inspect_head
from model.interpret.inspection_steps import Variation
from model.teaching.experiments import with_doubled_word
from model.teaching.position_properties import encoding
from model.teaching.scoring import sample_key
from model.teaching.sentences import collection, collections
from model.training.by_length import read_scores
from tests.tiny import tiny_model
from viz.i18n import LANGUAGES, speaking, tr


def _size(module: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


def test_the_feed_forward_network_holds_two_thirds_of_an_encoder_layer_and_half_of_a_decoder_layer(shipped):
    for stack, share in ((shipped.model.encoder, 2 / 3), (shipped.model.decoder, 1 / 2)):
        layer = stack.layers[0]
        assert _size(layer.feed_forward) / _size(layer) == pytest.approx(share, abs=0.02)


def test_without_positions_an_encoder_ignores_order_and_a_causal_decoder_does_not():
    transformer = tiny_model(1, positions="none")
    with torch.inference_mode():
        ids, swapped = torch.tensor([[5, 9, 7, 3]]), torch.tensor([[9, 5, 7, 3]])
        first, second = transformer.encode(ids), transformer.encode(swapped)
        assert torch.allclose(first.memory[0, [1, 0, 2, 3]], second.memory[0], atol=1e-5)
        last = [transformer.decode(torch.tensor([fed]), first).hidden[0, -1] for fed in ([2, 6, 8, 4], [2, 8, 6, 4])]
        assert (last[0] - last[1]).abs().max() > 1e-3


def test_with_one_matrix_scores_are_symmetric_and_weights_are_not(shipped):
    trace = model.translate(shipped, "The cat is sleeping on the sofa.")
    inspection = inspect_head(
        shipped, trace, kind="encoder_self", layer=0, head=0,
        variation=Variation(one_matrix=True),
    )  # fmt: skip
    assert np.abs(inspection.scores - inspection.scores.T).max() < 1e-3
    assert np.abs(inspection.weights - inspection.weights.T).max() > 0.05


def test_a_heads_score_is_not_symmetric(shipped):
    attention = shipped.model.encoder.layers[0].self_attention
    width = shipped.config.d_model // shipped.config.n_encoder_heads
    query, key = (matrix.weight[:width] for matrix in (attention.query, attention.key))
    bilinear = query.T @ key
    assert (bilinear - bilinear.T).abs().max() > 0.1 * bilinear.abs().max()


def test_scores_are_divided_by_the_root_of_the_number_of_dimensions(shipped):
    trace = model.translate(shipped, "I'm home.")
    inspection = inspect_head(shipped, trace, kind="cross", layer=0, head=0)
    assert inspection.divisor == pytest.approx(math.sqrt(inspection.query.shape[1]))


def test_the_fastest_pair_hardly_tells_5_from_49_and_the_slowest_hardly_5_from_6():
    table = encoding(np.arange(64), 256)
    assert np.abs(table[5, :2] - table[49, :2]).max() < 0.02
    assert np.abs(table[5, -2:] - table[6, -2:]).max() < 0.001
    assert np.abs(table[5] - table[49]).max() > 0.5
    assert 44 / (2 * math.pi) == pytest.approx(7, abs=0.01)


def test_position_0_is_0_1_0_1():
    assert np.array_equal(encoding(np.arange(1), 8)[0], [0, 1, 0, 1, 0, 1, 0, 1])


def test_unscaled_embeddings_would_be_shorter_than_the_position_vectors(shipped):
    with torch.inference_mode():
        table = shipped.model.encoder.embedding.weight if hasattr(shipped.model.encoder, "embedding") else None
        table = table if table is not None else next(shipped.model.encoder.parameters())
        assert table.shape[1] == shipped.config.d_model
        lengths = table[10:].norm(dim=1).mean()
    positions = np.linalg.norm(encoding(np.arange(32), shipped.config.d_model), axis=1).mean()
    assert float(lengths) < 0.5 * positions < positions < math.sqrt(shipped.config.d_model) * float(lengths)


def test_minus_infinity_and_minus_a_billion_differ_only_where_everything_is_hidden():
    scores, hidden = torch.tensor([0.3, 1.2, -0.4]), torch.tensor([False, True, False])
    infinite, billion = (scores.masked_fill(hidden, value).softmax(-1) for value in (-math.inf, -1e9))
    assert torch.equal(infinite, billion) and float(infinite[1]) == 0
    all_hidden = torch.ones(3, dtype=torch.bool)
    assert scores.masked_fill(all_hidden, -math.inf).softmax(-1).isnan().all()
    assert torch.allclose(scores.masked_fill(all_hidden, -1e9).softmax(-1), torch.full((3,), 1 / 3))


def test_soft_attention_is_the_mean_of_hard_attention():
    weights = np.array([[0.5, 0.3, 0.2]])
    sampled_mean = np.mean([sample_key(weights, seed=seed)[0] for seed in range(3000)], 0)
    assert sampled_mean == pytest.approx(weights[0], abs=0.03)


def test_with_longer_sentences_every_model_gets_worse_and_the_gap_between_the_two_grus_widens():
    scores = read_scores()
    assert set(scores) == {"transformer", "attention", "without"}
    for rows in scores.values():
        assert rows[-2].bleu < rows[0].bleu
    gaps = [a.bleu - b.bleu for a, b in zip(scores["attention"], scores["without"], strict=True)]
    assert gaps[-2] > gaps[0] + 5
    last = scores["transformer"][-1].n_sentences
    assert last < 30 < scores["transformer"][0].n_sentences
    for language in LANGUAGES:
        with speaking(language):
            assert str(last) in tr("laboratory.why_recurrent_lengths", n_last=last)


def test_while_translating_the_transformer_is_not_faster_for_having_no_recurrence():
    scores = read_scores()
    seconds = {name: np.mean([row.seconds for row in rows]) for name, rows in scores.items()}
    assert seconds["transformer"] > seconds["attention"]


def test_xaviers_bound_keeps_the_variance_of_a_square_layer_alone():
    def factor(n_in: int, n_out: int) -> float:
        return n_in * (6 / (n_in + n_out)) / 3

    assert factor(256, 256) == pytest.approx(1)
    assert factor(256, 1024) < 0.5 and factor(1024, 256) > 1.5


@pytest.mark.parametrize(("key", "score", "scaled"), [((2, 1, 5, 1), 3, 1.5), ((0, -1, 0, 2), 8, 4)])
def test_the_sums_of_the_worksheet_come_out_as_printed(key, score, scaled):
    query = (1, -2, 0, 3)
    assert np.dot(query, key) == score and np.dot(query, key) / math.sqrt(len(query)) == scaled


def test_without_the_cache_every_earlier_position_is_computed_again():
    n = 9
    recomputed = sum(len(range(step + 1)) for step in range(n))
    assert recomputed == n * (n + 1) // 2
    for language in LANGUAGES:
        with speaking(language):
            assert str(recomputed) in tr("laboratory.why_masks_cache", n=n, cached=n, uncached=recomputed)


@pytest.mark.nightly(but=("de",))
@pytest.mark.parametrize("collection", collections(), ids=lambda collection: collection.model)
def test_a_frequent_word_is_usually_one_token(collection):
    """lesson.pieces_answer, for the words of the gallery."""
    tokenizer = model.load(collection.model).source_tokenizer
    words = {word.strip(".,?!").lower() for example in collection.gallery for word in example.text.split()}
    assert tokenizer is not None
    assert sum(len(tokenizer.encode(word).ids) == 1 for word in words) >= 0.8 * len(words)


@pytest.mark.nightly
def test_a_doubled_word_is_invented_repeated_or_passed_over(shipped):
    """lesson.pieces_expect."""
    texts = ("I love chocolate.", "The garden is large.", "I am reading a book.", "My dog is big.")
    pairs = [
        tuple(model.translate(shipped, variant).text for variant in (text, with_doubled_word(text))) for text in texts
    ]
    n_equal = sum(before == after for before, after in pairs)
    assert 0 < n_equal < len(texts), pairs


def test_the_french_model_was_trained_with_dropout_on_results_and_not_on_weights(shipped):
    """laboratory.read_optimisation_dropout."""
    assert shipped.config.attention_dropout == 0 < shipped.config.dropout


def test_from_six_words_on_both_grus_get_worse_and_the_gap_widens_up_to_twelve():
    """laboratory.why_recurrent_lengths."""
    scores = read_scores()
    later = {name: [row.bleu for row in rows if row.longest >= 6] for name, rows in scores.items()}
    for name in ("attention", "without"):
        assert all(with_attention > without for with_attention, without in pairwise(later[name]))
    six, eight, ten, *longer = later["transformer"]
    assert six > eight + 5 and abs(eight - ten) < 1 and ten > longer[0] + 5 and longer[0] > longer[1]
    gaps = [
        with_attention.bleu - without.bleu
        for with_attention, without in zip(scores["attention"], scores["without"], strict=True)
        if with_attention.longest <= 12
    ]
    assert all(with_attention < without for with_attention, without in pairwise(gaps))


@pytest.mark.nightly
def test_a_beam_divides_by_the_length_and_is_usually_more_probable_as_a_whole(shipped):
    """lesson.beam_answer."""
    differences = []
    for example in collection().gallery:
        if example.phenomenon == "beam_differs":
            greedy, wide = (
                model.translate(shipped, example.text, method=method, beam_size=4) for method in ("greedy", "beam")
            )
            assert greedy.text != wide.text
            differences.append(wide.log_probs.sum() > greedy.log_probs.sum())
    assert differences and all(differences)


def test_the_winner_of_a_beam_may_be_less_probable_as_a_whole_because_regard_divides_by_the_length(shipped):
    """lesson.beam_answer."""
    text = "Tell me more."
    greedy, wide = (model.translate(shipped, text, method=method, beam_size=4) for method in ("greedy", "beam"))
    assert greedy.text != wide.text and wide.log_probs.sum() < greedy.log_probs.sum()
    assert wide.log_probs.mean() > greedy.log_probs.mean()
