"""Writes models of real sizes with random weights, tensor by tensor, so that making one takes no memory of its size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import torch

LLAMA: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 32_000, "hidden_size": 2048,
    "intermediate_size": 5632, "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4,
    "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "rope_theta": 10_000.0, "hidden_act": "silu",
    "tie_word_embeddings": False, "bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "bfloat16",
}  # fmt: skip
"""The shape of TinyLlama: 1.1 billion parameters."""
BERT: dict[str, Any] = {
    "architectures": ["BertModel"], "model_type": "bert", "vocab_size": 30_522, "hidden_size": 768,
    "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12, "max_position_embeddings": 4096,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu", "pad_token_id": 0,
}  # fmt: skip
"""The shape of BERT-base, with positions for longer texts."""
_NAMES = {torch.bfloat16: "BF16", torch.float32: "F32"}
_SPREAD = 0.02


def write(folder: Path, described: dict[str, Any], dtype: torch.dtype, *, seed: int = 0) -> int:
    """Write a folder of the ``transformers`` library with seeded random weights; returns the bytes of its weights."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(described), "utf-8")
    entries, place = {}, 0
    shapes = list(_llama(described) if described["model_type"] == "llama" else _bert(described))
    for name, shape in shapes:
        size = prod(shape) * dtype.itemsize
        entries[name] = {"dtype": _NAMES[dtype], "shape": shape, "data_offsets": [place, place + size]}
        place += size
    header = json.dumps({"__metadata__": {"format": "pt"}, **entries}).encode()
    header += b" " * (-len(header) % 8)
    generator = torch.Generator().manual_seed(seed)
    with (folder / "model.safetensors").open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for name, shape in shapes:
            if "norm" in name.lower() and name.endswith("weight"):
                values = torch.ones(shape)
            else:
                values = torch.empty(shape).normal_(0, _SPREAD, generator=generator)
            file.write(values.to(dtype).view(-1).view(torch.uint8).numpy().data)
    return place


def _llama(described: dict[str, Any]) -> Iterator[tuple[str, list[int]]]:
    width, inner, vocabulary = (described[name] for name in ("hidden_size", "intermediate_size", "vocab_size"))
    narrow = width // described["num_attention_heads"] * described["num_key_value_heads"]
    yield "model.embed_tokens.weight", [vocabulary, width]
    for layer in range(described["num_hidden_layers"]):
        at = f"model.layers.{layer}"
        for name, rows in (("q", width), ("k", narrow), ("v", narrow), ("o", width)):
            yield f"{at}.self_attn.{name}_proj.weight", [rows, width]
        yield f"{at}.mlp.gate_proj.weight", [inner, width]
        yield f"{at}.mlp.up_proj.weight", [inner, width]
        yield f"{at}.mlp.down_proj.weight", [width, inner]
        yield f"{at}.input_layernorm.weight", [width]
        yield f"{at}.post_attention_layernorm.weight", [width]
    yield "model.norm.weight", [width]
    yield "lm_head.weight", [vocabulary, width]


def _bert(described: dict[str, Any]) -> Iterator[tuple[str, list[int]]]:
    width, inner = described["hidden_size"], described["intermediate_size"]
    yield "embeddings.word_embeddings.weight", [described["vocab_size"], width]
    yield "embeddings.position_embeddings.weight", [described["max_position_embeddings"], width]
    yield "embeddings.token_type_embeddings.weight", [described["type_vocab_size"], width]
    yield from _layer_norm("embeddings.LayerNorm", width)
    for layer in range(described["num_hidden_layers"]):
        at = f"encoder.layer.{layer}"
        for name in ("query", "key", "value"):
            yield from _linear(f"{at}.attention.self.{name}", width, width)
        yield from _linear(f"{at}.attention.output.dense", width, width)
        yield from _layer_norm(f"{at}.attention.output.LayerNorm", width)
        yield from _linear(f"{at}.intermediate.dense", inner, width)
        yield from _linear(f"{at}.output.dense", width, inner)
        yield from _layer_norm(f"{at}.output.LayerNorm", width)


def _linear(name: str, rows: int, columns: int) -> Iterator[tuple[str, list[int]]]:
    yield f"{name}.weight", [rows, columns]
    yield f"{name}.bias", [rows]


def _layer_norm(name: str, width: int) -> Iterator[tuple[str, list[int]]]:
    yield f"{name}.weight", [width]
    yield f"{name}.bias", [width]
