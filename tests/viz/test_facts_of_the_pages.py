"""Checks the claims of Inside, Positions, Laboratory, Causal and Corpus with the shipped model and its survey."""

import dataclasses
import math
import re
from typing import Any, get_args

import numpy as np
import pytest
import torch

import model
from model.analysis.metrics import head_metrics
from model.checkpoints.loading import PRETRAINED
from model.checkpoints.recurrent import load_recurrent
from model.checkpoints.recurrent import shipped_folders as recurrent_folders
from model.corpus.metrics import example_sentences
from model.corpus.sql.query import SECONDS
from model.interpret.inspection import inspect_head
from model.interpret.token_attribution import Method, agreement_with_erasure, token_attribution
from model.nn.transformer import Transformer
from model.teaching.alternatives import context_steps
from model.teaching.bleu import bleu
from model.teaching.loss_curves import RUNS, loss_curves
from model.teaching.masks import decoder_mask, hidden_weights
from model.teaching.optimisation import drop_weights, gradient_norms, smoothed_target
from model.teaching.position_properties import dot_by_offset, encoding, shift_effect, wavelengths
from model.teaching.scoring import score_spread, untrained_scorings
from model.teaching.sentences import collection
from model.teaching.toy import toy_pairs
from tests.tiny import tiny_model
from viz import cache
from viz.corpus.grids import _PARTS
from viz.i18n import LANGUAGES, speaking, tr
from viz.laboratory.recurrent import _sum_text

SENTENCE = collection().scenes["cross"]


@pytest.fixture(scope="module")
def trace(shipped):
    return model.translate(shipped, SENTENCE)


def inspected(shipped, trace, kind, layer, head=0):
    return inspect_head(shipped, trace, kind=kind, layer=layer, head=head)


@pytest.mark.nightly
def test_the_norm_keeps_vectors_at_a_similar_size_from_layer_to_layer(shipped, trace):
    inspections = [inspected(shipped, trace, "encoder_self", layer) for layer in range(shipped.config.n_encoder_layers)]
    received, stream = ([np.linalg.norm(getattr(inspection, name), axis=-1).mean() for inspection in inspections]
                        for name in ("received", "stream"))  # fmt: skip
    assert max(received) < 1.2 * min(received) and stream[-1] > 3 * stream[0]


@pytest.mark.nightly
def test_often_a_few_dimensions_decide_the_sum(shipped, trace):
    shares = []
    for layer, head in np.ndindex(4, 8):
        inspection = inspected(shipped, trace, "cross", layer, head)
        products = np.sort(np.abs(inspection.query[:, None] * inspection.key[None]), -1)[..., ::-1]  # (Q, K, d)
        shares.append((products[..., : products.shape[-1] // 4].sum(-1) / products.sum(-1)).mean())
    assert np.mean(shares) > 0.5, "a quarter of the dimensions holds more than half"


def test_only_differences_between_scores_count():
    scores = np.array([0.3, 2.1, -1.0])
    assert torch.tensor(scores).softmax(-1).numpy() == pytest.approx(torch.tensor(scores + 5).softmax(-1).numpy())


def test_all_heads_together_cost_as_much_as_one_of_full_width(shipped):
    attention, width = shipped.model.encoder.layers[0].self_attention, shipped.config.d_model
    assert all(matrix.weight.shape == (width, width) for matrix in (attention.query, attention.key, attention.value))


def test_hidden_cells_are_exactly_0_with_relu_and_rarely_with_gelu_and_silu(shipped, trace):
    hidden = inspected(shipped, trace, "encoder_self", 1).feed_forward.hidden
    assert (hidden == 0).mean() > 0.5
    for activation in ("gelu", "silu"):
        feed_forward: Any = tiny_model(1, activation=activation).encoder.layers[0].feed_forward
        cells = feed_forward.activation(feed_forward.fc1(torch.randn(50, feed_forward.fc1.in_features)))
        assert (cells == 0).float().mean() < 0.01


def test_wider_vectors_have_larger_products_and_a_flatter_softmax_unless_they_are_scaled():
    narrow, wide = score_spread((4, 256))
    assert wide.variance > 30 * narrow.variance and wide.largest_weight[0] > 0.9 > 0.5 > wide.largest_weight[1]
    assert wide.slope[0] < wide.slope[1] / 2


def test_additive_scores_compare_vectors_of_different_widths_and_the_dot_product_has_no_parameters():
    random = np.random.default_rng(0)
    scorings = untrained_scorings(4, 6, d_hidden=5, seed=0)
    assert scorings["additive"].scores(random.normal(size=(2, 4)), random.normal(size=(3, 6))).shape == (2, 3)
    assert untrained_scorings(4, 4, d_hidden=5, seed=0)["dot"].n_parameters == 0


def test_twice_as_long_a_sentence_costs_four_times_as_many_weights(shipped):
    maps = [model.translate(shipped, text).attention.encoder_self for text in ("#5 #6 #7", "#5 #6 #7 #8 #9 #10 #11")]
    assert [weights.shape[-2:] for weights in maps if weights is not None] == [(4, 4), (8, 8)]


def test_for_rows_of_real_tokens_the_causal_mask_alone_would_be_enough():
    mask = decoder_mask(4, 2)
    assert (mask.both[:4] == mask.not_later[:4]).all() and (mask.both[4:] != mask.not_later[4:]).any()


def test_a_billion_does_not_fit_into_sixteen_bits():
    stored = {hidden.precision: hidden.stored for hidden in hidden_weights() if hidden.fill == -1e9}
    assert math.isinf(stored["float16"]) and any(math.isfinite(value) for value in stored.values())


def test_keys_and_values_of_earlier_tokens_stay_when_one_is_added(shipped, trace):
    ids = trace.prefix.ids
    with torch.inference_mode():
        encoded = shipped.model.encode(torch.tensor([trace.source.ids]))
        long, short = (shipped.model.decode(torch.tensor([ids[:n]]), encoded).hidden for n in (len(ids), len(ids) - 1))
    assert torch.allclose(long[:, :-1], short, atol=1e-4)


def test_the_grus_have_one_size_and_are_smaller_than_the_transformer(shipped):
    sizes = {name: sum(p.numel() for p in load_recurrent(folder).model.parameters())
             for name, folder in recurrent_folders().items()}  # fmt: skip
    gru_sizes, transformer = sorted(sizes.values()), sum(p.numel() for p in shipped.model.parameters())
    assert gru_sizes[-1] < transformer and gru_sizes[-1] < 1.25 * gru_sizes[0]


@pytest.mark.parametrize(("text", "has_rest"), [("#5 #6", False), ("#5 #6 #7 #8 #9", True)])
def test_the_sum_of_the_context_vector_names_omitted_terms_only_where_there_are_any(text, has_rest):
    gru = load_recurrent(recurrent_folders()["attention"])
    trace = model.translate(gru, text)
    steps = context_steps(gru, source_ids=trace.source.ids, prefix_ids=trace.prefix.ids)
    summary = _sum_text(steps, 0, list(trace.source.pieces))
    assert (tr("laboratory.context_rest") in summary) == has_rest
    assert summary.count(" · ") == min(3, len(trace.source))


def test_loss_curves_are_those_of_the_runs_that_the_texts_describe():
    fits, overfits, underfits, too_fast = loss_curves().values()
    assert RUNS["overfits"][0] == 400 and RUNS["fits"][0] == RUNS["underfits"][0]
    assert "--dropout 0" in RUNS["overfits"][1] and "--dropout 0." not in RUNS["overfits"][1]
    assert "--d-model 4 " in RUNS["underfits"][1] and "--encoder-layers 1" in RUNS["underfits"][1]
    assert "--learning-rate 0.3" in RUNS["diverges"][1] and "--warmup-steps 1 " in RUNS["diverges"][1]
    early, late = (fits.validation[i] for i in (4, -5))
    assert fits.validation[0] - early > early - late > late - fits.validation[-1] > 0, "quickly, then slowly, and still"
    assert abs(fits.training[-1] - fits.validation[-1]) < 0.4, "the curves stay close"
    assert 1 < underfits.validation[0] - underfits.validation[-1] < 2.5, "a little"
    assert underfits.validation[-1] > fits.validation[-1] + 2
    assert max(underfits.validation[-6:]) - min(underfits.validation[-6:]) < 0.1, "then high"
    assert math.log(800) == pytest.approx(6.7, abs=0.05) and too_fast.steps[0] == 10
    assert np.mean(too_fast.training[5:]) == pytest.approx(5, abs=0.3)
    assert min(np.diff(too_fast.training[5:])) < 0 < max(np.diff(too_fast.training[5:]))
    assert overfits.training[-1] < 0.1


def test_with_smoothing_there_is_a_best_finite_score():
    target = torch.tensor(smoothed_target(6, 2, 0.1))
    assert (target > 0).all() and torch.isfinite(target.log()).all(), "the logarithm of the target is the best score"
    losses = [-(target * (size * torch.eye(6)[2]).log_softmax(-1).double()).sum().item() for size in (0.0, 4.0, 40.0)]
    assert losses[1] < losses[0] and losses[1] < losses[2]


def test_dropped_rows_sum_to_1_on_average_and_differ_by_draw():
    row = np.full((1, 10), 0.1, np.float32)
    sums = [float(drop_weights(row, 0.2, seed=seed).sum()) for seed in range(2_000)]
    assert np.mean(sums) == pytest.approx(1, abs=0.02) and len(set(np.round(sums, 3))) > 3


@pytest.mark.nightly
def test_the_last_layers_get_the_largest_gradients_in_post_norm_alone(shipped):
    norms = gradient_norms(shipped, seed=0)
    decoder = shipped.config.n_encoder_layers
    assert norms.post_norm.argmax() == len(norms.names) - 1 and norms.post_norm[-1] > 2 * norms.post_norm[decoder]
    assert max(norms.pre_norm) < 2 * min(norms.pre_norm), "similar in all layers"


def test_bleu_counts_a_half_and_then_a_quarter_of_a_match():
    score = bleu("a b c d", "x b y d")
    precisions = [order.precision for order in score.orders]
    assert precisions[1:] == pytest.approx([1 / 2 / 3, 1 / 4 / 2, 1 / 8 / 1])


def test_the_toy_reads_german_sentences_of_three_words_in_two_orders():
    sources = {pair.source: pair.target for pair in toy_pairs()}
    assert all(len(source.split()) == 3 for source in sources) and sources["hunde sehe ich"] == "i see dogs"


def test_products_of_positions_fall_steeply_and_then_slowly_with_small_waves():
    products = dot_by_offset(256, np.arange(100))
    assert products[0] == pytest.approx(128) and products.argmax() == 0
    assert products[0] - products[5] > 3 * abs(products[50] - products[55])
    assert (np.diff(products[5:]) > 0).any(), "small waves"
    lengths = wavelengths(256)
    assert lengths[0] == pytest.approx(2 * math.pi) and 9_000 < lengths[-1] / (2 * math.pi) < 10_000
    assert np.allclose(lengths[1:] / lengths[:-1], lengths[1] / lengths[0])


def test_neighbouring_positions_are_alike_and_no_two_are_equal():
    table = encoding(np.arange(128), 256)
    apart = np.linalg.norm(table[:, None] - table[None], axis=-1) + 100 * np.eye(128)
    assert apart.min() > 0.5 and np.abs(table).max() <= 1
    assert np.diag(apart, 1).max() < 0.6 * np.median(apart[~np.eye(128, dtype=bool)])
    differences = np.abs(np.diff(table, axis=0)).mean(0)
    assert differences[:8].mean() > 20 * differences[-128:].mean(), "only the left of the picture changes visibly"


@pytest.mark.nightly
def test_with_the_wrong_layout_nothing_fails_but_the_model_is_less_certain_and_many_translations_change(shipped):
    config = dataclasses.replace(shipped.config, positions="halves")
    network = Transformer(config).eval()
    network.load_state_dict(shipped.model.state_dict(), strict=False)
    wrong = dataclasses.replace(shipped, model=network, config=config, fingerprint="wrong layout")
    texts = [example.text for example in collection().gallery]
    right = [model.translate(shipped, text) for text in texts]
    changed = [model.translate(wrong, text).text != trace.text for text, trace in zip(texts, right, strict=True)]
    assert sum(changed) >= len(texts) / 2
    doubt = [model.score(wrong, text, trace.text).log_probs.mean() for text, trace in zip(texts, right, strict=True)]
    assert np.mean(doubt) < np.mean([trace.log_probs.mean() for trace in right]) - 0.3


@pytest.mark.nightly
def test_moved_to_later_positions_the_model_is_usually_less_certain_of_its_translation(shipped):
    losses = []
    for example in collection().gallery:
        text = model.translate(shipped, example.text).text
        log_probs = shift_effect(shipped, source=example.text, target=text, shifts=(0, 200)).log_probs
        losses.append(log_probs[0] - log_probs[1])
    assert np.mean([loss > 0 for loss in losses]) > 0.8 and np.mean(losses) > 0.1


def test_two_unrelated_vectors_of_many_dimensions_are_nearly_at_right_angles(shipped):
    table = shipped.model.encoder.embedding.weight[100:1100].detach().numpy()
    positions = encoding(np.arange(32), shipped.config.d_model)
    cosine = table @ positions.T / np.linalg.norm(table, axis=1)[:, None] / np.linalg.norm(positions, axis=1)
    assert np.abs(cosine).mean() < 0.25  # 76 degrees


@pytest.mark.nightly
def test_attention_weights_agree_less_with_erasure_than_the_best_method(shipped):
    traces = [model.translate(shipped, example.text) for example in collection().gallery[:5]]
    erased = [token_attribution(shipped, trace, method="erasure") for trace in traces]

    def agreement(method: Method) -> float:
        attributions = (token_attribution(shipped, trace, method=method) for trace in traces)
        return float(np.mean([agreement_with_erasure(*pair) or 0 for pair in zip(attributions, erased, strict=True)]))

    raw = agreement("raw")
    methods: list[Method] = [name for name in get_args(Method) if name not in ("erasure", "raw")]
    assert any(agreement(name) > raw for name in methods), "the first that is better is enough"


def test_sinks_often_carry_small_vectors():
    share = "avg(CASE WHEN value_weighted_sink_share < sink_share THEN 1.0 ELSE 0.0 END)"
    rows = cache.ask(cache.survey(), f"SELECT kind, {share} AS smaller FROM heads WHERE sink_share > 0.1 GROUP BY kind")
    assert len(rows) == 3 and (rows.smaller > 0.5).all(), "in every kind of attention, over all rows of the survey"


def test_an_even_spread_has_half_a_diagonality():
    even = np.full((1, 1, 30, 30), 1 / 30, np.float32)
    diagonality = head_metrics(even, kind="cross", key_is_sink=[False] * 30).diagonality
    assert diagonality is not None and float(diagonality[0, 0]) == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_models_began_with_the_embeddings_of_an_earlier_one(language):
    initialised = {
        about.parent.name
        for about in PRETRAINED.glob("en-*/README.md")
        if re.search(r"taken from `en-fr`|trained further from the `en-fr` of before", about.read_text("utf-8"))
    }
    assert initialised == {about.parent.name for about in PRETRAINED.glob("en-*/model.safetensors")}
    stated = {"en": "the three shipped models", "fr": "les trois modèles fournis", "zh": "随附的三个模型"}
    with speaking(language):
        text = tr("overview.about_embedding")
        assert len(initialised) == 3 and stated[language] in text and "en-fr" in text


def test_numbers_in_words_are_those_of_the_code():
    assert len(example_sentences()) == 40 and SECONDS == 20
    bounds = {
        "length_1": ("6", "<= 6"), "length_2": ("9", "<= 9"), "length_3": ("13", "<= 13"), "quality_1": ("60", ">= 60")
    }  # fmt: skip
    for language in LANGUAGES:
        with speaking(language):
            assert "20" in tr("corpus.sql_about")
            for name, (number, condition) in bounds.items():
                assert number in tr(f"corpus.{name}", n="") and condition in _PARTS[name.partition("_")[0]]
