"""CTranslate2 folders and Marian's .npz: the library's own results, quantised weights, and files with false content."""

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import model
from model.checkpoints.basis.errors import CheckpointError, UnsafeFileError
from model.corpus.pruning.removal import remove_each
from model.text.pairs import Pair
from tests.checkpoints import golden

FOLDER = Path(__file__).resolve().parents[1] / "reference" / "ctranslate2"


def read(name: str) -> dict[str, Any]:
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as stored:
        return {key: stored[key] for key in stored.files}


def write(folder: Path, stored: dict[str, Any]) -> Path:
    for key, content in stored.items():
        if key.startswith("file/"):
            (folder / key.removeprefix("file/")).write_bytes(content.tobytes())
    return folder


def attend(bundle: model.Bundle, stored: dict[str, Any]) -> model.BatchAttention:
    """The golden batch, padded with the id one past the vocabulary, and with the decoder's own start."""
    config = bundle.config
    source, target = stored["source"].copy(), stored["target"].copy()
    source[source == 1] = config.source_pad_id
    target[target == 1] = config.target_pad_id
    return model.attend(bundle, source, target)


def test_a_folder_gives_the_attention_of_the_weights_it_was_converted_from(tmp_path: Path) -> None:
    reference = read("float32")
    bundle = model.load(write(tmp_path, reference))
    assert bundle.family == "ctranslate2" and bundle.config.source_pad_id == 13
    maps = attend(bundle, reference)
    for kind in ("encoder_self", "decoder_self", "cross", "logits"):
        ours, expected = getattr(maps, kind), reference[kind]
        if kind in ("decoder_self", "logits"):  # the second target's last two positions are padding
            ours, expected = ours[:, ..., :3, :], expected[:, ..., :3, :]
        if kind == "cross":
            ours, expected = ours[..., :3, :], expected[..., :3, :]
        if kind == "encoder_self":
            ours, expected = ours[..., :4, :], expected[..., :4, :]
        np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5, err_msg=kind)


@pytest.mark.parametrize("name", ["float32", "float16", "int8", "int16", "marian"])
def test_log_probabilities_equal_those_of_the_library(name: str, tmp_path: Path) -> None:
    reference = read(name)
    bundle = model.load(write(tmp_path, reference))
    source, size = reference["source"].copy(), bundle.config.target_vocab_size
    pad = 13 if name == "marian" else 1
    source[source == pad] = bundle.config.source_pad_id
    for row, (target, expected) in enumerate(zip(reference["target"], reference["log_probs"], strict=True)):
        target = [int(index) for index in target[1:] if index not in (pad, size)]
        fed = np.array([[bundle.config.bos_id, *target]])
        logits: Any = model.attend(bundle, source[row : row + 1], fed).logits
        log_probs = logits[0] - np.log(np.exp(logits[0]).sum(-1, keepdims=True))
        wanted = [*target, bundle.config.eos_id]
        ours = [log_probs[place, index] for place, index in enumerate(wanted)]
        np.testing.assert_allclose(ours, expected[~np.isnan(expected)], rtol=0, atol=2e-5)


def test_a_folder_brings_its_vocabularies_and_start(tmp_path: Path) -> None:
    bundle = model.load(write(tmp_path, read("int8")))
    assert bundle.source_tokenizer is not None and bundle.source_tokenizer.encode("src0 src8").ids == (4, 12)
    assert (bundle.config.bos_id, bundle.config.eos_id) == (2, 3)
    assert bundle.report is not None and not bundle.report.questions


def test_a_decoder_that_starts_from_zeros_takes_any_first_id(tmp_path: Path) -> None:
    reference = read("marian")
    bundle = model.load(write(tmp_path, reference))
    assert bundle.config.bos_id == bundle.config.target_vocab_size == 13
    first, second = (
        model.attend(bundle, reference["source"], reference["target"] * 0 + start).logits for start in (13, 0)
    )
    assert first is not None and second is not None
    np.testing.assert_array_equal(first[:, 0], second[:, 0])


def rewritten(content: bytes, place: int, layout: str, value: int) -> bytes:
    return content[:place] + struct.pack(layout, value) + content[place + struct.calcsize(layout) :]


def test_a_model_bin_that_lies_or_holds_another_model_is_refused(tmp_path: Path) -> None:
    reference = read("float32")
    whole = reference["file/model.bin"].tobytes()
    count = 4 + 2 + struct.unpack_from("<H", whole, 4)[0] + 4
    name = count + 4
    rank = name + 2 + struct.unpack_from("<H", whole, name)[0]
    heads = whole.index(b"encoder/num_heads\0") + 18
    assert whole[heads : heads + 2] == b"\x00\x02"  # no dimensions, int16
    for content, message in (
        (rewritten(whole, count, "<I", 2**31), "arrays: the limit is 20,000"),
        (rewritten(whole, count, "<I", 3), "belong to no array|shared names"),
        (rewritten(whole, rank, "<B", 200), "200 dimensions"),
        (rewritten(whole, name, "<H", 65535), "cut short|not text|printable"),
        (rewritten(whole, heads + 6, "<H", 5), r"num_heads \(5\) must divide the width, 16"),
        (rewritten(rewritten(whole, heads + 1, "<B", 4), heads + 6, "<H", 0x7E00),  # float16
         r"num_heads in model\.bin is nan, not a number"),
        (whole.replace(b"layer_0/ffn/linear_1/bias", b"layer_0/rotary_dimensions"),
         r"rotary positions .*not supported"),
        (whole.replace(b"\x10\0TransformerSpec\0", b"\x17\0TransformerDecoderSpec\0", 1),
         r"a CTranslate2 TransformerDecoderSpec.* attention as a file"),
    ):  # fmt: skip
        reference["file/model.bin"] = np.frombuffer(content, np.uint8)
        with pytest.raises(CheckpointError, match=message):
            model.load(write(tmp_path, reference))
    for cut in range(40, len(whole), 4099):
        reference["file/model.bin"] = np.frombuffer(whole[:cut], np.uint8)
        with pytest.raises(CheckpointError):
            model.load(write(tmp_path, reference))


def test_marians_settings_and_vocabulary_are_read(tmp_path: Path) -> None:
    reference = golden.read("marian-post")
    path = reference.write(tmp_path)
    tokens = ["</s>", "<unk>", '"a\\"b"', "'it''s'", *(f"▁w{index}" for index in range(9))]
    (tmp_path / "opus.vocab.yml").write_text("".join(f"{token}: {index}\n" for index, token in enumerate(tokens)))
    (tmp_path / "decoder.yml").write_text("models:\n  - opus.npz\nbeam-size: 6\n")
    bundle: Any = model.load(path)
    assert bundle.config.n_encoder_heads == 4 and bundle.report is not None and not bundle.report.guesses
    assert not bundle.report.ignored  # the settings stored among the arrays are read
    assert bundle.target_tokenizer.describe([2, 3, 0]).pieces == ('a"b', "it's", "</s>")


def test_a_marian_of_one_head_opens(tmp_path: Path) -> None:
    reference = golden.read("marian-post")
    import torch

    text = json.dumps({"transformer-heads": 1, "transformer-ffn-activation": "relu"}).encode() + b"\0"
    reference.tensors["special:model.yml"] = torch.frombuffer(bytearray(text), dtype=torch.int8)
    assert model.load(reference.write(tmp_path)).config.n_encoder_heads == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"transformer-heads": 5}, r"transformer-heads \(5\) must divide the width, 24"),
        ({"transformer-decoder-autoreg": "rnn"}, "transformer-decoder-autoreg 'rnn', but only 'self-attention'"),
        ({"transformer-ffn-depth": 3}, "transformer-ffn-depth 3, but only 2 is supported"),
    ],
)
def test_a_marian_variant_is_refused_by_its_name(changes: dict[str, object], message: str, tmp_path: Path) -> None:
    reference = golden.read("marian-post")
    import torch

    text = json.dumps({"transformer-heads": 4, "transformer-ffn-activation": "relu"} | changes).encode() + b"\0"
    reference.tensors["special:model.yml"] = torch.frombuffer(bytearray(text), dtype=torch.int8)
    with pytest.raises(CheckpointError, match=message):
        model.load(reference.write(tmp_path))


@pytest.mark.parametrize(
    ("name", "message"), [("decoder_l1_rnn_Wf", r"a recurrent unit \(SSRU\)"), ("decoder_l2_aan_W1", r"\(AAN\)")]
)
def test_a_marian_decoder_of_another_kind_is_refused_by_its_name(name: str, message: str, tmp_path: Path) -> None:
    reference = golden.read("marian-post")
    for key in [key for key in reference.tensors if key.startswith("decoder_l") and "_self_" in key]:
        del reference.tensors[key]
    reference.tensors[name] = reference.tensors["encoder_l1_self_Wq"]
    with pytest.raises(CheckpointError, match=rf"{message} in place of .*{name}.* attention as a file"):
        model.load(reference.write(tmp_path))


def test_an_npz_of_objects_or_of_false_shapes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, a=np.array([{"run": "this"}], dtype=object))
    with pytest.raises(UnsafeFileError, match="holds Python objects, and reading them could run code"):
        model.load(path)
    for header in ("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 99999), }",
                   "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
                   "{'descr': '<U8', 'fortran_order': False, 'shape': (1,), }", "__import__('os')",
                   "((((("):  # fmt: skip
        raw = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"\0" * 16
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.npy", raw)
        with pytest.raises(CheckpointError):
            model.load(path)
    np.savez(path, a=np.ones(2, np.complex64))
    with pytest.raises(UnsafeFileError, match="is of type <c8: save it as float32"):
        model.load(path)


def test_heads_are_replaced_by_their_means_although_padding_is_beyond_the_vocabulary(tmp_path: Path) -> None:
    bundle = model.load(write(tmp_path, read("marian")))
    assert bundle.config.target_pad_id == bundle.config.target_vocab_size
    pairs = [Pair("#3 #4 #5", "#3 #4"), Pair("#3 #4", "#3 #4 #5 #6")]
    removal = remove_each(bundle, pairs, mode="mean")
    alone = [remove_each(bundle, [pair]).before for pair in pairs]
    assert np.isfinite(removal.changes).all() and removal.before == pytest.approx(np.mean(alone), abs=1e-5)
