"""Decoders and encoder-decoders of courses, videos and notebooks that many people have copied, under their names."""

from tests.strangers.authors import LENGTH, Author, blocks
from tests.strangers.students import both

_PICO = {"attn.c_attn": "q+k+v", "attn.c_proj": "o", "ln_1": "n1", "ln_2": "n2", "mlp.c_fc": "fc1", "mlp.c_proj": "fc2"}
_BOOK = {
    "multihead_attention.W_query": "q", "multihead_attention.W_key": "k", "multihead_attention.W_value": "v",
    "multihead_attention.output_projection": "o", "feedforward.network.0": "fc1", "feedforward.network.2": "fc2",
    "layernorm_1": "n1", "layernorm_2": "n2",
}  # fmt: skip
_LAB = {"query.linear": "q", "key.linear": "k", "value.linear": "v", "output": "o"}
_SHARED = {"query_matrix": "q", "key_matrix": "k", "value_matrix": "v", "out": "o"}
_HEADS = {"sublayer.heads.{h}.q": "q", "sublayer.heads.{h}.k": "k", "sublayer.heads.{h}.v": "v", "sublayer.linear": "o"}


def _attention(place: str, words: dict[str, str], before: str) -> dict[str, str]:
    return {f"{place}.{stored}": f"{before}{ours}" for stored, ours in words.items()}


GPTS = {
    "former (Bloem)": Author(
        "token_embedding = emb\npos_embedding.weight = pos\ntoprobs = out\n"
        + blocks("tblocks.{i}.", {"attention.tokeys": "k", "attention.toqueries": "q", "attention.tovalues": "v",
                                  "attention.unifyheads": "o", "norm1": "n1", "norm2": "n2", "ff.0": "fc1",
                                  "ff.2": "fc2"}), norm_first=False, without="q k v"),
    "labml's": Author(
        "src_embed.linear = emb\nsrc_embed.positional_encodings = pos\ngenerator = out\nencoder.norm = final\n"
        + blocks("encoder.layers.{i}.", _attention("self_attn", _LAB, "") | {
            "feed_forward.layer1": "fc1", "feed_forward.layer2": "fc2", "norm_self_attn": "n1", "norm_ff": "n2"}),
        activation="gelu"),
    "Raschka's, with words changed": Author(
        "token_embedding_layer = emb\nposition_embedding_layer.weight = pos\nfinal_layernorm = final\n"
        "output_head = out\n" + blocks("transformer_layers.{i}.", _BOOK), norm_names=("scale", "shift"),
        activation="gelu_tanh", without="q k v out"),
    "picoGPT": Author(
        "wte = emb\nwpe.weight = pos\nln_f = final\n" + blocks("blocks.{i}.", _PICO), norm_names=("g", "b"),
        turned="q fc1 fc2 o", activation="gelu_tanh", tied=True, without="out"),
    "lists of modules (transfer learning tutorial)": Author(
        "tokens_embeddings = emb\nposition_embeddings.weight = pos\n"
        + blocks("", {"attentions.{i}.in_proj": "q+k+v", "attentions.{i}.out_proj": "o", "feed_forwards.{i}.0": "fc1",
                      "feed_forwards.{i}.2": "fc2", "layer_norms_1.{i}": "n1", "layer_norms_2.{i}": "n2"}),
        without="out", tied=True),
}  # fmt: skip

TRANSLATORS = {
    "DataCamp": Author(
        "encoder_embedding = enc.emb\ndecoder_embedding = dec.emb\npositional_encoding.pe = enc.pe\nfc = out\n"
        + both("encoder_layers.{i}.", "decoder_layers.{i}.", {"wq": "q", "wk": "k", "wv": "v", "wo": "o"}, "cross_attn",
               "self_attn", ("norm1", "norm2", "norm3"), ("feed_forward.fc1", "feed_forward.fc2")),
        sizes=(23, 29), norm_first=False, positions="sinusoids"),
    "labml's": Author(
        "src_embed.linear = enc.emb\ntgt_embed.linear = dec.emb\nsrc_embed.positional_encodings = enc.pe\n"
        "tgt_embed.positional_encodings = dec.pe\ngenerator.projection = out\nencoder.norm = enc.final\n"
        "decoder.norm = dec.final\n"
        + both("encoder.layers.{i}.", "decoder.layers.{i}.", _LAB, "src_attn", "self_attn",
               ("norm_self_attn", "norm_src_attn", "norm_ff"), ("feed_forward.layer1", "feed_forward.layer2")),
        sizes=(23, 29), positions="sinusoids", scaled=True, pe_shape=(LENGTH, 1, 32)),
    "a Kaggle notebook": Author(
        "encoder.embedding_layer.embed = enc.emb\ndecoder.word_embedding.embed = dec.emb\n"
        "encoder.positional_encoder.pe = enc.pe\ndecoder.position_embedding.pe = dec.pe\ndecoder.fc_out = out\n"
        + blocks("encoder.layers.{i}.", _attention("attention", _SHARED, "enc.") | {
            "norm1": "enc.n1", "norm2": "enc.n2", "feed_forward.0": "enc.fc1", "feed_forward.2": "enc.fc2"}) + "\n"
        + blocks("decoder.layers.{i}.", _attention("self_attention", _SHARED, "dec.") | {"norm": "dec.n1"}
                 | _attention("transformer_block.attention", _SHARED, "dec.c") | {
            "transformer_block.norm1": "dec.nc", "transformer_block.norm2": "dec.n2",
            "transformer_block.feed_forward.0": "dec.fc1", "transformer_block.feed_forward.2": "dec.fc2"}),
        sizes=(23, 29), norm_first=False, positions="sinusoids", scaled=True, shared=True, without="q k v cq ck cv"),
    "heads within numbered attentions (Odom)": Author(
        "src_emb = enc.emb\ntgt_emb = dec.emb\ndecoder.linear = out\n"
        + blocks("encoder.layers.{i}.", _attention("attention", _HEADS, "enc.") | {
            "attention.norm": "enc.n1", "feed_forward.sublayer.0": "enc.fc1", "feed_forward.sublayer.2": "enc.fc2",
            "feed_forward.norm": "enc.n2"}) + "\n"
        + blocks("decoder.layers.{i}.", _attention("attention_1", _HEADS, "dec.") | {"attention_1.norm": "dec.n1"}
                 | _attention("attention_2", _HEADS, "dec.c") | {
            "attention_2.norm": "dec.nc", "feed_forward.sublayer.0": "dec.fc1", "feed_forward.sublayer.2": "dec.fc2",
            "feed_forward.norm": "dec.n2"}),
        sizes=(23, 29), norm_first=False, positions="sinusoids"),
}  # fmt: skip
