"""Where the library keeps the tensors of its decoder-only models, and of T5Gemma, which is two of them: our names to
theirs, each family by what differs."""

from collections.abc import Sequence
from typing import Any

from model.checkpoints.families import fairseq
from model.checkpoints.families.renaming import Table
from model.checkpoints.families.tables import FUSED, layout


def decoder_table(
    *,
    body: str,
    embedding: str,
    positions: str = "",
    embedding_norm: str = "",
    final_norm: str,
    place: str,
    projections: Sequence[str],
    attention: str,
    network: Sequence[str],
    norms: Sequence[str],
    head: str = "lm_head",
    **more: Any,
) -> Table:
    """A table of one family; ``place`` is the list of layers in the body, and ``more`` is as ``layers`` takes it."""
    outside = {
        "decoder.embedding.weight": f"{body}.{embedding}.weight", "decoder.final_norm.*": f"{body}.{final_norm}.*",
        "output.*": f"{head}.*",
    }  # fmt: skip
    outside |= {"decoder.positions.table": f"{body}.{positions}.weight"} if positions else {}
    outside |= {"decoder.embedding_norm.*": f"{body}.{embedding_norm}.*"} if embedding_norm else {}
    inside = layout("decoder", f"{body}.{place}.{{}}", projections, (attention,), network, norms, **more)
    return outside | inside


_LLAMA: dict[str, Any] = {
    "body": "model", "embedding": "embed_tokens", "final_norm": "norm", "place": "layers", "attention": "self_attn",
    "projections": ("q_proj", "k_proj", "v_proj", "o_proj"), "query_norms": ("q_norm", "k_norm"),
    "norms": ("input_layernorm", "post_attention_layernorm"),
    "network": ("mlp.gate_proj", "mlp.down_proj", "mlp.up_proj"),
}  # fmt: skip
_AFTER = ("post_attention_layernorm", "post_feedforward_layernorm")
_ONE_NORM = ("input_layernorm", "input_layernorm")
_PHI = _LLAMA | {
    "final_norm": "final_layernorm", "projections": ("q_proj", "k_proj", "v_proj", "dense"), "norms": _ONE_NORM,
    "network": ("mlp.fc1", "mlp.fc2"), "query_norms": ("q_layernorm", "k_layernorm"),
}  # fmt: skip
_WIDE: dict[str, Any] = {"projections": (*FUSED, "dense"), "network": ("mlp.dense_h_to_4h", "mlp.dense_4h_to_h")}
_GPT2: dict[str, Any] = {
    "body": "transformer", "embedding": "wte", "positions": "wpe", "final_norm": "ln_f", "place": "h",
    "attention": "attn", "projections": (*FUSED, "c_proj"), "norms": ("ln_1", "ln_2"),
    "network": ("mlp.c_fc", "mlp.c_proj"),
}  # fmt: skip
_GPTJ = _GPT2 | {
    "positions": "", "projections": fairseq.PROJECTIONS, "norms": ("ln_1", "ln_1"),
    "network": ("mlp.fc_in", "mlp.fc_out"),
}  # fmt: skip
_FALCON = _GPT2 | _WIDE | {
    "embedding": "word_embeddings", "positions": "", "attention": "self_attention", "norms": _LLAMA["norms"],
}  # fmt: skip
_OPT: dict[str, Any] = {
    "body": "model.decoder", "embedding": "embed_tokens", "positions": "embed_positions",
    "final_norm": "final_layer_norm", "place": "layers", "attention": "self_attn", "projections": fairseq.PROJECTIONS,
    "norms": fairseq.NORMS[::2], "network": fairseq.NETWORK,
}  # fmt: skip


def _table(base: dict[str, Any], **changes: Any) -> Table:
    return decoder_table(**base | changes)


LLAMA = _table(_LLAMA)
GEMMA2 = _table(_LLAMA, norms=("input_layernorm", "pre_feedforward_layernorm"), output_norms=_AFTER)
OLMO2 = _table(_LLAMA, norms=("", ""), output_norms=_AFTER)
COHERE = _table(_LLAMA, norms=_ONE_NORM)
PHI3 = _table(
    _LLAMA, projections=(*FUSED, "o_proj"),
    network=("mlp.gate_up_proj[0/2]", "mlp.down_proj", "mlp.gate_up_proj[1/2]"),
)  # fmt: skip
PHI = _table(_PHI)
STARCODER2 = _table(_LLAMA, network=_GPT2["network"])
PERSIMMON = _table(_PHI | _WIDE, norms=_LLAMA["norms"])
GPT_NEOX = _table(
    _LLAMA | _WIDE, body="gpt_neox", embedding="embed_in", final_norm="final_layer_norm", attention="attention"
)
BLOOM = _table(_FALCON, embedding_norm="word_embeddings_layernorm")
FALCON = _table(_FALCON, norms=_ONE_NORM)
FALCON_NEW = _table(_FALCON, norms=("ln_attn", "ln_mlp"))
FALCON_IN_TURN = _table(_FALCON)
GPT2 = _table(_GPT2)
GPT_NEO = _table(_GPT2, attention="attn.attention", projections=fairseq.PROJECTIONS)
GPTJ = _table(_GPTJ)
CODEGEN = _table(_GPTJ, projections=(*FUSED, "out_proj"))
MPT = _table(
    _GPTJ, final_norm="norm_f", place="blocks", projections=(*FUSED, "out_proj"), norms=("norm_1", "norm_2"),
    network=("ffn.up_proj", "ffn.down_proj"),
)  # fmt: skip
OPT = _table(_OPT)
XGLM = _table(_OPT, body="model", positions="", final_norm="layer_norm")
BIOGPT = _table(_OPT, body="biogpt", final_norm="layer_norm", head="output_projection")


def _t5gemma(side: str, *attentions: str) -> Table:
    """One stack of T5Gemma; ``attentions`` are its attentions' short names."""
    places = (*(f"{name}_attn" for name in attentions), "feedforward")
    return {
        f"{side}.embedding.weight": f"model.{side}.embed_tokens.weight",
        f"{side}.final_norm.*": f"model.{side}.norm.*",
    } | layout(
        side, f"model.{side}.layers.{{}}", _LLAMA["projections"], places[:-1], _LLAMA["network"],
        [f"pre_{place}_layernorm" for place in places],
        output_norms=[f"post_{place}_layernorm" for place in places],
    )  # fmt: skip


T5GEMMA: Table = {
    **_t5gemma("encoder", "self"), **_t5gemma("decoder", "self", "cross"), "output.*": "lm_head.out_proj.*",
}  # fmt: skip
