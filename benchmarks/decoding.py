"""Decoding with all attention returned: with a cache, without one, and Hugging Face's MarianMT of equal size.

    python -m benchmarks.decoding

Every run decodes a fixed number of tokens from the same random source. The uncached loop is the simplest
implementation: it runs the whole model over all tokens so far for each new token. Bars: cached greedy decoding of 60
tokens is 5 times as fast as that loop; greedy is 1.5 times as fast as MarianMT; beam 5 is at least equally fast.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor
from transformers import MarianConfig, MarianMTModel
from transformers.utils import logging

from benchmarks.timing import arguments, compare, parse
from model.config import TransformerConfig
from model.decoding.strategies import DecodingOptions, beam, greedy
from model.nn.passes import Output
from model.nn.transformer import Transformer

SOURCE_LENGTH, SHORT, LONG = 14, 16, 60
logging.set_verbosity_error()


def marian(config: TransformerConfig) -> MarianMTModel:
    """Random weights; attention is computed explicitly because a fused kernel does not return it."""
    sizes = MarianConfig(
        vocab_size=config.target_vocab_size, d_model=config.d_model, encoder_layers=config.n_encoder_layers,
        decoder_layers=config.n_decoder_layers, encoder_attention_heads=config.n_encoder_heads,
        decoder_attention_heads=config.n_decoder_heads, encoder_ffn_dim=config.d_feed_forward,
        decoder_ffn_dim=config.d_feed_forward, activation_function=config.activation, max_position_embeddings=512,
        pad_token_id=0, bos_token_id=2, eos_token_id=3, decoder_start_token_id=2, forced_eos_token_id=None,
    )  # fmt: skip
    sizes._attn_implementation = "eager"
    return MarianMTModel(sizes).eval()


@torch.inference_mode()
def generate(peer: Any, source: Tensor, *, length: int, beams: int) -> object:
    """Decode exactly ``length`` new tokens, with all attention returned."""
    return peer.generate(
        source, attention_mask=torch.ones_like(source), num_beams=beams, do_sample=False, min_new_tokens=length,
        max_new_tokens=length, output_attentions=True, return_dict_in_generate=True,
    )  # fmt: skip


@torch.inference_mode()
def plain_loop(model: Transformer, source: Tensor, length: int) -> list[Output]:
    """Greedy decoding with all attention and without a cache."""
    prefix, outputs = torch.tensor([[model.config.bos_id]]), []
    for _ in range(length):
        outputs.append(model(source, prefix, capture=True))
        prefix = torch.cat((prefix, outputs[-1].logits[:, -1:].argmax(-1)), 1)
    return outputs


def main() -> None:
    chosen = parse(arguments(__doc__, rounds=7))
    config = TransformerConfig(source_vocab_size=6000, target_vocab_size=6000, output_bias=True)
    model, peer = Transformer(config).eval(), marian(config)
    with torch.no_grad():
        model.output.bias[config.eos_id] = -1e4  # so that no sentence ends
    source = torch.randint(4, 6000, (1, SOURCE_LENGTH))

    def report(task: str, name: str, peer_name: str, ours: Callable[[], object], peer: Callable[[], object]) -> None:
        times = compare(ours, peer, rounds=chosen.rounds)
        print(f"{task:>18}: {name} {times.ours.wall * 1e3:7.1f} ms, {peer_name} {times.peer.wall * 1e3:7.1f} ms, "
              f"{times.ratio.wall:.2f} times as fast")  # fmt: skip

    def run(length: int, *, cached: bool = True) -> list:
        return list(greedy(model, source, DecodingOptions(max_length=length, cached=cached)))

    def run_beam(length: int) -> list:
        return list(beam(model, source, beam_size=5, length_penalty=1.0, options=DecodingOptions(max_length=length)))

    task, cached = f"greedy, {LONG} tokens", partial(run, LONG)
    report(task, "cached", "uncached loop", cached, partial(plain_loop, model, source, LONG))
    report(task, "cached", "our own without its cache", cached, partial(run, LONG, cached=False))
    for name, act, n, beams in (("greedy", run, SHORT, 1), ("greedy", run, LONG, 1), ("beam 5", run_beam, SHORT, 5)):
        report(f"{name}, {n} tokens", "ours", "MarianMT", partial(act, n),
               partial(generate, peer, source, length=n, beams=beams))  # fmt: skip


if __name__ == "__main__":
    main()
