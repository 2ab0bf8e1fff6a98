"""Runs x-transformers (2.31) and LitGPT (0.5) on small models and writes what they computed to ``single_stack/``.

    pip install x-transformers litgpt && python -m tests.reference.make_single_stack

The tests read the files and need neither.
"""

import json
import sys
import types
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tests.checkpoints.library import randomize

FOLDER = Path(__file__).parent / "single_stack"
IDS = torch.tensor([[5, 6, 7, 8, 9, 3, 2], [9, 10, 4, 2, 3, 1, 1]])
PADDED = torch.tensor([[5, 6, 7, 8, 9, 3, 2], [9, 10, 4, 2, 0, 0, 0]])
X: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "decoder": ("Decoder", {}, {}),
    "decoder-rotary": ("Decoder", {"rotary_pos_emb": True, "use_rmsnorm": True, "ff_glu": True, "ff_swish": True,
                                   "ff_no_bias": True, "attn_kv_heads": 1}, {}),
    "decoder-alibi": ("Decoder", {"alibi_pos_bias": True}, {"use_abs_pos_emb": False}),
    "decoder-narrow": ("Decoder", {"sandwich_norm": True}, {"emb_dim": 12, "tie_embedding": False}),
    "encoder": ("Encoder", {}, {}),
    "encoder-post": ("Encoder", {"pre_norm": False, "ff_relu_squared": True}, {"tie_embedding": True}),
}  # fmt: skip
_LLAMA: dict[str, Any] = {"norm_class_name": "RMSNorm", "mlp_class_name": "LLaMAMLP", "parallel_residual": False,
                          "bias": False, "rotary_percentage": 1.0}  # fmt: skip
LIT: dict[str, dict[str, Any]] = {
    "pythia": {},
    "falcon": {"shared_attention_norm": True, "rotary_percentage": 1.0, "n_query_groups": 1, "bias": False},
    "llama": _LLAMA | {"n_query_groups": 2, "head_size": 10, "rope_condense_ratio": 4, "rope_base": 50000},
    "llama3": _LLAMA | {"rope_adjustments": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                             "original_max_seq_len": 32}},
    "gemma": _LLAMA | {"name": "Gemma-2", "mlp_class_name": "GemmaMLP", "gelu_approximate": "tanh",
                       "sliding_window_size": 3, "sliding_window_indices": [1, 0], "scale_embeddings": True,
                       "attention_logit_softcapping": 5.0, "final_logit_softcapping": 3.0, "post_mlp_norm": True,
                       "post_attention_norm": True, "attention_scores_scalar": 16},
    "olmo2": _LLAMA | {"norm_1": False, "norm_2": False, "post_attention_norm": True, "post_mlp_norm": True,
                       "norm_qk": True, "norm_qk_type": "olmo2"},
    "qwen3": _LLAMA | {"norm_qk": True, "attn_bias": True, "rope_interleave": True},
}  # fmt: skip


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, retained in (*_xtransformers(), *_litgpt()):
        np.savez_compressed(FOLDER / f"{name}.npz", **retained)


def _golden_values(
    network: Any, ids: Tensor, attention: list[Tensor], logits: Tensor, settings: dict[str, Any]
) -> dict[str, Any]:
    tensors = {f"tensor/{name}": tensor.numpy() for name, tensor in network.state_dict().items()}
    return {"ids": ids.numpy(), "attention": torch.stack(attention, 1).numpy(), "logits": logits.numpy(),
            "said": json.dumps(settings), **tensors}  # fmt: skip


@torch.inference_mode()
def _xtransformers() -> Iterator[tuple[str, dict[str, Any]]]:
    import x_transformers

    for name, (kind, fields, around) in X.items():
        torch.manual_seed(0)
        layers = getattr(x_transformers, kind)(**({"dim": 16, "depth": 2, "heads": 2, "attn_dim_head": 8} | fields))
        network = randomize(
            x_transformers.TransformerWrapper(num_tokens=40, max_seq_len=32, attn_layers=layers, **around)
        )
        ids = IDS if kind == "Decoder" else PADDED
        logits, result = network(ids, mask=None if kind == "Decoder" else ids != 0, return_intermediates=True)
        attention = [attn_intermediate.post_softmax_attn for attn_intermediate in result.attn_intermediates]
        is_generating = name == "decoder"
        saved = x_transformers.AutoregressiveWrapper(network) if is_generating else network
        activation = {"ff_swish": "silu", "ff_relu_squared": "relu_squared"}
        hints = {"n_heads": 2, "activation": next((activation[f] for f in fields if f in activation), "gelu")}
        hints |= {} if is_generating else {"causal": kind == "Decoder"}
        hints |= {"source_pad_id": 0} if kind == "Encoder" else {}
        yield f"xtransformers-{name}", _golden_values(saved, ids, attention, logits, hints)


@torch.inference_mode()
def _litgpt() -> Iterator[tuple[str, dict[str, Any]]]:
    result = find_spec("litgpt")
    assert result is not None
    package, unused = types.ModuleType("litgpt"), types.ModuleType("litgpt.scripts.convert_hf_checkpoint")
    package.__path__, unused.qkv_reassemble = list(result.submodule_search_locations or ()), None  # type: ignore[attr-defined]
    sys.modules |= {"litgpt": package, unused.__name__: unused}  # its own __init__ imports all of Lightning
    from litgpt import config as configs
    from litgpt import model as models

    for name, fields in LIT.items():
        sizes = {"name": "test", "block_size": 64, "vocab_size": 40, "padded_vocab_size": 40, "n_layer": 2, "n_head": 4,
                 "n_embd": 32, "intermediate_size": 44}  # fmt: skip
        config = configs.Config(**(sizes | fields))
        network, attention = randomize(models.GPT(config)), []

        def attend(layer: Any, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
            value = layer.config
            scores = q @ k.mT * ((value.attention_scores_scalar or value.head_size) ** -0.5 * layer.mscale**2)
            if value.attention_logit_softcapping is not None:
                scores = models.do_softcapping(scores, value.attention_logit_softcapping)
            hidden = torch.full(scores.shape[-2:], float("-inf")).triu(1) if mask is None else mask
            attention.append((scores + hidden).softmax(-1))  # noqa: B023 - called within the round
            return (attention[-1] @ v).transpose(1, 2)  # noqa: B023

        logits = network(IDS)  # its own, and once more with the weights
        original, models.CausalSelfAttention.scaled_dot_product_attention = (
            models.CausalSelfAttention.scaled_dot_product_attention, attend)  # fmt: skip
        assert torch.allclose(network(IDS), logits, atol=1e-4)
        models.CausalSelfAttention.scaled_dot_product_attention = original
        yield f"litgpt-{name}", _golden_values(network, IDS, attention, logits, vars(config))


if __name__ == "__main__":
    main()
