"""Runs the original code of toolkits and tutorials, and keeps what it computed, as ``make_checkpoints.py`` does.

    python tests/reference/make_toolkits.py ORIGINALS [NAME…]

ORIGINALS is a folder of checkouts: ``pytorch-transformer`` (hkproj) and ``transformer`` (hyunwoongko).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
    """As it is, and as it was: norms of one number, biases in the attention, log-probabilities."""
    for name in ("plain", "early"):
        torch.manual_seed(11)
        space: dict[str, Any] = {"__name__": "hkproj"}
        code = (folder / "model.py").read_text()
        if name == "early":  # what commits 7979b1a and c9ddb87 changed, undone
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
        found = (
            [layer.self_attention_block.attention_scores for layer in model.encoder.layers],
            [layer.self_attention_block.attention_scores for layer in model.decoder.layers],
            [layer.cross_attention_block.attention_scores for layer in model.decoder.layers],
        )
        keep(f"hkproj-{name}", model, source, target, found, logits, {"n_heads": 4})


def hyunwoongko(folder: Path) -> None:
    """Its softmax is watched, since the model returns no weights."""
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


@contextmanager
def softmaxes(model: nn.Module, kind: type[nn.Module]) -> Iterator[list[Tensor]]:
    """While open, collects what the softmax of every module of one kind gives."""
    found: list[Tensor] = []
    hooks = [
        module.get_submodule("softmax").register_forward_hook(lambda _, __, weights: found.append(weights.clone()))
        for module in model.modules()
        if isinstance(module, kind)
    ]
    yield found
    for hook in hooks:
        hook.remove()


def in_turn(weights: list[Tensor], n_encoder: int, n_decoder: int) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """Weights in the order of running, sorted: the encoder's, then self and cross of each decoder layer."""
    assert len(weights) == n_encoder + 2 * n_decoder
    return weights[:n_encoder], weights[n_encoder::2], weights[n_encoder + 1 :: 2]


Maker = Callable[[Path], None]
FAMILIES: dict[str, tuple[Maker, str]] = {
    "hkproj": (hkproj, "pytorch-transformer"),
    "hyunwoongko": (hyunwoongko, "transformer"),
}

if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
