"""The mean output of each head over a corpus, which replaces the head when it is removed by its mean."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.bundle import Bundle
from model.corpus.batches import Row, batches
from model.inference.teacher_forcing import teacher_forced
from model.interventions import AttentionKind, Interventions, attention_shapes
from model.nn.transformer import Transformer
from model.patch import Patch
from model.text.links import CorpusError

Head = tuple[AttentionKind, int, int]
_PLACES: dict[AttentionKind, str] = {
    "encoder_self": "encoder.{}.self.mixed", "decoder_self": "decoder.{}.self.mixed", "cross": "decoder.{}.cross.mixed"
}  # fmt: skip


def has_means(bundle: Bundle) -> bool:
    """Whether a head of this model can be replaced by its mean."""
    return isinstance(bundle.model, Transformer)


@torch.inference_mode()
def by_means(bundle: Bundle, rows: Sequence[Row], heads: Sequence[Head]) -> list[Interventions]:
    """For each head, the interventions that replace it by its mean over the corpus's queries.

    What a head mixed is replaced: the output projection is linear, so its mean output is that of its mean mixture.

    Raises:
        CorpusError: when the model runs in its original code, which does not expose it.
    """
    if not has_means(bundle):
        raise CorpusError(f"a head of {bundle.name} cannot be replaced by its mean: remove heads by zeroing")
    shapes = attention_shapes(bundle.config)
    names = {(kind, layer): _PLACES[kind].format(layer) for kind in shapes for layer in range(shapes[kind][0])}
    sums: dict[str, Tensor] = {}
    counts = dict.fromkeys(names.values(), 0)
    for chosen in batches(bundle, rows):
        batch = teacher_forced(bundle, chosen, record=names.values(), has_bound=False)
        for (kind, _), name in names.items():
            real = batch.source_is_real if kind == "encoder_self" else batch.target_is_real
            mixed = (batch.recorded[name] * real[:, None, :, None]).sum((0, 2))  # (H, M)
            sums[name] = sums[name] + mixed if name in sums else mixed
            counts[name] += int(real.sum())
    patches = []
    for kind, layer, head in heads:
        name = names[kind, layer]
        mean = sums[name][head] / counts[name]  # (M,)
        patches.append(Interventions(patches=Patch(name, heads=(head,), value=mean[None, None])))
    return patches
