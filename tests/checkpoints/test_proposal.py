"""A mapping proposed from names and shapes: for known families it agrees with their own tables."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.checkpoints.answers.kinds import suspect
from model.checkpoints.answers.mapping import NAMES, hidden_fields, line_of_choice, parse_mapping, to_toml
from model.checkpoints.answers.placing import rename_tensors
from model.checkpoints.answers.proposal import propose
from model.checkpoints.basis.conversion import Answers
from model.checkpoints.basis.hints import Hints
from tests.checkpoints import golden
from tests.checkpoints.test_families import assert_equal_to_original
from tests.checkpoints.test_mapping import own_code
from tests.tiny import tiny_model

KNOWN = [name for name in golden.names() if not name.startswith(("marian", "xtransformers", "hkproj-early"))]


def shapes(tensors: dict[str, torch.Tensor]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in tensors.items()}


@pytest.mark.nightly(*(name for before, name in pairwise(KNOWN) if before.split("-")[0] == name.split("-")[0]))
@pytest.mark.parametrize("name", KNOWN)
def test_a_proposal_puts_every_tensor_where_its_family_puts_it(name: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    text = to_toml(propose(shapes(reference.tensors)))
    result = rename_tensors(parse_mapping(tomllib.loads(text)), reference.tensors, name)
    state = model.load(reference.write(tmp_path), **reference.hints).model.state_dict()
    # jadore has this norm on the embeddings
    unknowable = "final_norm" if name.startswith("jadore") else "positions.table"
    placed = {key: tensor for key, tensor in result.items() if unknowable not in key and "positions.table" not in key}
    assert len(placed) >= len(reference.tensors) - 8
    for key, tensor in placed.items():
        assert torch.equal(tensor.reshape(state[key].shape), state[key]), key


@pytest.mark.nightly("annotated-plain")
@pytest.mark.parametrize("name", ["annotated-plain", "hkproj-plain"])
def test_a_shared_mapping_opens_the_file_without_a_question(name: str, tmp_path: Path) -> None:
    reference = golden.read(name)
    path = reference.write(tmp_path)
    config = model.load(path, **reference.hints).config
    (tmp_path / "mine.toml").write_text(to_toml(propose(shapes(reference.tensors)), hidden_fields(config)))
    bundle = model.load(path, mapping=tmp_path / "mine.toml")
    assert bundle.report is not None and not bundle.report.questions
    attended = model.attend(bundle, reference.source, reference.target)
    assert attended.cross is not None and abs(attended.cross - reference.cross).max() < 1e-5


def test_fused_and_transposed_matrices_are_proposed(tmp_path: Path) -> None:
    stored, path, _ = own_code(tmp_path)
    tensors = torch.load(path)
    lines = {line.pattern: line for line in propose(shapes(tensors))}
    fused = lines["decoder.{i}.cross.qkv"]
    assert fused.count == 2 and fused.ours == tuple(
        f"decoder.layers.{{i}}.cross_attention.{role}.weight" for role in ("query", "key", "value")
    )
    corrected = [
        line_of_choice(line, " + ".join(line.ours), is_transposed=name.endswith(".wo")) for name, line in lines.items()
    ]
    config = model.load(stored.write(tmp_path), **stored.hints).config
    (tmp_path / "mine.toml").write_text(to_toml(corrected, hidden_fields(config)))
    assert_equal_to_original(model.load(path, mapping=tmp_path / "mine.toml"), stored)


def test_weights_stored_as_in_and_out_are_proposed_so() -> None:
    reference = golden.read("hkproj-plain")
    turned = {name: tensor.t() if "layers" in name and tensor.dim() == 2 else tensor
              for name, tensor in reference.tensors.items()}  # fmt: skip
    assert all(line.is_transposed for line in propose(shapes(turned)) if "{i}" in line.pattern and len(line.shape) == 2)
    assert not any(line.is_transposed for line in propose(shapes(reference.tensors)))


@pytest.mark.nightly
def test_nothing_is_proposed_twice_and_nothing_unknown() -> None:
    for name in golden.names():
        ours = [our for line in propose(shapes(golden.read(name).tensors)) for our in line.ours]
        assert len(ours) == len(set(ours)), name
        assert set(ours) <= set(NAMES), name


@pytest.mark.parametrize(
    "value", [{}, {"a": ()}, {"l.0": (3,)}, {f"x.{i}.{j}": (2, 2) for i in range(3) for j in range(9)}]
)
def test_any_names_are_read(value: dict[str, tuple[int, ...]]) -> None:
    lines = propose(value)
    assert sum(line.count for line in lines) == len(value)


def test_names_with_signs_of_patterns_are_ignored_by_name() -> None:
    tensors = {"odd*[name]?": torch.zeros(()), "src.weight": torch.zeros(9, 4)}
    odd, table = propose(shapes(tensors))
    text = to_toml([odd, line_of_choice(table, "encoder.embedding.weight", is_transposed=False)])
    assert list(rename_tensors(parse_mapping(tomllib.loads(text)), tensors, "x")) == ["encoder.embedding.weight"]


@pytest.mark.parametrize(
    ("name", "toolkit"),
    [
        ("decoder.block.0.layer.1.EncDecAttention.q.weight", "T5 (Hugging Face)"),
        ("model.encoder.layers.0.self_attn.k_proj.weight", "Hugging Face"),
        ("transformer.h.0.attn.c_attn.weight", "GPT-2, nanoGPT"),
        ("_fsdp_wrapped_module.encoder._flat_param", "PyTorch FSDP"),
        ("encoder.rnn.weight_ih_l0", "LSTM, GRU"),
        ("transformer/body/encoder/layer_0/self_attention/q/kernel", "tensor2tensor, TensorFlow"),
        ("decoder.layers.0.first_sub_layer.query_net.weight", "NeMo"),
    ],
)
def test_the_toolkit_is_suspected_by_a_name(name: str, toolkit: str) -> None:
    result = suspect([name, "something.else"])
    assert result is not None and result.toolkit == toolkit


def test_names_of_nobody_are_suspected_of_nothing() -> None:
    assert suspect(["my.layer.weight"]) is None


def test_attention_with_names_of_a_feed_forward_is_recognised() -> None:
    """Sockeye's names."""
    layer = {
        "self_attention.ff_in": (48, 16),
        "self_attention.ff_out": (16, 16),
        "ff.ff1": (24, 16),
        "ff.ff2": (16, 24),
    }
    cross = {"autoregr_layer.ff_in": (48, 16), "autoregr_layer.ff_out": (16, 16), "enc_attention.ff_q": (16, 16),
             "enc_attention.ff_kv": (32, 16), "enc_attention.ff_out": (16, 16), "ff.ff1": (24, 16),
             "ff.ff2": (16, 24)}  # fmt: skip
    names = {f"{side}.layers.{index}.{name}.weight": shape for side, stored in (("encoder", layer), ("decoder", cross))
             for index in range(2) for name, shape in stored.items()}  # fmt: skip
    lines = {line.pattern.partition("{i}.")[2]: line.ours for line in propose(names) if line.pattern.startswith("dec")}
    start = "decoder.layers.{i}."
    assert lines["autoregr_layer.ff_in.weight"] == tuple(
        f"{start}self_attention.{role}.weight" for role in ("query", "key", "value")
    )
    assert lines["enc_attention.ff_kv.weight"] == tuple(
        f"{start}cross_attention.{role}.weight" for role in ("key", "value")
    )
    assert lines["ff.ff1.weight"] == (f"{start}feed_forward.fc1.weight",)


def test_three_matrices_in_a_list_named_for_all_three_are_not_fused() -> None:
    names = {f"{side}.layers.{index}.mha.qkv_nets.{number}.weight": (16, 16) for side in ("encoder", "decoder")
             for index in range(2) for number in range(3)}  # fmt: skip
    names |= {
        f"{side}.layers.{index}.mha.out.weight": (16, 16) for side in ("encoder", "decoder") for index in range(2)
    }
    by_name = {line.pattern: line.ours for line in propose(names) if line.pattern.startswith("enc")}
    start = "encoder.layers.{i}."
    assert by_name == {
        **{f"{start}mha.qkv_nets.{number}.weight": (f"{start}self_attention.{role}.weight",)
           for number, role in enumerate(("query", "key", "value"))},
        f"{start}mha.out.weight": (f"{start}self_attention.output.weight",),
    }  # fmt: skip


def test_heads_that_are_modules_as_wide_as_the_model_are_one_matrix_below_each_other() -> None:
    names = {f"encoder.layers.{layer}.attn.heads.{head}.{role}.weight": (16, 16) for layer in range(2)
             for head in range(4) for role in ("query", "key", "value")}  # fmt: skip
    by_name = {line.pattern: line.shape for line in propose(names)}
    assert by_name == {f"encoder.layers.{{i}}.attn.heads.{{h}}.{role}.weight": (64, 16)
                     for role in ("query", "key", "value")}  # fmt: skip


def as_keras(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Weights as Keras's MultiHeadAttention and Dense store them: by heads, (in, out), their names in slashes."""
    stored = {}
    for name, tensor in tensors.items():
        tensor = tensor.t() if tensor.dim() == 2 and "embed" not in name else tensor
        if re.search(r"attention_block\.w_[qkv]", name):
            tensor = tensor.unflatten(1, (4, -1))
        elif "attention_block.w_o" in name:
            tensor = tensor.unflatten(0, (4, -1))
        stored[name.replace("w_o", "attention_output").replace(".", "/")] = tensor.contiguous()
    return dict(sorted(stored.items()))


def test_weights_that_keras_stored_by_heads_are_proposed_and_open(tmp_path: Path) -> None:
    reference = golden.read("hkproj-plain")
    expected = as_keras(reference.tensors)
    arrays: dict[str, Any] = {name: tensor.numpy() for name, tensor in expected.items()}
    np.savez(tmp_path / "weights.npz", **arrays)
    config = model.load(reference.write(tmp_path), **reference.hints).config
    (tmp_path / "mine.toml").write_text(to_toml(propose(shapes(expected)), hidden_fields(config)))
    assert_equal_to_original(model.load(tmp_path / "weights.npz", mapping=tmp_path / "mine.toml"), reference)
    stored = (("kernel", (16, 4, 4)), ("bias", (4, 4)))
    bias = {f"{side}/{index}/mha/{role}/{part}": shape for side in ("encoder", "decoder") for index in range(2)
            for role in ("query", "key", "value") for part, shape in stored}  # fmt: skip
    lines = {line.pattern: line.ours for line in propose(bias)}
    assert lines["encoder/{i}/mha/key/bias"] == ("encoder.layers.{i}.self_attention.key.bias",)


@pytest.mark.parametrize(
    ("fc1", "gate", "fc2", "order"), [("w1", "w3", "w2", "w1 w3 w2"), ("gate_proj", "up", "down", "up gate_proj down")]
)
def test_a_gated_feed_forward_with_root_mean_square_norms_is_proposed_and_opens(
    fc1: str, gate: str, fc2: str, order: str, tmp_path: Path
) -> None:
    network = tiny_model(
        norm_kind="rms", gated_feed_forward=True, activation="silu", attention_bias=False, feed_forward_bias=False
    )
    state, words = network.state_dict(), {"fc1": fc1, "gate": gate, "fc2": fc2}
    named = {re.sub(r"\b(fc1|gate|fc2)\b", lambda result: words[result[0]], name): tensor
             for name, tensor in state.items() if "positions" not in name}  # fmt: skip
    places = order.split()
    expected = dict(sorted(named.items(), key=lambda item: [word in item[0].split(".") for word in reversed(places)]))
    torch.save(expected, tmp_path / "w.pt")
    (tmp_path / "mine.toml").write_text(to_toml(propose(shapes(expected))))
    bundle: Any = model.load(tmp_path / "w.pt", mapping=tmp_path / "mine.toml", n_heads=2, activation="silu")
    assert {question.hint: question.value for question in bundle.report.questions}["norm_kind"] == "rms"
    opened = bundle.model.state_dict()
    assert bundle.config.gated_feed_forward and all(torch.equal(opened[name], state[name]) for name in opened)


@pytest.mark.parametrize(("hints", "is_answered"), [
    (Hints(), False), (Hints(n_encoder_heads=4), False), (Hints(n_decoder_heads=4), False), (Hints(n_heads=4), True),
    (Hints(n_encoder_heads=4, n_decoder_heads=2), True),
])  # fmt: skip
def test_heads_are_a_question_until_both_stacks_are_answered(hints: Hints, is_answered: bool) -> None:
    answers = Answers(hints)
    answers.heads(32)
    assert [question.is_answered for question in answers.questions] == [is_answered]
