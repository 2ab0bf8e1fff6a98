"""The toolkit that a file's names resemble when no family recognises them, and advice for its files."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A toolkit, and the key of the advice for its files."""

    toolkit: str
    advice: str
    """One of ``ADVICE``."""


ADVICE = ("add_config", "folder_or_attention", "gather", "one_stack", "recurrent", "map")
_SUSPECTS = (
    (r"\.EncDecAttention\.|\.SelfAttention\.q\.weight", "T5 (Hugging Face)", "add_config"),
    (r"final_logits_bias|^model\.encoder\.layers\.\d+\.self_attn\.k_proj", "Hugging Face", "add_config"),
    (r"\.attention\.self\.query\.weight", "BERT (Hugging Face)", "add_config"),
    (r"(^|\.)h\.\d+\.attn\.c_attn\.weight", "GPT-2, nanoGPT", "folder_or_attention"),
    (r"(^|\.)_?flat_param(_\d+)?$", "PyTorch FSDP", "gather"),
    (r"\.mlp\.gate_proj\.weight|\.attention\.query_key_value\.", "Llama, GPT-NeoX", "folder_or_attention"),
    (r"^visual\.|patch_embed", "ViT, CLIP", "one_stack"),
    (r"weight_ih_l\d|weight_hh_l\d", "LSTM, GRU", "recurrent"),
    (r"(body|model)/(en|de)coder/|/layer_\d+/\w*attention|\.ATTRIBUTES/", "tensor2tensor, TensorFlow", "map"),
    (r"[/.](kernel|embedding)$", "Flax, Trax, Keras", "map"),
    (r"encoder_decoder_attn\.q_proj|(en|de)coder_frontend\.", "fairseq2", "map"),
    (r"first_sub_layer\.query_net|second_sub_layer", "NeMo", "map"),
    (r"\bencoders\.\d+\.self_attn\.linear_q|\bdecoders\.\d+\.src_attn", "ESPnet", "map"),
    (r"pre_self_attention\.|\.ff_in\.weight|\.ff_out\.weight", "Sockeye", "map"),
    (r"\.to_qkv\.|\.to_q\.weight", "x-transformers", "map"),
)


def suspect(names: Collection[str]) -> Suspicion | None:
    """The first toolkit that one of the names resembles."""
    for pattern, toolkit, advice in _SUSPECTS:
        compiled = re.compile(pattern)
        if any(compiled.search(name) for name in names):
            return Suspicion(toolkit, advice)
    return None
