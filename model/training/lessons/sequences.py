"""Copying and reversing letters: the tasks on which a tiny Transformer is seen to learn from nothing."""

from __future__ import annotations

import random
import string

from model.text.pairs import Pair

LETTERS = string.ascii_lowercase[:12]
LENGTHS = (3, 8)


def sequences(*, n_pairs: int, is_reversed: bool, seed: int = 0) -> tuple[Pair, ...]:
    """Distinct sequences of 3 to 8 letters, each with its copy or its reverse."""
    generator = random.Random(seed)
    pairs: dict[str, str] = {}
    while len(pairs) < n_pairs:
        letters = generator.choices(LETTERS, k=generator.randint(*LENGTHS))
        pairs[" ".join(letters)] = " ".join(letters[::-1] if is_reversed else letters)
    return tuple(Pair(source, target) for source, target in pairs.items())
