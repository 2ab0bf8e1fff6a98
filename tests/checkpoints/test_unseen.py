"""What a file cannot show: named in the report, or asked, and read as its answer says."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save

import model
from model.checkpoints.answers.variants import with_answer
from model.checkpoints.basis.errors import CheckpointError, UnrecognisedError
from model.checkpoints.basis.report import Report
from model.checkpoints.formats.source import read_source
from tests.checkpoints import golden
from tests.checkpoints.architectures import ARCHITECTURES
from tests.checkpoints.architectures import save as save_network
from tests.checkpoints.test_families import assert_equal_to_original


def report_of(path: Path, **hints: Any) -> Report:
    report = model.load(path, **hints).report
    assert report is not None
    return report


def questions_of(path: Path, **hints: Any) -> dict[str, Any]:
    return {question.hint: question.value for question in report_of(path, **hints).questions}


@pytest.mark.nightly
def test_switches_of_x_transformers_that_leave_no_trace_are_named(tmp_path: Path) -> None:
    named = report_of(golden.read("xtransformers-plain").write(tmp_path)).assumed
    assert {"attn_qk_norm=False", "ff_relu_squared=False", "residual_attn=False", "alibi_pos_bias=False"} <= {*named}


def test_missing_settings_beside_the_tensors_are_named(tmp_path: Path) -> None:
    for name, unseen in (("fairseq-post", "no_token_positional_embeddings=False"), ("opennmt-plain", "norm_eps=1e-06"),
                         ("joeynmt-pre", "initializer=xavier_uniform")):  # fmt: skip
        folder = tmp_path / name
        folder.mkdir()
        reference = golden.read(name)
        assert report_of(reference.write(folder)).assumed == ()
        bare = tmp_path / f"{name}.pt"
        torch.save({key: tensor for key, tensor in reference.tensors.items() if "embed_positions" not in key}, bare)
        assert unseen in report_of(bare).assumed


def test_a_fairseq_file_with_a_trace_of_its_positions_needs_no_such_line(tmp_path: Path) -> None:
    reference = golden.read("fairseq-post")
    torch.save(reference.tensors | {"encoder.embed_positions._float_tensor": torch.zeros(1)}, tmp_path / "w.pt")
    assert report_of(tmp_path / "w.pt").assumed == ()


def test_a_mapping_lists_its_undetermined_fields(tmp_path: Path) -> None:
    bundle = model.load("tiny")
    torch.save(bundle.model.state_dict(), tmp_path / "w.pt")
    lines = [f'"{name}" = "{name}"' for name in bundle.model.state_dict() if name not in (
        "decoder.embedding.weight", "output.weight")]  # fmt: skip
    mapping = tmp_path / "mapping.toml"
    text = 'ignored = ["decoder.embedding.weight", "output.weight"]\n[tensors]\n' + "\n".join(lines)
    mapping.write_text(text)
    assert "norm_epsilon=1e-05" in report_of(tmp_path / "w.pt", mapping=mapping).assumed
    mapping.write_text(f"{text}\n[config]\nnorm_epsilon = 1e-6\n")
    assumed = report_of(tmp_path / "w.pt", mapping=mapping).assumed
    assert assumed and not any(line.startswith("norm_epsilon") for line in assumed)


def test_code_that_changed_under_the_same_names_is_a_question_and_the_older_is_refused(tmp_path: Path) -> None:
    reference = golden.read("hyunwoongko-plain")
    path = reference.write(tmp_path)
    report = report_of(path, **reference.hints)
    assert "older_code" in report.guesses
    assert "older_code" not in report_of(path, **reference.hints, older_code=False).guesses
    with pytest.raises(UnrecognisedError, match=r"before 67ccbb0 \(2022-12-08\) .* save the attention from that code"):
        model.load(path, older_code=True)


@pytest.mark.nightly
def test_older_settings_of_jadore_do_not_tell_older_code_apart(tmp_path: Path) -> None:
    reference = golden.read("jadore-projection")
    assert "older_code" not in questions_of(reference.write(tmp_path))
    del reference.settings["scale_emb_or_prj"]
    path = reference.write(tmp_path)
    assert questions_of(path)["older_code"] is False and "older_code" in report_of(path).guesses
    assert_equal_to_original(model.load(path), reference)  # the projection was scaled before there was the switch


@pytest.mark.nightly(but=("opt", "llama"))
@pytest.mark.parametrize("name", ["opt", "llama", "qwen2", "gemma", "gemma2", "gpt_neox", "gptj", "codegen", "bloom",
                                  "falcon", "mpt", "phi", "phi3", "gpt_neo", "xglm", "biogpt", "starcoder2",
                                  "stablelm", "cohere", "olmo2", "t5gemma", "bert, masked", "modernbert",
                                  "roberta"])  # fmt: skip
def test_the_librarys_weights_without_their_configuration_are_not_taken_for_somebodys_own(
    name: str, tmp_path: Path
) -> None:
    """Where positions begin, by what base they turn, and what is scaled or windowed, their file does not say."""
    network = save_network(ARCHITECTURES[name], tmp_path)
    alone = tmp_path / "alone"
    alone.mkdir()
    state = {f"model.{key}": tensor for key, tensor in network.state_dict().items()}
    torch.save({"state_dict": state, "epoch": 1}, alone / "epoch=1.ckpt")
    with pytest.raises(CheckpointError, match=r"without its config\.json: put the config\.json that was saved"):
        model.load(alone / "epoch=1.ckpt")


def test_jadores_settings_leave_its_tokens_open_alone(tmp_path: Path) -> None:
    assert questions_of(golden.read("jadore-projection").write(tmp_path)).keys() == {"bos_id", "eos_id"}


@pytest.mark.nightly("emb")
@pytest.mark.parametrize(("name", "mode"), [("embedding", "emb"), ("projection", "prj"), ("unscaled", "none")])
def test_how_jadore_scales_a_shared_matrix_is_a_question_where_settings_are_missing(
    name: str, mode: str, tmp_path: Path
) -> None:
    reference = golden.read(f"jadore-{name}")
    torch.save(reference.tensors, tmp_path / "w.pt")
    assert questions_of(tmp_path / "w.pt")["scale_emb_or_prj"] == "prj"
    assert questions_of(tmp_path / "w.pt")["n_heads"] == 3  # five heads would divide the keys alone
    read: Any = model.load(tmp_path / "w.pt", n_heads=3)
    bundle = model.load(tmp_path / "w.pt", n_heads=3, scale_emb_or_prj=mode)
    assert_equal_to_original(bundle, reference)
    assert with_answer(read.model, "scale_emb_or_prj", mode).config == bundle.config


@pytest.mark.nightly
def test_jadores_scale_is_no_question_where_nothing_is_shared(tmp_path: Path) -> None:
    torch.save(golden.read("jadore-separate").tensors, tmp_path / "w.pt")
    assert "scale_emb_or_prj" not in questions_of(tmp_path / "w.pt")


def marian_positions(length: int, width: int) -> np.ndarray:
    """As marian-dev's node_initializers.cpp computes them."""
    half = width // 2
    steps = np.exp(-np.arange(half) * np.log(10000.0) / (half - 1))
    angle = np.arange(length)[:, None] * steps  # (P, D/2)
    return np.concatenate((np.sin(angle), np.cos(angle)), 1)


def test_marians_own_positions_and_epsilon_are_an_answer_and_no_guess(tmp_path: Path) -> None:
    path = golden.read("marian-post").write(tmp_path)
    report = report_of(path)
    assert questions_of(path)["original_positions"] is False and "original_positions" not in report.guesses
    bundle: Any = model.load(path, original_positions=True)
    assert bundle.config.norm_epsilon == 1e-6
    width = bundle.config.d_model
    table = bundle.model.encoder.positions.table[:20].numpy()
    np.testing.assert_allclose(table, marian_positions(20, width), rtol=0, atol=1e-6)


def test_opennmt_without_its_activation_is_of_a_version_that_had_one(tmp_path: Path) -> None:
    reference = golden.read("opennmt-plain")
    path = reference.write(tmp_path)
    loaded = torch.load(path, weights_only=False)
    settings = {name: value for name, value in reference.settings.items() if name != "pos_ffn_activation_fn"}
    torch.save(loaded | {"opt": argparse.Namespace(**settings)}, path)
    assert "activation" not in questions_of(path)


@pytest.mark.nightly
def test_a_torch_module_has_questions_about_the_sources_begin_and_end(tmp_path: Path) -> None:
    from tests.checkpoints.test_torch_module import build

    network, _, _ = build("bare")
    torch.save(network.state_dict(), tmp_path / "w.pth")
    questions = questions_of(tmp_path / "w.pth")
    assert (questions["source_has_bos"], questions["source_has_eos"]) == (False, True)
    assert report_of(tmp_path / "w.pth").assumed == ("layer_norm_eps=1e-05", "batch_first=as the inputs were ordered")
    assert model.load(tmp_path / "w.pth", source_has_bos=True).config.source_has_bos


def test_a_ctranslate2_folder_without_settings_has_a_question_about_the_sources_end(tmp_path: Path) -> None:
    from tests.checkpoints import test_ctranslate2

    test_ctranslate2.write(tmp_path, test_ctranslate2.read("float32"))
    assert report_of(tmp_path).assumed == ()
    (tmp_path / "config.json").unlink()
    assert questions_of(tmp_path)["source_has_eos"] is True
    assert "layer_norm_epsilon=1e-05" in report_of(tmp_path).assumed
    assert not model.load(tmp_path, source_has_eos=False).config.source_has_eos


@pytest.mark.parametrize("ending", ["safetensors", "pt"])
def test_a_safetensors_file_is_known_whatever_the_length_of_its_header(ending: str, tmp_path: Path) -> None:
    """Its first byte is the last of a length: of one file in 32 it is the byte that a pickle begins with."""
    first = set()
    for n_spaces in range(0, 256, 8):
        content = save({"a": torch.ones(2, 3)}, metadata={"note": "x" * n_spaces})
        first.add(content[:1])
        path = tmp_path / f"{n_spaces}.{ending}"
        path.write_bytes(content)
        assert torch.equal(read_source(path).tensors["a"], torch.ones(2, 3))
    assert b"\x80" in first


@pytest.mark.parametrize("has_final_norm", [True, False])
@torch.inference_mode()
def test_without_final_norms_the_rounding_of_logits_grows_only_as_the_logits_do(has_final_norm: bool) -> None:
    config = model.TransformerConfig(
        source_vocab_size=40, target_vocab_size=40, d_model=64, d_feed_forward=256, n_encoder_layers=6,
        n_decoder_layers=6, n_encoder_heads=4, n_decoder_heads=4, encoder_norm_first=True, decoder_norm_first=True,
        encoder_final_norm=has_final_norm, decoder_final_norm=has_final_norm, tie_embeddings=False, tie_output=False,
    )  # fmt: skip
    torch.manual_seed(0)
    network = model.Transformer(config).eval()
    for parameter in network.parameters():
        if parameter.dim() > 1:
            parameter.normal_(std=parameter.shape[1] ** -0.5)
    source, target = torch.tensor([[5, 6, 7, 8, 9, 3]]), torch.tensor([[2, 11, 12, 13]])

    def logits(network: model.Transformer) -> torch.Tensor:
        return network.project(network.decode(target, network.encode(source)).hidden).double()

    rounded, exact = logits(network), logits(network.double())
    assert (exact.abs().max() > 5) is not has_final_norm
    assert (rounded - exact).abs().max() < 2e-6 * exact.abs().max()
