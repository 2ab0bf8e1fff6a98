"""The weights of the library itself, in eager attention, and those that BertViz draws, read from the page it writes."""

import json
from collections.abc import Iterator
from typing import Any

import torch

from benchmarks.peers.models import Row, Twin, compared

KINDS = {"encoder_self": "encoder_attentions", "decoder_self": "decoder_attentions", "cross": "cross_attentions"}
DRAWN = {"Encoder": "encoder_self", "Decoder": "decoder_self", "Cross": "cross"}


def transformers(twin: Twin) -> Iterator[Row]:
    """Attention and log-probabilities of one family."""
    yield compared("attention", twin, lambda: ours(twin), lambda: _attention(twin))
    if twin.predicts:
        yield compared("log_probs", twin, lambda: twin.trace.log_probs, lambda: twin.log_probs_of(_output(twin).logits))


def bertviz(twin: Twin) -> Iterator[Row]:
    """What is drawn of one family."""
    yield compared("attention", twin, lambda: ours(twin), lambda: _drawn(twin))


def ours(twin: Twin) -> dict[str, Any]:
    """Regard's weights by kind, (L, H, Q, K) each."""
    return {kind: twin.trace.attention.of(kind) for kind in twin.trace.attention.kinds}


@torch.no_grad()
def _output(twin: Twin) -> Any:
    return twin.network(**twin.inputs(), output_attentions=True)


def _attention(twin: Twin) -> dict[str, Any]:
    found = _output(twin)
    if twin.has_two_stacks:
        return {kind: torch.cat(getattr(found, name)) for kind, name in KINDS.items()}
    return {"decoder_self" if twin.predicts else "encoder_self": torch.cat(found.attentions)}


def _drawn(twin: Twin) -> dict[str, Any]:
    """The weights in the page, (L, H, Q, K) of each kind."""
    from bertviz import head_view  # only in its own environment

    found = _output(twin)
    tokens = [f"t{index}" for index in twin.inputs()["input_ids"][0].tolist()]
    if twin.has_two_stacks:
        fed = [f"t{index}" for index in twin.trace.prefix.ids]
        given = {name: getattr(found, f"{name}s") for name in ("encoder_attention", "decoder_attention")}
        given |= {"cross_attention": found.cross_attentions, "encoder_tokens": tokens, "decoder_tokens": fed}
    else:
        given = {"attention": found.attentions, "tokens": tokens}
    page = head_view(**given, html_action="return").data
    params, _ = json.JSONDecoder().raw_decode(page[page.index('{"attention": ') :])
    alone = "decoder_self" if twin.predicts else "encoder_self"
    return {DRAWN.get(one["name"] or "", alone): one["attn"] for one in params["attention"]}
