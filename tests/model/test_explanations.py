"""Heads switched off; why this word; source or prefix; training and inference; drift."""

import numpy as np
import pytest
import torch
from sacrebleu.metrics.bleu import BLEU
from torch.nn import functional

import model
from model.decoding.step import DecodingError
from model.interpret.ablation import corpus_effects_as_they_come, head_effects, head_effects_as_they_come, without_layer
from model.interpret.contrast import contrast, source_contribution
from model.interpret.residual_stream import context_drift, untrained_weights
from model.interventions import KINDS, NONE, BlockedKey, ForcedRow, HeadOff, Interventions
from model.teaching.teacher_forcing import teacher_forcing
from model.text.tokens import TextError
from tests.tiny import bundle_of_ids

TEXT, TARGET = "#5 #6 #7 #8", "#9 #10 #11"
BASE = Interventions(heads_off=(HeadOff("encoder_self", 0, 1),))


def logits(bundle, source, fed, edits=NONE) -> torch.Tensor:
    with torch.no_grad():
        return bundle.model(torch.tensor([source]), torch.tensor([fed]), interventions=edits).logits[0]


@pytest.mark.nightly(but=("2-base0",))
@pytest.mark.parametrize("base", [NONE, BASE, Interventions(lift_causal_mask=True)])
@pytest.mark.parametrize("step", [0, 2])
def test_a_margin_is_measured_by_hiding_one_token_from_one_head(base: Interventions, step: int) -> None:
    bundle = bundle_of_ids(1)
    trace = model.score(bundle, TEXT, TARGET, interventions=base)
    contrasted = contrast(bundle, trace, step=step, rival_id=15)
    word = trace.target.ids[step]

    def margin(*blocked: BlockedKey) -> float:
        edits = Interventions(base.heads_off, (), blocked, None, base.lift_causal_mask)
        row = logits(bundle, trace.source.ids, trace.prefix.ids[: step + 1], edits)[step]
        return float(row[word] - row[15])

    assert contrasted.margin == pytest.approx(margin(), abs=1e-5)
    for key in range(len(trace.source)):
        everywhere = margin(BlockedKey("cross", key, query=step))
        assert contrasted.by_token[key] == pytest.approx(everywhere - margin(), abs=2e-5)
        for layer in (0, 1):
            for head in (0, 1):
                alone = margin(BlockedKey("cross", key, layer=layer, head=head, query=step))
                assert contrasted.by_head[layer, head, key] == pytest.approx(alone - margin(), abs=2e-5)
    assert np.abs(contrasted.by_head).max() > 1e-3


FORCED = Interventions(
    forced_rows=(ForcedRow("cross", 0, 1, 1, (0.0, 1.0)), ForcedRow("decoder_self", 1, 0, 2, (1.0, 0.0, 0.0)))
)


def test_a_row_forced_onto_a_removed_token_gives_way() -> None:
    bundle = bundle_of_ids(5)
    trace = model.score(bundle, TEXT, TARGET, interventions=FORCED)
    lean, margins = source_contribution(bundle, trace), contrast(bundle, trace, step=1, rival_id=15)
    assert np.isfinite(lean.source).all() and np.isfinite(lean.prefix).all()
    edits = Interventions((), FORCED.forced_rows[1:], (BlockedKey("cross", 1, layer=0, head=1, query=1),))
    row = logits(bundle, trace.source.ids, trace.prefix.ids[:2], edits)[1]
    expected = float(row[trace.target.ids[1]] - row[15])
    assert margins.margin + margins.by_head[0, 1, 1] == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize(
    ("step", "rival", "message"),
    [(9, 4, "there is no step 9"), (0, 99, "there is no word 99"), (0, 9, "are both 9: choose another rival")],
)
def test_the_error_of_an_impossible_contrast_has_the_reason(step: int, rival: int, message: str) -> None:
    bundle = bundle_of_ids(1)
    with pytest.raises(DecodingError, match=message):
        contrast(bundle, model.score(bundle, TEXT, TARGET), step=step, rival_id=rival)


def test_source_contribution_is_the_divergence_when_source_or_prefix_is_gone() -> None:
    bundle = bundle_of_ids(2)
    trace = model.score(bundle, TEXT, TARGET, interventions=BASE)
    contribution = source_contribution(bundle, trace)
    full = logits(bundle, trace.source.ids, trace.prefix.ids, BASE).log_softmax(-1)
    for t in range(len(trace.target)):
        everything = tuple(BlockedKey("cross", key) for key in range(len(trace.source)))
        blind = Interventions(BASE.heads_off, (), everything)
        no_source = logits(bundle, trace.source.ids, trace.prefix.ids, blind)[t].log_softmax(-1)
        alone = Interventions(BASE.heads_off, (), tuple(BlockedKey("decoder_self", key, query=t) for key in range(t)))
        fed = [bundle.config.bos_id] * (t + 1)
        no_prefix = logits(bundle, trace.source.ids, fed, alone)[t].log_softmax(-1)
        for measured, without in ((contribution.source[t], no_source), (contribution.prefix[t], no_prefix)):
            expected = functional.kl_div(without, full[t], log_target=True, reduction="sum").item()
            assert measured == pytest.approx(expected, abs=1e-5)
        change = float(no_source[trace.target.ids[t]] - full[t, trace.target.ids[t]])
        assert contribution.without_source[t] == pytest.approx(change, abs=1e-5)
    assert contribution.prefix[0] == pytest.approx(0, abs=1e-6)
    assert contribution.source_share[0] == pytest.approx(1, abs=1e-3)
    assert ((contribution.source_share >= 0) & (contribution.source_share <= 1)).all()


def test_training_is_fed_the_reference_and_inference_its_own_words() -> None:
    bundle = bundle_of_ids(3)
    modes = teacher_forcing(bundle, TEXT, TARGET)
    source, wanted = (5, 6, 7, 8, 3), [9, 10, 11, 3]
    rows = logits(bundle, source, [2, 9, 10, 11])
    losses = functional.cross_entropy(rows, torch.tensor(wanted), reduction="none")
    np.testing.assert_allclose(modes.training.losses, losses, atol=1e-5)
    assert modes.training.fed.ids == (2, 9, 10, 11)
    assert modes.training.predicted.ids == tuple(rows.argmax(-1).tolist())
    trace = model.translate(bundle, TEXT, max_length=4)
    assert modes.inference.predicted.ids == trace.target.ids
    assert modes.inference.fed.ids == trace.prefix.ids
    log_probs = logits(bundle, source, trace.prefix.ids).log_softmax(-1)
    for t, fed in enumerate(trace.prefix.ids):
        assert fed == modes.inference.fed.ids[t]
        assert modes.inference.losses[t] == pytest.approx(-float(log_probs[t, wanted[t]]), abs=1e-5)
    assert np.isnan(modes.inference.losses[len(trace.target) :]).all()
    assert modes.training.losses[0] == pytest.approx(modes.inference.losses[0], abs=1e-5)


def test_the_modes_part_where_inference_first_differs() -> None:
    bundle = bundle_of_ids(3)
    greedy = model.translate(bundle, TEXT, max_length=6)
    ids = [i for i in greedy.target.ids if i != bundle.config.eos_id]
    other = 4 if ids[2] != 4 else 5
    changed = [*ids[:2], other, *ids[3:]]
    assert teacher_forcing(bundle, TEXT, " ".join(f"#{i}" for i in changed)).first_divergence == 2


def test_a_lifted_mask_counts_in_training_alone() -> None:
    bundle, lifted = bundle_of_ids(3), Interventions(lift_causal_mask=True)
    plain, seeing = teacher_forcing(bundle, TEXT, TARGET), teacher_forcing(bundle, TEXT, TARGET, interventions=lifted)
    rows = logits(bundle, (5, 6, 7, 8, 3), [2, 9, 10, 11], lifted)
    losses = functional.cross_entropy(rows, torch.tensor([9, 10, 11, 3]), reduction="none")
    np.testing.assert_allclose(seeing.training.losses, losses, atol=1e-5)
    assert not np.allclose(seeing.training.losses, plain.training.losses)
    np.testing.assert_allclose(seeing.inference.losses, plain.inference.losses)


def test_an_empty_reference_is_refused() -> None:
    with pytest.raises(TextError, match="no reference translation"):
        teacher_forcing(bundle_of_ids(), TEXT, "  ")


SOURCE = (4, 5, 7, 8, 9, 3)


def test_the_drift_is_the_cosine_with_the_first_vector() -> None:
    bundle = bundle_of_ids()
    drift = context_drift(bundle, (SOURCE, ()))
    states = bundle.model.encode(torch.tensor([SOURCE]), capture=True).hidden_states
    first, last = (states[i][0, 2].detach().numpy() for i in (0, -1))
    by_hand = first @ last / (np.linalg.norm(first) * np.linalg.norm(last))
    assert abs(drift.cosine[-1, 2] - by_hand) < 1e-5
    np.testing.assert_allclose(drift.cosine[0], 1, atol=1e-6)


def test_hiding_a_word_moves_the_others() -> None:
    bundle = bundle_of_ids()
    hidden = Interventions(blocked_keys=(BlockedKey("encoder_self", 1),))
    plain, changed = (context_drift(bundle, (SOURCE, ()), interventions=i).cosine for i in (Interventions(), hidden))
    assert np.abs(plain - changed)[-1].max() > 1e-3


def test_untrained_attention_is_seeded_and_leaves_the_random_state_alone() -> None:
    bundle = bundle_of_ids()
    torch.manual_seed(3)
    before = torch.get_rng_state()
    first, again, second = (untrained_weights(bundle, (SOURCE, (2, 6)), seed=s) for s in (0, 0, 1))
    assert torch.equal(before, torch.get_rng_state())
    np.testing.assert_array_equal(first, again)
    assert first.shape == (2, 2, 2, 6) and not np.array_equal(first, second)
    np.testing.assert_allclose(first.sum(-1), 1, atol=1e-5)


def test_depths_and_heads_may_differ() -> None:
    bundle = bundle_of_ids(4, n_encoder_layers=3, n_encoder_heads=4, n_decoder_layers=1)
    effects = head_effects(bundle, model.score(bundle, TEXT, TARGET))
    assert effects.changes["encoder_self"].shape == (3, 4, 4)
    assert effects.changes["cross"].shape == (1, 2, 4)
    assert not any(np.isnan(change).any() for change in effects.changes.values())


def test_stopping_early_leaves_the_untried_heads_unknown() -> None:
    bundle = bundle_of_ids(5)
    coming = head_effects_as_they_come(bundle, model.score(bundle, TEXT, TARGET))
    first = next(coming)
    del coming
    assert 0 < first.done < first.total
    known = sum(int((~np.isnan(first.totals(kind))).sum()) for kind in KINDS)
    assert known == first.done
    assert model.translate(bundle, TEXT).interventions == NONE


def test_a_layer_without_cross_attention_equals_one_whose_heads_write_zeros() -> None:
    bundle = bundle_of_ids(6)
    trace = model.score(bundle, TEXT, TARGET, interventions=without_layer(bundle, NONE, "cross", 1))
    silent = model.Patch("decoder.1.cross.mixed", zero=True)
    expected = model.score(bundle, TEXT, TARGET, interventions=Interventions(patches=silent))
    np.testing.assert_allclose(trace.log_probs, expected.log_probs, atol=1e-5)


@pytest.mark.nightly
def test_bleu_without_each_head_is_that_of_translating_one_by_one() -> None:
    bundle = bundle_of_ids(8)
    sources = ["#5 #6 #7", "#8 #9 #10 #11 #12", "#4", "#13 #14"]
    references = [model.translate(bundle, text, max_length=6).text for text in sources]
    *_, effects = corpus_effects_as_they_come(bundle, sources, references)
    assert effects.done == effects.total == 12
    metric = BLEU()
    for kind in KINDS:
        for layer in (0, 1):
            for head in (0, 1):
                off = Interventions(heads_off=(HeadOff(kind, layer, head),))
                longest = 2 * 6 + 16
                texts = [model.translate(bundle, text, max_length=longest, interventions=off).text for text in sources]
                expected = metric.corpus_score(texts, [references]).score - effects.bleu
                assert effects.changes[kind][layer, head] == pytest.approx(expected, abs=1e-3)


def test_a_set_without_translations_is_refused() -> None:
    with pytest.raises(TextError, match="1 sentences and 0 translations"):
        next(corpus_effects_as_they_come(bundle_of_ids(), ["#5"], []))
