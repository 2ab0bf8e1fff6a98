"""BertViz: the weights that its head view draws, read from the page that it writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchmarks.peers import by_transformers
from benchmarks.peers.models import Twin
from benchmarks.peers.rows import Row, compared

NAMES = {"Encoder": "encoder_self", "Decoder": "decoder_self", "Cross": "cross"}


def rows(twin: Twin) -> Iterator[Row]:
    """What is drawn of one family."""
    yield compared("attention", twin, lambda: by_transformers.ours(twin), lambda: drawn(twin))


def drawn(twin: Twin) -> dict[str, Any]:
    """The weights in the page, (L, H, Q, K) of each kind."""
    from bertviz import head_view  # only in its own environment

    found = by_transformers.output(twin)
    tokens = [f"t{index}" for index in twin.inputs["input_ids"][0].tolist()]
    if twin.has_two_stacks:
        fed = [f"t{index}" for index in twin.trace.prefix.ids]
        given = {name: getattr(found, f"{name}s") for name in ("encoder_attention", "decoder_attention")}
        given |= {"cross_attention": found.cross_attentions, "encoder_tokens": tokens, "decoder_tokens": fed}
    else:
        given = {"attention": found.attentions, "tokens": tokens}
    page = head_view(**given, html_action="return").data
    params, _ = json.JSONDecoder().raw_decode(page[page.index('{"attention": ') :])
    alone = "decoder_self" if twin.predicts else "encoder_self"
    return {NAMES.get(one["name"] or "", alone): one["attn"] for one in params["attention"]}
