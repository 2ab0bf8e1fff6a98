"""Folders of the transformers library whose names have prefixes of compilers, trainers and wrappers of people's own."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

import model

IDS = np.array([[3, 4, 5, 2]])
PREFIXES = ("_orig_mod.", "module.", "module._orig_mod.", "net.", "transformer.", "model.", "seq2seq.model.",
            "base_model.model.", "_orig_mod.base_model.model.")  # fmt: skip


def tiny(kind: str) -> Any:
    import transformers

    torch.manual_seed(0)
    small = {"vocab_size": 24, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    if kind == "bart":
        config: Any = transformers.BartConfig(
            d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
            encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=32, **small)  # fmt: skip
        return transformers.BartForConditionalGeneration(config).eval()
    config = transformers.GPT2Config(n_embd=16, n_layer=2, n_head=2, n_positions=32, **small)
    return transformers.GPT2LMHeadModel(config).eval()


def attention(bundle: model.Bundle) -> list[np.ndarray]:
    maps = model.attend(bundle, IDS, IDS)
    return [found for kind in ("encoder_self", "decoder_self", "cross") if (found := getattr(maps, kind)) is not None]


def written(state: dict[str, Tensor], folder: Path, file: str) -> None:
    for path in folder.glob("*.safetensors"):
        path.unlink()
    if file == "model.safetensors":
        save_file({name: tensor.clone().contiguous() for name, tensor in state.items()}, folder / file)
    else:
        torch.save({"state_dict": state, "epoch": 3} if file.endswith(".ckpt") else state, folder / file)


@pytest.mark.parametrize("kind", ["bart", "gpt2"])
def test_prefixes_around_a_folders_names_are_taken_off(kind: str, tmp_path: Path) -> None:
    network = tiny(kind)
    network.save_pretrained(tmp_path)
    expected = attention(model.load(tmp_path))
    places = [("model.safetensors", prefix) for prefix in PREFIXES] + [("pytorch_model.bin", "base_model.model.")]
    for file, prefix in [*places, ("epoch=3.ckpt", "model."), ("epoch=3.ckpt", "net._orig_mod.")]:
        written({f"{prefix}{name}": tensor for name, tensor in network.state_dict().items()}, tmp_path, file)
        given = tmp_path / file if file.endswith(".ckpt") else tmp_path
        for ours, reference in zip(attention(model.load(given)), expected, strict=True):
            np.testing.assert_allclose(ours, reference, rtol=0, atol=1e-6, err_msg=f"{file} {prefix}")
        (tmp_path / file).unlink()
