"""Runs the original implementations and stores small weights and the attention and logits computed from them.

    python tests/reference/make_checkpoints.py ORIGINALS

ORIGINALS is a folder of checkouts: ``attention-is-all-you-need-pytorch`` (jadore801120), ``annotated-transformer``
(harvardnlp), ``nlp-tutorial`` (graykode), ``d2l-en`` (d2l-ai) and ``joeynmt``. Their code is imported from there; of
files that also train and plot, only the definitions are run. Each ``.npz`` contains the state dict under
``tensor/…``, the input ids, and the original's outputs; ``settings`` is JSON.
"""

import ast
import copy
import json
import math
import re
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

HERE = Path(__file__).resolve().parent / "checkpoints"
Attention = dict[str, list[Tensor]]


def main(originals: Path) -> None:
    """Make every golden file."""
    HERE.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    jadore(originals / "attention-is-all-you-need-pytorch")
    make_annotated(originals / "annotated-transformer")
    graykode(originals / "nlp-tutorial")
    d2l(originals / "d2l-en")
    joeynmt(originals / "joeynmt")


def jadore(folder: Path) -> None:
    """d_k, d_v and d_model / heads all differ; every mode of scaling, shared or not."""
    sys.path.insert(0, str(folder))
    from transformer.Models import Transformer, get_pad_mask, get_subsequent_mask  # type: ignore[import-not-found]

    for name, shared, projected, mode in (
        ("separate", False, False, "prj"), ("projection", False, True, "prj"), ("embedding", True, True, "emb"),
        ("unscaled", True, True, "none"),
    ):  # fmt: skip
        torch.manual_seed(1)
        sizes = (13, 13) if shared else (13, 11)
        model = Transformer(
            *sizes, 1, 1, d_word_vec=16, d_model=16, d_inner=24, n_layers=2, n_head=3, d_k=5, d_v=4, n_position=40,
            trg_emb_prj_weight_sharing=projected, emb_src_trg_weight_sharing=shared, scale_emb_or_prj=mode,
        )  # fmt: skip
        roughen(model)
        source, target = batch(pad=1)
        source_mask = get_pad_mask(source, 1)
        target_mask = get_pad_mask(target, 1) & get_subsequent_mask(target)
        with torch.no_grad():
            memory, encoder_self = model.encoder(source, source_mask, return_attns=True)
            _, decoder, cross = model.decoder(target, target_mask, memory, source_mask, return_attns=True)
            logits = model(source, target).view(*target.shape, -1)
        settings = {"n_head": 3, "d_k": 5, "d_v": 4, "src_pad_idx": 1, "trg_pad_idx": 1, "proj_share_weight": projected,
                    "embs_share_weight": shared, "scale_emb_or_prj": mode, "n_layers": 2, "d_model": 16}  # fmt: skip
        keep(f"jadore-{name}", model, source, target, (encoder_self, decoder, cross), logits, settings)


def make_annotated(folder: Path) -> None:
    """A model that returns log-probabilities and whose file does not contain the number of heads."""
    space = {"torch": torch, "nn": nn, "math": math, "copy": copy, "log_softmax": functional.log_softmax}
    define(folder / "the_annotated_transformer.py", space, {
        "EncoderDecoder", "Generator", "clones", "Encoder", "LayerNorm", "SublayerConnection", "EncoderLayer",
        "Decoder", "DecoderLayer", "subsequent_mask", "attention", "MultiHeadedAttention", "PositionwiseFeedForward",
        "Embeddings", "PositionalEncoding", "make_model"})  # fmt: skip
    for name, layers, heads in (("plain", 2, 4), ("deep", 3, 2)):
        torch.manual_seed(2)
        model = space["make_model"](13, 11, N=layers, d_model=16, d_ff=24, h=heads)
        roughen(model)
        source, target = batch(pad=2)
        source_mask = (source != 2).unsqueeze(-2)
        target_mask = (target != 2).unsqueeze(-2) & space["subsequent_mask"](target.shape[1])
        with torch.no_grad():
            logits = model.generator(model(source, target, source_mask, target_mask))
        result = (
            [layer.self_attn.attn for layer in model.encoder.layers],
            [layer.self_attn.attn for layer in model.decoder.layers],
            [layer.src_attn.attn for layer in model.decoder.layers],
        )
        for embedding in (model.src_embed, model.tgt_embed):
            embedding[1].pe = embedding[1].pe[:, :40].clone()
        keep(f"annotated-{name}", model, source, target, result, logits, {"n_heads": heads})


def graykode(folder: Path) -> None:
    """Five tokens a side, because the original's order of positions is written for five."""
    for name, heads in (("plain", 2), ("wide", 3)):
        torch.manual_seed(3)
        space: dict[str, Any] = {
            "torch": torch, "nn": nn, "np": np, "src_vocab_size": 13, "tgt_vocab_size": 11, "src_len": 5, "tgt_len": 5,
            "d_model": 16, "d_ff": 24, "d_k": 5 if name == "wide" else 8, "d_v": 4 if name == "wide" else 8,
            "n_layers": 2, "n_heads": heads,
        }  # fmt: skip
        define(folder / "5-1.Transformer" / "Transformer.py", space, None)
        model = space["Transformer"]()
        roughen(model, skip="pos_emb")
        source, target = batch(pad=0, width=5)
        with torch.no_grad():
            logits, *result = model(source, target)
        keep(
            f"graykode-{name}", model, source, target, tuple(result), logits.view(*target.shape, -1), {"n_heads": heads}
        )


def d2l(folder: Path) -> None:
    """The causal pass, as in training, with dropout at 0."""
    space: dict[str, Any] = {"torch": torch, "nn": nn, "math": math, "np": np}
    classes = {"MultiHeadAttention", "PositionalEncoding", "PositionWiseFFN", "AddNorm", "TransformerEncoderBlock",
               "TransformerEncoder", "DotProductAttention", "masked_softmax"}  # fmt: skip
    space["d2l"] = types.SimpleNamespace(
        Module=nn.Module, Encoder=nn.Module, AttentionDecoder=nn.Module, zeros=torch.zeros, arange=torch.arange
    )
    define(folder / "d2l" / "torch.py", space, classes)
    vars(space["d2l"]).update({name: space[name] for name in classes})
    text = (folder / "chapter_attention-mechanisms-and-transformers" / "transformer.md").read_text()
    for name in ("TransformerDecoderBlock", "TransformerDecoder"):
        cells = re.findall(r"%%tab pytorch\n(class " + name + r"\(.*?)```", text, re.DOTALL)
        exec(compile(cells[0], name, "exec"), space)
    for name, blocks, heads in (("plain", 2, 4), ("deep", 3, 2)):
        torch.manual_seed(4)
        encoder = space["TransformerEncoder"](13, 16, 24, heads, blocks, 0.0)
        decoder = space["TransformerDecoder"](11, 16, 24, heads, blocks, 0.0)
        source, target = batch(pad=0)
        lengths = (source != 0).sum(1)

        def run(encoder=encoder, decoder=decoder, source=source, target=target, lengths=lengths) -> Tensor:
            return decoder(target, decoder.init_state(encoder(source, lengths), lengths))[0]

        model = nn.ModuleDict({"encoder": encoder, "decoder": decoder})
        run()  # the lazy layers get their shapes here
        roughen(model)
        model.train()
        with torch.no_grad():
            logits = run()
        weights = [encoder.attention_weights, *decoder.attention_weights]
        result = tuple([layer.view(len(source), heads, *layer.shape[1:]) for layer in kind] for kind in weights)
        keep(f"d2l-{name}", model, source, target, result, logits, {"n_heads": heads})


def joeynmt(folder: Path) -> None:
    """Pre-norm, post-norm, no such setting, DeepNet's weights, and each way of tying."""
    sys.path.insert(0, str(folder))
    from joeynmt.model import build_model  # type: ignore[import-not-found]
    from joeynmt.transformer_layers import MultiHeadedAttention  # type: ignore[import-not-found]

    kinds: tuple[tuple[str, dict[str, Any]], ...] = (
        ("pre", {"layer_norm": "pre"}), ("post", {"layer_norm": "post", "activation": "gelu"}), ("unsaid", {}),
        ("deepnet", {"layer_norm": "post", "initializer": "xavier_normal", "activation": "swish"}),
        ("tied", {"layer_norm": "pre", "tied": True}),
    )  # fmt: skip
    for name, changes in kinds:
        torch.manual_seed(5)
        described = joey_config(**changes)
        sizes = (13, 13) if changes.get("tied") else (13, 11)
        model = build_model(copy.deepcopy(described), *map(joey_vocabulary, sizes))
        if "initializer" not in changes and not changes.get("tied"):
            roughen(model)
        else:
            roughen(model, scale=0.1)
        source, target = batch(pad=1)
        with torch.no_grad(), kept_weights(MultiHeadedAttention) as weights:
            source_mask, target_mask = (source != 1).unsqueeze(1), (target != 1).unsqueeze(1)
            memory, _ = model.encoder(model.src_embed(source), None, source_mask)
            logits, *_ = model.decoder(
                trg_embed=model.trg_embed(target), encoder_output=memory, encoder_hidden=None, src_mask=source_mask,
                unroll_steps=None, hidden=None, trg_mask=target_mask,
            )  # fmt: skip
        n_encoder = described["encoder"]["num_layers"]
        assert len(weights) == n_encoder + 2 * described["decoder"]["num_layers"]
        result = (weights[:n_encoder], weights[n_encoder::2], weights[n_encoder + 1 :: 2])
        for stack in (model.encoder, model.decoder):
            stack.pe.pe = stack.pe.pe[:, :40].clone()
        keep(f"joeynmt-{name}", model, source, target, result, logits, {"model": described, "data": {
            "src": {"lang": "en", "level": "word"}, "trg": {"lang": "fr", "level": "word"},
            "special_symbols": {"unk_id": 0, "pad_id": 1, "bos_id": 2, "eos_id": 3}}})  # fmt: skip


def joey_config(
    *, layer_norm: str | None = None, activation: str = "relu", initializer: str = "xavier_uniform", tied: bool = False
) -> dict[str, Any]:
    """A run's ``model`` section, with stacks of different depth and number of heads."""

    def stack(layers: int, heads: int) -> dict[str, Any]:
        section: dict[str, Any] = {"type": "transformer", "num_layers": layers, "num_heads": heads, "hidden_size": 16,
                   "ff_size": 24, "dropout": 0.0, "activation": activation,
                   "embeddings": {"embedding_dim": 16, "scale": True}}  # fmt: skip
        return section | ({"layer_norm": layer_norm} if layer_norm else {})

    return {"initializer": initializer, "tied_embeddings": tied, "tied_softmax": tied, "encoder": stack(2, 2),
            "decoder": stack(3, 4)}  # fmt: skip


def joey_vocabulary(size: int) -> Any:
    """A vocabulary of numbered words."""
    from joeynmt.vocabulary import Vocabulary  # type: ignore[import-not-found]

    symbols = types.SimpleNamespace(
        unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>", sep_token=None, lang_tags=[],
        unk_id=0, pad_id=1, bos_id=2, eos_id=3,
    )  # fmt: skip
    return Vocabulary([f"word{index}" for index in range(size - 4)], symbols)


class kept_weights:  # noqa: N801
    """While open, collects the outputs of JoeyNMT's softmax per head, because ``return_weights`` averages the heads."""

    def __init__(self, attention: type) -> None:
        self.attention, self.original = attention, attention.__init__

    def __enter__(self) -> list[Tensor]:
        collected: list[Tensor] = []
        self.forward = self.attention.forward

        def forward(module, *arguments, **options):
            hook = module.softmax.register_forward_hook(lambda _, __, weights: collected.append(weights.clone()))
            try:
                return self.forward(module, *arguments, **options)
            finally:
                hook.remove()

        self.attention.forward = forward
        return collected

    def __exit__(self, *_: object) -> None:
        self.attention.forward = self.forward


def batch(*, pad: int, width: int = 6) -> tuple[Tensor, Tensor]:
    """Two pairs, the second padded on both sides; all ids are above every family's special tokens."""
    source, target = torch.full((2, width), pad), torch.full((2, 5), pad)
    source[0] = torch.arange(4, 4 + width)
    source[1, :4] = torch.tensor([9, 5, 8, 4])
    target[0] = torch.tensor([5, 6, 7, 8, 9])
    target[1, :3] = torch.tensor([10, 4, 6])
    return source, target


def roughen(model: nn.Module, *, skip: str | None = None, scale: float = 0.3) -> None:
    """Give biases and norms distinct values, so that the tests notice a tensor in the wrong place."""
    model.eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if skip is None or skip not in name:
                parameter.add_(torch.randn_like(parameter) * scale)


def define(path: Path, space: dict[str, Any], names: set[str] | None) -> None:
    """Run only the definitions of a file, all of them or those named."""
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)
                 and (names is None or node.name in names)]  # fmt: skip
    exec(compile(tree, str(path), "exec"), space)


def keep(
    name: str,
    model: nn.Module,
    source: Tensor,
    target: Tensor,
    result: tuple[list[Tensor], ...],
    logits: Tensor,
    settings: dict[str, Any],
) -> None:
    """Write one golden file."""
    arrays: dict[str, Any] = {f"tensor/{key}": value.numpy() for key, value in model.state_dict().items()}
    kinds = ("encoder_self", "decoder_self", "cross")
    stacked = {kind: torch.stack(list(layers), 1).numpy() for kind, layers in zip(kinds, result, strict=True)}
    np.savez_compressed(
        HERE / f"{name}.npz", source=source.numpy(), target=target.numpy(), logits=logits.numpy(),
        settings=json.dumps(settings), **stacked, **arrays,
    )  # fmt: skip


Maker = Callable[[Path], None]

if __name__ == "__main__":
    main(Path(sys.argv[1]))
