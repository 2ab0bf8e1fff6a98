"""Encoder-decoders of tutorials, videos and a book: state dicts under the names of code that many people have copied.

Each has a table of its names and a function that reads what its tensors, and the answers about its code, tell.
"""

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import TensorsError
from model.checkpoints.families.renaming import cut_alike, matrix, recognise_by_names, rows_of, with_prefixes
from model.checkpoints.families.tables import POST_NORM, both_stacks, from_table, infer_config_from_shapes, layout
from model.checkpoints.formats.source import Source
from model.config import ANNOTATED_EPSILON, EPSILON, TransformerConfig

_SIDES = ("encoder", "decoder")


def _computed_positions(length: int, d_model: int) -> tuple[Tensor | None, Tensor | None]:
    """The table (P, D) of both stacks, computed exactly as in d2l and hyunwoongko, so that it is bit-identical."""
    if d_model % 2:
        return None, None
    angle = torch.arange(length).float().unsqueeze(1) / 10000 ** (torch.arange(0, d_model, 2).float() / d_model)
    table = torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1)
    return table, table


_LINEARS, _W_NETWORK = ("linears.0", "linears.1", "linears.2", "linears.3"), ("feed_forward.w_1", "feed_forward.w_2")
_SUBLAYERS = ("sublayer.0.norm", "sublayer.1.norm", "sublayer.2.norm")
_ANNOTATED = ("src_embed.0.lut.weight", "encoder.layers.0.self_attn.linears.0.weight",
              "decoder.layers.0.self_attn.linears.0.weight")  # fmt: skip


def annotated_layers(side: str, place: str, norm: Mapping[str, str]) -> dict[str, str]:
    """The table of names for an Annotated Transformer's encoder layers, or for a decoder built from them.

    Args:
        norm: the names of a norm's parts.
    """
    return layout(side, place, _LINEARS, ("self_attn",), _W_NETWORK, _SUBLAYERS[:2], norm=norm)


def annotated_norm(tensors: Mapping[str, Tensor], norm: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The fields that say which norm an Annotated Transformer has, and the names of its parts."""
    if f"{norm}.a_2" in tensors:
        return {"norm_kind": "annotated", "norm_epsilon": ANNOTATED_EPSILON}, {"weight": "a_2", "bias": "b_2"}
    return {"norm_kind": "layer", "norm_epsilon": EPSILON}, {"weight": "weight", "bias": "bias"}


def _convert_annotated(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """harvardnlp/annotated-transformer: pre-norm with its own LayerNorm, log-probabilities out.

    Descendants use ``nn.LayerNorm`` instead of the original's norm.
    """
    tensors = source.tensors
    fields, norm = annotated_norm(tensors, "encoder.norm")
    table = {
        "encoder.embedding.weight": "src_embed.0.lut.weight", "decoder.embedding.weight": "tgt_embed.0.lut.weight",
        "output.*": "generator.proj.*", **annotated_layers("encoder", "encoder.layers.{}", norm),
        **layout("decoder", "decoder.layers.{}", _LINEARS, ("self_attn", "src_attn"), _W_NETWORK, _SUBLAYERS,
                 norm=norm),
        **with_prefixes("encoder.final_norm", "encoder.norm", norm),
        **with_prefixes("decoder.final_norm", "decoder.norm", norm),
    }  # fmt: skip
    shapes = infer_config_from_shapes(table, tensors, where=source.where)
    encoder_heads, decoder_heads = answers.heads(shapes["d_model"])
    positions = tensors.get("src_embed.1.pe"), tensors.get("tgt_embed.1.pe")
    config = TransformerConfig(
        **shapes, **fields, n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        attention_bias=any(name.endswith(".linears.0.bias") for name in tensors),
        output_log_softmax=True, max_positions=rows_of(positions[0], 5000), source_has_bos=True,
        **answers.specials(tokenizers, shapes, pads=(2, 2), bos=0, eos=1),
    )  # fmt: skip
    return from_table(tensors, table, config, answers, tokenizers, where=source.where, tables=positions,
                      ignored=(r"(src|tgt)_embed\.1\.pe",))  # fmt: skip


_D2L = {
    "encoder.embedding.weight": "encoder.embedding.weight", "decoder.embedding.weight": "decoder.embedding.weight",
    "output.*": "decoder.dense.*",
    **both_stacks("blks.block{}", ("W_q", "W_k", "W_v", "W_o"), ("attention", "attention1", "attention2"),
                  ("ffn.dense1", "ffn.dense2"), ("addnorm1.ln", "addnorm2.ln"),
                  ("addnorm1.ln", "addnorm2.ln", "addnorm3.ln")),
}  # fmt: skip
_D2L_POSITIONS = 1000


def _d2l(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Dive into Deep Learning (the book's code and the d2l package): ``Seq2Seq``, post-norm.

    Its decoder is causal in training. At inference it is fed token by token, each time at position 0. By default
    positions advance here as in training; with ``original_positions=True`` they stay at 0.
    """
    tensors = source.tensors
    shapes = infer_config_from_shapes(_D2L, tensors, where=source.where)
    encoder_heads, decoder_heads = answers.heads(shapes["d_model"], likely=4)
    stays = answers.ask("original_positions", False, choices=(False, True))
    config = TransformerConfig(
        **shapes, **POST_NORM, n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        attention_bias=any(".W_q.bias" in name for name in tensors), max_positions=_D2L_POSITIONS,
        mask_target_padding=False, target_position_order=(0,) * _D2L_POSITIONS if stays else None,
        **answers.specials(tokenizers, shapes, pads=(0, 0), bos=1, eos=2),
    )  # fmt: skip
    return from_table(tensors, _D2L, config, answers, tokenizers, where=source.where, fill=True,
                      tables=_computed_positions(_D2L_POSITIONS, shapes["d_model"]))  # fmt: skip


_ALPHA, _RESIDUALS = {"weight": "alpha", "bias": "bias"}, tuple(f"residual_connections.{n}.norm" for n in range(3))
_HKPROJ = {
    "encoder.embedding.weight": "src_embed.embedding.weight", "decoder.embedding.weight": "tgt_embed.embedding.weight",
    "output.*": "projection_layer.proj.*",
    **both_stacks("layers.{}", ("w_q", "w_k", "w_v", "w_o"),
                  ("self_attention_block", "self_attention_block", "cross_attention_block"),
                  ("feed_forward_block.linear_1", "feed_forward_block.linear_2"), _RESIDUALS[:2], _RESIDUALS,
                  norm=_ALPHA),
    **with_prefixes("encoder.final_norm", "encoder.norm", _ALPHA),
    **with_prefixes("decoder.final_norm", "decoder.norm", _ALPHA),
}  # fmt: skip


def _hkproj(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """hkproj/pytorch-transformer: {epoch, model_state_dict, …}, pre-norm with its own LayerNorm, tokenizer_xx.json
    beside.

    Early versions of it have norms of one number each, which holds for the whole width, and give log-probabilities.
    """
    tensors = source.tensors
    shapes = infer_config_from_shapes(_HKPROJ, tensors, where=source.where)
    encoder_heads, decoder_heads = answers.heads(shapes["d_model"])
    positions = tensors.get("src_pos.pe"), tensors.get("tgt_pos.pe")
    scalars = {name: tensor.repeat(shapes["d_model"]) for name, tensor in tensors.items()
               if name.endswith(("norm.alpha", "norm.bias")) and tuple(tensor.shape) == (1,)}  # fmt: skip
    config = TransformerConfig(
        **shapes, n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads, norm_kind="annotated",
        norm_epsilon=1e-6, attention_bias=any(name.endswith("_block.w_q.bias") for name in tensors),
        output_log_softmax=bool(scalars) and shapes["d_model"] > 1, max_positions=rows_of(positions[0], 5000),
        source_has_bos=True, **answers.specials(tokenizers, shapes, pads=(1, 1), bos=2, eos=3),
    )  # fmt: skip
    return from_table({**tensors, **scalars}, _HKPROJ, config, answers, tokenizers, where=source.where,
                      ignored=(r"(src|tgt)_pos\.pe",), tables=positions)  # fmt: skip


_HYUNWOONGKO = {
    "encoder.embedding.weight": "encoder.emb.tok_emb.weight", "decoder.embedding.weight": "decoder.emb.tok_emb.weight",
    "output.*": "decoder.linear.*",
    **both_stacks("layers.{}", ("w_q", "w_k", "w_v", "w_concat"), ("attention", "self_attention", "enc_dec_attention"),
                  ("ffn.linear1", "ffn.linear2"), ("norm1", "norm2"), ("norm1", "norm2", "norm3"),
                  norm={"weight": "gamma", "bias": "beta"}),
}  # fmt: skip


def _hyunwoongko(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """hyunwoongko/transformer: post-norm, embeddings not scaled.

    Its target mask hides padded queries, where others hide padded keys, so the rows of padding are uniform. Before 8
    December 2022 its masks filled with -1e-12, which hid nothing, and its norms divided by another number: those
    versions, which have the same names and shapes, are not supported.
    """
    answers.recent_code("67ccbb0 (2022-12-08)")
    shapes = infer_config_from_shapes(_HYUNWOONGKO, source.tensors, where=source.where)
    encoder_heads, decoder_heads = answers.heads(shapes["d_model"])
    config = TransformerConfig(
        **shapes, **POST_NORM, n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads, norm_epsilon=1e-12,
        embedding_scale=1.0, max_positions=1024, mask_target_padding=False, blank_target_padding=True,
        source_has_bos=True, **answers.specials(tokenizers, shapes, pads=(1, 1), bos=2, eos=3),
    )  # fmt: skip
    return from_table(source.tensors, _HYUNWOONGKO, config, answers, tokenizers, where=source.where,
                      tables=_computed_positions(1024, shapes["d_model"]),
                      ignored=(r"(encoder|decoder)\.emb\.pos_emb\.encoding",))  # fmt: skip


_FC_NORMS = {"encoder": ("self_attn_layer_norm", "ff_layer_norm"),
             "decoder": ("self_attn_layer_norm", "enc_attn_layer_norm", "ff_layer_norm")}  # fmt: skip
_BENTREVETT = {
    **{f"{side}.{ours}": f"{side}.{stored}.weight" for side in _SIDES
       for ours, stored in (("embedding.weight", "tok_embedding"), ("positions.table", "pos_embedding"))},
    "output.*": "decoder.fc_out.*",
    **both_stacks("layers.{}", ("fc_q", "fc_k", "fc_v", "fc_o"),
                  ("self_attention", "self_attention", "encoder_attention"),
                  ("positionwise_feedforward.fc_1", "positionwise_feedforward.fc_2"), *_FC_NORMS.values()),
}  # fmt: skip
_BENTREVETT_MARKS = ("encoder.tok_embedding.weight", "encoder.layers.0.self_attention.fc_q.weight",
                     "decoder.layers.0.encoder_attention.fc_q.weight", "decoder.fc_out.weight")  # fmt: skip
_EARLIER = tuple(
    (re.compile(earlier), last)
    for earlier, last in (
        (r"\.sa\.", ".self_attention."), (r"\.ea\.", ".encoder_attention."), (r"\.pf\.", ".positionwise_feedforward."),
        (r"\.ln\.", ".layer_norm."), (r"attention\.w_([qkv])\.", r"attention.fc_\1."),
        (r"attention\.fc\.", "attention.fc_o."), (r"^decoder\.fc\.", "decoder.fc_out."),
    )
)  # fmt: skip
"""Names of bentrevett's earlier years, and those of the last."""
_SHARED = re.compile(r"(encoder|decoder)\.layers\.\d+\.(layer_norm)\.")


def _of_last_year(name: str) -> tuple[str, ...]:
    """The name in the last version of bentrevett's notebook; several for a norm that a layer shares."""
    for earlier, last in _EARLIER:
        name = earlier.sub(last, name)
    shared = _SHARED.match(name)
    if shared is None:
        return (name,)
    return tuple(f"{name[: shared.start(2)]}{norm}{name[shared.end(2) :]}" for norm in _FC_NORMS[shared[1]])


def _recognise_bentrevett(tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """The tensors by which it is recognised, under their own names."""
    marks = {name: stored for stored in tensors for name in _of_last_year(stored) if name in _BENTREVETT_MARKS}
    return tuple(marks[mark] for mark in _BENTREVETT_MARKS) if len(marks) == len(_BENTREVETT_MARKS) else ()


def _bentrevett(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """bentrevett/pytorch-seq2seq, tutorial 6 ("Attention is All You Need"): post-norm, learned positions.

    The source is <sos> tokens <eos>; <unk> 0, <pad> 1, <sos> 2, <eos> 3. The notebook changed its names over the years.
    Until 16 April 2020 one norm served all branches of a layer; until November 2019 the modules were called ``sa``,
    ``ea``, ``pf`` and ``ln``, and until October 2019 the feed-forward network was two convolutions of width 1.
    """
    tensors = {name: tensor for stored, tensor in source.tensors.items() for name in _of_last_year(stored)}
    shapes = infer_config_from_shapes(_BENTREVETT, tensors, where=source.where)
    encoder_heads, decoder_heads = answers.heads(shapes["d_model"])
    n_rows = cut_alike(tensors, [f"{side}.pos_embedding.weight" for side in _SIDES])
    config = TransformerConfig(
        **shapes, **POST_NORM, n_encoder_heads=encoder_heads, n_decoder_heads=decoder_heads,
        attention_bias=any(name.endswith("attention.fc_q.bias") for name in tensors),
        positions="learned", max_positions=n_rows or 100, source_has_bos=True,
        **answers.specials(tokenizers, shapes, pads=(1, 1), bos=2, eos=3),
    )  # fmt: skip
    return from_table(tensors, _BENTREVETT, config, answers, tokenizers, where=source.where,
                      ignored=[re.escape(name) for name, tensor in tensors.items()
                               if name.endswith(".scale") and tensor.numel() == 1])  # fmt: skip


_ALADDIN_PROJECTIONS = ("queries", "keys", "values", "fc_out")
_ALADDIN_NETWORK = ("feed_forward.0", "feed_forward.2")
_ALADDIN = {
    **{f"{side}.{ours}": f"{side}.{stored}.weight" for side in _SIDES
       for ours, stored in (("embedding.weight", "word_embedding"), ("positions.table", "position_embedding"))},
    "output.*": "decoder.fc_out.*",
    **layout("encoder", "encoder.layers.{}", _ALADDIN_PROJECTIONS, ("attention",), _ALADDIN_NETWORK,
             ("norm1", "norm2")),
    **layout("decoder", "decoder.layers.{}", _ALADDIN_PROJECTIONS, ("attention", "transformer_block.attention"),
             tuple(f"transformer_block.{name}" for name in _ALADDIN_NETWORK),
             ("norm", "transformer_block.norm1", "transformer_block.norm2")),
}  # fmt: skip
_QUERIES = "encoder.layers.0.attention.queries.weight"


def _aladdin(source: Source, answers: Answers, tokenizers: Tokenizers) -> Conversion:
    """Aladdin Persson's "Transformer from scratch": one projection of a head's width that all heads of a layer share.

    ``Linear(head_dim, head_dim)`` is applied to each head's part of the embedding, so it is read as a block-diagonal
    matrix, and it tells the number of heads. Scores are divided by √embedding, not by √head; embeddings are not scaled;
    positions are learned; the target's padding is not masked. Later copies project with ``Linear(embed, embed)``.

    Some copies fill masks with 1e-20 or -1e-20 in place of -1e20, which hides nothing. The file does not tell; such a
    model is a question and is refused, because rows would read tokens that come after them.

    Raises:
        TensorsError: when the projections' width does not divide the embedding's.
    """
    where = source.where
    shapes = infer_config_from_shapes(_ALADDIN, source.tensors, where=where)
    d_model, width = shapes["d_model"], matrix(source.tensors, _QUERIES, where=where)[0]
    if d_model % width:
        raise TensorsError(where, misshapen=(f"{_QUERIES} is {width} wide, which does not divide {d_model}",))
    n_shared = d_model // width
    heads = (n_shared, n_shared) if n_shared > 1 else answers.heads(d_model)
    answers.hiding_masks()
    tensors = dict(source.tensors)
    for name, tensor in source.tensors.items() if n_shared > 1 else ():
        if re.search(r"attention\.(queries|keys|values)\.(weight|bias)\Z", name):
            is_matrix = tensor.dim() == 2
            tensors[name] = torch.block_diag(*[tensor] * n_shared) if is_matrix else tensor.repeat(n_shared)
    n_rows = cut_alike(tensors, [f"{side}.position_embedding.weight" for side in _SIDES])
    config = TransformerConfig(
        **shapes, **POST_NORM, n_encoder_heads=heads[0], n_decoder_heads=heads[1], score_scale=d_model**-0.5,
        embedding_scale=1.0, attention_bias=any(re.search(r"attention\.\w+\.bias", name) for name in tensors),
        positions="learned", max_positions=n_rows or 100, mask_target_padding=False, source_has_bos=True,
        **answers.specials(tokenizers, shapes, pads=(0, 0), bos=1, eos=2),
    )  # fmt: skip
    return from_table(tensors, _ALADDIN, config, answers, tokenizers, where=where, fill=True)


TUTORIALS = (
    ("annotated", recognise_by_names((*_ANNOTATED, "encoder.norm.a_2"), (*_ANNOTATED, "encoder.norm.weight")),
     _convert_annotated),
    ("d2l", recognise_by_names(("encoder.blks.block0.attention.W_q.weight", "decoder.blks.block0.attention1.W_q.weight",
                     "decoder.dense.weight")), _d2l),
    ("hkproj", recognise_by_names(("encoder.layers.0.self_attention_block.w_q.weight",
                        "decoder.layers.0.cross_attention_block.w_q.weight", "projection_layer.proj.weight")), _hkproj),
    ("hyunwoongko", recognise_by_names(("encoder.emb.tok_emb.weight", "encoder.layers.0.attention.w_concat.weight",
                             "decoder.layers.0.enc_dec_attention.w_q.weight")), _hyunwoongko),
    ("bentrevett", _recognise_bentrevett, _bentrevett),
    ("aladdin", recognise_by_names(("encoder.word_embedding.weight", _QUERIES,
                         "decoder.layers.0.transformer_block.attention.queries.weight")), _aladdin),
)  # fmt: skip
"""Each by its name, what recognises it by tensors that no other family has, and what brings it onto our Transformer."""
