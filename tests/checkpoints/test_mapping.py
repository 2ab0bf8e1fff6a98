"""A user's own mapping opens a checkpoint as its family does, whatever its names, packing and layout."""

from pathlib import Path
from typing import Any

import pytest
import torch

import model
from model.checkpoints.basis.errors import HintError, MappingError, UnrecognisedError
from tests.checkpoints import golden
from tests.checkpoints.test_families import assert_equal_to_original

CONFIG = """
[config]
n_encoder_heads = 4
n_decoder_heads = 4
encoder_norm_first = true
decoder_norm_first = true
norm_kind = "annotated"
norm_epsilon = 1e-6
embedding_scale = 4.0
source_has_bos = true
source_has_eos = true
activation = "relu"
positions = "interleaved"
source_pad_id = 1
target_pad_id = 1
bos_id = 2
eos_id = 3
"""


def own_code(folder: Path) -> tuple[golden.Golden, Path, str]:
    """hkproj's weights as other code might store them: packed, transposed, layers counted from 1, other names."""
    reference = golden.read("hkproj-plain")
    ours: dict[str, torch.Tensor] = {"src": reference.tensors["src_embed.embedding.weight"], "a.pe": torch.zeros(3)}
    lines = {"src": '"encoder.embedding.weight"', "tgt": '"decoder.embedding.weight"', "out": '"output.weight"'}
    ours["tgt"], ours["out"] = (
        reference.tensors["tgt_embed.embedding.weight"],
        reference.tensors["projection_layer.proj.weight"],
    )
    ours["ob"], lines["ob"] = reference.tensors["projection_layer.proj.bias"], '"output.bias"'
    norms = {
        "encoder": ("self_attention", "feed_forward"),
        "decoder": ("self_attention", "cross_attention", "feed_forward"),
    }
    for side, branches in norms.items():
        for part, other in (("alpha", "weight"), ("bias", "bias")):
            ours[f"{side}.last.{part}"] = reference.tensors[f"{side}.norm.{part}"]
            lines[f"{side}.last.{part}"] = f'"{side}.final_norm.{other}"'
        for layer in range(2):
            hkproj, renamed = f"{side}.layers.{layer}", f"{side}.{layer + 1}"
            target = f"{side}.layers.{{i}}"
            for kind in ("self", "cross")[: len(branches) - 1]:
                block = f"{hkproj}.{kind}_attention_block"
                ours[f"{renamed}.{kind}.qkv"] = torch.cat(
                    [reference.tensors[f"{block}.w_{part}.weight"] for part in "qkv"]
                )
                ours[f"{renamed}.{kind}.wo"] = reference.tensors[f"{block}.w_o.weight"].t().contiguous()
                packed = ", ".join(f'"{target}.{kind}_attention.{part}.weight"' for part in ("query", "key", "value"))
                lines[f"{side}.{{i}}.{kind}.qkv"] = f"[{packed}]"
                lines[f"{side}.{{i}}.{kind}.wo"] = f'"{target}.{kind}_attention.output.weight"'
            for number, name in enumerate(branches):
                for part, other in (("alpha", "weight"), ("bias", "bias")):
                    stored = reference.tensors[f"{hkproj}.residual_connections.{number}.norm.{part}"]
                    ours[f"{renamed}.n{number}.{part}"] = stored
                    lines[f"{side}.{{i}}.n{number}.{part}"] = f'"{target}.{name}_norm.{other}"'
            for number in (1, 2):
                for part in ("weight", "bias"):
                    ours[f"{renamed}.ff{number}.{part}"] = reference.tensors[
                        f"{hkproj}.feed_forward_block.linear_{number}.{part}"
                    ]
                    lines[f"{side}.{{i}}.ff{number}.{part}"] = f'"{target}.feed_forward.fc{number}.{part}"'
    torch.save(ours, folder / "renamed.pt")
    turned = ", ".join(f'"{name}"' for name in lines if name.endswith(".wo"))
    table = "\n".join(f'"{name}" = {value}' for name, value in lines.items())
    return reference, folder / "renamed.pt", f'ignored = ["*.pe"]\ntransposed = [{turned}]\n[tensors]\n{table}\n'


def test_a_mapped_checkpoint_equals_its_recognised_family(tmp_path: Path) -> None:
    stored, path, text = own_code(tmp_path)
    (tmp_path / "mapping.toml").write_text(text + CONFIG)
    bundle = model.load(path, mapping=tmp_path / "mapping.toml")
    assert bundle.family == "mapped"
    assert bundle.report is not None and bundle.report.ignored == ("a.pe",) and not bundle.report.questions
    assert_equal_to_original(bundle, stored)
    assert_equal_to_original(model.load(model.save(bundle, tmp_path / "ours")), stored)


@pytest.mark.nightly
def test_undetermined_fields_of_a_mapping_are_questions(tmp_path: Path) -> None:
    _, path, text = own_code(tmp_path)
    (tmp_path / "mapping.toml").write_text(text)
    report: Any = model.load(path, mapping=str(tmp_path / "mapping.toml")).report
    assert {question.hint for question in report.questions} == {
        "n_heads", "norm_first", "norm_kind", "activation", "positions", "embedding_scale", "score_width",
        "source_has_bos",
        "source_has_eos", "source_pad_id", "target_pad_id", "bos_id", "eos_id"
    }  # fmt: skip


def test_unused_and_missing_tensors_of_a_mapping_are_named(tmp_path: Path) -> None:
    _, path, text = own_code(tmp_path)
    (tmp_path / "mapping.toml").write_text(text.replace('"ob" =', '"no.such" =') + CONFIG)
    with pytest.raises(MappingError, match="change their lines in the table of names") as caught:
        model.load(path, mapping=tmp_path / "mapping.toml")
    assert caught.value.unexpected == ("ob",) and caught.value.missing == ("no.such",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tensors", "cannot read the mapping"),
        ("[names]\na = 'b'", "the mapping has names: choose from tensors"),
        ("[config]\nbos_id = 1", r"the mapping lacks \[tensors\]"),
        ("[tensors]\na = 3", "must be given one of our names"),
        ('[tensors]\n"a.{i}" = "encoder.embedding.weight"', "must both have {i}, or neither"),
        ("[tensors]\na = 'b'\n[config]\nd_model = 5", "has d_model, which is unknown or follows from the shapes"),
    ],
)
def test_a_mapping_that_is_wrong_is_refused(text: str, message: str, tmp_path: Path) -> None:
    _, path, _ = own_code(tmp_path)
    (tmp_path / "mapping.toml").write_text(text)
    with pytest.raises(HintError, match=message):
        model.load(path, mapping=tmp_path / "mapping.toml")


@pytest.mark.parametrize("name", ["rotary.inv_freq", "encoder.layers.0.attn.relative_attention_bias.weight"])
def test_positions_outside_a_mappings_terms_are_refused(name: str, tmp_path: Path) -> None:
    _, path, text = own_code(tmp_path)
    torch.save(torch.load(path) | {name: torch.ones(4)}, path)
    (tmp_path / "mapping.toml").write_text(text.replace('["*.pe"]', f'["*.pe", "{name}"]') + CONFIG)
    with pytest.raises(UnrecognisedError, match=f"holds {name}: rotary and relative positions cannot be mapped"):
        model.load(path, mapping=tmp_path / "mapping.toml")
