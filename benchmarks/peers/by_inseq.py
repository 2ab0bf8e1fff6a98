"""Inseq: its own gradient × input of the log-probability, summed over an embedding's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.peers.by_captum import ours
from benchmarks.peers.models import Twin, words
from benchmarks.peers.rows import Row, compared


def rows(twin: Twin) -> Iterator[Row]:
    """Gradient × input of every prediction of one family."""
    if twin.predicts:
        yield compared("gradient_input", twin, lambda: ours(twin, {"method": "gradient_input"}), lambda: _theirs(twin))


def _theirs(twin: Twin) -> Any:
    import inseq  # only in its own environment

    asked = inseq.load_model(twin.network, "input_x_gradient", tokenizer=words(has_end=twin.has_two_stacks))
    if twin.family == "Marian":  # Inseq scales the embeddings that it gives, and Marian's decoder scales them again
        twin.network.model.decoder.embed_scale = 1.0
    whole = (*twin.trace.prefix.ids, twin.trace.target.ids[-1])
    sides = (twin.trace.source.ids, twin.trace.target.ids) if twin.has_two_stacks else (whole[:1], whole)
    if twin.has_two_stacks:  # the tokenizer adds the end to each text
        sides = tuple(ids[:-1] for ids in sides)
    source, target = (" ".join("</s>" if index == 2 else f"t{index}" for index in ids) for ids in sides)
    found = asked.attribute(
        source, target, attribute_target=twin.has_two_stacks, attributed_fn="probability", logprob=True,
        show_progress=False,
    ).sequence_attributions[0]  # fmt: skip
    parts = [
        side.sum(-1).numpy() for side in (found.source_attributions, found.target_attributions) if side is not None
    ]
    width = len(twin.trace.source) + len(twin.trace.prefix)
    return np.nan_to_num(np.concatenate(parts)).T[:, :width]  # Inseq has a row for the last token too
