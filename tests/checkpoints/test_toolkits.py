"""What toolkits keep around their tensors: settings, dictionaries, names of older versions, variants refused."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
import torch

import model
from model.checkpoints.errors import CheckpointError
from model.checkpoints.settings import plain
from tests.checkpoints import golden
from tests.checkpoints.test_families import assert_equal_to_original


def write_fairseq(folder: Path, tensors: dict[str, torch.Tensor], settings: object) -> Path:
    path = folder / "checkpoint_last.pt"
    torch.save({"args": settings, "model": tensors}, path)
    return path


def test_fairseq_dictionaries_find_their_side_by_length_and_language(tmp_path: Path) -> None:
    held = golden.read("fairseq-post")
    held.write(tmp_path)
    for language, size in (("en", 13), ("xx", 11)):
        lines = [f"{language}{index} {90 - index}" for index in range(size - 4)]
        (tmp_path / f"dict.{language}.txt").write_text("\n".join(lines) + "\n")
    bundle = model.load(tmp_path)
    assert bundle.source_tokenizer is not None and bundle.target_tokenizer is not None
    assert bundle.source_tokenizer.encode("en0 en8").ids == (4, 12)
    assert bundle.target_tokenizer.describe([2, 4]).pieces == ("</s>", "xx0")
    assert bundle.config.bos_id == bundle.config.eos_id == 2
    assert bundle.report is not None and not bundle.report.questions


def test_fairseq_dictionaries_of_one_length_need_the_languages(tmp_path: Path) -> None:
    held = golden.read("fairseq-learned")
    for language in ("fr", "en"):
        (tmp_path / f"dict.{language}.txt").write_text("\n".join(f"{language}{index} 1" for index in range(9)) + "\n")
    held.write(tmp_path)
    bundle = model.load(tmp_path)
    assert bundle.source_language == "en" and bundle.source_tokenizer is not None
    assert bundle.source_tokenizer.encode("en1").ids == (5,)
    assert bundle.target_tokenizer is None


def test_names_of_older_fairseq_versions_are_read(tmp_path: Path) -> None:
    held = golden.read("fairseq-post")
    old: dict[str, torch.Tensor] = {}
    for name, tensor in held.tensors.items():
        if ".q_proj." in name:
            parts = [held.tensors[name.replace("q_proj", f"{letter}_proj")] for letter in "qkv"]
            old[name.replace("q_proj.", "in_proj_")] = torch.cat(parts)
        elif ".k_proj." not in name and ".v_proj." not in name:
            norms = {"self_attn_layer_norm": "layer_norms.0", "encoder_attn_layer_norm": "layer_norms.1",
                     "final_layer_norm": f"layer_norms.{1 + name.startswith('decoder')}"}  # fmt: skip
            part = name.split(".")[3] if name.count(".") > 3 else ""
            old[name.replace(part, norms.get(part, part)) if part else name] = tensor
    old["decoder.embed_out"] = old.pop("decoder.output_projection.weight")
    old["encoder.embed_positions._float_tensor"] = torch.zeros(1)
    assert_equal_to_original(model.load(write_fairseq(tmp_path, old, Namespace(**held.settings))), held)


def test_a_fairseq_state_dict_alone_is_asked_what_it_does_not_tell(tmp_path: Path) -> None:
    held = golden.read("fairseq-post")
    torch.save(held.tensors, tmp_path / "model.pt")
    report = model.load(tmp_path / "model.pt").report
    assert report is not None
    assert {question.hint for question in report.questions} == {
        "n_heads", "norm_first", "activation", "embedding_scale"
    }  # fmt: skip
    assert_equal_to_original(model.load(tmp_path / "model.pt", n_encoder_heads=2, n_decoder_heads=4), held)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cross_self_attention": True}, "cross_self_attention, which is not supported"),
        ({"decoder_attention_heads": 5}, r"attention_heads \(5\) in the settings must divide the width, 16"),
        ({"encoder_attention_heads": "2"}, "encoder_attention_heads in the settings is '2', not a whole number"),
        ({"encoder_normalize_before": 3}, "encoder_normalize_before in the settings is 3, not True or False"),
        ({"activation_fn": "tanh"}, "the activation 'tanh' .* must be one of relu"),
    ],
)
def test_a_fairseq_variant_is_refused_by_its_name(changes: dict[str, object], message: str, tmp_path: Path) -> None:
    held = golden.read("fairseq-post")
    path = write_fairseq(tmp_path, held.tensors, Namespace(**held.settings | changes))
    with pytest.raises(CheckpointError, match=message):
        model.load(path)


def test_settings_that_contain_themselves_come_to_an_end() -> None:
    around: dict[str, object] = {}
    around["again"] = around
    assert "again" in plain(around)
    wide: list[object] = []
    wide += [wide] * 10
    with pytest.raises(CheckpointError, match="hold more than 200,000 values"):
        plain(wide)
