"""Versions, settings and descendants of the families that are not covered by golden files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import save_file
from torch import Tensor, nn

import model
from model.checkpoints.basis.errors import CheckpointError
from tests.checkpoints import golden
from tests.checkpoints.test_families import assert_equal_to_original
from tests.checkpoints.test_torch_module import PAD, Positions, build


def joeynmt(folder: Path, name: str, **changes: Any) -> tuple[golden.Golden, model.Bundle]:
    """A run whose settings lack ``layer_norm``, as another version writes them."""
    reference = golden.read(name)
    reference.write(folder)
    described = yaml.safe_load((folder / "config.yaml").read_text())
    for side in ("encoder", "decoder"):
        described["model"][side].pop("layer_norm", None)
    (folder / "config.yaml").write_text(yaml.safe_dump(described | changes))
    return reference, model.load(folder)


def test_joeynmt_1_is_pre_norm_by_default(tmp_path: Path) -> None:
    stored, bundle = joeynmt(tmp_path, "joeynmt-pre", data={"src": "de", "trg": "en", "level": "bpe"})
    assert_equal_to_original(bundle, stored)
    assert (bundle.source_language, bundle.target_language) == ("de", "en")


@pytest.mark.nightly("2.0.0", "2.1")
@pytest.mark.parametrize(("name", "version"), [
    ("joeynmt-post", "2.0.0"), ("joeynmt-post", "2.1"), ("joeynmt-post", "2.2.1"), ("joeynmt-unsaid", "2.3.0"),
    ("joeynmt-unsaid", "2.10"),
])  # fmt: skip
def test_the_norms_of_joeynmt_2_follow_from_its_version(name: str, version: str, tmp_path: Path) -> None:
    """Post-norm before 2.3, then with a pre-norm encoder."""
    reference, bundle = joeynmt(tmp_path, name, joeynmt_version=version)
    assert_equal_to_original(bundle, reference)


def test_opennmt_begins_with_the_token_that_its_file_names(tmp_path: Path) -> None:
    path = golden.read("opennmt-plain").write(tmp_path)
    loaded = torch.load(path, weights_only=False)
    torch.save(loaded | {"vocab": loaded["vocab"] | {"decoder_start_token": "</s>"}}, path)
    bundle = model.load(path)
    assert (bundle.config.bos_id, bundle.config.eos_id) == (3, 3)
    assert model.load(path, bos_id=2).config.bos_id == 2


@pytest.mark.parametrize(
    ("setting", "value"),
    [("transformer-postprocess", "dna"), ("transformer-postprocess", "dn"), ("transformer-preprocess", "r"),
     ("transformer-disable-position-embeddings", "true"), ("transformer-attention-mask", "alibi")],
)  # fmt: skip
def test_a_variant_of_marian_that_its_settings_tell_is_refused(setting: str, value: str, tmp_path: Path) -> None:
    reference = golden.read("marian-post")
    with pytest.raises(CheckpointError, match=f"was trained with {setting} .*not supported|only .* is supported"):
        model.load(with_setting(reference, setting, value).write(tmp_path))


def with_setting(stored: golden.Golden, name: str, value: str) -> golden.Golden:
    text = bytes(stored.tensors["special:model.yml"].flatten().view(torch.uint8).tolist()).split(b"\0")[0].decode()
    lines = [line for line in text.splitlines() if not line.startswith(f"{name}:")]
    text = "\n".join((*lines, f"{name}: {value}")) + "\n"
    stored.tensors["special:model.yml"] = torch.tensor([*text.encode(), 0], dtype=torch.uint8).view(torch.int8)
    return stored


def test_marian_without_a_bias_on_its_output_opens(tmp_path: Path) -> None:
    reference = golden.read("marian-post")
    bias = reference.tensors.pop("decoder_ff_logit_out_b").numpy().reshape(-1)
    bundle = model.load(reference.write(tmp_path))
    logits: Any = model.attend(bundle, reference.source, reference.target).logits
    np.testing.assert_allclose(logits, reference.logits - bias, rtol=0, atol=1e-5)


def test_learned_positions_of_fairseq_may_differ_in_number(tmp_path: Path) -> None:
    reference = golden.read("fairseq-learned")
    name = "decoder.embed_positions.weight"
    reference.tensors[name] = reference.tensors[name][:12]
    bundle = model.load(reference.write(tmp_path))
    assert bundle.config.max_positions == 12
    assert_equal_to_original(bundle, reference)
    del reference.tensors[name]
    with pytest.raises(CheckpointError, match="learned positions in only one stack"):
        model.load(reference.write(tmp_path))


def test_an_xtransformer_whose_norms_have_no_weights_is_refused(tmp_path: Path) -> None:
    reference = golden.read("xtransformers-plain")
    for name in [name for name in reference.tensors if name.endswith(".gamma")]:
        del reference.tensors[name]
    with pytest.raises(CheckpointError, match=r"norms of weights.pt have no weights \(use_simple_rmsnorm\)"):
        model.load(reference.write(tmp_path))


ANNOTATED = {
    "core.encoder.norm.": "encoder.norm.", "core.decoder.norm.": "decoder.norm.",
    "self_attn.out_proj": "self_attn.linears.3",
    "multihead_attn.out_proj": "src_attn.linears.3", "linear1": "feed_forward.w_1", "linear2": "feed_forward.w_2",
    "source.weight": "src_embed.0.lut.weight", "target.weight": "tgt_embed.0.lut.weight", "output.": "generator.proj.",
    "core.": "", "multihead_attn": "src_attn",
}  # fmt: skip


def as_annotated(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """A pre-norm torch.nn.Transformer with the names of the Annotated Transformer."""
    collected = {}
    for name, tensor in state.items():
        for number in "123":
            name = name.replace(f".norm{number}.", f".sublayer.{int(number) - 1}.norm.")
        for ours, stored in ANNOTATED.items():
            name = name.replace(ours, stored)
        if "in_proj_" not in name:
            collected[name] = tensor
            continue
        for index, part in enumerate(tensor.chunk(3)):
            collected[name.replace("in_proj_", f"linears.{index}.")] = part
    return collected


@pytest.mark.nightly
@torch.inference_mode()
def test_the_annotated_transformer_with_layernorms_of_torch_is_read_as_they_compute(tmp_path: Path) -> None:
    names = {"core": "core", "source": "source", "target": "target", "output": "output"}
    network, source, target = build(names, norm_first=True)
    torch.save(as_annotated(network.state_dict()), tmp_path / "w.pt")
    bundle = model.load(tmp_path / "w.pt", n_heads=2, source_pad_id=PAD, target_pad_id=PAD)
    assert bundle.family == "annotated"
    real = target != PAD
    ours: Any = model.attend(bundle, source.numpy(), target.numpy()).logits
    expected = network(source, target).log_softmax(-1)[real].numpy()
    np.testing.assert_allclose(ours[real.numpy()], expected, rtol=0, atol=1e-5)


STACKS = {
    "two modules": {"core.encoder": "encoder.transformer_encoder", "core.decoder": "decoder.transformer_decoder",
                    "source": "encoder.embedding", "target": "decoder.embedding", "output": "decoder.fc_out"},
    "lists of layers": {"core.encoder.layers": "encoder_layers", "core.decoder.layers": "decoder_layers",
                        "core.encoder.norm": "encoder_norm", "core.decoder.norm": "decoder_norm", "source": "emb1",
                        "target": "emb2", "output": "fc"},
    "lists in modules": {"core.encoder.layers": "enc.blocks", "core.decoder.layers": "dec.blocks",
                         "core.encoder.norm": "enc.ln_f", "core.decoder.norm": "dec.ln_f", "source": "enc.tok",
                         "target": "dec.tok", "output": "dec.head"},
    "the target first": {"core": "core", "target": "a", "source": "b", "output": "c"},
}  # fmt: skip


@pytest.mark.nightly("two modules", "lists of layers")
@pytest.mark.parametrize("names", STACKS)
@torch.inference_mode()
def test_stacks_of_torch_are_found_in_separate_modules(names: str, tmp_path: Path) -> None:
    network, source, target = build({"core": "core", "source": "source", "target": "target", "output": "output"})
    state = {}
    for name, tensor in network.state_dict().items():
        prefix = max((prefix for prefix in STACKS[names] if name.startswith(f"{prefix}.")), key=len)
        state[STACKS[names][prefix] + name.removeprefix(prefix)] = tensor
    torch.save(dict(sorted(state.items())), tmp_path / "w.pth")
    hints: dict[str, Any] = {"norm_first": False, "n_heads": 2, "embedding_scale": 4.0}
    bundle = model.load(tmp_path / "w.pth", source_pad_id=PAD, target_pad_id=PAD, **hints)
    assert bundle.family == "torch"
    real = target != PAD
    ours: Any = model.attend(bundle, source.numpy(), target.numpy()).logits
    np.testing.assert_allclose(ours[real.numpy()], network(source, target)[real].numpy(), rtol=0, atol=1e-5)


def questions_of(path: Path) -> dict[str, Any]:
    report: Any = model.load(path).report
    return {question.hint: question for question in report.questions}


@pytest.mark.nightly
def test_positions_that_are_not_in_the_file_are_a_question(tmp_path: Path) -> None:
    network, _, _ = build("bare")
    torch.save(network.state_dict(), tmp_path / "w.pth")
    question = questions_of(tmp_path / "w.pth")["positions"]
    assert question.value == "interleaved" and "none" in question.choices and not question.is_answered
    assert model.load(tmp_path / "w.pth", positions="none").config.positions == "none"
    network.add_module("pe", Positions(16, "table", batch_first=True))
    torch.save(network.state_dict(), tmp_path / "w.pth")
    assert "positions" not in questions_of(tmp_path / "w.pth")


@pytest.mark.nightly
def test_learned_positions_of_torch_may_differ_in_number(tmp_path: Path) -> None:
    network, _, _ = build("bare")
    network.add_module("decoder_pos_encoding", nn.Embedding(20, 16))
    network.add_module("encoder_pos_encoding", nn.Embedding(30, 16))
    torch.save(network.state_dict(), tmp_path / "w.pth")
    bundle: Any = model.load(tmp_path / "w.pth", n_heads=2)
    state = network.state_dict()
    assert bundle.config.positions == "learned" and bundle.config.max_positions == 20
    assert torch.equal(bundle.model.encoder.positions.table, state["encoder_pos_encoding.weight"][:20])
    assert torch.equal(bundle.model.decoder.positions.table, state["decoder_pos_encoding.weight"])
    assert bundle.report.ignored == ()
    assert questions_of(tmp_path / "w.pth")["embedding_scale"].value == 1.0


FORMATS = {
    "w.h5": (b"\x89HDF\r\n\x1a\n", "an HDF5 file, as Keras writes it.*table of names"),
    "w.onnx": (b"\x08\x07\x12", "an ONNX graph"),
    "model.ckpt-9.data-00000-of-00001": (b"\0" * 20, "part of a TensorFlow checkpoint"),
    "checkpoint.msgpack": (b"\x84\xa6", "a Flax checkpoint"),
    "model.safetensors": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n",
        "a pointer of Git LFS",
    ),
    "model.pt": (
        b"<!DOCTYPE html><html><title>Sign in</title></html>",
        "a web page, which cannot be read: it was saved",
    ),
    "w.tar.gz": (b"\x1f\x8b\x08", "a gzip archive, which cannot be read: unpack it"),
    "model.bin": ((1).to_bytes(8, "little") + b"\x40" * 80, "Marian's own binary form.*marian-conv"),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("is_folder", [False, True])
def test_a_form_that_is_not_read_is_named_with_the_way_out(name: str, is_folder: bool, tmp_path: Path) -> None:
    content, message = FORMATS[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CheckpointError, match=message):
        model.load(tmp_path if is_folder else tmp_path / name)


@pytest.mark.parametrize(("name", "usual"), [("fairseq-post", "checkpoint_best.pt"), ("marian-post", "model.npz")])
def test_of_several_weights_the_toolkits_best_is_read(name: str, usual: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    path = reference.write(tmp_path)
    (tmp_path / f"a-last-{path.name}").write_bytes(path.read_bytes())
    path.rename(tmp_path / usual)
    report = model.load(tmp_path).report
    assert report is not None and report.files[0].name == usual


def test_numbered_parts_are_one_set_of_weights(tmp_path: Path) -> None:
    reference = golden.read("annotated-plain")
    names = sorted(reference.tensors)
    paths = [tmp_path / f"model-{number:05}-of-00002.safetensors" for number in (1, 2)]
    for path, chosen in zip(paths, (names[:20], names[20:]), strict=True):
        save_file({name: reference.tensors[name] for name in chosen}, path)
    bundle = model.load(tmp_path, **reference.hints)
    assert_equal_to_original(bundle, reference)
    assert bundle.report is not None and {file.key for file in bundle.report.files} == {"weights"}
    paths[1].unlink()
    with pytest.raises(CheckpointError, match=r"holds 1 of the 2 parts of model\.safetensors: add the others"):
        model.load(tmp_path)
