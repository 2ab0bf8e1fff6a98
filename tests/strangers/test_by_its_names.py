"""Files of no known family, whose every tensor can be placed by its name and shape, open and compute the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from tests.strangers.plain import Habit, made

SOURCE = torch.tensor([[5, 6, 7, 8, 2], [9, 10, 2, 0, 0]])
TARGET = torch.tensor([[1, 11, 12, 13], [1, 14, 15, 0]])
HABITS = {
    "wq": Habit(),
    "q_proj in blocks": Habit(encoder="enc_blocks", decoder="dec_blocks", stack="", own="attn", cross="cross_attn",
                              roles=("q_proj", "k_proj", "v_proj", "out_proj"), norm_first=True, final="norm",
                              embeddings=("src_tok", "tgt_tok"), output="head"),
    "fused": Habit(fused="qkv", own="attention", cross="enc_dec_attention", roles=("query", "key", "value", "proj"),
                   feed=("mlp.0", "mlp.2"), norms=("ln1", "ln2", "ln3"), bias=False),
    "one module a head": Habit(by_head="heads", roles=("query", "key", "value", "linear"), own="attention",
                               cross="cross_attention", feed=("feed_forward.0", "feed_forward.2")),
    "attentions": Habit(by_head="attentions", roles=("q", "k", "v", "proj"), own="self_attention",
                        cross="encoder_attention", bias=False, norms=("norm_self", "norm_cross", "norm_ff")),
    "heads as wide as the model": Habit(by_head="attentions", roles=("q", "k", "v", "projection"), heads=3, wide=True,
                                        own="attention_self", cross="attention_cross", feed=("mlp1", "mlp2")),
    "learned": Habit(positions="", learned=("encoder.pos_emb", "decoder.pos_emb"), scaled=False,
                     embeddings=("encoder.tok_emb", "decoder.tok_emb"), output="decoder.out"),
    "numbers": Habit(own="mha1", cross="mha2", roles=("Wq", "Wk", "Wv", "Wo"), feed=("linear1", "linear2"),
                     norms=("layer_norm1", "layer_norm2", "layer_norm3"), heads=2),
    "words": Habit(own="self_attention", cross="source_attention", roles=("query_layer", "key_layer", "value_layer",
                   "output_layer"), feed=("position_wise.w_1", "position_wise.w_2"), activation="gelu",
                   norms=("self_norm", "source_norm", "feed_norm"), output="generator", heads=8),
    "masks": Habit(extra={"decoder.mask": torch.ones(9, 9).tril(), "scale": torch.tensor([32**0.5])}),
    "no biases, no table": Habit(bias=False, positions="", norm="bessel"),
    "population": Habit(norm="population", norm_first=True, final="norm"),
    "tied": Habit(sizes=(29, 29)),
}  # fmt: skip


def saved(habit: Habit, folder: Path) -> tuple[Any, Path]:
    stranger = made(habit)
    torch.save(stranger.state(), folder / "mine.pt")
    return stranger, folder / "mine.pt"


def assert_same(bundle: model.Bundle, stranger: Any) -> None:
    with torch.inference_mode():
        logits, maps = stranger(SOURCE, TARGET)
    found: Any = model.attend(bundle, SOURCE.numpy(), TARGET.numpy())
    np.testing.assert_allclose(found.encoder_self, maps["encoder_self"], rtol=0, atol=1e-5)
    np.testing.assert_allclose(found.decoder_self, maps["decoder_self"], rtol=0, atol=1e-5)
    np.testing.assert_allclose(found.cross, maps["cross"], rtol=0, atol=1e-5)
    np.testing.assert_allclose(found.logits, logits, rtol=0, atol=1e-5)


@pytest.mark.nightly(but=("masks", "heads as wide as the model"))
@pytest.mark.parametrize("name", HABITS)
def test_a_file_of_own_names_opens_and_computes_what_its_author_computes(name: str, tmp_path: Path) -> None:
    habit = HABITS[name]
    stranger, path = saved(habit, tmp_path)
    kind = {"layer": "layer", "bessel": "annotated", "population": "population"}[habit.norm]
    bundle = model.load(path, n_heads=habit.heads, norm_first=habit.norm_first, activation=habit.activation,
                        embedding_scale=habit.width**0.5 if habit.scaled else 1.0, norm_kind=kind,
                        source_pad_id=0, target_pad_id=0, bos_id=1, eos_id=2)  # fmt: skip
    assert bundle.family == "named"
    assert_same(bundle, stranger)
