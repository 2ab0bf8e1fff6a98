"""Runs the original code of toolkits and tutorials, and stores its results, as ``make_checkpoints.py`` does.

    python tests/reference/make_toolkits.py ORIGINALS [NAME…]

ORIGINALS is a folder of checkouts: ``pytorch-transformer`` (hkproj), ``transformer`` (hyunwoongko), ``fairseq``
(with hydra-core 1.0 and omegaconf 2.0 installed), ``OpenNMT-py`` (with pyonmttok and configargparse), and
``x-transformers`` (as pip installs it into a folder, with einops, einx and torch-einops-utils).
"""

import argparse
import dataclasses
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import torch
from make_checkpoints import HERE, batch, keep, roughen  # type: ignore[import-not-found]
from torch import Tensor, nn


def main(originals: Path, wanted: list[str]) -> None:
    """Make every golden file, or those of the families named."""
    HERE.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    for name, (make, folder) in FAMILIES.items():
        if not wanted or name in wanted:
            make(originals / folder)


def hkproj(folder: Path) -> None:
    """The current version and an older one with scalar norms, biases in the attention, and log-probabilities."""
    for name in ("plain", "early"):
        torch.manual_seed(11)
        space: dict[str, Any] = {"__name__": "hkproj"}
        code = (folder / "model.py").read_text()
        if name == "early":  # undo the changes of commits 7979b1a and c9ddb87
            code = code.replace(", bias=False", "").replace("torch.ones(features)", "torch.ones(1)")
            code = code.replace("torch.zeros(features)", "torch.zeros(1)")
            code = code.replace("return self.proj(x)", "return torch.log_softmax(self.proj(x), dim=-1)")
        exec(compile(code, "model.py", "exec"), space)
        model = space["build_transformer"](13, 11, 9, 8, d_model=16, N=2, h=4, d_ff=24)
        roughen(model)
        source, target = batch(pad=1)
        source_mask = (source != 1)[:, None, None]
        target_mask = (target != 1)[:, None, None] & torch.ones(5, 5, dtype=torch.bool).tril()
        with torch.no_grad():
            decoded = model.decode(model.encode(source, source_mask), source_mask, target, target_mask)
            logits = model.project(decoded)
        result = (
            [layer.self_attention_block.attention_scores for layer in model.encoder.layers],
            [layer.self_attention_block.attention_scores for layer in model.decoder.layers],
            [layer.cross_attention_block.attention_scores for layer in model.decoder.layers],
        )
        keep(f"hkproj-{name}", model, source, target, result, logits, {"n_heads": 4})


def hyunwoongko(folder: Path) -> None:
    """Its softmax is recorded, because the model returns no weights."""
    sys.path.insert(0, str(folder))
    from models.layers.scale_dot_product_attention import ScaleDotProductAttention  # type: ignore[import-not-found]
    from models.model.transformer import Transformer  # type: ignore[import-not-found]

    for name, heads in (("plain", 4), ("wide", 2)):
        torch.manual_seed(12)
        model = Transformer(
            src_pad_idx=1, trg_pad_idx=1, trg_sos_idx=2, enc_voc_size=13, dec_voc_size=11, d_model=16, n_head=heads,
            max_len=20, ffn_hidden=24, n_layers=2, drop_prob=0.0, device="cpu",
        )  # fmt: skip
        roughen(model)
        source, target = batch(pad=1)
        with torch.no_grad(), softmaxes(model, ScaleDotProductAttention) as weights:
            logits = model(source, target)
        keep(f"hyunwoongko-{name}", model, source, target, in_turn(weights, 2, 2), logits, {"n_heads": heads})


def fairseq(folder: Path) -> None:
    """Post- and pre-norm, learned positions with a norm on embeddings, every way of sharing; sources are padded on the
    left."""
    dictionary_kind, model_kind = import_fairseq(folder)
    common = {"encoder_embed_dim": 16, "encoder_ffn_embed_dim": 24, "encoder_attention_heads": 2, "encoder_layers": 2,
              "decoder_ffn_embed_dim": 24, "decoder_attention_heads": 4, "decoder_layers": 3, "dropout": 0.0,
              "max_source_positions": 30, "max_target_positions": 30}  # fmt: skip
    pre = {"encoder_normalize_before": True, "decoder_normalize_before": True}
    learned = {"encoder_learned_pos": True, "decoder_learned_pos": True, "layernorm_embedding": True}
    for name, changes in (
        ("post", {}),
        ("pre", {**pre, "share_decoder_input_output_embed": True, "activation_fn": "gelu"}),
        ("learned", {**pre, **learned, "share_all_embeddings": True, "activation_fn": "gelu_accurate"}),
        ("unscaled", {"no_scale_embedding": True, "layernorm_embedding": True, "share_all_embeddings": True}),
    ):
        torch.manual_seed(13)
        arguments = argparse.Namespace(arch="transformer", task="translation", **common, **changes)
        sizes = (13, 13) if "share_all_embeddings" in changes else (13, 11)
        dictionaries = [dictionary_of(dictionary_kind, size) for size in sizes]
        task = types.SimpleNamespace(source_dictionary=dictionaries[0], target_dictionary=dictionaries[1])
        model = model_kind.build_model(arguments, task)
        roughen(model)
        for stack in (model.encoder, model.decoder):  # rows that training never changes
            stack.embed_tokens.weight.data[1] = 0
            if "encoder_learned_pos" in changes:
                stack.embed_positions.weight.data[1] = 0
        source, target = batch(pad=1)
        source[1] = source[1].flip(0)
        with torch.no_grad(), fairseq_weights(model) as weights:
            logits, _ = model(source, None, target)
        keep(f"fairseq-{name}", model, source, target, in_turn(weights, 2, 3), logits, vars(arguments))


def import_fairseq(folder: Path) -> tuple[Any, Any]:
    """Import its Dictionary and TransformerModel, working around Python 3.11 and libraries that only metrics need."""
    import torch._dynamo  # noqa: F401  before the change below, which is not meant for it

    made = dataclasses.dataclass

    def hashed(cls: type | None = None, **options: Any) -> Any:
        if cls is None:
            return lambda result: hashed(result, **options)
        return made(cls, **options if "__hash__" in vars(cls) else {"unsafe_hash": True, **options})

    dataclasses.dataclass = hashed
    leave_out("sklearn", "sklearn.metrics")
    sys.path.insert(0, str(folder))
    from fairseq.data import Dictionary  # type: ignore[import-not-found]
    from fairseq.models.transformer import TransformerModel, base_architecture  # type: ignore[import-not-found]

    dataclasses.dataclass = made
    build = TransformerModel.build_model

    def build_model(arguments: argparse.Namespace, task: Any) -> nn.Module:
        base_architecture(arguments)
        return build(arguments, task)

    return Dictionary, types.SimpleNamespace(build_model=build_model)


def dictionary_of(kind: Any, size: int) -> Any:
    """A dictionary of numbered words."""
    dictionary = kind()
    for index in range(size - 4):
        dictionary.add_symbol(f"word{index}")
    return dictionary


@contextmanager
def fairseq_weights(model: nn.Module) -> Iterator[list[Tensor]]:
    """While open, makes every layer's attention compute its weights per head, and collects them."""
    collected: list[Tensor] = []
    kinds = {type(module) for module in model.modules() if type(module).__name__ == "MultiheadAttention"}
    originals = {kind: kind.forward for kind in kinds}

    def forward(module: Any, *arguments: Any, **options: Any) -> Any:
        module.skip_embed_dim_check = True  # its own arithmetic, because PyTorch's would average the heads
        options |= {"need_weights": True, "need_head_weights": True}
        x, weights = originals[type(module)](module, *arguments, **options)
        collected.append(weights.transpose(0, 1).clone())  # (H, B, Q, S) -> (B, H, Q, S)
        return x, weights

    for kind in kinds:
        kind.forward = forward  # type: ignore[method-assign]
    yield collected
    for kind, original in originals.items():
        kind.forward = original  # type: ignore[method-assign]


def leave_out(*names: str) -> None:
    """Replace packages that are imported but not needed by the model, so that they need not be installed."""
    for name in names:
        sys.modules.setdefault(name, MagicMock(__path__=[], __spec__=None))


def opennmt(folder: Path) -> None:
    """OpenNMT-py 3.5: interleaved and concatenated sinusoids, with and without biases, separate and shared
    embeddings."""
    leave_out("spacy", "fasttext", "ctranslate2", "sacrebleu", "bitsandbytes", "rapidfuzz", "scipy", "scipy.stats",
              "tensorboard", "torch.utils.tensorboard", "unidecode", "sentencepiece", "pyonmttok",
              "ahocorasick", "subword_nmt")  # fmt: skip
    sys.path.insert(0, str(folder))
    from onmt.decoders.transformer import TransformerDecoder  # type: ignore[import-not-found]
    from onmt.encoders.transformer import TransformerEncoder  # type: ignore[import-not-found]
    from onmt.modules import MultiHeadedAttention  # type: ignore[import-not-found]
    from onmt.modules.embeddings import Embeddings  # type: ignore[import-not-found]

    common = {"enc_layers": 2, "dec_layers": 3, "enc_hid_size": 16, "dec_hid_size": 16, "heads": 4,
              "transformer_ff": 24, "dropout": 0.0, "attention_dropout": 0.0, "max_relative_positions": 0,
              "relative_positions_buckets": 0,
              "pos_ffn_activation_fn": "relu", "add_qkvbias": False, "num_kv": 0, "add_ffnbias": True,
              "parallel_residual": False, "shared_layer_norm": False, "layer_norm": "standard", "norm_eps": 1e-6,
              "use_ckpting": [], "parallel_mode": "data_parallel", "world_size": 1, "rotary_interleave": True,
              "rotary_theta": 10000, "rotary_dim": 0, "copy_attn": False, "self_attn_type": "scaled-dot",
              "aan_useffn": False, "full_context_alignment": False, "alignment_layer": -1, "alignment_heads": 0,
              "sliding_window": 0, "num_experts": 0, "num_experts_per_tok": 2, "position_encoding": True,
              "position_encoding_type": "SinusoidalInterleaved", "share_embeddings": False,
              "share_decoder_embeddings": False}  # fmt: skip
    for name, changes in (
        ("plain", {}),
        ("shared", {"share_embeddings": True, "share_decoder_embeddings": True, "add_qkvbias": True,
                    "pos_ffn_activation_fn": "gelu"}),
        ("concat", {"position_encoding_type": "SinusoidalConcat", "norm_eps": 1e-5, "add_ffnbias": False}),
    ):  # fmt: skip
        torch.manual_seed(14)
        opt = argparse.Namespace(**common | changes)
        sizes = (13, 13) if opt.share_embeddings else (13, 11)
        tables = [Embeddings(16, size, 1, position_encoding=True, position_encoding_type=opt.position_encoding_type)
                  for size in sizes]  # fmt: skip
        if opt.share_embeddings:
            tables[1].word_lut.weight = tables[0].word_lut.weight
        encoder, decoder = TransformerEncoder.from_opt(opt, tables[0]), TransformerDecoder.from_opt(opt, tables[1])
        generator = nn.Linear(16, sizes[1])
        if opt.share_decoder_embeddings:
            generator.weight = tables[1].word_lut.weight
        model = nn.ModuleDict({"encoder": encoder, "decoder": decoder, "generator": generator})
        with torch.no_grad():
            for parameter in model.parameters():  # the original leaves them uninitialised
                parameter.copy_(torch.randn_like(parameter) * 0.3)
        roughen(model, scale=0.1)
        source, target = batch(pad=1)
        lengths = (source != 1).sum(1)
        with torch.no_grad(), softmaxes(model, MultiHeadedAttention) as weights:
            memory, _, _ = encoder(source[..., None], lengths)
            decoder.init_state(source[..., None], memory, None)
            decoded, _ = decoder(target[..., None], memory, src_len=lengths)
            logits = generator(decoded)
        for table in tables:
            table.make_embedding.pe.pe = table.make_embedding.pe.pe[:40].clone()
        keep(f"opennmt-{name}", model, source, target, in_turn(weights, 2, 3), logits, vars(opt))


def xtransformers(folder: Path) -> None:
    """x-transformers 2.31: norms that add one to their weights and heads of width 64; then post-norm and other
    widths."""
    sys.path.insert(0, str(folder))
    from x_transformers import XTransformer  # type: ignore[import-not-found]

    wide = {"attn_dim_head": 6, "attn_value_dim_head": 5, "pre_norm": False, "norm_add_unit_offset": False,
            "ff_swish": True, "ff_no_bias": True, "ff_mult": 2}  # fmt: skip
    for name, sizes, changes, heads in (("plain", (13, 11), {}, (2, 2)), ("post", (13, 13), wide, (3, 2))):
        torch.manual_seed(15)
        sides = {f"{side}_{key}": value for side in ("enc", "dec") for key, value in changes.items()}
        model = XTransformer(
            dim=16, enc_num_tokens=sizes[0], enc_depth=2, enc_heads=heads[0], enc_max_seq_len=20, dec_depth=3,
            dec_num_tokens=sizes[1], dec_heads=heads[1], dec_max_seq_len=24, tie_token_emb=name == "post", **sides,
        )  # fmt: skip
        roughen(model)
        source, target = batch(pad=0)
        mask = source != 0
        with torch.no_grad():
            encoded, intermediates = model.encoder(source, mask=mask, return_embeddings=True, return_intermediates=True)
            logits, result = model.decoder.net(target, context=encoded, context_mask=mask, return_intermediates=True)
        weights = [layer.post_softmax_attn for layer in (*intermediates.attn_intermediates, *result.attn_intermediates)]
        keep(f"xtransformers-{name}", model, source, target, in_turn(weights, 2, 3), logits,
             {"n_heads": heads[0], "activation": "silu" if name == "post" else "gelu"})  # fmt: skip


@contextmanager
def softmaxes(model: nn.Module, kind: type[nn.Module]) -> Iterator[list[Tensor]]:
    """While open, collects the softmax outputs of all modules of one kind."""
    collected: list[Tensor] = []
    hooks = [
        module.get_submodule("softmax").register_forward_hook(lambda _, __, weights: collected.append(weights.clone()))
        for module in model.modules()
        if isinstance(module, kind)
    ]
    yield collected
    for hook in hooks:
        hook.remove()


def in_turn(weights: list[Tensor], n_encoder: int, n_decoder: int) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """Sort weights recorded in the order of execution: the encoder's, then self and cross of each decoder layer."""
    assert len(weights) == n_encoder + 2 * n_decoder
    return weights[:n_encoder], weights[n_encoder::2], weights[n_encoder + 1 :: 2]


Maker = Callable[[Path], None]
FAMILIES: dict[str, tuple[Maker, str]] = {
    "hkproj": (hkproj, "pytorch-transformer"),
    "hyunwoongko": (hyunwoongko, "transformer"),
    "fairseq": (fairseq, "fairseq"),
    "opennmt": (opennmt, "OpenNMT-py"),
    "xtransformers": (xtransformers, "x-transformers"),
}

if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
