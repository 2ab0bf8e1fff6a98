"""Models of ``transformers`` in memory, other types of numbers, and a quiet terminal."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import model
from model.checkpoints.basis.errors import HintError, UnrecognisedError
from tests.checkpoints.architectures import ARCHITECTURES, SOURCE, TARGET, differences, run_original, save

SHOWN = ("marian", "bart", "t5", "gpt2", "llama", "bert")


@pytest.mark.nightly(but=("marian",))
@pytest.mark.parametrize("name", SHOWN)
def test_a_model_in_memory_opens_as_its_folder_does_and_nothing_is_printed(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    original = save(ARCHITECTURES[name], tmp_path)
    expected = run_original(original, ARCHITECTURES[name])
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    capfd.readouterr()
    bundle = model.load(original, tokenizer=tokenizer)
    from_folder = model.load(tmp_path)
    assert capfd.readouterr() == ("", "")
    gaps = differences(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), expected)
    assert max(gaps.values()) <= 1e-5
    assert (bundle.family, bundle.config) == (from_folder.family, from_folder.config)
    assert bundle.fingerprint == model.load(original, tokenizer=tokenizer).fingerprint
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("word7").ids[0] == 7


def test_further_training_leaves_the_bundle_unchanged(tmp_path: Path) -> None:
    original = save(ARCHITECTURES["marian"], tmp_path)
    bundle = model.load(original)
    before = model.attend(bundle, SOURCE.numpy(), TARGET.numpy()).logits
    with torch.no_grad():
        for parameter in original.parameters():
            parameter.zero_()
    np.testing.assert_array_equal(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()).logits, before)


def test_positions_that_were_changed_in_memory_are_those_of_the_copy(tmp_path: Path) -> None:
    """The library computes Marian's sinusoids again when it opens a folder, and does not save them."""
    original = save(ARCHITECTURES["marian"], tmp_path)
    plain = model.load(original)
    with torch.no_grad():
        for stack in (original.model.encoder, original.model.decoder):
            stack.embed_positions.weight.add_(torch.randn_like(stack.embed_positions.weight) * 0.1)
    bundle, expected = model.load(original), run_original(original, ARCHITECTURES["marian"])
    gaps = differences(model.attend(bundle, SOURCE.numpy(), TARGET.numpy()), expected)
    assert max(gaps.values()) <= 1e-5
    assert bundle.fingerprint != plain.fingerprint
    again = model.load(model.save(bundle, tmp_path / "saved"))
    assert max(differences(model.attend(again, SOURCE.numpy(), TARGET.numpy()), expected).values()) <= 1e-5


def test_other_values_than_models_and_tokenizers_are_refused(tmp_path: Path) -> None:
    wrong: list[Any] = [3, torch.nn.Linear(2, 2)]
    for item in wrong:
        with pytest.raises(UnrecognisedError, match="give a path, a shipped name or a model of transformers"):
            model.load(item)
    with pytest.raises(HintError, match="must be one of transformers"):
        model.load(save(ARCHITECTURES["gpt2"], tmp_path), tokenizer="words.txt")
    with pytest.raises(HintError, match="for a model in memory"):
        model.load(tmp_path, tokenizer=transformers.AutoTokenizer.from_pretrained(tmp_path))


@pytest.mark.nightly(but=("t5",))
@pytest.mark.parametrize("name", ["t5", "marian"])
def test_double_precision_is_that_of_the_library_to_many_digits(name: str, tmp_path: Path) -> None:
    original = save(ARCHITECTURES[name], tmp_path).double()
    bundle = model.load(tmp_path, dtype="float64")
    recording = model.record(bundle, [5, 6, 7, 8, 2], [9, 10, 11, 2], names="logits", dtype="float64")
    with torch.inference_mode():
        expected = original(
            input_ids=torch.tensor([recording.trace.source.ids]),
            decoder_input_ids=torch.tensor([recording.trace.prefix.ids]),
        ).logits
    assert recording["logits"].dtype == np.float64
    assert np.abs(recording["logits"] - expected.numpy()).max() < 1e-6


def test_a_type_of_numbers_changes_the_weights_the_fingerprint_and_little_else(tmp_path: Path) -> None:
    save(ARCHITECTURES["bart"], tmp_path)
    plain, half = model.load(tmp_path), model.load(tmp_path, dtype=torch.bfloat16)
    assert {p.dtype for p in half.model.parameters()} == {torch.bfloat16}
    assert half.fingerprint != plain.fingerprint == model.load(tmp_path, dtype="float32").fingerprint
    ours, expected = (model.score(item, [5, 6, 7, 8, 2], [9, 10, 11, 2]) for item in (half, plain))
    assert 0 < np.abs(ours.log_probs - expected.log_probs).max() < 0.5
    wrong: Any
    for wrong in ("int8", "double precision", torch.int64):
        with pytest.raises(model.DeviceError, match=r"dtype .* must be"):
            model.load(tmp_path, dtype=wrong)


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_recorded_arrays_have_the_requested_type(dtype: Any) -> None:
    bundle = model.load("tiny")
    plain = model.record(bundle, "the cat", "le chat", gradients_of=1)
    for recording in (
        model.record(bundle, "the cat", "le chat", gradients_of=1, dtype=dtype),
        model.record(bundle, ["the cat"], ["le chat"], gradients_of=1, dtype=dtype)[0],
        model.record(bundle, ["the cat"], ["le chat"], dtype=dtype)[0],
        model.record(bundle, "the cat", "le chat", dtype=dtype),
    ):
        assert isinstance(recording, model.Recording)
        for name, array in recording.items():
            assert array.dtype == np.dtype(dtype)
            np.testing.assert_allclose(array, plain[name], rtol=2e-3, atol=2e-3)
        assert {array.dtype for array in recording.gradients.values()} <= {np.dtype(dtype)}
    with pytest.raises(model.RecordingError, match="must be float32, float16, float64"):
        model.record(bundle, "the cat", dtype="bfloat16")  # type: ignore[call-overload]
