"""Encoder-decoders under names that follow no repository: one author's, and what others call differently."""

from typing import Any

from tests.strangers.authors import Author
from tests.strangers.students import both

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
