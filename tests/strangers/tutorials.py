"""Two often copied tutorials, whose files are families of their own."""

import re
from dataclasses import replace

from torch import Tensor

from tests.strangers.authors import Author, blocks
from tests.strangers.students import both

TUTORIAL_6 = Author(
    "encoder.tok_embedding = enc.emb\nencoder.pos_embedding = enc.pos\n"
    "decoder.tok_embedding = dec.emb\ndecoder.pos_embedding = dec.pos\n"
    + both("encoder.layers.{i}.", "decoder.layers.{i}.", {"fc_q": "q", "fc_k": "k", "fc_v": "v", "fc_o": "o"},
           "encoder_attention", "self_attention", ("self_attn_layer_norm", "enc_attn_layer_norm", "ff_layer_norm"),
           ("positionwise_feedforward.fc_1", "positionwise_feedforward.fc_2")) + "\ndecoder.fc_out = out",
    sizes=(23, 29), norm_first=False, scaled=True,
)  # fmt: skip
"""bentrevett's."""
_SHARED = {"values": "v", "keys": "k", "queries": "q", "fc_out": "o"}
FROM_SCRATCH = Author(
    "encoder.word_embedding = enc.emb\nencoder.position_embedding = enc.pos\n"
    "decoder.word_embedding = dec.emb\ndecoder.position_embedding = dec.pos\n"
    + blocks("encoder.layers.{i}.", {f"attention.{theirs}": f"enc.{role}" for theirs, role in _SHARED.items()} | {
        "norm1": "enc.n1", "norm2": "enc.n2", "feed_forward.0": "enc.fc1", "feed_forward.2": "enc.fc2"}) + "\n"
    + blocks("decoder.layers.{i}.", {
        f"{place}attention.{theirs}": f"dec.{before}{role}"
        for place, before in (("", ""), ("transformer_block.", "c")) for theirs, role in _SHARED.items()} | {
        "norm": "dec.n1", "transformer_block.norm1": "dec.nc", "transformer_block.norm2": "dec.n2",
        "transformer_block.feed_forward.0": "dec.fc1", "transformer_block.feed_forward.2": "dec.fc2"})
    + "\ndecoder.fc_out = out",
    sizes=(23, 29), norm_first=False, shared=True, without="q k v cq ck cv", score="model", masks_target=False,
)  # fmt: skip
"""Aladdin Persson's."""
_EARLIER = {
    "2020-03": (("self_attn_layer_norm", "layer_norm"),),
    "2019-12": (("self_attn_layer_norm", "layer_norm"), ("attention.fc_o ", "attention.fc ")),
    "2019-10": (("self_attn_layer_norm", "ln"), ("attention.fc_o ", "attention.fc "), ("decoder.fc_out", "decoder.fc"),
                (".fc_q", ".w_q"), (".fc_k", ".w_k"), (".fc_v", ".w_v"), ("self_attention", "sa"),
                ("encoder_attention", "ea"), ("positionwise_feedforward", "pf")),
}  # fmt: skip


def tutorial_6_of(month: str) -> Author:
    """A tutorial 6 whose layers have one norm, with the names that the notebook then had."""
    earlier = TUTORIAL_6.with_one_norm()
    for last, first in _EARLIER["2019-10" if month == "2019-09" else month]:
        earlier = replace(earlier, table=earlier.table.replace(last, first))
    return earlier


def as_convolutions(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The state with the feed-forward network as two convolutions of width 1, as it was in September 2019."""
    return {name: tensor[..., None] if re.search(r"\.pf\.fc_\d\.weight", name) else tensor
            for name, tensor in state.items()}  # fmt: skip
