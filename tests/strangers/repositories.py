"""The names and habits of published repositories, read from their code; none of that code is used."""

from tests.strangers.authors import Author, blocks
from tests.strangers.students import both

_ENDS = "encoder.norm = enc.final\ndecoder.norm = dec.final\n"
_KOCH = "transformer_encoder_decoder."
REPOSITORIES = {
    "gordicaleksa/pytorch-original-transformer": Author(
        "src_embedding.embeddings_table = enc.emb\ntrg_embedding.embeddings_table = dec.emb\n"
        "src_pos_embedding.positional_encodings_table = enc.pe\ntrg_pos_embedding.positional_encodings_table = dec.pe\n"
        + _ENDS + both("encoder.encoder_layers.{i}.", "decoder.decoder_layers.{i}.",
                       {"qkv_nets.0": "q", "qkv_nets.1": "k", "qkv_nets.2": "v", "out_projection_net": "o"},
                       "src_multi_headed_attention", "trg_multi_headed_attention",
                       ("sublayers.0.norm", "sublayers.1.norm", "sublayers.2.norm"),
                       ("pointwise_net.linear1", "pointwise_net.linear2"), encoder_attention="multi_headed_attention")
        + "\ndecoder_generator.linear = out",
        sizes=(23, 29), scaled=True, positions="sinusoids", pe_shape=(40, 32)),
    "SamLynnEvans/Transformer": Author(
        "encoder.embed.embed = enc.emb\nencoder.pe.pe = enc.pe\ndecoder.embed.embed = dec.emb\ndecoder.pe.pe = dec.pe\n"
        + _ENDS + both("encoder.layers.{i}.", "decoder.layers.{i}.",
                       {"q_linear": "q", "k_linear": "k", "v_linear": "v", "out": "o"}, "attn_2", "attn_1",
                       ("norm_1", "norm_2", "norm_3"), ("ff.linear_1", "ff.linear_2"), encoder_attention="attn")
        + "\nout = out",
        sizes=(23, 29), scaled=True, positions="doubled", norm="bessel", norm_names=("alpha", "bias")),
    "brandokoch/attention-is-all-you-need-paper": Author(
        f"{_KOCH}src_embedding = enc.emb\n{_KOCH}src_pos_embedding.pe_table = enc.pe\n"
        f"{_KOCH}trg_embedding = dec.emb\n{_KOCH}trg_pos_embedding.pe_table = dec.pe\n"
        + blocks(f"{_KOCH}encoder.encoder_blocks.{{i}}.", {
            "W_q": "enc.q", "W_k": "enc.k", "W_v": "enc.v", "mha_layer.W_0": "enc.o",
            "add_and_norm_layer_1.layer_norm": "enc.n1", "ffn_layer.w_1": "enc.fc1", "ffn_layer.w_2": "enc.fc2",
            "add_and_norm_layer_2.layer_norm": "enc.n2"}) + "\n"
        + blocks(f"{_KOCH}decoder.decoder_blocks.{{i}}.", {
            "W_q_1": "dec.q", "W_k_1": "dec.k", "W_v_1": "dec.v", "mha_layer_1.W_0": "dec.o",
            "add_and_norm_1.layer_norm": "dec.n1", "W_q_2": "dec.cq", "W_k_2": "dec.ck", "W_v_2": "dec.cv",
            "mha_layer_2.W_0": "dec.co", "add_and_norm_2.layer_norm": "dec.nc", "ffn_layer.w_1": "dec.fc1",
            "ffn_layer.w_2": "dec.fc2", "add_and_norm_3.layer_norm": "dec.n2"}) + f"\n{_KOCH}linear = out",
        tied=True, norm_first=False, scaled=True, positions="sinusoids"),
    "devjwsong/transformer-translator-pytorch": Author(
        "src_embedding = enc.emb\ntrg_embedding = dec.emb\n"
        + _ENDS.replace("norm", "layer_norm.layer")
        + both("encoder.layers.{i}.", "decoder.layers.{i}.", {"w_q": "q", "w_k": "k", "w_v": "v", "w_0": "o"},
               "multihead_attention", "masked_multihead_attention",
               ("layer_norm_1.layer", "layer_norm_2.layer", "layer_norm_3.layer"),
               ("feed_forward.linear_1", "feed_forward.linear_2"), encoder_attention="multihead_attention")
        + "\noutput_linear = out",
        sizes=(23, 29), scaled=True, positions="doubled", epsilon=1e-6),
    "dreamgonfly/transformer-pytorch": Author(
        "encoder.embedding = enc.emb\nencoder.embedding.pe = enc.pe\nencoder.embedding.embbedding = enc.emb\n"
        "decoder.embedding = dec.emb\ndecoder.embedding.pe = dec.pe\ndecoder.embedding.embbedding = dec.emb\n"
        + both("encoder.encoder_layers.{i}.", "decoder.decoder_layers.{i}.",
               {f"sublayer.{word}_projection": role for word, role in (
                   ("query", "q"), ("key", "k"), ("value", "v"), ("final", "o"))},
               "memory_attention_layer", "self_attention_layer",
               ("self_attention_layer.layer_normalization", "memory_attention_layer.layer_normalization",
                "pointwise_feedforward_layer.layer_normalization"),
               ("pointwise_feedforward_layer.sublayer.feed_forward.0",
                "pointwise_feedforward_layer.sublayer.feed_forward.3"), in_turn=True) + "\ndecoder.generator = out",
        sizes=(23, 29), norm_first=False, scaled=True, positions="sinusoids", norm="bessel",
        norm_names=("gain", "bias")),
    "ajhalthor/Transformer-Neural-Network": Author(
        "encoder.sentence_embedding.embedding = enc.emb\ndecoder.sentence_embedding.embedding = dec.emb\n"
        + blocks("encoder.layers.{i}.", {
            "attention.qkv_layer": "enc.q+enc.k+enc.v", "attention.linear_layer": "enc.o", "norm1": "enc.n1",
            "ffn.linear1": "enc.fc1", "ffn.linear2": "enc.fc2", "norm2": "enc.n2"}) + "\n"
        + blocks("decoder.layers.{i}.", {
            "self_attention.qkv_layer": "dec.q+dec.k+dec.v", "self_attention.linear_layer": "dec.o",
            "layer_norm1": "dec.n1", "encoder_decoder_attention.kv_layer": "dec.ck+dec.cv",
            "encoder_decoder_attention.q_layer": "dec.cq", "encoder_decoder_attention.linear_layer": "dec.co",
            "layer_norm2": "dec.nc", "ffn.linear1": "dec.fc1", "ffn.linear2": "dec.fc2", "layer_norm3": "dec.n2"})
        + "\nlinear = out",
        sizes=(23, 29), norm_first=False, positions="sinusoids", norm_names=("gamma", "beta"), by_head=True),
    "keys before queries": Author(
        "src_embedding.embed = enc.emb\ntrg_embedding.embed = dec.emb\n"
        + _ENDS.replace("norm", "layer_norm")
        + both("encoder.blocks.{i}.", "decoder.blocks.{i}.", {"K": "k", "Q": "q", "V": "v", "proj": "o"},
               "enc_dec_attn", "self_attn", ("layer_norm_s_attn", "layer_norm_ed_attn", "layer_norm_ffd"),
               ("feed_forward.ffd.0", "feed_forward.ffd.3"), in_turn=True).replace(
                   "encoder.blocks.{i}.layer_norm_s_attn", "encoder.blocks.{i}.layer_norm_attn") + "\nproj = out",
        sizes=(23, 29), scaled=True, positions="sinusoids"),
    "kellkubrick/slm": Author(
        "encoder_embedding.embeddings = enc.emb\ndecoder_embedding.embeddings = dec.emb\n"
        + both("encoder.{i}.", "decoder.{i}.", {f"weights_{role}": role for role in "qkvo"},
               "multi_head_attention_enc", "multi_head_attention",
               ("multi_head_attention_normalization", "multi_head_attention_enc_normalization",
                "feed_forward_normalization"), ("feed_forward.weights_1", "feed_forward.weights_2"),
               in_turn=True)
        + "\nclassifier = out",
        sizes=(23, 29), norm_first=False, positions="sinusoids", norm_names=("gamma", "beta"),
        without="q k v o cq ck cv co"),
}  # fmt: skip
"""The repositories, by their names."""
