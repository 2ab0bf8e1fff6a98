"""Encoder-decoders of ``transformers`` that are our own Transformer by their layers, described as values.

Those whose layers are all alike, BART's and T5's kin, are described by the fields of a configuration (``parts``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from model.checkpoints.families.huggingface.decoders import gemma2
from model.checkpoints.families.huggingface.stack_description import Described, NotOursError
from model.checkpoints.families.huggingface.stack_tables import T5GEMMA


def described(kind: str, network: Any) -> Described:
    """An encoder-decoder of the library under our names: the encoder's layers, then the decoder's.

    Raises:
        NotOursError: for what our layers do not have.
    """
    return ENCODER_DECODERS[kind](network.config, network)


def _t5gemma(config: Any, network: Any) -> Described:
    """Two stacks of Gemma 2; cross-attention has neither rotary positions nor windows."""
    if config.encoder.hidden_size != config.decoder.hidden_size:
        raise NotOursError("stacks of different widths")
    encoder, decoder = (gemma2(part.config, part) for part in (network.model.encoder, network.model.decoder))
    source, target = (part.embed_tokens.weight for part in (network.model.encoder, network.model.decoder))

    def seen_both_ways(window: int | None) -> int | None:  # the library counts the last token in, in an encoder
        return None if window is None else window + 1

    layers = (
        *(replace(layer, attention=replace(layer.attention, window=seen_both_ways(layer.attention.window)))
          for layer in encoder.layers),
        *(replace(layer, cross=replace(layer.attention, rotary=None, window=None)) for layer in decoder.layers),
    )  # fmt: skip
    return replace(decoder, layers=layers, table=T5GEMMA, fields=decoder.fields | {
        "encoder_final_norm": True, "source_vocab_size": len(source), "target_vocab_size": len(target),
        "tie_embeddings": source.data_ptr() == target.data_ptr(),
        "tie_output": network.lm_head.out_proj.weight.data_ptr() == target.data_ptr(),
        "dropout": config.dropout_rate, "attention_dropout": config.attention_dropout,
        "feed_forward_dropout": config.dropout_rate,
    })  # fmt: skip


ENCODER_DECODERS: dict[str, Callable[[Any, Any], Described]] = {"t5gemma": _t5gemma}
