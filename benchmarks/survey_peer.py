"""The survey's peer: a loop over Hugging Face's MarianMT of equal size that measures the same with NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

import model
from model.analysis.metrics import head_metrics
from model.analysis.sinks import sinks_of
from model.corpus.batches import batches, read_rows
from model.interventions import KINDS
from model.nn.padding import pad
from model.text.pairs import Pair


class Hooks:
    """What Marian does not return: each layer's values, and its decoder without the source."""

    def __init__(self, peer: Any) -> None:
        inner = peer.model
        self.values: dict[str, list[np.ndarray]] = {kind: [] for kind in KINDS}
        self.is_cut = False
        stacks = {
            "encoder_self": [layer.self_attn for layer in inner.encoder.layers],
            "decoder_self": [layer.self_attn for layer in inner.decoder.layers],
            "cross": [layer.encoder_attn for layer in inner.decoder.layers],
        }
        self.outputs = {kind: [one.out_proj.weight.detach().numpy() for one in stack] for kind, stack in stacks.items()}
        for kind, stack in stacks.items():
            for one in stack:
                one.v_proj.register_forward_hook(lambda _, __, found, kind=kind: self._keep(kind, found))
        for one in stacks["cross"]:
            one.register_forward_hook(lambda _, __, found: self._cut(found))

    def _keep(self, kind: str, found: torch.Tensor) -> None:
        if not self.is_cut:
            self.values[kind].append(found.numpy())

    def _cut(self, found: tuple) -> tuple | None:
        return (torch.zeros_like(found[0]), *found[1:]) if self.is_cut else None

    def norms(self, kind: str, index: int, n_keys: int, n_heads: int) -> np.ndarray:
        """Norm of each key's value after the output projection, (L, H, K)."""
        found = []
        for values, output in zip(self.values[kind], self.outputs[kind], strict=True):
            own = values[index, :n_keys].reshape(n_keys, n_heads, -1)
            moved = np.einsum("khm,dhm->hkd", own, output.reshape(len(output), n_heads, -1), optimize=True)
            found.append(np.linalg.norm(moved, axis=-1))
        return np.stack(found)


@torch.inference_mode()
def loop(bundle: model.Bundle, peer: Any, hooks: Hooks, pairs: Sequence[Pair]) -> list:
    """Run the same tokens in the same batches through Marian and take all measures of a survey in NumPy, sentence by
    sentence; nothing is written."""
    config, measured = bundle.config, []
    rows, _ = read_rows(bundle, pairs)
    for chosen in batches(bundle, rows):
        source = pad([row.source.ids for row in chosen], config.source_pad_id)
        fed = pad([(config.bos_id, *row.target.ids[:-1]) for row in chosen], config.target_pad_id)
        said = pad([row.target.ids for row in chosen], config.target_pad_id)
        given: dict[str, Any] = {"attention_mask": source != config.source_pad_id, "decoder_input_ids": fed}
        hooks.values = {kind: [] for kind in KINDS}
        found = peer(input_ids=source, output_attentions=True, **given)
        hooks.is_cut = True
        without = peer(encoder_outputs=(found.encoder_last_hidden_state,), **given)
        hooks.is_cut = False
        lost = [one.logits.log_softmax(-1).gather(2, said[..., None])[..., 0] for one in (found, without)]
        measured.append((lost[0] - lost[1]).numpy())
        stacks = (found.encoder_attentions, found.decoder_attentions, found.cross_attentions)
        for kind, layers in zip(KINDS, stacks, strict=True):
            weights = torch.stack(layers, 1).numpy()
            for index, row in enumerate(chosen):
                n_queries = len(row.source) if kind == "encoder_self" else len(row.target)
                keys = row.prefix if kind == "decoder_self" else row.source
                own = weights[index, :, :, :n_queries, : len(keys)]
                sinks = sinks_of(keys)
                measured.append(head_metrics(own, kind=kind, key_is_sink=sinks))
                moved = own * hooks.norms(kind, index, len(keys), own.shape[1])[:, :, None]
                total = moved.sum((-2, -1))
                measured.append((total / total.sum(-1, keepdims=True), moved[..., sinks].sum(-1) / moved.sum(-1)))
                measured.append((own.argmax(-1), own.max(-1)))
    return measured
