"""Why the decoder is trained with a mask: the same tiny model trained with and without it.

Without the mask a row sees the word that it should predict, so it learns to copy it. Its training loss looks perfect,
but at inference, where that word does not exist yet, it cannot translate. ``python -m model.teaching.copying`` trains
both again and writes ``copying.json``, which the lesson shows.
"""

import dataclasses
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.interventions import NONE, Interventions
from model.teaching.toy import BOS, EOS, Toy, toy_pairs, train_toy
from model.trace import Floats

_OPEN = Interventions(lift_causal_mask=True)
SEED = 1
FILE = Path(__file__).with_name("copying.json")


@dataclass(frozen=True, slots=True)
class Learned:
    """Results of one of the two models on all sentences of the toy language, with the mask of its training."""

    forced: float
    """Accuracy of next tokens under teacher forcing."""
    exchanged: float
    """The same with another sentence's source: tokens that are still right were copied, not translated."""
    n_written: int
    """Number of sentences that it translates correctly by greedy decoding."""
    weights: Floats
    """(T, T): the decoder's self-attention on the first sentence."""
    translation: str
    """Its translation of the first sentence."""


@dataclass(frozen=True, slots=True)
class Copying:
    """Both models."""

    masked: Learned
    unmasked: Learned
    n_sentences: int
    n_parameters: int
    source: str
    """The first sentence."""
    target: str
    fed: tuple[str, ...]
    """The decoder's T input words."""


@cache
def copying() -> Copying:
    """The shipped measurements."""
    fields = json.loads(FILE.read_text("utf-8"))
    sides: list[dict[str, Any]] = [fields.pop(name) for name in ("masked", "unmasked")]
    masked, unmasked = (Learned(**each | {"weights": np.array(each["weights"], np.float32)}) for each in sides)
    return Copying(masked, unmasked, **fields | {"fed": tuple(fields["fed"])})


def measured_anew() -> Copying:
    """Train both models and evaluate them; deterministic, a few seconds on one CPU core."""
    toys = [train_toy(seed=SEED, is_masked=is_masked) for is_masked in (True, False)]
    learned = [_measure_copying(toy, edits) for toy, edits in zip(toys, (NONE, _OPEN), strict=True)]
    pairs = toy_pairs()
    fed = ("<bos>", *pairs[0].target.split())
    return Copying(learned[0], learned[1], len(pairs), toys[0].n_parameters, pairs[0].source, pairs[0].target, fed)


@torch.inference_mode()
def _measure_copying(toy: Toy, edits: Interventions) -> Learned:
    network, bundle, pairs = toy.bundle.model, toy.bundle, toy_pairs()
    assert bundle.source_tokenizer is not None and bundle.target_tokenizer is not None
    sources = torch.tensor([[*bundle.source_tokenizer.encode(pair.source).ids, EOS] for pair in pairs])  # (B, 4)
    targets = torch.tensor([[BOS, *bundle.target_tokenizer.encode(pair.target).ids, EOS] for pair in pairs])  # (B, 5)
    prefix, right = targets[:, :-1], targets[:, 1:]
    half = len(pairs) // 2  # far enough that the subject is another
    shares = [
        float((network(each, prefix, interventions=edits).logits.argmax(-1) == right).float().mean())
        for each in (sources, sources.roll(half, 0))
    ]
    written = targets[:, :1]
    for _ in range(right.shape[1]):
        following = network(sources, written, interventions=edits).logits[:, -1].argmax(-1)  # (B,)
        written = torch.cat((written, following[:, None]), 1)
    shown = network(sources[:1], prefix[:1], interventions=edits, capture=True)
    return Learned(
        shares[0], shares[1], int((written == targets).all(1).sum()),
        shown.decoder_self[0][0, 0].float().numpy(), bundle.target_tokenizer.decode(written[0, 1:].tolist()),
    )  # fmt: skip


def main() -> None:
    """Measure and write."""
    fields = dataclasses.asdict(measured_anew())
    for name in ("masked", "unmasked"):
        fields[name]["weights"] = np.round(fields[name]["weights"].astype(float), 3).tolist()
    FILE.write_text(json.dumps(fields, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
