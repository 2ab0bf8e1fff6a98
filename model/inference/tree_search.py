"""The beam tree of a sentence: one search, and one more for each fork."""

import dataclasses
from collections.abc import Sequence
from functools import partial

from model.bundle import Bundle
from model.decoding.beam_search import LengthPenalty
from model.decoding.beam_tree import BeamTree, GrowingTree
from model.inference.reading import read_text
from model.inference.translation import decode_steps
from model.interventions import NONE, Interventions
from model.text.tokens import Source, pieces_of, prefix_ids


def beam_tree(
    bundle: Bundle,
    text: Source,
    *,
    beam_size: int = 4,
    length_penalty: float | LengthPenalty = 0.6,
    max_length: int | None = None,
    n_candidates: int = 10,
    interventions: Interventions = NONE,
    prefix: str | Sequence[int] = (),
    forks: tuple[tuple[int, ...], ...] = (),
    cached: bool = True,
) -> BeamTree:
    """Run a beam search, and one more from each fork. The other options are those of ``translate``.

    Args:
        prefix: the beginning of every translation of the first search.
        forks: paths of token ids, each ending with the candidate to continue from.
    """
    begun = read_text(bundle, text, prefix)
    tree = GrowingTree(
        bos_id=begun.begin, pieces_of=partial(pieces_of, bundle), beam_size=beam_size, length_penalty=length_penalty
    )
    for number, begin in enumerate((begun.prefix, *(prefix_ids(bundle, path) for path in forks))):
        limit = max_length if max_length is None else max(max_length, len(begin) + 1)
        steps = decode_steps(
            bundle, [dataclasses.replace(begun, prefix=begin)], method="beam", beam_size=beam_size,
            length_penalty=length_penalty, max_length=limit, n_candidates=n_candidates, interventions=interventions,
            cached=cached,
        )  # fmt: skip
        tree.add(number, steps)
    return tree.grown(begun.source)
