"""Encoder-decoders under names that follow no repository, and single stacks of scripts and books."""

from dataclasses import replace
from typing import Any

from tests.strangers.authors import Author, blocks
from tests.strangers.students import KARPATHY, both

Words = tuple[str, str, str, str]


def plain(
    roles: Words = ("wq", "wk", "wv", "wo"),
    own: str = "self_attn",
    cross: str = "cross_attn",
    *,
    feed: tuple[str, str] = ("ffn.fc1", "ffn.fc2"),
    norms: tuple[str, str, str] = ("norm1", "norm2", "norm3"),
    around: str = "src_embed = enc.emb\ntgt_embed = dec.emb\nfc_out = out\npe = enc.pe\n",
    layers: tuple[str, str] = ("encoder.layers.{i}.", "decoder.layers.{i}."),
    fused: str = "",
    **habits: Any,
) -> Author:
    """The usual author, with other words or habits.

    Args:
        roles: the words for queries, keys, values and output.
        own: the word for self-attention; ``cross`` is that for cross-attention.
        around: the lines of what is outside the layers.
        layers: where the encoder's and the decoder's layers are.
        fused: one projection for queries, keys and values of self-attention.
    """
    table = around + both(*layers, dict(zip(roles, "qkvo", strict=True)), cross, own, norms, feed, fused=fused)
    usual: dict[str, Any] = {"sizes": (23, 29), "norm_first": False, "scaled": True, "positions": "sinusoids"}
    return Author(table, **usual | habits)


_NO_BIAS = "q k v o cq ck cv co out"
PLAIN = plain()
HEADS = plain(("heads.{h}.wq", "heads.{h}.wk", "heads.{h}.wv", "wo"))
FUSED = plain(fused="qkv")
LEARNED = plain(around="encoder.tok_emb = enc.emb\nencoder.pos_emb = enc.pos\ndecoder.tok_emb = dec.emb\n"
                "decoder.pos_emb = dec.pos\ndecoder.out = out\n", positions="learned", scaled=False)  # fmt: skip
_AROUND = "src_embed = enc.emb\ntgt_embed = dec.emb\nfc_out = out\n"
PLAINS = {
    "wq": PLAIN,
    "q_proj in blocks": plain(
        ("q_proj", "k_proj", "v_proj", "out_proj"), "attn", layers=("enc_blocks.{i}.", "dec_blocks.{i}."),
        around="src_tok = enc.emb\ntgt_tok = dec.emb\nhead = out\npe = enc.pe\nencoder_norm = enc.final\n"
               "decoder_norm = dec.final\n", norm_first=True),
    "fused": plain(("query", "key", "value", "proj"), "attention", "enc_dec_attention", fused="qkv",
                   feed=("mlp.0", "mlp.2"), norms=("ln1", "ln2", "ln3"), without=_NO_BIAS),
    "one module a head": plain(
        ("heads.{h}.query", "heads.{h}.key", "heads.{h}.value", "linear"), "attention", "cross_attention",
        feed=("feed_forward.0", "feed_forward.2")),
    "attentions": plain(
        ("attentions.{h}.q", "attentions.{h}.k", "attentions.{h}.v", "proj"), "self_attention", "encoder_attention",
        norms=("norm_self", "norm_cross", "norm_ff"), without=_NO_BIAS),
    "heads as wide as the model": plain(
        ("attentions.{h}.q", "attentions.{h}.k", "attentions.{h}.v", "projection"), "attention_self", "attention_cross",
        feed=("mlp1", "mlp2"), heads=3, wide=True),
    "learned": LEARNED,
    "numbers": plain(("Wq", "Wk", "Wv", "Wo"), "mha1", "mha2", feed=("linear1", "linear2"),
                     norms=("layer_norm1", "layer_norm2", "layer_norm3"), heads=2),
    "words": plain(
        ("query_layer", "key_layer", "value_layer", "output_layer"), "self_attention", "source_attention",
        feed=("position_wise.w_1", "position_wise.w_2"), norms=("self_norm", "source_norm", "feed_norm"),
        around=_AROUND.replace("fc_out", "generator") + "pe = enc.pe\n", activation="gelu", heads=8),
    "masks": plain(around=_AROUND + "pe = enc.pe\ndecoder.mask = tril\nscale = scale\n"),
    "no biases, no table": plain(around=_AROUND, norm="bessel", without=_NO_BIAS),
    "population": plain(around=_AROUND + "pe = enc.pe\nencoder.norm = enc.final\ndecoder.norm = dec.final\n",
                        norm="population", norm_first=True),
    "tied": plain(sizes=(29, 29)),
}  # fmt: skip
"""Files of no known family, whose every tensor can be placed by its name and shape."""


_NANO = {"ln_1": "n1", "attn.c_attn": "q+k+v", "attn.c_proj": "o", "ln_2": "n2", "mlp.c_fc": "fc1", "mlp.c_proj": "fc2"}
_SMALL: dict[str, Any] = {"sizes": (40, 40), "layers": 2}
NANO = Author(
    "transformer.wte = emb\ntransformer.wpe = pos\n" + blocks("transformer.h.{i}.", _NANO)
    + "\ntransformer.ln_f = final\nlm_head = out", sizes=(40, 40), activation="gelu", tied=True,
    without="q k v o fc1 fc2 norms out",
)  # fmt: skip
"""nanoGPT (model.py)."""
MINGPT = replace(NANO, table=NANO.table + "\ntransformer.h.{i}.attn.bias = tril", activation="gelu_tanh", tied=False,
                 without="out")  # fmt: skip
FIRST_MINGPT = Author(
    "pos_emb = pos1\ntok_emb = emb\nblocks.{i}.attn.mask = tril\n"
    + blocks("blocks.{i}.", {"ln1": "n1", "ln2": "n2", "attn.key": "k", "attn.query": "q", "attn.value": "v",
                             "attn.proj": "o", "mlp.0": "fc1", "mlp.2": "fc2"}) + "\nln_f = final\nhead = out",
    activation="gelu", without="out", **_SMALL,
)  # fmt: skip
"""minGPT before January 2023: positions as a parameter (1, T, C), projections apart, an exact GELU."""
LECTURE = Author(
    "token_embedding_table = emb\nposition_embedding_table = pos\nblocks.{i}.sa.heads.{h}.tril = tril\n"
    + blocks("blocks.{i}.", KARPATHY) + "\nln_f = final\nlm_head = out", without="q k v", heads=8, **_SMALL,
)  # fmt: skip
"""Karpathy's "Let's build GPT": one module a head, ReLU, an output with a bias."""
BOOK = Author(
    "tok_emb = emb\npos_emb.weight = pos\ntrf_blocks.{i}.att.mask = tril\n"
    + blocks("trf_blocks.{i}.", {"att.W_query": "q", "att.W_key": "k", "att.W_value": "v", "att.out_proj": "o",
                                 "ff.layers.0": "fc1", "ff.layers.2": "fc2", "norm1": "n1", "norm2": "n2"})
    + "\nfinal_norm = final\nout_head = out",
    norm_names=("scale", "shift"), activation="gelu_tanh", without="q k v out", **_SMALL,
)  # fmt: skip
"""GPTModel of Raschka's "Build a Large Language Model"."""
LLAMA = Author(
    "tok_embeddings = emb\n"
    + blocks("layers.{i}.", {"attention.wq": "q", "attention.wk": "k", "attention.wv": "v", "attention.wo": "o",
                             "feed_forward.w1": "fc1", "feed_forward.w2": "fc2", "feed_forward.w3": "gate",
                             "attention_norm": "n1", "ffn_norm": "n2"}) + "\nnorm = final\noutput = out",
    norm="rms", activation="silu", positions="rotary_pairs", key_heads=2, inner=44, tied=True,
    without="q k v o fc1 fc2 gate out", **_SMALL,
)  # fmt: skip
"""llama2.c's and Meta's: rotary pairs are neighbours."""
ANNOTATED = Author(
    "src_embed.0.lut = emb\nsrc_embed.1.pe = pe\n"
    + blocks("encoder.layers.{i}.", {f"self_attn.linears.{n}": role for n, role in enumerate("qkvo")} | {
        "feed_forward.w_1": "fc1", "feed_forward.w_2": "fc2", "sublayer.0.norm": "n1", "sublayer.1.norm": "n2"})
    + "\nencoder.norm = final\n",
    causal=False, norm="bessel", norm_names=("a_2", "b_2"), scaled=True, positions="sinusoids", log_softmax=True,
    **_SMALL,
)  # fmt: skip
"""``src_embed`` and ``encoder`` of the Annotated Transformer."""
SCRIPTS = {"nano": NANO, "mingpt": FIRST_MINGPT, "lecture": LECTURE, "book": BOOK, "llama": LLAMA,
           "annotated": ANNOTATED}  # fmt: skip
