"""Decoders and encoders of students, and encoder-decoders of tutorials, as tables of their authors' names."""

import re

from tests.strangers.authors import LENGTH, Author, blocks

_HEAD = {"key": "k", "query": "q", "value": "v"}
_AROUND = "token_embedding_table = emb\nposition_embedding_table.weight = pos\nln_f = final\nlm_head = out\n"
KARPATHY = {
    **{f"sa.heads.{{h}}.{name}": role for name, role in _HEAD.items()},
    "sa.proj": "o", "ffwd.net.0": "fc1", "ffwd.net.2": "fc2", "ln1": "n1", "ln2": "n2",
}  # fmt: skip
_TRIL = "blocks.{i}.sa.heads.{h}.tril = tril\n"


def _rename_layer(layer: dict[str, str], **words: str) -> dict[str, str]:
    for stored, ours in words.items():
        layer = {name.replace(stored, ours): role for name, role in layer.items()}
    return layer


_NANO = {"ln_1": "n1", "attn.c_attn": "q+k+v", "attn.c_proj": "o", "ln_2": "n2", "mlp.c_fc": "fc1", "mlp.c_proj": "fc2"}

GPTS = {
    "lecture, ff": Author(_AROUND + _TRIL + blocks("blocks.{i}.", _rename_layer(KARPATHY, ffwd="ff")), without="q k v"),
    "lecture, LayerNorm last in the Sequential": Author(
        (_AROUND + _TRIL + blocks("blocks.{i}.", KARPATHY)).replace("ln_f", "blocks.3"), without="q k v"),
    "lecture, gamma and sa_head and tok": Author(
        "tok = emb\npos.weight = pos\nln_f = final\nhead = out\n"
        + blocks("blocks.{i}.", {**{f"sa_head.heads.{{h}}.{n}": r for n, r in _HEAD.items()}, "sa_head.proj": "o",
                                 "ff.net.0": "fc1", "ff.net.2": "fc2", "ln_1": "n1", "ln_2": "n2"}),
        without="q k v out", norm_names=("gamma", "beta"), score="model"),
    "lecture, scores by the model's width": Author(
        _AROUND.replace("table.weight", "talbe.weight") + _TRIL + blocks("blocks.{i}.", KARPATHY), without="q k v",
        score="model"),
    "private modules": Author(
        "_token_embedding = emb\n_positional_embedding.weight = pos\n_norm = final\n_linear = out\n"
        + blocks("_blocks.{i}.", {"_attention._heads.{h}._key": "k", "_attention._heads.{h}._query": "q",
                                  "_attention._heads.{h}._value": "v", "_attention._projection": "o",
                                  "_feed_forward._net.0": "fc1", "_feed_forward._net.2": "fc2", "_norm1": "n1",
                                  "_norm2": "n2"}), score="model"),
    "heads without a projection": Author(
        "embed = emb\npos_embed.weight = pos\nfc = out\n"
        + blocks("layers.{i}.", {"mha.heads.{h}.W_k": "k", "mha.heads.{h}.W_q": "q", "mha.heads.{h}.W_v": "v",
                                 "mlp.0": "fc1", "mlp.3": "fc2", "norm1": "n1", "norm2": "n2"}),
        norm_first=False, without="q k v"),
    "nanoGPT as a module of its own": Author(
        "wte = emb\nwpe.weight = pos\nln_f = final\nlm_head = out\ntransformer_blocks.{i}.attn.bias = tril\n"
        + blocks("transformer_blocks.{i}.", _NANO), activation="gelu", tied=True, without="out"),
    "nanoGPT without biases": Author(
        "embeddings = emb\npos_embeddings.weight = pos\nnorm = final\nhead = out\n" + blocks("h.{i}.", _NANO),
        activation="gelu", without="q k v o fc1 fc2 out norms", answers={"norm_kind": "layer"}),
    "qkv": Author(
        "token_emb = emb\npos_emb = pos\nln_f = final\nhead = out\nblocks.{i}.attn.mask = tril\n"
        + blocks("blocks.{i}.", {"ln1": "n1", "ln2": "n2", "attn.qkv": "q+k+v", "attn.proj": "o", "ff.net.0": "fc1",
                                 "ff.net.2": "fc2"}), activation="gelu_tanh", without="q k v"),
    "qkv by heads": Author(
        "tok_emb = emb\npos_emb.weight = pos\nnorm = final\noutput = out\n"
        + blocks("layers.{i}.", {"norm1": "n1", "norm2": "n2", "attention.qkv_proj": "q+k+v", "attention.out_proj": "o",
                                 "feed_forward.0": "fc1", "feed_forward.2": "fc2"}),
        by_head=True, answers={"fused_by_head": True}),
    "the norm within the feed-forward Sequential": Author(
        "token_embedding = emb\nposition_embedding.weight = pos\nlayer_norm = final\nlm_head = out\n"
        + blocks("blocks.{i}.", {"ln": "n1", "attn.key": "k", "attn.query": "q", "attn.value": "v", "attn.proj": "o",
                                 "mlp.0": "n2", "mlp.1": "fc1", "mlp.4": "fc2"}), activation="gelu", score="none"),
    "MultiheadAttention": Author(
        "embedding = emb\npos_encoder.pe = pe\nfc_out = out\n"
        + blocks("decoder_blocks.{i}.", {"attention.in_proj": "q+k+v", "attention.out_proj": "o", "norm1": "n1",
                                         "norm2": "n2", "ffn.0": "fc1", "ffn.2": "fc2"}),
        norm_first=False, scaled=True, positions="sinusoids"),
    "TransformerEncoder with a mask": Author(
        "embedding = emb\npos_encoding.pe = pe\nfc = out\n"
        + blocks("transformer.layers.{i}.", {"self_attn.in_proj": "q+k+v", "self_attn.out_proj": "o", "norm1": "n1",
                                             "norm2": "n2", "linear1": "fc1", "linear2": "fc2"}),
        norm_first=False, positions="sinusoids", pe_shape=(LENGTH, 1, 32)),
    "Llama in small": Author(
        "tok_embeddings = emb\npos_embeddings.weight = pos\nnorm = final\noutput = out\n"
        + blocks("layers.{i}.", {"attention_norm": "n1", "ffn_norm": "n2", "attention.wq": "q", "attention.wk": "k",
                                 "attention.wv": "v", "attention.wo": "o", "feed_forward.w1": "fc1",
                                 "feed_forward.w3": "gate", "feed_forward.w2": "fc2"}),
        norm="rms", epsilon=1e-6, activation="silu", without="q k v o fc1 fc2 gate out"),
    "gate, up and down": Author(
        "embed_tokens = emb\npos = pos\nfinal_norm = final\nlm_head = out\n"
        + blocks("blocks.{i}.", {"norm_1": "n1", "norm_2": "n2", "attn.q_proj": "q", "attn.k_proj": "k",
                                 "attn.v_proj": "v", "attn.o_proj": "o", "mlp.up_proj": "gate", "mlp.gate_proj": "fc1",
                                 "mlp.down_proj": "fc2"}),
        norm="rms", activation="silu", tied=True, norm_names=("scale", "-"),
        without="q k v o fc1 fc2 gate out"),
    "sinusoids that are not in the file": Author(
        "embedding.token_embedding = emb\nfinal_norm = final\noutput_projection = out\n"
        + blocks("blocks.{i}.", {"attention.W_q": "q", "attention.W_k": "k", "attention.W_v": "v", "attention.W_o": "o",
                                 "feed_forward.linear1": "fc1", "feed_forward.linear2": "fc2", "norm1": "n1",
                                 "norm2": "n2"}),
        positions="sinusoids", scaled=True, without="out", tied=True),
    "numbers without a dot": Author(
        "tok_emb = emb\npos_emb.weight = pos\nln = final\nhead = out\n"
        + blocks("block{i}.", {"attn.keys": "k", "attn.queries": "q", "attn.values": "v", "attn.fc_out": "o",
                               "fc1": "fc1", "fc2": "fc2", "ln1": "n1", "ln2": "n2"}), begins=1),
    "GPT-2's convolutions": Author(
        "decoder.wte = emb\ndecoder.wpe.weight = pos\ndecoder.ln_f = final\nhead = out\n"
        + blocks("decoder.h.{i}.", _NANO), activation="gelu_tanh", turned="q k v o fc1 fc2"),
    "std norms": Author(
        "embed = emb\npos_enc.pe = pe\nfinal_layer_norm = final\nunembed = out\n"
        + blocks("decoder.layers.{i}.", {"self_attn.w_q": "q", "self_attn.w_k": "k", "self_attn.w_v": "v",
                                         "self_attn.w_o": "o", "position_wise_ff.fc1": "fc1",
                                         "position_wise_ff.fc2": "fc2", "norm1": "n1", "norm2": "n2"}),
        norm="bessel", norm_names=("alpha", "bias"), positions="sinusoids", scaled=True),
    "one projection for all heads": Author(
        "word_embedding = emb\nposition_embedding.weight = pos\nfc_out = out\n"
        + blocks("layers.{i}.", {"attention.values": "v", "attention.keys": "k", "attention.queries": "q",
                                 "attention.fc_out": "o", "norm1": "n1", "norm2": "n2", "feed_forward.0": "fc1",
                                 "feed_forward.2": "fc2"}),
        norm_first=False, shared=True, without="q k v", score="model"),
    "one block in a list": Author(
        "token_embeddings = emb\nposition_embeddings.weight = pos\nln_final = final\nto_logits = out\n"
        + blocks("transformer_blocks.{i}.", {"attn.to_q": "q", "attn.to_k": "k", "attn.to_v": "v", "attn.to_out.0": "o",
                                             "ff.0": "fc1", "ff.2": "fc2", "ln1": "n1", "ln2": "n2"}),
        layers=1, activation="gelu", without="q k v"),
    "rotary positions": Author(
        "tok_embeddings = emb\nnorm = final\noutput = out\nlayers.{i}.attention.rope.inv_freq = freq\n"
        + blocks("layers.{i}.", {"attention_norm": "n1", "ffn_norm": "n2", "attention.q_proj": "q",
                                 "attention.k_proj": "k", "attention.v_proj": "v", "attention.o_proj": "o",
                                 "ffn.gate": "fc1", "ffn.up": "gate", "ffn.down": "fc2"}),
        norm="rms", activation="silu", positions="rotary", without="q k v o fc1 fc2 gate out"),
    "rotary positions of neighbours, nowhere in the file": Author(
        "embed = emb\nln = final\nhead = out\n"
        + blocks("blocks.{i}.", {"ln1": "n1", "ln2": "n2", "attn.qkv": "q+k+v", "attn.proj": "o", "mlp.fc1": "fc1",
                                 "mlp.fc2": "fc2"}), positions="rotary_pairs", activation="gelu"),
    "one Sequential": Author(
        "net.0.tok = emb\nnet.0.pos.weight = pos\nnet.4 = final\nnet.5 = out\n"
        + blocks("net.{i}.", {"attn.heads.{h}.k": "k", "attn.heads.{h}.q": "q", "attn.heads.{h}.v": "v",
                              "attn.unify": "o", "fc.0": "fc1", "fc.2": "fc2", "rms_1": "n1", "rms_2": "n2"}),
        begins=1, norm="rms", without="q k v", score="model"),
    "a list of two modules a layer": Author(
        "token_emb = emb\npos_emb = pos\nnorm = final\nto_logits = out\n"
        + blocks("layers.{i}.", {"0.norm": "n1", "0.to_qkv": "q+k+v", "0.to_out.0": "o", "1.net.0": "n2",
                                 "1.net.1": "fc1", "1.net.4": "fc2"}), activation="gelu", without="q k v out"),
    "attention first, norms after it in the file": Author(
        "model.embed = emb\nmodel.positional = pos\nmodel.out_norm = final\nmodel.classifier = out\n"
        + blocks("model.decoder_layers.{i}.", {"masked_attention.q": "q", "masked_attention.k": "k",
                                               "masked_attention.v": "v", "masked_attention.out": "o", "ff1": "fc1",
                                               "ff2": "fc2", "layernorm1": "n1", "layernorm2": "n2"})),
    "one fused projection a head": Author(
        "embed = emb\npos.weight = pos\nnorm = final\nhead = out\nlayers.{i}.heads.{h}.mask = tril\n"
        + blocks("layers.{i}.", {"heads.{h}.qkv": "q+k+v", "out": "o", "norm_a": "n1", "norm_b": "n2", "mlp.0": "fc1",
                                 "mlp.2": "fc2"}), by_head=True, without="q k v", activation="gelu"),
    "the gate in the first matrix": Author(
        "tokens = emb\npos_emb = pos\nrms_out = final\nlm = out\n"
        + blocks("stack.{i}.", {"rms1": "n1", "rms2": "n2", "wq": "q", "wk": "k", "wv": "v", "wo": "o",
                                "w12": "fc1+gate", "w3": "fc2"}),
        norm="rms", norm_names=("gamma", "-"), activation="silu", tied=True, answers={"gate_last": False},
        without="q k v o fc1 fc2 gate out"),
    "the gate before what it gates": Author(
        "token_emb = emb\npos_emb.weight = pos\nto_logits.0 = final\nto_logits.1 = out\n"
        + blocks("layers.{i}.", {"0.norm": "n1", "0.fn.to_qkv": "q+k+v", "0.fn.to_out.0": "o", "1.norm": "n2",
                                 "1.fn.net.0": "gate+fc1", "1.fn.net.3": "fc2"}),
        activation="gelu", without="q k v", answers={"gate_last": True}, layers=2),
    "attention and network side by side": Author(
        "wte = emb\nwpe.weight = pos\nnorm_f = final\nunembed = out\n"
        + blocks("blocks.{i}.", {"norm": "n1", "qkv": "q+k+v", "proj": "o", "fc_in": "fc1", "fc_out": "fc2"}),
        activation="gelu", parallel=True, answers={"parallel": True}),
    "keys that heads share": Author(
        "tok = emb\npos.weight = pos\nln_f = final\nout = out\n"
        + blocks("layers.{i}.", {"ln1": "n1", "ln2": "n2", "q_proj": "q", "k_proj": "k", "v_proj": "v", "o_proj": "o",
                                 "gate_proj": "fc1", "up_proj": "gate", "down_proj": "fc2"}),
        norm="rms", activation="silu", key_heads=2, without="q k v o fc1 fc2 gate out"),
    "matrices by heads, as Einstein sums read them": Author(
        "embed.W_E = emb\npos_embed.W_pos = pos\nln_final = final\nunembed.W_U = out\nblocks.{i}.attn.mask = tril\n"
        + blocks("blocks.{i}.", {"ln1": "n1", "attn.W_Q": "q", "attn.W_K": "k", "attn.W_V": "v", "attn.W_O": "o",
                                 "ln2": "n2", "mlp.W_in": "fc1", "mlp.W_out": "fc2"}),
        norm_names=("w", "b"), activation="gelu_tanh", split="q k v o", turned="fc1 fc2 out", is_bare=True),
    "rotary, norms called g": Author(
        "wte = emb\nnf = final\nlm_head = out\nrope.freqs = freq\n"
        + blocks("blocks.{i}.", {"n1": "n1", "n2": "n2", "attn.Wqkv": "q+k+v", "attn.Wo": "o", "ff.w_gate": "fc1",
                                 "ff.w_up": "gate", "ff.w_down": "fc2"}),
        norm="rms", norm_names=("g", "-"), positions="rotary", activation="silu", answers={"fused_by_head": False},
        without="q k v o fc1 fc2 gate out"),
    "W_e, W_p and W_u": Author(
        "W_e = emb\nW_p.weight = pos\nln_final = final\nW_u = out\n"
        + blocks("h.{i}.", {"ln_attn": "n1", "attn.w_qkv": "q+k+v", "attn.w_out": "o", "ln_mlp": "n2",
                            "mlp.lin1": "fc1", "mlp.lin2": "fc2"}), activation="silu", without="out"),
    "one key for all heads": Author(
        "tok_emb = emb\npos_emb.weight = pos\nln = final\nhead = out\n"
        + blocks("blocks.{i}.", {"attn.q": "q", "attn.kv": "k+v", "attn.proj": "o", "ln1": "n1", "ln2": "n2",
                                 "ffn.0": "fc1", "ffn.2": "fc2"}), key_heads=1, answers={"fused_by_head": False}),
    "a list of heads for each projection": Author(
        "emb = emb\npos.weight = pos\nln_f = final\nhead = out\n"
        + blocks("blocks.{i}.", {"attn.queries.{h}": "q", "attn.keys.{h}": "k", "attn.values.{h}": "v", "attn.out": "o",
                                 "ln_1": "n1", "ln_2": "n2", "ff.0": "fc1", "ff.2": "fc2"}), without="q k v"),
    "words of another language": Author(
        "plongement = emb\npositions.weight = pos\nnorme = final\nsortie = out\n"
        + blocks("couches.{i}.", {"attention.requete": "q", "attention.cle": "k", "attention.valeur": "v",
                                  "attention.sortie": "o", "reseau.0": "fc1", "reseau.2": "fc2", "norme1": "n1",
                                  "norme2": "n2"})),
}  # fmt: skip

ENCODERS = {
    "BERT from scratch": Author(
        "embedding.tok_embed = emb\nembedding.pos_embed.weight = pos\nembedding.seg_embed.weight = types\n"
        "embedding.norm = first\nfc_mlm = out\n"
        + blocks("layers.{i}.", {"enc_self_attn.W_Q": "q", "enc_self_attn.W_K": "k", "enc_self_attn.W_V": "v",
                                 "enc_self_attn.linear": "o", "enc_self_attn.norm": "n1", "pos_ffn.fc1": "fc1",
                                 "pos_ffn.fc2": "fc2", "pos_ffn.norm": "n2"}),
        causal=False, norm_first=False, activation="gelu"),
    "encoder blocks of the paper": Author(
        "encoder.embedding = emb\nencoder.pe.pe = pe\nmlm_head = out\n"
        + blocks("encoder.layers.{i}.", {"mha.w_q": "q", "mha.w_k": "k", "mha.w_v": "v", "mha.w_o": "o", "norm1": "n1",
                                         "norm2": "n2", "ffn.linear1": "fc1", "ffn.linear2": "fc2"}),
        causal=False, norm_first=False, positions="sinusoids", scaled=True),
    "heads as modules": Author(
        "token_embedding = emb\nposition_embedding.weight = pos\nln_f = final\nhead = out\n"
        + blocks("blocks.{i}.", {**{f"attn.heads.{{h}}.{n}": r for n, r in _HEAD.items()}, "attn.proj": "o",
                                 "mlp.0": "fc1", "mlp.2": "fc2", "ln1": "n1", "ln2": "n2"}),
        causal=False, without="q k v"),
    "qkv, pre-norm": Author(
        "tok_emb = emb\npos_emb = pos\nnorm = final\nmlm = out\n"
        + blocks("blocks.{i}.", {"norm1": "n1", "attn.qkv": "q+k+v", "attn.proj": "o", "norm2": "n2", "mlp.fc1": "fc1",
                                 "mlp.fc2": "fc2"}), causal=False, activation="gelu"),
    "MultiheadAttention in Keras's tutorial's names": Author(
        "embedding.token_emb = emb\nembedding.pos_emb.weight = pos\noutput = out\n"
        + blocks("transformer_block{i}.", {"att.in_proj": "q+k+v", "att.out_proj": "o", "ffn.0": "fc1", "ffn.2": "fc2",
                                           "layernorm1": "n1", "layernorm2": "n2"}),
        causal=False, norm_first=False, begins=1),
    "RMS norms": Author(
        "embeddings = emb\npos_embeddings.weight = pos\nfinal_norm = final\ndecoder = out\n"
        + blocks("encoder_layers.{i}.", {"attention.q": "q", "attention.k": "k", "attention.v": "v", "attention.o": "o",
                                         "attention_norm": "n1", "mlp.w1": "fc1", "mlp.w3": "gate", "mlp.w2": "fc2",
                                         "mlp_norm": "n2"}),
        causal=False, norm="rms", activation="silu", without="q k v o fc1 fc2 gate"),
    "gamma and beta": Author(
        "word_emb = emb\npositional.encoding = pe\nclassifier = out\n"
        + blocks("encoder_blocks.{i}.", {"self_attention.query": "q", "self_attention.key": "k",
                                         "self_attention.value": "v", "self_attention.fc": "o", "ln1": "n1",
                                         "feedforward.fc1": "fc1", "feedforward.fc2": "fc2", "ln2": "n2"}),
        causal=False, norm_first=False, norm_names=("gamma", "beta"), norm="population", positions="sinusoids"),
    "one layer a name": Author(
        "emb = emb\npos_encoding = pe\nfc = out\n"
        + blocks("layer{i}.", {"multi_head_attention_{i}.wq": "q", "multi_head_attention_{i}.wk": "k",
                               "multi_head_attention_{i}.wv": "v", "multi_head_attention_{i}.dense": "o",
                               "dense1": "fc1", "dense2": "fc2", "norm1": "n1", "norm2": "n2"}),
        causal=False, norm_first=False, positions="sinusoids", begins=1, layers=2),
}  # fmt: skip


def both(encoder: str, decoder: str, own: dict[str, str], cross: str, attention: str, norms: tuple[str, str, str],
          feed: tuple[str, str], *, encoder_attention: str = "", fused: str = "",
          in_turn: bool = False) -> str:  # fmt: skip
    """Lines for two stacks with the same words for projections.

    Args:
        own: the words for q, k, v, o within an attention.
        cross: the decoder's word for cross-attention; ``attention`` is self-attention's in both.
        norms: for self-attention, cross-attention and the network; numbered ones are counted in each stack.
        encoder_attention: self-attention's word in the encoder, where it is another one.
        fused: one projection for q, k and v of self-attention.
        in_turn: each norm stands after its branch in the file.
    """
    lines = []
    for side, place in (("enc", encoder), ("dec", decoder)):
        word = encoder_attention or attention if side == "enc" else attention
        layer = {f"{word}.{stored}": f"{side}.{role}" for stored, role in own.items() if not fused or role == "o"}
        layer |= {f"{word}.{fused}": f"{side}.q+{side}.k+{side}.v"} if fused else {}
        layer |= {norms[0]: f"{side}.n1"} if in_turn else {}
        if side == "dec":
            layer |= {f"{cross}.{stored}": f"{side}.c{role}" for stored, role in own.items()} | {norms[1]: "dec.nc"}
        last = norms[1 if side == "enc" and re.search(r"\d", norms[1]) else 2]
        layer |= {norms[0]: f"{side}.n1"} | ({} if in_turn else {last: f"{side}.n2"})
        layer |= {feed[0]: f"{side}.fc1", feed[1]: f"{side}.fc2", last: f"{side}.n2"}
        lines.append(blocks(place, layer))
    return "\n".join(lines)


_W = {"w_q": "q", "w_k": "k", "w_v": "v", "w_o": "o"}
_EDS = "encoder.embedding = enc.emb\ndecoder.embedding = dec.emb\n"
TRANSLATORS = {
    "no bias but the output's": Author(
        _EDS + "encoder.pe = enc.pe\ndecoder.pe = dec.pe\nfc = out\n"
        + both("encoder.blocks.{i}.", "decoder.blocks.{i}.", _W, "cross", "attn", ("ln1", "ln2", "ln3"),
                ("ff.0", "ff.2")),
        sizes=(23, 29), without="q k v cq ck cv", norm_first=False, positions="sinusoids", scaled=True),
    "one projection for all heads": Author(
        _EDS + "encoder.position.weight = enc.pos\ndecoder.position.weight = dec.pos\ndecoder.head = out\n"
        + both("encoder.layers.{i}.", "decoder.layers.{i}.", {"wq": "q", "wk": "k", "wv": "v", "wo": "o"},
                "enc_dec_attention", "self_attention", ("norm1", "norm2", "norm3"), ("mlp.0", "mlp.2")),
        sizes=(23, 29), norm_first=False, shared=True, without="q k v cq ck cv", score="model"),
    "norms of two kinds": Author(
        _EDS + "encoder.pe.pe = enc.pe\ndecoder.pe.pe = dec.pe\nlinear = out\nencoder.norm = enc.final\n"
        "decoder.norm = dec.final\n"
        + both("encoder.layers.{i}.", "decoder.layers.{i}.", _W, "cross_attention", "self_attention",
                ("layer_norm1", "layer_norm2", "layer_norm3"), ("ffn.fc1", "ffn.fc2")).replace(
                    "decoder.layers.{i}.layer_norm", "decoder.layers.{i}.norm"),
        sizes=(23, 29), norm_first=False, decoder_norm="bessel", decoder_norm_names=("gamma", "beta"),
        positions="sinusoids", scaled=True),
    "numbers without a dot": Author(
        "source_embedding = enc.emb\ntarget_embedding = dec.emb\nencoder_positions = enc.pe\nfinal_linear = out\n"
        + both("transformer_encoder{i}.", "transformer_decoder{i}.",
                {"query": "q", "key": "k", "value": "v", "linear": "o"}, "att2", "att1",
                ("norm_1", "norm_2", "norm_3"), ("ffn.linear1", "ffn.linear2")),
        sizes=(23, 29), norm_first=False, begins=1, positions="sinusoids", layers=2),
    "multi_head_attention_1_1": Author(
        "encoder.emb = enc.emb\ndecoder.emb = dec.emb\nencoder.pos = enc.pe\ndecoder.pos = dec.pe\ndense = out\n"
        + blocks("encoder.", {f"multi_head_attention_{{i}}_1.{w}": f"enc.{r}" for w, r in _W.items()}
                 | {"layer_norm_{i}_1": "enc.n1", "layer_norm_{i}_2": "enc.n2", "feed_forward_{i}.0": "enc.fc1",
                    "feed_forward_{i}.2": "enc.fc2"}) + "\n"
        + blocks("decoder.", {f"multi_head_attention_{{i}}_{n}.{w}": f"dec.{c}{r}" for n, c in ((1, ""), (2, "c"))
                              for w, r in _W.items()}
                 | {"layer_norm_{i}_1": "dec.n1", "layer_norm_{i}_2": "dec.nc", "layer_norm_{i}_3": "dec.n2",
                    "feed_forward_{i}.0": "dec.fc1", "feed_forward_{i}.2": "dec.fc2"}),
        sizes=(23, 29), norm_first=False, begins=1, positions="sinusoids", layers=2),
    "one-hot": Author(
        "encoder.emb = enc.emb\ndecoder.emb = dec.emb\nencoder.pe = enc.pe\ndecoder.pe = dec.pe\nout = out\n"
        + both("encoder.layers.{i}.", "decoder.layers.{i}.", _W, "cross_attn", "self_attn", ("ln1", "ln2", "ln3"),
                ("ff.0", "ff.2")),
        sizes=(47, 53), one_hot=True, norm_first=False, positions="sinusoids", answers={"one_hot": True}),
    "heads as modules": Author(
        "src_tok_emb = enc.emb\ntgt_tok_emb = dec.emb\nsrc_pos_emb.weight = enc.pos\ntgt_pos_emb.weight = dec.pos\n"
        "lm_head = out\nenc_ln_f = enc.final\ndec_ln_f = dec.final\n"
        + both("encoder_blocks.{i}.", "decoder_blocks.{i}.",
                {"heads.{h}.query": "q", "heads.{h}.key": "k", "heads.{h}.value": "v", "proj": "o"}, "ca", "sa",
                ("ln1", "ln2", "ln3"), ("ffwd.net.0", "ffwd.net.2")),
        sizes=(23, 29), without="q k v cq ck cv"),
    "hkproj's, with words changed": Author(
        "src_embedding.embedding = enc.emb\ntgt_embedding.embedding = dec.emb\nsrc_pe.pe = enc.pe\ntgt_pe.pe = dec.pe\n"
        "proj.linear = out\nencoder.norm = enc.final\ndecoder.norm = dec.final\n"
        + both("encoder.layers.{i}.", "decoder.layers.{i}.", _W, "cross_attention_block", "self_attention_block",
                ("residuals.0.norm", "residuals.1.norm", "residuals.2.norm"),
                ("ff_block.linear_1", "ff_block.linear_2")),
        sizes=(23, 29), norm="bessel", norm_names=("alpha", "bias"), without="q k v o cq ck cv co",
        positions="sinusoids", scaled=True),
    "bentrevett's, with words changed": Author(
        "encoder.token_embedding = enc.emb\ndecoder.token_embedding = dec.emb\n"
        "encoder.position_embedding = enc.pos\ndecoder.position_embedding = dec.pos\ndecoder.fc_output = out\n"
        + both("encoder.layers.{i}.", "decoder.layers.{i}.", {"fc_q": "q", "fc_k": "k", "fc_v": "v", "fc_o": "o"},
                "encoder_attn", "self_attn", ("self_attn_norm", "enc_attn_norm", "ff_norm"), ("ff.fc_1", "ff.fc_2")),
        sizes=(23, 29), norm_first=False, scaled=True),
    "lists of heads": Author(
        _EDS + "encoder.positional.weight = enc.pos\ndecoder.positional.weight = dec.pos\nto_vocab = out\n"
        + both("encoder.layers.{i}.", "decoder.layers.{i}.",
                {"q_heads.{h}": "q", "k_heads.{h}": "k", "v_heads.{h}": "v", "combine": "o"}, "cross_attention",
                "self_attention", ("norm_1", "norm_2", "norm_3"), ("mlp.0", "mlp.2")),
        sizes=(23, 29), norm_first=False),
    "BERT's words": Author(
        "encoder.embeddings.word_embeddings = enc.emb\ndecoder.embeddings.word_embeddings = dec.emb\n"
        "encoder.embeddings.position_embeddings = enc.pos\ndecoder.embeddings.position_embeddings = dec.pos\n"
        "lm_head = out\n"
        + both("encoder.layer.{i}.", "decoder.layer.{i}.",
                {"self.query": "q", "self.key": "k", "self.value": "v", "output.dense": "o"}, "crossattention",
                "attention", ("attention.output.LayerNorm", "crossattention.output.LayerNorm", "output.LayerNorm"),
                ("intermediate.dense", "output.dense")),
        sizes=(23, 29), norm_first=False, activation="gelu"),
    "fused in self-attention, key and value in cross-attention": Author(
        _EDS + "encoder.pe = enc.pe\ndecoder.pe = dec.pe\ngenerator = out\n"
        + blocks("encoder.layers.{i}.", {"attn.qkv": "enc.q+enc.k+enc.v", "attn.out": "enc.o", "norm1": "enc.n1",
                                         "norm2": "enc.n2", "ff.w1": "enc.fc1", "ff.w2": "enc.fc2"}) + "\n"
        + blocks("decoder.layers.{i}.", {"attn.qkv": "dec.q+dec.k+dec.v", "attn.out": "dec.o", "norm1": "dec.n1",
                                         "cross.q": "dec.cq", "cross.kv": "dec.ck+dec.cv", "cross.out": "dec.co",
                                         "norm2": "dec.nc", "norm3": "dec.n2", "ff.w1": "dec.fc1", "ff.w2": "dec.fc2"}),
        sizes=(23, 29), positions="sinusoids", without="q k v cq ck cv", answers={"fused_by_head": False}),
}  # fmt: skip
