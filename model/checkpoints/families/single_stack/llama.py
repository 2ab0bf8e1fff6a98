"""Llama as its authors name it: llama2.c (``.pt`` and ``.bin``), Meta's own files, and code after them.

Its rotary pairs are neighbours, where the library's are halves. Heads are in ``model_args`` or params.json.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.families.renaming import matrix
from model.checkpoints.families.single_stack.common import ids_of, settings_of, shared_heads, single_stack
from model.checkpoints.families.tables import infer_config_from_shapes, layout
from model.checkpoints.formats.settings import number_of
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig
from model.layer_spec import AttentionSpec, LayerSpec, Rotary, fields_of_layers
from model.nn.rotary import frequencies, with_turns

NAME = "llama"
MARKS = ("tok_embeddings.weight", "layers.0.attention.wq.weight", "layers.0.feed_forward.w3.weight")
_TABLE = {
    "decoder.embedding.weight": "tok_embeddings.weight", "decoder.final_norm.*": "norm.*", "output.*": "output.*",
    **layout("decoder", "layers.{}", ("wq", "wk", "wv", "wo"), ("attention",),
             ("feed_forward.w1", "feed_forward.w2", "feed_forward.w3"), ("attention_norm", "ffn_norm")),
}  # fmt: skip
_COMPUTED = (r"rope\.freqs", r"freqs_c(os|is)|freqs_sin", r".*\.attention\.mask")
_LLAMA3 = (8.0, 1.0, 4.0, 8192)
"""Factor, slowest and fastest share of a turn, and length, by which Llama 3.1 stretches its frequencies."""


def convert(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Convert a source to our Transformer."""
    tensors, where = source.tensors, source.where
    settings = settings_of(source, "model_args", "params.json", "config")
    shapes = infer_config_from_shapes(_TABLE, tensors, where=where)
    widths = tuple(matrix(tensors, f"layers.0.attention.{name}.weight", where=where)[0] for name in ("wq", "wk"))
    n_heads = shared_heads(answers, *widths)
    width = widths[0] // n_heads
    layer = LayerSpec(
        attention=AttentionSpec(n_heads=n_heads, n_key_heads=widths[1] // width, d_key=width, d_value=width, bias=False,
                                rotary=_rotary(settings, width)),
        d_feed_forward=shapes["d_feed_forward"], activation="silu",
        gated_feed_forward=True, feed_forward_bias=False, norm_kind="rms",
        norm_epsilon=_number(settings, "norm_eps", 1e-5),
    )  # fmt: skip
    begins = answers.hints.source_has_bos is not False
    fields: dict[str, Any] = {
        **shapes, **fields_of_layers((layer,) * shapes["n_decoder_layers"], is_decoder=True),
        "encoder_final_norm": False, "embedding_scale": 1.0, "positions": "none",
        "max_positions": number_of(settings, "max_seq_len", 2048, least=1), "mask_target_padding": False,
        **ids_of(answers, tokenizers.source, shapes["target_vocab_size"], bos=1, eos=2), "source_has_bos": begins,
    }  # fmt: skip
    config = TransformerConfig(**fields)
    assumed = () if "norm_eps" in settings else ("norm_eps=1e-05",)
    assumed = assumed if "rope_theta" in settings else (*assumed, "rope_theta=10000.0")
    return single_stack(source, tensors, _TABLE, config, answers, tokenizers, ignored=_COMPUTED, assumed=assumed)


def _rotary(settings: Mapping[str, Any], width: int) -> Rotary:
    plain = Rotary(width=width, base=_number(settings, "rope_theta", 10_000.0), interleaved=True)
    if settings.get("use_scaled_rope") is not True:
        return plain
    return with_turns(plain, llama3_frequencies(frequencies(plain), *_LLAMA3))


def llama3_frequencies(turns: Tensor, factor: float, low: float, high: float, length: float) -> Tensor:
    """Llama 3.1's frequencies for longer texts: slow pairs turn ``factor`` times more slowly, fast ones as before."""
    share = ((length * turns / (2 * math.pi) - low) / (high - low)).clamp(0, 1)
    return torch.lerp(turns / factor, turns, share)


def _number(settings: Mapping[str, Any], name: str, usual: float) -> float:
    value = settings.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else usual
