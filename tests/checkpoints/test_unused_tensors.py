"""A tensor that the model would not read is refused by its name, and what is known to change nothing opens."""

import dataclasses
import json
import random
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

import model
from model.checkpoints.basis.errors import AnswerWarning, CheckpointError, TensorsError, UnshownError, UnusedError
from tests.checkpoint import rewrite_json
from tests.checkpoints import golden
from tests.checkpoints.architectures import ARCHITECTURES, SHOWN, save
from tests.strangers.authors import Written
from tests.strangers.plain import SCRIPTS

_IN_LAYER = re.compile(r"[._lk]\d+[._/]")
_ADDED = ("adapter.weight", "attn_scale", "q_norm.weight", "attn.bias_of_mine", "extra.weight", "lora.down", "gate",
          "distance_embedding.weight", "adapters.task.adapter_down.0.weight", "ls_1.gamma",
          "position_embeddings.weight", "attn.bias", "attn.masked_bias", "pooler.weight",
          "decoder.version", "cls.weight")  # fmt: skip


def save_model(folder: Path) -> Path:
    return folder / "model.safetensors"


def with_one_more(tensors: dict[str, Tensor], draw: random.Random) -> tuple[str, dict[str, Tensor]]:
    """A random tensor somewhere inside a random layer."""
    name = draw.choice(sorted(name for name in tensors if _IN_LAYER.search(name)))
    match: Any = _IN_LAYER.search(name)
    inner = re.split(r"(?<=[./])", name[match.end() :])[:-1]
    place = name[: match.end()] + "".join(inner[: draw.randint(0, len(inner))])
    letters = "".join(draw.choices("abcdefghijklmnopqrstuvwxyz_", k=draw.randint(3, 9)))
    added = place + draw.choice((*_ADDED, letters, f"{letters}.weight", f"{letters}.bias"))
    while added in tensors:
        added += "x"
    shape = draw.choice(((3,), (3, 4), tuple(tensors[name].shape), (2, 1, 4)))
    return added, tensors | {added: torch.randn(shape)}


@pytest.mark.nightly(but=("xlm", "marian", "mixtral"))
@pytest.mark.parametrize("name", SHOWN)
def test_one_more_tensor_inside_a_layer_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    save(ARCHITECTURES[name], tmp_path)
    tensors = load_file(save_model(tmp_path))
    draw = random.Random(name)
    for _ in range(3):
        added, more = with_one_more(tensors, draw)
        save_file(more, save_model(tmp_path), {"format": "pt"})
        with pytest.raises(TensorsError, match="unexpected") as caught:
            model.load(tmp_path)
        (unexpected,) = caught.value.unexpected
        assert unexpected.rpartition(".")[2] == added.rpartition(".")[2]
    save_file(tensors, save_model(tmp_path), {"format": "pt"})
    model.load(tmp_path)


SINGLE_STACK = sorted((Path(__file__).parents[1] / "reference" / "single_stack").glob("*.npz"))


def single_stack_file(stem: str, folder: Path, draw: random.Random) -> str:
    """The file of a single stack with one more tensor in a layer; the tensor's name."""
    contents = np.load(next(path for path in SINGLE_STACK if path.stem == stem))
    tensors = {name.removeprefix("tensor/"): torch.from_numpy(contents[name]) for name in contents if "/" in name}
    if stem.startswith("litgpt"):
        (folder / "model_config.yaml").write_text(yaml.safe_dump(json.loads(str(contents["said"]))))
    added, more = with_one_more(tensors, draw)
    torch.save(more, folder / ("lit_model.pth" if stem.startswith("litgpt") else "model.pt"))
    return added


@pytest.mark.nightly(but=("separate",))
@pytest.mark.parametrize("name", [*golden.names(), *(path.stem for path in SINGLE_STACK), *SCRIPTS])
def test_so_it_is_in_files_of_peoples_own_code(name: str, tmp_path: Path) -> None:
    draw = random.Random(name)
    hints: dict[str, Any] = {"n_heads": 4}
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        if name in golden.names():
            reference = golden.read(name)
            hints = reference.hints
            added, more = with_one_more(reference.tensors, draw)
            path = dataclasses.replace(reference, tensors=more).write(folder)
        elif name in SCRIPTS:
            added, more = with_one_more(Written(SCRIPTS[name]).state(), draw)
            path = folder / "model.pt"
            torch.save(more, path)
        else:
            added = single_stack_file(name, folder, draw)
            path = next(folder.glob("*.p*t*"))
        with warnings.catch_warnings(), pytest.raises(CheckpointError, match=re.escape(added.rpartition(".")[2][:30])):
            warnings.simplefilter("ignore", AnswerWarning)
            model.load(path, **hints)


@pytest.mark.parametrize("cls", ["cls", "cls_token", "encoder.cls", "class_embedding.weight", "prefix.weight",
                                 "input_proj.weight"])  # fmt: skip
def test_a_module_before_torchs_layers_is_no_head(cls: str, tmp_path: Path) -> None:
    """A token in front of the text takes a fifth of the attention; without it the maps are another model's."""
    layer = nn.TransformerEncoderLayer(24, 4, 36)
    network = nn.ModuleDict({"tok": nn.Embedding(40, 24), "blocks": nn.TransformerEncoder(layer, 2),
                             "classifier": nn.Linear(24, 3)})  # fmt: skip
    shape = (1, 1, 24) if "weight" not in cls else (24, 24)
    torch.save(network.state_dict() | {cls: torch.randn(shape)}, tmp_path / "model.pt")
    with pytest.raises(CheckpointError, match=f"1 unexpected: {re.escape(cls)}"):
        model.load(tmp_path / "model.pt", n_heads=4, causal=False)


def test_harmless_tensors_are_ignored_and_named(tmp_path: Path) -> None:
    """Buffers of earlier releases, heads after the last layer and copies of a shared matrix."""
    known: dict[str, dict[str, Tensor]] = {
        "gpt2": {"transformer.h.0.attn.bias": torch.ones(64, 64).tril()[None, None],
                 "transformer.h.1.attn.masked_bias": torch.tensor(-1e4), "score.weight": torch.randn(3, 16),
                 "v_head.summary.weight": torch.randn(1, 16)},
        "gpt_neox": {"gpt_neox.layers.0.attention.rotary_emb.inv_freq": torch.ones(2),
                     "gpt_neox.layers.0.attention.bias": torch.ones(1, 1, 64, 64, dtype=torch.bool).tril(),
                     "gpt_neox.layers.0.attention.masked_bias": torch.tensor(-1e9)},
        "bert": {"embeddings.position_ids": torch.arange(64)[None], "cls.predictions.bias": torch.randn(48),
                 "classifier.weight": torch.randn(3, 16), "fc.weight": torch.randn(3, 16),
                 "crf.transitions": torch.randn(3, 3)},
        "bart": {"classification_head.dense.weight": torch.randn(16, 16), "model.encoder.version": torch.tensor([3.0])},
        "t5": {"decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight": torch.randn(32, 2)},
    }  # fmt: skip
    for name, extra in known.items():
        folder = tmp_path / name
        save(ARCHITECTURES[name], folder)
        plain = model.load(folder)
        save_file(load_file(save_model(folder)) | extra, save_model(folder), {"format": "pt"})
        bundle = model.load(folder)
        assert bundle.report is not None and set(bundle.report.ignored) >= set(extra)
        assert bundle.fingerprint == plain.fingerprint


@pytest.mark.parametrize("kind", ["relative_key", "relative_key_query"])
def test_an_encoder_with_distances_in_its_scores_is_not_read_as_one_with_absolute_positions(
    kind: str, tmp_path: Path
) -> None:
    save(ARCHITECTURES["bert, masked"], tmp_path)
    rewrite_json(tmp_path / "config.json", position_embedding_type=kind)
    with pytest.raises(UnshownError, match=f"position_embedding_type: {kind}"):
        model.load(tmp_path)


def test_layers_that_predict_further_tokens_are_left_out_only_where_the_configuration_counts_them(
    tmp_path: Path,
) -> None:
    save(ARCHITECTURES["deepseek_v3"], tmp_path)
    tensors = load_file(save_model(tmp_path))
    last = {name.replace("layers.2.", "layers.3."): x.clone() for name, x in tensors.items() if "layers.2." in name}
    rewrite_json(tmp_path / "config.json", num_nextn_predict_layers=0)
    save_file(tensors | last, save_model(tmp_path), {"format": "pt"})
    with pytest.raises(UnusedError, match=r"model\.layers\.3"):
        model.load(tmp_path)
    rewrite_json(tmp_path / "config.json", num_nextn_predict_layers=1)
    assert model.load(tmp_path).config.n_decoder_layers == 3
    save_file(tensors | last | {"model.layers.1.extra": torch.ones(2)}, save_model(tmp_path), {"format": "pt"})
    with pytest.raises(UnusedError, match=r"1 unexpected: model\.layers\.1\.extra"):
        model.load(tmp_path)
