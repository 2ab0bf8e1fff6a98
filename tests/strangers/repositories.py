"""The names and habits of published repositories, read from their code; none of that code is used."""

from __future__ import annotations

from tests.strangers.network import DOUBLED, WIDTH, Repository, projections

GORDIC = Repository(
    around=(
        ("src_embedding.embeddings_table", "source"), ("trg_embedding.embeddings_table", "target"),
        ("src_pos_embedding.positional_encodings_table", ""), ("trg_pos_embedding.positional_encodings_table", ""),
        ("encoder.norm", "encoder.final"), ("decoder.norm", "decoder.final"), ("decoder_generator.linear", "output"),
    ),
    buffers=("src_pos_embedding.positional_encodings_table", "trg_pos_embedding.positional_encodings_table"),
    stack={"encoder": "encoder.encoder_layers.{}.", "decoder": "decoder.decoder_layers.{}."},
    layer={
        "encoder": (
            ("sublayers.0.norm", "self.norm"), ("sublayers.1.norm", "feed.norm"),
            *projections("multi_headed_attention.{}", "self",
                         ("qkv_nets.0", "qkv_nets.1", "qkv_nets.2", "out_projection_net")),
            ("pointwise_net.linear1", "feed.1"), ("pointwise_net.linear2", "feed.2"),
        ),
        "decoder": (
            ("sublayers.0.norm", "self.norm"), ("sublayers.1.norm", "cross.norm"), ("sublayers.2.norm", "feed.norm"),
            *projections("trg_multi_headed_attention.{}", "self",
                         ("qkv_nets.0", "qkv_nets.1", "qkv_nets.2", "out_projection_net")),
            *projections("src_multi_headed_attention.{}", "cross",
                         ("qkv_nets.0", "qkv_nets.1", "qkv_nets.2", "out_projection_net")),
            ("pointwise_net.linear1", "feed.1"), ("pointwise_net.linear2", "feed.2"),
        ),
    },
    norm_first=True, has_final=True, hints={"norm_first": True},
)  # fmt: skip
LYNN = Repository(
    around=(
        ("encoder.embed.embed", "source"), ("encoder.pe.pe", ""), ("encoder.norm", "encoder.final"),
        ("decoder.embed.embed", "target"), ("decoder.pe.pe", ""), ("decoder.norm", "decoder.final"), ("out", "output"),
    ),
    buffers=("encoder.pe.pe", "decoder.pe.pe"), table_shape=(1, 40, WIDTH), positions=DOUBLED,
    stack={"encoder": "encoder.layers.{}.", "decoder": "decoder.layers.{}."},
    layer={
        "encoder": (
            ("norm_1", "self.norm"), ("norm_2", "feed.norm"),
            *projections("attn.{}", "self", ("q_linear", "k_linear", "v_linear", "out")),
            ("ff.linear_1", "feed.1"), ("ff.linear_2", "feed.2"),
        ),
        "decoder": (
            ("norm_1", "self.norm"), ("norm_2", "cross.norm"), ("norm_3", "feed.norm"),
            *projections("attn_1.{}", "self", ("q_linear", "k_linear", "v_linear", "out")),
            *projections("attn_2.{}", "cross", ("q_linear", "k_linear", "v_linear", "out")),
            ("ff.linear_1", "feed.1"), ("ff.linear_2", "feed.2"),
        ),
    },
    norm="annotated", epsilon=1e-6, norm_names=("alpha", "bias"), norm_first=True, has_final=True,
    hints={"norm_first": True, "norm_kind": "annotated"},
)  # fmt: skip
KOCH = Repository(
    around=(
        ("transformer_encoder_decoder.src_embedding", "source"),
        ("transformer_encoder_decoder.src_pos_embedding.pe_table", ""),
        ("transformer_encoder_decoder.trg_embedding", "target"),
        ("transformer_encoder_decoder.trg_pos_embedding.pe_table", ""),
        ("transformer_encoder_decoder.linear", "output"),
    ),
    buffers=("transformer_encoder_decoder.src_pos_embedding.pe_table",
             "transformer_encoder_decoder.trg_pos_embedding.pe_table"), table_shape=(1, 40, WIDTH),
    stack={"encoder": "transformer_encoder_decoder.encoder.encoder_blocks.{}.",
           "decoder": "transformer_encoder_decoder.decoder.decoder_blocks.{}."},
    layer={
        "encoder": (
            *projections("{}", "self", ("W_q", "W_k", "W_v", "mha_layer.W_0")),
            ("add_and_norm_layer_1.layer_norm", "self.norm"),
            ("ffn_layer.w_1", "feed.1"), ("ffn_layer.w_2", "feed.2"),
            ("add_and_norm_layer_2.layer_norm", "feed.norm"),
        ),
        "decoder": (
            *projections("{}", "self", ("W_q_1", "W_k_1", "W_v_1", "mha_layer_1.W_0")),
            ("add_and_norm_1.layer_norm", "self.norm"),
            *projections("{}", "cross", ("W_q_2", "W_k_2", "W_v_2", "mha_layer_2.W_0")),
            ("add_and_norm_2.layer_norm", "cross.norm"),
            ("ffn_layer.w_1", "feed.1"), ("ffn_layer.w_2", "feed.2"), ("add_and_norm_3.layer_norm", "feed.norm"),
        ),
    },
    tied=True,
)  # fmt: skip
DEVJWSONG = Repository(
    around=(
        ("src_embedding", "source"), ("trg_embedding", "target"), ("encoder.layer_norm.layer", "encoder.final"),
        ("decoder.layer_norm.layer", "decoder.final"), ("output_linear", "output"),
    ),
    stack={"encoder": "encoder.layers.{}.", "decoder": "decoder.layers.{}."},
    layer={
        "encoder": (
            ("layer_norm_1.layer", "self.norm"),
            *projections("multihead_attention.{}", "self", ("w_q", "w_k", "w_v", "w_0")),
            ("layer_norm_2.layer", "feed.norm"),
            ("feed_forward.linear_1", "feed.1"), ("feed_forward.linear_2", "feed.2"),
        ),
        "decoder": (
            ("layer_norm_1.layer", "self.norm"),
            *projections("masked_multihead_attention.{}", "self", ("w_q", "w_k", "w_v", "w_0")),
            ("layer_norm_2.layer", "cross.norm"),
            *projections("multihead_attention.{}", "cross", ("w_q", "w_k", "w_v", "w_0")),
            ("layer_norm_3.layer", "feed.norm"),
            ("feed_forward.linear_1", "feed.1"), ("feed_forward.linear_2", "feed.2"),
        ),
    },
    epsilon=1e-6, norm_first=True, has_final=True, positions=DOUBLED,
    hints={"norm_first": True, "positions": "doubled", "norm_epsilon": 1e-6},
)  # fmt: skip
DREAMGONFLY = Repository(
    around=(
        ("encoder.embedding", "source"), ("encoder.embedding.pe", ""), ("encoder.embedding.embbedding", "source"),
        ("decoder.embedding", "target"), ("decoder.embedding.pe", ""), ("decoder.embedding.embbedding", "target"),
        ("decoder.generator", "output"),
    ),
    buffers=("encoder.embedding.pe", "decoder.embedding.pe"), table_shape=(1, 40, WIDTH),
    stack={"encoder": "encoder.encoder_layers.{}.", "decoder": "decoder.decoder_layers.{}."},
    layer={
        side: (
            *(pair for branch, theirs in branches for pair in (
                *projections(f"{theirs}_attention_layer.sublayer.{{}}_projection", branch,
                             ("query", "key", "value", "final")),
                (f"{theirs}_attention_layer.layer_normalization", f"{branch}.norm"),
            )),
            ("pointwise_feedforward_layer.sublayer.feed_forward.0", "feed.1"),
            ("pointwise_feedforward_layer.sublayer.feed_forward.3", "feed.2"),
            ("pointwise_feedforward_layer.layer_normalization", "feed.norm"),
        )
        for side, branches in (("encoder", (("self", "self"),)), ("decoder", (("self", "self"), ("cross", "memory"))))
    },
    norm="annotated", epsilon=1e-6, norm_names=("gain", "bias"), hints={"norm_kind": "annotated"},
)  # fmt: skip
AJHALTHOR = Repository(
    around=(
        ("encoder.sentence_embedding.embedding", "source"), ("decoder.sentence_embedding.embedding", "target"),
        ("linear", "output"),
    ),
    stack={"encoder": "encoder.layers.{}.", "decoder": "decoder.layers.{}."},
    layer={
        "encoder": (
            ("attention.qkv_layer", "self.q+k+v"), ("attention.linear_layer", "self.o"), ("norm1", "self.norm"),
            ("ffn.linear1", "feed.1"), ("ffn.linear2", "feed.2"), ("norm2", "feed.norm"),
        ),
        "decoder": (
            ("self_attention.qkv_layer", "self.q+k+v"), ("self_attention.linear_layer", "self.o"),
            ("layer_norm1", "self.norm"),
            ("encoder_decoder_attention.kv_layer", "cross.k+v"), ("encoder_decoder_attention.q_layer", "cross.q"),
            ("encoder_decoder_attention.linear_layer", "cross.o"), ("layer_norm2", "cross.norm"),
            ("ffn.linear1", "feed.1"), ("ffn.linear2", "feed.2"), ("layer_norm3", "feed.norm"),
        ),
    },
    norm_names=("gamma", "beta"), by_head=True, scaled=False, hints={"embedding_scale": 1.0},
)  # fmt: skip
BY_CONFIG = Repository(
    around=(
        ("src_embedding.embed", "source"), ("trg_embedding.embed", "target"), ("encoder.layer_norm", "encoder.final"),
        ("decoder.layer_norm", "decoder.final"), ("proj", "output"),
    ),
    stack={"encoder": "encoder.blocks.{}.", "decoder": "decoder.blocks.{}."},
    layer={
        "encoder": (
            ("self_attn.K", "self.k"), ("self_attn.Q", "self.q"), ("self_attn.V", "self.v"),
            ("self_attn.proj", "self.o"), ("layer_norm_attn", "self.norm"),
            ("feed_forward.ffd.0", "feed.1"), ("feed_forward.ffd.3", "feed.2"), ("layer_norm_ffd", "feed.norm"),
        ),
        "decoder": (
            ("self_attn.K", "self.k"), ("self_attn.Q", "self.q"), ("self_attn.V", "self.v"),
            ("self_attn.proj", "self.o"), ("layer_norm_s_attn", "self.norm"),
            ("enc_dec_attn.K", "cross.k"), ("enc_dec_attn.Q", "cross.q"), ("enc_dec_attn.V", "cross.v"),
            ("enc_dec_attn.proj", "cross.o"), ("layer_norm_ed_attn", "cross.norm"),
            ("feed_forward.ffd.0", "feed.1"), ("feed_forward.ffd.3", "feed.2"), ("layer_norm_ffd", "feed.norm"),
        ),
    },
    norm_first=True, has_final=True, hints={"norm_first": True},
)  # fmt: skip
SLM = Repository(
    around=(
        ("encoder_embedding.embeddings", "source"), ("decoder_embedding.embeddings", "target"),
        ("classifier", "output"),
    ),
    stack={"encoder": "encoder.{}.", "decoder": "decoder.{}."},
    layer={
        side: (
            *(pair for branch, theirs in branches for pair in (
                *projections(f"{theirs}.weights_{{}}", branch, ("q", "k", "v", "o")),
                (f"{theirs}_normalization", f"{branch}.norm"),
            )),
            ("feed_forward.weights_1", "feed.1"), ("feed_forward.weights_2", "feed.2"),
            ("feed_forward_normalization", "feed.norm"),
        )
        for side, branches in (
            ("encoder", (("self", "multi_head_attention"),)),
            ("decoder", (("self", "multi_head_attention"), ("cross", "multi_head_attention_enc"))),
        )
    },
    norm_names=("gamma", "beta"), scaled=False, attention_bias=False, hints={"embedding_scale": 1.0},
)  # fmt: skip
REPOSITORIES = {
    "gordicaleksa/pytorch-original-transformer": GORDIC, "SamLynnEvans/Transformer": LYNN,
    "brandokoch/attention-is-all-you-need-paper": KOCH, "devjwsong/transformer-translator-pytorch": DEVJWSONG,
    "dreamgonfly/transformer-pytorch": DREAMGONFLY, "ajhalthor/Transformer-Neural-Network": AJHALTHOR,
    "keys before queries": BY_CONFIG, "kellkubrick/slm": SLM,
}  # fmt: skip
"""The repositories, by their names."""
