"""Somebody's own reader of pictures: ``torch.nn.Transformer`` over strips, with its settings beside it."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

import model

SETTINGS: dict[str, Any] = {
    "strip": 4, "height": 8, "width": 24, "heads": 2, "alphabet": "abcdefghijk", "pad": 0, "bos": 1, "eos": 2,
    "norm_first": True, "activation": "gelu",
    "embedding_scale": 4.0,
}  # fmt: skip


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.src_proj = nn.Linear(32, 16)
        self.tgt_embed = nn.Embedding(14, 16)
        self.transformer = nn.Transformer(16, 2, 2, 2, 24, 0.0, "gelu", batch_first=True, norm_first=True)

    def forward(self, strips: Tensor, fed: Tensor) -> Tensor:
        at, n = torch.arange(6)[:, None] / 10000 ** (torch.arange(0, 16, 2) / 16), fed.shape[1]
        table = torch.stack((at.sin(), at.cos()), -1).flatten(1)
        memory = self.transformer.encoder(self.src_proj(strips / 255) + table)
        causal = torch.ones(n, n, dtype=torch.bool).triu(1)
        states = self.transformer.decoder(self.tgt_embed(fed) * 4 + table[:n], memory, tgt_mask=causal)
        return states @ self.tgt_embed.weight.T


def save(folder: Path, settings: dict[str, Any] | None) -> Reader:
    torch.manual_seed(0)
    network = Reader().eval()
    folder.mkdir()
    save_file(network.state_dict(), folder / "reader.safetensors")
    if settings is not None:
        (folder / "reader.json").write_text(json.dumps(settings))
    return network


@torch.inference_mode()
def test_a_reader_of_strips_equals_its_original_code(tmp_path: Path) -> None:
    network = save(tmp_path / "mine", SETTINGS)
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        for path in (tmp_path / "mine").iterdir():
            archive.write(path, path.name)
    strips = np.random.default_rng(0).integers(0, 256, (1, 6, 32))
    fed = np.array([[1, 5, 6, 7]])
    expected = network(torch.tensor(strips), torch.tensor(fed)).numpy()
    for value in ("mine", "mine.zip", "mine/reader.safetensors"):
        bundle: Any = model.load(tmp_path / value)
        assert bundle.picture == model.PictureSource(height=8, width=24, strip=4)
        logits: Any = model.attend(bundle, strips, fed).logits
        np.testing.assert_allclose(logits, expected, atol=1e-5)
        if value == "mine":
            assert {(use.name, use.use) for use in bundle.report.files} == {
                ("reader.safetensors", "used"), ("reader.json", "used"),
            }  # fmt: skip
    assert bundle.report is not None and bundle.report.family == "strips" and not bundle.report.close
    assert bundle.target_tokenizer is not None and bundle.target_tokenizer.decode([3, 4, 9]) == "abg"


@pytest.mark.parametrize(
    ("settings", "message"),
    [(None, "."), (SETTINGS | {"strip": 6}, "have 48 pixels and src_proj.weight reads 32"),
     (SETTINGS | {"strip": 5}, "multiple of its strips")],
)  # fmt: skip
def test_without_settings_that_fit_it_is_refused(settings: dict[str, Any] | None, message: str, tmp_path: Path) -> None:
    save(tmp_path / "mine", settings)
    with pytest.raises((model.CheckpointError, model.ConfigError), match=message):
        model.load(tmp_path / "mine")
