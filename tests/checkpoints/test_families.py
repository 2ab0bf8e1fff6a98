"""Each family gives the attention and logits that its original implementation gave, to 1e-5 absolute."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import save_file

import model
from model.checkpoints.basis.errors import HintError, TensorsError
from tests.checkpoints import golden

TOLERANCE = 1e-5
OF_SOME_BY_DAY = pytest.mark.nightly(
    but=("annotated-plain", "fairseq-post", "joeynmt-pre", "marian-post", "opennmt-plain", "d2l-plain")
)


def assert_equal_to_original(bundle: model.Bundle, held: golden.Golden) -> None:
    found = model.attend(bundle, held.source, held.target)
    for kind in ("encoder_self", "decoder_self", "cross", "logits"):
        ours, expected = (np.where(_compared(held, kind), getattr(one, kind), 0) for one in (found, held))
        np.testing.assert_allclose(ours, expected, rtol=0, atol=TOLERANCE, err_msg=kind)


def _compared(held: golden.Golden, kind: str) -> Any:
    """The rows that must be equal in both; x-transformers clears the rows of padded source positions, which are not
    used."""
    is_emptied = held.family == "xtransformers" and kind == "encoder_self"
    return (held.source != 0)[:, None, None, :, None] if is_emptied else True


@pytest.mark.nightly(but=("plain", "pre", "marian", "deepnet", "separate", "fairseq-post"))
@pytest.mark.parametrize("name", golden.names())
def test_attention_and_logits_equal_the_originals(name: str, tmp_path: Path) -> None:
    held = golden.read(name)
    bundle = model.load(held.write(tmp_path), **held.hints)
    assert bundle.family == held.family and bundle.report is not None
    known = ("pos", "pe", "version", "special")
    assert all(any(part in name for part in known) for name in bundle.report.ignored)
    assert_equal_to_original(bundle, held)


@pytest.mark.nightly(but=("marian",))
@pytest.mark.parametrize("name", golden.names())
def test_a_converted_checkpoint_saved_as_our_own_is_still_equal_to_the_original(name: str, tmp_path: Path) -> None:
    held = golden.read(name)
    (tmp_path / "theirs").mkdir()
    bundle = model.load(held.write(tmp_path / "theirs"), **held.hints)
    again = model.load(model.save(bundle, tmp_path / "ours"))
    assert again.family == "own"
    assert_equal_to_original(again, held)


@OF_SOME_BY_DAY
@pytest.mark.parametrize("name", golden.names())
def test_a_missing_tensor_is_named_as_the_family_names_it(name: str, tmp_path: Path) -> None:
    held = golden.read(name)
    marks = ("layers.1.", "stack.1.", "block1", "_l2_", "former.1.")
    *_, lost = (key for key in held.tensors if any(mark in key for mark in marks))
    del held.tensors[lost]
    with pytest.raises(TensorsError) as caught:
        model.load(held.write(tmp_path), **held.hints)
    assert lost in caught.value.missing


@pytest.mark.nightly(but=("graykode",))
@pytest.mark.parametrize("name", ["annotated-plain", "d2l-plain", "graykode-plain"])
def test_safetensors_in_place_of_a_torch_file_are_recognised_alike(name: str, tmp_path: Path) -> None:
    held = golden.read(name)
    path = tmp_path / "some-weights.safetensors"
    save_file({key: tensor.contiguous() for key, tensor in held.tensors.items()}, path)
    assert_equal_to_original(model.load(path, **held.hints), held)


@pytest.mark.nightly
def test_the_name_of_the_file_plays_no_part(tmp_path: Path) -> None:
    held = golden.read("jadore-projection")
    path = held.write(tmp_path).rename(tmp_path / "joeynmt-annotated.bin")
    assert model.load(path).family == "jadore"


def test_a_joeynmt_run_opens_from_its_folder_zipped(tmp_path: Path) -> None:
    held = golden.read("joeynmt-pre")
    run = tmp_path / "run"
    run.mkdir()
    held.write(run)
    with zipfile.ZipFile(tmp_path / "run.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in run.iterdir():
            archive.write(path, f"my-run/{path.name}")
    bundle: Any = model.load(tmp_path / "run.zip")
    assert_equal_to_original(bundle, held)
    assert bundle.source_tokenizer.encode("src0 src3").ids == (4, 7)
    assert (bundle.source_language, bundle.target_language) == ("en", "fr")


@pytest.mark.nightly
def test_what_the_file_lacks_is_asked_and_nothing_else(tmp_path: Path) -> None:
    asked = {}
    for name in ("jadore-separate", "annotated-plain", "joeynmt-pre"):
        held = golden.read(name)
        folder = tmp_path / name
        folder.mkdir()
        report: Any = model.load(held.write(folder)).report
        asked[held.family] = {question.hint for question in report.questions}
    assert asked["jadore"] == {"bos_id", "eos_id"}
    assert asked["annotated"] == {"n_heads", "source_pad_id", "target_pad_id", "bos_id", "eos_id"}
    assert asked["joeynmt"] == set()


def test_heads_that_do_not_divide_are_refused_with_those_that_do(tmp_path: Path) -> None:
    held = golden.read("annotated-plain")
    with pytest.raises(HintError, match=r"n_heads \(3\) must divide .*16.*try 1, 2, 4, 8"):
        model.load(held.write(tmp_path), n_heads=3)


def test_an_unknown_hint_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    held = golden.read("annotated-plain")
    with pytest.raises(HintError, match=r"unknown hint heads: choose from activation"):
        model.load(held.write(tmp_path), heads=4)


@pytest.mark.nightly
def test_d2l_offers_the_positions_of_its_own_prediction(tmp_path: Path) -> None:
    held = golden.read("d2l-plain")
    path = held.write(tmp_path)
    original = model.load(path, **held.hints, original_positions=True)
    assert original.config.target_position_order == (0,) * 1000
    first: Any = model.attend(original, held.source, held.target[:, :1])
    np.testing.assert_allclose(first.logits, held.logits[:, :1], rtol=0, atol=TOLERANCE)


def test_tokens_can_be_given_as_lists_and_as_files(tmp_path: Path) -> None:
    held = golden.read("d2l-plain")
    path = held.write(tmp_path)
    words = ["<pad>", "<bos>", "<eos>", *(f"w{i}" for i in range(8))]
    (tmp_path / "target.txt").write_text("\n".join(words) + "\n")
    bundle: Any = model.load(path, n_heads=4, source_tokens=[*words, "x", "y"], target_tokens=tmp_path / "target.txt")
    assert bundle.source_tokenizer.encode("w0 y").ids == (3, 12)
    assert bundle.target_tokenizer.decode([1, 4, 2]) == "w1"
    assert (bundle.config.source_pad_id, bundle.config.bos_id, bundle.config.eos_id) == (0, 1, 2)
    with pytest.raises(HintError, match=r"the target tokens \(13\) must not be more than the 11 embeddings"):
        model.load(path, n_heads=4, target_tokens=[*words, "x", "y"])
