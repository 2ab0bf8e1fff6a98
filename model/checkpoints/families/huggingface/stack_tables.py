"""Where the library keeps the tensors of its lone decoders: our names to theirs, by family."""

from __future__ import annotations

from model.checkpoints.families.renaming import Table, under

_NAMES = ("query", "key", "value", "output")


def decoder_table(
    body: str,
    *,
    embedding: str,
    positions: str = "",
    embedding_norm: str = "",
    final_norm: str,
    layers: str,
    attention: str,
    projections: tuple[str, str, str, str],
    first_norm: str,
    second_norm: str,
    feed_forward: tuple[str, str],
    gate: str = "",
    query_norms: tuple[str, str] = ("", ""),
    output_norms: tuple[str, str] = ("", ""),
    head: str = "lm_head",
) -> Table:
    """A table of one family; names within a layer are relative to it, and fused matrices have been taken apart."""
    inside = {
        f"self_attention.{ours}.*": f"{attention}.{theirs}.*" for ours, theirs in zip(_NAMES, projections, strict=True)
    }
    inside |= {
        "self_attention_norm.*": f"{first_norm}.*", "feed_forward_norm.*": f"{second_norm}.*",
        "feed_forward.fc1.*": f"{feed_forward[0]}.*", "feed_forward.fc2.*": f"{feed_forward[1]}.*",
    }  # fmt: skip
    inside |= {"feed_forward.gate.*": f"{gate}.*"} if gate else {}
    for ours, theirs in zip(("query_norm", "key_norm"), query_norms, strict=True):
        inside |= {f"self_attention.{ours}.*": f"{attention}.{theirs}.*"} if theirs else {}
    for ours, theirs in zip(("self_attention", "feed_forward"), output_norms, strict=True):
        inside |= {f"{ours}.output_norm.*": f"{theirs}.*"} if theirs else {}
    outside = {
        "decoder.embedding.weight": f"{body}.{embedding}.weight",
        "decoder.final_norm.*": f"{body}.{final_norm}.*",
    }
    outside |= {"decoder.positions.table": f"{body}.{positions}.weight"} if positions else {}
    outside |= {"decoder.embedding_norm.*": f"{body}.{embedding_norm}.*"} if embedding_norm else {}
    return outside | {"output.*": f"{head}.*"} | under("decoder.layers.{}", f"{body}.{layers}.{{}}", inside)


_LLAMA_NAMES = ("q_proj", "k_proj", "v_proj", "o_proj")
_FUSED = ("fused.query", "fused.key", "fused.value", "dense")
_GPT2_NAMES = ("fused.query", "fused.key", "fused.value", "c_proj")


def _llama(
    second_norm: str = "post_attention_layernorm",
    first_norm: str = "input_layernorm",
    output_norms: tuple[str, str] = ("", ""),
    *,
    norm: str = "norm",
) -> Table:
    return decoder_table(
        "model", embedding="embed_tokens", final_norm=norm, layers="layers", attention="self_attn",
        projections=_LLAMA_NAMES, first_norm=first_norm, second_norm=second_norm,
        feed_forward=("mlp.gate_proj", "mlp.down_proj"), gate="mlp.up_proj", query_norms=("q_norm", "k_norm"),
        output_norms=output_norms,
    )  # fmt: skip


LLAMA = _llama()
GEMMA2 = _llama("pre_feedforward_layernorm", output_norms=("post_attention_layernorm", "post_feedforward_layernorm"))
OLMO2 = _llama("", "", ("post_attention_layernorm", "post_feedforward_layernorm"))
COHERE = _llama("input_layernorm")
PHI3 = {
    **LLAMA,
    **under("decoder.layers.{}", "model.layers.{}", {
        "self_attention.query.weight": "self_attn.fused.query.weight",
        "self_attention.key.weight": "self_attn.fused.key.weight",
        "self_attention.value.weight": "self_attn.fused.value.weight",
        "feed_forward.fc1.weight": "mlp.gate_up_proj.weight[0/2]",
        "feed_forward.gate.weight": "mlp.gate_up_proj.weight[1/2]",
    }),
}  # fmt: skip
for _taken in ("query", "key", "value"):
    del PHI3[f"decoder.layers.{{}}.self_attention.{_taken}.*"]
for _taken in ("fc1", "gate"):
    del PHI3[f"decoder.layers.{{}}.feed_forward.{_taken}.*"]
PHI = decoder_table(
    "model", embedding="embed_tokens", final_norm="final_layernorm", layers="layers", attention="self_attn",
    projections=("q_proj", "k_proj", "v_proj", "dense"), first_norm="input_layernorm", second_norm="input_layernorm",
    feed_forward=("mlp.fc1", "mlp.fc2"), query_norms=("q_layernorm", "k_layernorm"),
)  # fmt: skip
STARCODER2 = decoder_table(
    "model", embedding="embed_tokens", final_norm="norm", layers="layers", attention="self_attn",
    projections=_LLAMA_NAMES, first_norm="input_layernorm", second_norm="post_attention_layernorm",
    feed_forward=("mlp.c_fc", "mlp.c_proj"),
)  # fmt: skip
PERSIMMON = decoder_table(
    "model", embedding="embed_tokens", final_norm="final_layernorm", layers="layers", attention="self_attn",
    projections=_FUSED, first_norm="input_layernorm", second_norm="post_attention_layernorm",
    feed_forward=("mlp.dense_h_to_4h", "mlp.dense_4h_to_h"), query_norms=("q_layernorm", "k_layernorm"),
)  # fmt: skip
GPT2 = decoder_table(
    "transformer", embedding="wte", positions="wpe", final_norm="ln_f", layers="h", attention="attn",
    projections=_GPT2_NAMES, first_norm="ln_1", second_norm="ln_2", feed_forward=("mlp.c_fc", "mlp.c_proj"),
)  # fmt: skip
GPT_NEO = decoder_table(
    "transformer", embedding="wte", positions="wpe", final_norm="ln_f", layers="h", attention="attn.attention",
    projections=("q_proj", "k_proj", "v_proj", "out_proj"), first_norm="ln_1", second_norm="ln_2",
    feed_forward=("mlp.c_fc", "mlp.c_proj"),
)  # fmt: skip
GPTJ = decoder_table(
    "transformer", embedding="wte", final_norm="ln_f", layers="h", attention="attn",
    projections=("q_proj", "k_proj", "v_proj", "out_proj"), first_norm="ln_1", second_norm="ln_1",
    feed_forward=("mlp.fc_in", "mlp.fc_out"),
)  # fmt: skip
CODEGEN = decoder_table(
    "transformer", embedding="wte", final_norm="ln_f", layers="h", attention="attn",
    projections=("fused.query", "fused.key", "fused.value", "out_proj"), first_norm="ln_1", second_norm="ln_1",
    feed_forward=("mlp.fc_in", "mlp.fc_out"),
)  # fmt: skip
GPT_NEOX = decoder_table(
    "gpt_neox", embedding="embed_in", final_norm="final_layer_norm", layers="layers", attention="attention",
    projections=_FUSED, first_norm="input_layernorm", second_norm="post_attention_layernorm",
    feed_forward=("mlp.dense_h_to_4h", "mlp.dense_4h_to_h"),
)  # fmt: skip
BLOOM = decoder_table(
    "transformer", embedding="word_embeddings", embedding_norm="word_embeddings_layernorm", final_norm="ln_f",
    layers="h", attention="self_attention", projections=_FUSED, first_norm="input_layernorm",
    second_norm="post_attention_layernorm", feed_forward=("mlp.dense_h_to_4h", "mlp.dense_4h_to_h"),
)  # fmt: skip
MPT = decoder_table(
    "transformer", embedding="wte", final_norm="norm_f", layers="blocks", attention="attn",
    projections=("fused.query", "fused.key", "fused.value", "out_proj"), first_norm="norm_1", second_norm="norm_2",
    feed_forward=("ffn.up_proj", "ffn.down_proj"),
)  # fmt: skip
OPT = decoder_table(
    "model.decoder", embedding="embed_tokens", positions="embed_positions", final_norm="final_layer_norm",
    layers="layers", attention="self_attn", projections=("q_proj", "k_proj", "v_proj", "out_proj"),
    first_norm="self_attn_layer_norm", second_norm="final_layer_norm", feed_forward=("fc1", "fc2"),
)  # fmt: skip
BIOGPT = decoder_table(
    "biogpt", embedding="embed_tokens", positions="embed_positions", final_norm="layer_norm", layers="layers",
    attention="self_attn", projections=("q_proj", "k_proj", "v_proj", "out_proj"), first_norm="self_attn_layer_norm",
    second_norm="final_layer_norm", feed_forward=("fc1", "fc2"), head="output_projection",
)  # fmt: skip
