"""Decoders and an encoder that many people train with their authors' own scripts: their files are families."""

from dataclasses import replace
from typing import Any

from tests.strangers.authors import Author, blocks
from tests.strangers.students import KARPATHY

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
