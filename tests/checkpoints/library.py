"""Tiny models of the ``transformers`` library, built and saved by itself."""

from pathlib import Path
from typing import Any

import torch
import transformers

_COMMON: dict[str, Any] = {
    "vocab_size": 40, "d_model": 16, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 2,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "max_position_embeddings": 64,
    "pad_token_id": 1, "eos_token_id": 2, "bos_token_id": 0, "decoder_start_token_id": 2, "forced_eos_token_id": None,
}  # fmt: skip
_T5: dict[str, Any] = {
    "vocab_size": 40, "d_model": 16, "d_kv": 6, "d_ff": 24, "num_layers": 2, "num_decoder_layers": 3, "num_heads": 2,
    "pad_token_id": 1, "decoder_start_token_id": 2, "eos_token_id": 2,
}  # fmt: skip
SEQ2SEQ: dict[str, tuple[str, dict[str, Any]]] = {
    "marian": ("MarianMTModel", _COMMON | {"decoder_vocab_size": 40, "scale_embedding": True}),
    "bart": ("BartForConditionalGeneration", _COMMON),
    "mbart": ("MBartForConditionalGeneration", _COMMON | {"scale_embedding": True}),
    "m2m_100": ("M2M100ForConditionalGeneration", _COMMON),
    "t5": ("T5ForConditionalGeneration", _T5),
    "mt5": ("MT5ForConditionalGeneration", _T5 | {"feed_forward_proj": "gated-gelu"}),
}
"""By family, the name of the class and its configuration. The library imports a class, which takes seconds, when it is
first named, and every test process collects this file."""
SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 1, 1]])
TARGET = torch.tensor([[2, 11, 12, 13], [2, 14, 15, 16]])


def make(kind: str, folder: Path, *, safe: bool = True, **changes: Any) -> Any:
    """A saved model of a family whose every number is random, and the library's own reading of it."""
    torch.manual_seed(0)
    name, fields = SEQ2SEQ[kind]
    network_class = getattr(transformers, name)
    network = network_class(network_class.config_class(**fields | changes)).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
        if hasattr(network, "final_logits_bias"):
            network.final_logits_bias.normal_()
    network.save_pretrained(folder)
    if not safe:
        from safetensors.torch import load_file

        torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
    return network_class.from_pretrained(folder, attn_implementation="eager").eval()


def randomize(network: torch.nn.Module, seed: int = 0) -> Any:
    """The network with every number random."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.3)
    return network.eval()
