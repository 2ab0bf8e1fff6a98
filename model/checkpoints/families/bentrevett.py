"""bentrevett/pytorch-seq2seq, tutorial 6 ("Attention is All You Need"): a state dict, post-norm, learned positions.

The source is <sos> tokens <eos>; <unk> 0, <pad> 1, <sos> 2, <eos> 3. Not in the file: heads, ids, tokens.

The notebook changed its names over the years. Until 16 April 2020 one norm served all branches of a layer; until
November 2019 the modules were called ``sa``, ``ea``, ``pf`` and ``ln``, and until October 2019 the feed-forward
network was two convolutions of width 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.hints import Hints
from model.checkpoints.families.renaming import cut_alike
from model.checkpoints.families.tables import POST_NORM, from_table, infer_config_from_shapes, layout
from model.checkpoints.formats.source import Source
from model.config import TransformerConfig

NAME = "bentrevett"
_PROJECTIONS = ("fc_q", "fc_k", "fc_v", "fc_o")
_NETWORK = ("positionwise_feedforward.fc_1", "positionwise_feedforward.fc_2")
_NORMS = {"encoder": ("self_attn_layer_norm", "ff_layer_norm"),
          "decoder": ("self_attn_layer_norm", "enc_attn_layer_norm", "ff_layer_norm")}  # fmt: skip
TABLE = {
    **{f"{side}.{ours}": f"{side}.{theirs}.weight" for side in _NORMS
       for ours, theirs in (("embedding.weight", "tok_embedding"), ("positions.table", "pos_embedding"))},
    "output.*": "decoder.fc_out.*",
    **layout("encoder", "encoder.layers.{}", _PROJECTIONS, ("self_attention",), _NETWORK, _NORMS["encoder"]),
    **layout("decoder", "decoder.layers.{}", _PROJECTIONS, ("self_attention", "encoder_attention"), _NETWORK,
             _NORMS["decoder"]),
}  # fmt: skip
_MARKS = ("encoder.tok_embedding.weight", "encoder.layers.0.self_attention.fc_q.weight",
          "decoder.layers.0.encoder_attention.fc_q.weight", "decoder.fc_out.weight")  # fmt: skip
_EARLIER = tuple(
    (re.compile(earlier), last)
    for earlier, last in (
        (r"\.sa\.", ".self_attention."), (r"\.ea\.", ".encoder_attention."), (r"\.pf\.", ".positionwise_feedforward."),
        (r"\.ln\.", ".layer_norm."), (r"attention\.w_([qkv])\.", r"attention.fc_\1."),
        (r"attention\.fc\.", "attention.fc_o."), (r"^decoder\.fc\.", "decoder.fc_out."),
    )
)  # fmt: skip
"""Names of earlier years, and those of the last."""
_SHARED = re.compile(r"(encoder|decoder)\.layers\.\d+\.(layer_norm)\.")


def recognise(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which this family is recognised, under their own names."""
    marks = {name: theirs for theirs in tensors for name in _of_last_year(theirs) if name in _MARKS}
    return tuple(marks[mark] for mark in _MARKS) if len(marks) == len(_MARKS) else ()


def _of_last_year(name: str) -> tuple[str, ...]:
    """A name as the last version of the notebook has it; several for a norm that its layer shares."""
    for earlier, last in _EARLIER:
        name = earlier.sub(last, name)
    shared = _SHARED.match(name)
    if shared is None:
        return (name,)
    return tuple(f"{name[: shared.start(2)]}{norm}{name[shared.end(2) :]}" for norm in _NORMS[shared[1]])


def convert(source: Source, hints: Hints, tokenizers: Tokenizers) -> Conversion:
    """Bring a source onto our Transformer."""
    where, answers = source.where, Answers(hints)
    tensors = {name: tensor for theirs, tensor in source.tensors.items() for name in _of_last_year(theirs)}
    shapes = infer_config_from_shapes(TABLE, tensors, where=where)
    heads = answers.heads(shapes["d_model"])
    n_rows = cut_alike(tensors, [f"{side}.pos_embedding.weight" for side in ("encoder", "decoder")])
    config = TransformerConfig(
        **shapes, **POST_NORM,
        n_encoder_heads=heads[0], n_decoder_heads=heads[1],
        attention_bias=any(name.endswith("attention.fc_q.bias") for name in tensors),
        positions="learned", max_positions=n_rows or 100, source_has_bos=True,
        **answers.specials(tokenizers, shapes, pads=(1, 1), bos=2, eos=3),
    )  # fmt: skip
    return from_table(tensors, TABLE, config, answers, tokenizers, where=where,
                     ignored=[re.escape(name) for name, tensor in tensors.items()
                              if name.endswith(".scale") and tensor.numel() == 1])  # fmt: skip
