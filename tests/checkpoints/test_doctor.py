"""The doctor reports what a checkpoint is, what is wrong with it, and the evidence for each open question."""

from pathlib import Path

import numpy as np
import pytest
import torch

import model
from model.checkpoints.doctor import diagnose, examine, weight_bytes
from tests.checkpoint import tiny_bundle
from tests.checkpoints import golden
from tests.checkpoints import test_ctranslate2 as ctranslate2
from tests.checkpoints.foreign import save_foreign


@pytest.mark.nightly
def test_a_sound_checkpoint_is_well(tmp_path: Path) -> None:
    examined = examine(golden.read("jadore-projection").write(tmp_path))
    assert not examined.not_finite and examined.first_pass.is_good
    assert examined.first_pass.n_rows > 0 and examined.first_pass.largest_error < 1e-5
    assert examined.bundle.family == "jadore"
    assert examined.report.recognised_by[0] == "encoder.src_word_emb.weight"
    assert dict(examined.configuration)["embedding_norm"] is True
    assert examined.n_parameters == sum(p.numel() for p in examined.bundle.model.parameters())


@pytest.mark.nightly
def test_nan_and_infinity_are_found_by_name(tmp_path: Path) -> None:
    reference = golden.read("annotated-plain")
    reference.tensors["encoder.layers.1.self_attn.linears.0.weight"][0, 0] = torch.inf
    reference.tensors["generator.proj.bias"][3] = torch.nan
    examined = examine(reference.write(tmp_path), n_heads=4)
    assert set(examined.not_finite) == {"encoder.layers.1.self_attention.query.weight", "output.bias"}
    assert not examined.first_pass.is_finite


def test_a_vocabulary_that_does_not_fit_is_reported(tmp_path: Path) -> None:
    words = ["<s>", "</s>", "<pad>", *(f"w{i}" for i in range(5))]
    path = golden.read("annotated-plain").write(tmp_path)
    examined = examine(path, n_heads=4, source_tokens=words, target_tokens=words, bos_id=3)
    source, target = examined.tokenizers
    assert (source.n_tokens, source.n_embeddings, source.is_good) == (8, 13, False)
    assert target.disagreements == ("bos",)


def test_memory_counts_shared_weights_once() -> None:
    tied = tiny_bundle(tie_embeddings=True, tie_output=True)
    apart = tiny_bundle(tie_embeddings=False, tie_output=False)
    size = tied.config.source_vocab_size * tied.config.d_model * 4
    assert weight_bytes(apart) - weight_bytes(tied) == 2 * size


@pytest.mark.nightly
def test_the_heads_question_carries_the_entropy_under_each_number(tmp_path: Path) -> None:
    examined = examine(golden.read("annotated-plain").write(tmp_path))
    question = next(question for question in examined.questions if question.hint == "n_heads")
    by_heads = {dict(reason.values)["heads"]: dict(reason.values)["entropy"] for reason in question.evidence
                if reason.key == "head_entropy"}  # fmt: skip
    assert set(by_heads) == {2, 4, 8}
    assert all(0 <= entropy <= 2.31 for entropy in by_heads.values())  # log(10) for 10 source tokens


def test_answered_questions_are_marked_so(tmp_path: Path) -> None:
    examined = examine(golden.read("annotated-plain").write(tmp_path), n_heads=4, bos_id=0)
    answered = {question.hint for question in examined.questions if question.is_answered}
    assert answered == {"n_heads", "bos_id"}


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    return save_foreign(tmp_path)


@pytest.mark.nightly
def test_norms_and_heads_are_derived_from_trained_weights(foreign: Path) -> None:
    bundle, original = model.load(foreign), model.load("tiny")
    assert bundle.config.encoder_norm_first is original.config.encoder_norm_first is True
    assert bundle.config.n_encoder_heads == original.config.n_encoder_heads == 4
    for text in ("The cat is sleeping.", "I lost."):
        assert model.translate(bundle, text).text == model.translate(original, text).text


@pytest.mark.nightly
def test_a_hint_is_stronger_than_the_evidence(foreign: Path) -> None:
    bundle = model.load(foreign, norm_first=False, n_heads=8)
    assert bundle.config.encoder_norm_first is False and bundle.config.n_encoder_heads == 8


def test_a_test_sentence_is_translated_as_the_model_translates_it(foreign: Path) -> None:
    result = examine(foreign).trial
    assert result is not None and result.is_text and not result.is_cut
    reported = model.translate(model.load("tiny"), result.source)
    assert result.target == reported.text and result.probability == pytest.approx(
        float(np.exp(reported.log_probs.mean())), 1e-3
    )


@pytest.mark.nightly
def test_without_a_vocabulary_the_test_is_of_ids(tmp_path: Path) -> None:
    result = examine(golden.read("hkproj-plain").write(tmp_path)).trial
    assert result is not None and not result.is_text
    assert result.source == "#0 #4 #5 #6 #7" and set(result.target) <= set("#0123456789 ")


@pytest.mark.nightly
def test_a_vocabulary_that_writes_none_of_the_sentences_gives_its_own_tokens(tmp_path: Path) -> None:
    path = golden.read("hkproj-plain").write(tmp_path)
    words = ["[UNK]", "[PAD]", "[SOS]", "[EOS]", *(f"w{index}" for index in range(9))]
    result = examine(path, source_tokens=words).trial
    assert result is not None and not result.is_text and result.source == "w0 w1 w2 w3 w4"


def test_a_family_without_a_padding_id_takes_no_other_id_for_it(tmp_path: Path) -> None:
    examined = examine(ctranslate2.write(tmp_path, ctranslate2.read("int8")))
    assert all(fit.is_good for fit in examined.tokenizers)
    assert examined.trial is not None and examined.trial.source == "src0 src1 src2 src3 src4"


def test_the_language_of_the_source_chooses_the_sentence(foreign: Path) -> None:
    result = examine(foreign, source_language="fr").trial
    assert result is not None and result.source == "Le chat dort sur le lit."


@pytest.mark.nightly
def test_a_model_with_broken_weights_is_not_tried(tmp_path: Path) -> None:
    reference = golden.read("annotated-plain")
    reference.tensors["generator.proj.bias"][3] = torch.nan
    assert examine(reference.write(tmp_path), n_heads=4).trial is None


def test_diagnosing_changes_nothing(tmp_path: Path) -> None:
    reference = golden.read("graykode-plain")
    bundle = model.load(reference.write(tmp_path), **reference.hints)
    before = model.attend(bundle, reference.source, reference.target).logits
    diagnose(bundle)
    np.testing.assert_array_equal(model.attend(bundle, reference.source, reference.target).logits, before)
