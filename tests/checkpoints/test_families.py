"""Each family gives the attention and logits that its original implementation gave, to 1e-5 absolute."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import save_file

import model
from model.checkpoints.basis.errors import HintError, TensorsError
from model.nn.positional import sinusoidal
from tests.checkpoints import golden

TOLERANCE = 1e-5
OF_SOME_BY_DAY = pytest.mark.nightly(
    but=("annotated-plain", "fairseq-post", "joeynmt-pre", "marian-post", "opennmt-plain", "d2l-plain")
)


def assert_equal_to_original(bundle: model.Bundle, stored: golden.Golden) -> None:
    attended = model.attend(bundle, stored.source, stored.target)
    for kind in ("encoder_self", "decoder_self", "cross", "logits"):
        ours, expected = (
            np.where(_rows_to_compare(stored, kind), getattr(item, kind), 0) for item in (attended, stored)
        )
        np.testing.assert_allclose(ours, expected, rtol=0, atol=TOLERANCE, err_msg=kind)


def _rows_to_compare(stored: golden.Golden, kind: str) -> Any:
    """The rows that must be equal in both; x-transformers clears the rows of padded source positions, which are not
    used."""
    is_emptied = stored.family == "xtransformers" and kind == "encoder_self"
    return (stored.source != 0)[:, None, None, :, None] if is_emptied else True


@pytest.mark.nightly(but=("plain", "pre", "marian", "deepnet", "separate", "fairseq-post"))
@pytest.mark.parametrize("name", golden.names())
def test_attention_and_logits_equal_the_originals(name: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    bundle = model.load(reference.write(tmp_path), **reference.hints)
    assert bundle.family == reference.family and bundle.report is not None
    known = ("pos", "pe", "version", "special")
    assert all(any(part in name for part in known) for name in bundle.report.ignored)
    assert_equal_to_original(bundle, reference)


@pytest.mark.nightly(but=("marian",))
@pytest.mark.parametrize("name", golden.names())
def test_a_converted_checkpoint_saved_as_our_own_is_still_equal_to_the_original(name: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    (tmp_path / "theirs").mkdir()
    bundle = model.load(reference.write(tmp_path / "theirs"), **reference.hints)
    again = model.load(model.save(bundle, tmp_path / "ours"))
    assert again.family == "own" and again.fingerprint == bundle.fingerprint
    assert_equal_to_original(again, reference)


@OF_SOME_BY_DAY
@pytest.mark.parametrize("name", golden.names())
def test_a_missing_tensor_is_named_as_the_family_names_it(name: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    marks = ("layers.1.", "stack.1.", "block1", "_l2_", "former.1.")
    *_, lost = (key for key in reference.tensors if any(mark in key for mark in marks))
    del reference.tensors[lost]
    with pytest.raises(TensorsError) as caught:
        model.load(reference.write(tmp_path), **reference.hints)
    assert lost in caught.value.missing


@pytest.mark.nightly(but=("graykode",))
@pytest.mark.parametrize("name", ["annotated-plain", "d2l-plain", "graykode-plain"])
def test_safetensors_in_place_of_a_torch_file_are_recognised_alike(name: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    path = tmp_path / "some-weights.safetensors"
    save_file({key: tensor.contiguous() for key, tensor in reference.tensors.items()}, path)
    assert_equal_to_original(model.load(path, **reference.hints), reference)


def test_a_graykode_table_whose_last_rows_are_no_sinusoids_is_learned(tmp_path: Path) -> None:
    reference = golden.read("graykode-plain")
    table = sinusoidal(80, reference.tensors["encoder.pos_emb.weight"].shape[1])
    for n_rows, kind in ((80, "interleaved"), (70, "learned")):
        table[n_rows:] = 0
        reference.tensors.update({f"{side}.pos_emb.weight": table.clone() for side in ("encoder", "decoder")})
        assert model.load(reference.write(tmp_path), **reference.hints).config.positions == kind


@pytest.mark.nightly
def test_the_name_of_the_file_plays_no_part(tmp_path: Path) -> None:
    reference = golden.read("jadore-projection")
    path = reference.write(tmp_path).rename(tmp_path / "joeynmt-annotated.bin")
    assert model.load(path).family == "jadore"


def test_a_joeynmt_run_opens_from_its_folder_zipped(tmp_path: Path) -> None:
    reference = golden.read("joeynmt-pre")
    run = tmp_path / "run"
    run.mkdir()
    reference.write(run)
    with zipfile.ZipFile(tmp_path / "run.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in run.iterdir():
            archive.write(path, f"my-run/{path.name}")
    bundle: Any = model.load(tmp_path / "run.zip")
    assert_equal_to_original(bundle, reference)
    assert bundle.source_tokenizer.encode("src0 src3").ids == (4, 7)
    assert (bundle.source_language, bundle.target_language) == ("en", "fr")


@pytest.mark.nightly
def test_only_missing_settings_are_questions(tmp_path: Path) -> None:
    requested = {}
    for name in ("jadore-separate", "annotated-plain", "joeynmt-pre"):
        reference = golden.read(name)
        folder = tmp_path / name
        folder.mkdir()
        report: Any = model.load(reference.write(folder)).report
        requested[reference.family] = {question.hint for question in report.questions}
    assert requested["jadore"] == {"bos_id", "eos_id"}
    assert requested["annotated"] == {"n_heads", "source_pad_id", "target_pad_id", "bos_id", "eos_id"}
    assert requested["joeynmt"] == set()


def test_heads_that_do_not_divide_are_refused_with_those_that_do(tmp_path: Path) -> None:
    reference = golden.read("annotated-plain")
    with pytest.raises(HintError, match=r"n_heads \(3\) must divide .*16.*try 1, 2, 4, 8"):
        model.load(reference.write(tmp_path), n_heads=3)


def test_an_unknown_hint_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    reference = golden.read("annotated-plain")
    with pytest.raises(HintError, match=r"unknown hint heads: choose from activation"):
        model.load(reference.write(tmp_path), heads=4)


@pytest.mark.nightly
def test_d2l_offers_the_positions_of_its_prediction(tmp_path: Path) -> None:
    reference = golden.read("d2l-plain")
    path = reference.write(tmp_path)
    original = model.load(path, **reference.hints, original_positions=True)
    assert original.config.target_position_order == (0,) * 1000
    first: Any = model.attend(original, reference.source, reference.target[:, :1])
    np.testing.assert_allclose(first.logits, reference.logits[:, :1], rtol=0, atol=TOLERANCE)


def test_tokens_may_be_lists_or_files(tmp_path: Path) -> None:
    reference = golden.read("d2l-plain")
    path = reference.write(tmp_path)
    words = ["<pad>", "<bos>", "<eos>", *(f"w{i}" for i in range(8))]
    (tmp_path / "target.txt").write_text("\n".join(words) + "\n")
    bundle: Any = model.load(path, n_heads=4, source_tokens=[*words, "x", "y"], target_tokens=tmp_path / "target.txt")
    assert bundle.source_tokenizer.encode("w0 y").ids == (3, 12)
    assert bundle.target_tokenizer.decode([1, 4, 2]) == "w1"
    assert (bundle.config.source_pad_id, bundle.config.bos_id, bundle.config.eos_id) == (0, 1, 2)
    with pytest.raises(HintError, match=r"the target tokens \(13\) must not be more than the 11 embeddings"):
        model.load(path, n_heads=4, target_tokens=[*words, "x", "y"])
