"""The quality lost by rounding the page's model to 8 bits: BLEU of the 2,000 held-out sentences before and after,
and how far the attention weights of some sentences move.

    python -m benchmarks.eight_bits

The held-out sentences, with one reference each, are those of the shipped survey; decoding is greedy. Attention is
compared on the translation of the model in 16 bits.
"""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pyarrow.parquet as parquet
import sacrebleu
import torch
from numpy.typing import NDArray
from safetensors.torch import load

import model
from benchmarks.serving import ROOT
from model.bundle import Bundle
from model.interventions import KINDS
from viz.export.engine import engine_files

SURVEY = ROOT / "pretrained" / "en-fr-corpus" / "survey"
BATCH = 50
COMPARED = (
    "The cat is sleeping on the sofa.", "The little girl is reading a book in the garden.",
    "I do not know where he is.",
)  # fmt: skip


def main() -> None:
    """Print both scores, how many translations differ, and the bytes."""
    tables = [parquet.read_table(path, columns=["source", "target"]) for path in sorted(SURVEY.glob("sentences-*"))]
    pairs = [pair for table in tables for pair in zip(*(table.column(n).to_pylist() for n in range(2)), strict=True)]
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    bundle = model.load()
    coarse = rounded(bundle)
    said = {name: translations(each, sources) for name, each in (("f16", bundle), ("i8", coarse))}
    scores = {name: sacrebleu.corpus_bleu(texts, [references]).score for name, texts in said.items()}
    sizes = {name: len(engine_files(bundle, precision=name).weights) for name in ("f16", "i8")}
    same = sum(one == other for one, other in zip(said["f16"], said["i8"], strict=True))
    print(f"BLEU of {len(sources):,} sentences: {scores['f16']:.2f} in 16 bits, {scores['i8']:.2f} in 8 bits, "
          f"difference {scores['i8'] - scores['f16']:+.2f} (bar 0.3); {same:,} translations are the same; "
          f"{sizes['f16'] / 1e6:.1f} MB and {sizes['i8'] / 1e6:.1f} MB (bar 11 MB)")  # fmt: skip
    moved = np.concatenate([differences(bundle, coarse, text) for text in COMPARED])
    print(f"attention weights of {len(COMPARED)} sentences move by at most {moved.max():.3f}, "
          f"99 % of them by less than {np.quantile(moved, 0.99):.3f}")  # fmt: skip


def translations(bundle: Bundle, sources: list[str]) -> list[str]:
    """Greedy translations, decoded in batches of similar length and returned in the given order."""
    order = sorted(range(len(sources)), key=lambda place: len(sources[place]))
    said = [""] * len(sources)
    for start in range(0, len(order), BATCH):
        places = order[start : start + BATCH]
        found = model.translate(bundle, [sources[place] for place in places], n_candidates=1)
        for place, trace in zip(places, found, strict=True):
            assert not isinstance(trace, model.TextError)
            said[place] = trace.text
    return said


def differences(bundle: Bundle, coarse: Bundle, text: str) -> NDArray[np.float32]:
    """How far each attention weight moves, all kinds, layers and heads."""
    exact = model.translate(bundle, text)
    found = model.score(coarse, text, exact.text)
    pairs = ((exact.attention.of(kind), found.attention.of(kind)) for kind in KINDS)
    return np.concatenate([np.abs(a - b).ravel() for a, b in pairs if a is not None and b is not None])


def rounded(bundle: Bundle) -> Bundle:
    """The model as a browser restores it from 8 bits."""
    sent = load(engine_files(bundle, precision="i8").weights)
    changed = copy.deepcopy(bundle.model)
    with torch.no_grad():
        for name, parameter in changed.named_parameters():
            values = sent[name].float()
            parameter.copy_(values * sent[f"{name}.scale"][:, None] if f"{name}.scale" in sent else values)
    return dataclasses.replace(bundle, model=changed)


if __name__ == "__main__":
    main()
