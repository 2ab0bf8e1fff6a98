"""Mixes several sets of sentence pairs into one training set, with augmented copies that differ only in form.

Only the first set is split into training, validation and test, and its training part is used once, in full. The
others are sampled by temperature (Arivazhagan et al. 2019, section 4.2): the share of a set of n pairs grows as
n^(1/temperature), so that a small set is repeated. A set with a limit contributes at most that many pairs.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from model.files.atomic import write_atomically
from model.text.pairs import Pair
from model.training.data import FINAL_PUNCTUATION, Split, read_pairs, split_pairs, wording
from model.training.settings import TrainingError

PARTS = ("train", "validation", "test")
MAX_JOINED_WORDS = 12
"""Maximum words of a sentence to be joined with others; longer ones are long enough as training examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Settings of a mixture.

    Raises:
        TrainingError: when a number is out of range.
    """

    temperature: float = 1.25
    """1 keeps the sets' proportions; higher values repeat small sets."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """Maximum number of pairs by set name."""
    max_words: int = 60
    """Pairs with more words on either side are dropped."""
    capitals_share: float = 0.02
    """Copies with the source in capitals, as a share of all pairs."""
    unmarked_share: float = 0.04
    """Copies without final punctuation on either side, as a share of all pairs."""
    joined_share: float = 0.08
    """Concatenations of two or three short pairs of the first set, as a share of all pairs."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.temperature < 1:
            raise TrainingError(
                f"temperature ({self.temperature}) must be at least 1, which keeps the sizes of the sets"
            )
        for name in ("capitals_share", "unmarked_share", "joined_share"):
            if not 0 <= getattr(self, name) < 1:
                raise TrainingError(f"{name} ({getattr(self, name)}) must lie in [0, 1)")
        if any(limit < 0 for limit in self.limits.values()) or self.max_words < 1:
            raise TrainingError("limits must not be negative, and max_words must be at least 1")


@dataclass(frozen=True, slots=True)
class Mixture:
    """The result of a recipe: a split whose training part may repeat pairs, and the number of pairs of each set."""

    split: Split
    counts: dict[str, int]


def mix(sets: Mapping[str, Sequence[Pair]], recipe: Recipe) -> Mixture:
    """Split the first set, add the others to its training part, then the augmented copies.

    Raises:
        TrainingError: when a limit names an unknown set.
    """
    unknown = sorted(set(recipe.limits) - set(sets))
    if unknown:
        raise TrainingError(f"there is no set {', '.join(unknown)} to limit: the sets are {', '.join(sets)}")
    generator = np.random.default_rng(recipe.seed)
    first, *others = sets
    split = split_pairs(sets[first])
    held_out = {wording(pair.source) for pair in (*split.validation, *split.test)}
    known = set(split.train)
    kept_pairs = [pair for pair in split.train if _fits(pair, recipe.max_words)]
    parts = {first: kept_pairs}
    for name in others:
        pairs = [p for p in sets[name] if wording(p.source) not in held_out and p not in known]
        pairs = [p for p in pairs if _fits(p, recipe.max_words)]
        parts[name] = _sample_set(pairs, len(kept_pairs), recipe.limits.get(name), recipe.temperature, generator)
    n = sum(map(len, parts.values()))
    everything = [pair for pairs in parts.values() for pair in pairs]
    # A source in capitals keeps its translation in normal case: the meaning is the same.
    parts["capitals"] = [
        Pair(pair.source.upper(), pair.target) for pair in _some(everything, recipe.capitals_share * n, generator)
    ]
    parts["unmarked"] = [
        Pair(_without_punctuation(pair.source), _without_punctuation(pair.target))
        for pair in _some(everything, recipe.unmarked_share * n, generator)
    ]
    parts["joined"] = list(_join_sentences(kept_pairs, round(recipe.joined_share * n), generator))
    train = [pair for pairs in parts.values() for pair in pairs]
    order = generator.permutation(len(train))
    return Mixture(
        Split(tuple(train[i] for i in order), split.validation, split.test),
        {name: len(pairs) for name, pairs in parts.items()},
    )


def read_sets(paths: Sequence[Path]) -> dict[str, tuple[Pair, ...]]:
    """Read sets by file name: ``en-fr.novels.tsv`` is the set ``novels`` if all names begin with ``en-fr.``.

    Raises:
        TrainingError: when a file cannot be read, or two have the same name.
    """
    stems = [path.name.removesuffix(".tsv") for path in paths]
    beginnings = {stem.partition(".")[0] for stem in stems}
    if len(beginnings) == 1 and all("." in stem for stem in stems):
        stems = [stem.partition(".")[2] for stem in stems]
    if len(set(stems)) < len(stems):
        raise TrainingError(f"two files have the same name ({', '.join(stems)}): rename one")
    return {stem: read_pairs(path) for stem, path in zip(stems, paths, strict=True)}


def write_mixture(mixture: Mixture, folder: Path) -> None:
    """Write ``train.tsv``, ``validation.tsv``, ``test.tsv`` and ``counts.json``, which ``read_mixture`` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PARTS:
        lines = (f"{pair.source}\t{pair.target}\n" for pair in getattr(mixture.split, name))
        write_atomically(folder / f"{name}.tsv", "".join(lines).encode())
    write_atomically(folder / "counts.json", (json.dumps(mixture.counts, indent=2) + "\n").encode())


def read_mixture(folder: Path) -> Split:
    """Read the split that ``write_mixture`` wrote, repeats included.

    Raises:
        TrainingError: when a part is missing or damaged.
    """
    return Split(*(read_pairs(folder / f"{name}.tsv", keep_repeats=True) for name in PARTS))


def _fits(pair: Pair, max_words: int) -> bool:
    return max(len(pair.source.split()), len(pair.target.split())) <= max_words


def _sample_set(
    pairs: Sequence[Pair], n_first: int, limit: int | None, temperature: float, generator: np.random.Generator
) -> list[Pair]:
    """Sample a set by temperature relative to the first set: whole copies of it, then a random part."""
    if not pairs:
        return []
    n_pairs = round(n_first * (len(pairs) / n_first) ** (1 / temperature))
    n_pairs = min(n_pairs, limit) if limit is not None else n_pairs
    rounds, rest = divmod(n_pairs, len(pairs))
    return [*(list(pairs) * rounds), *(pairs[i] for i in generator.permutation(len(pairs))[:rest])]


def _some(pairs: Sequence[Pair], n_pairs: float, generator: np.random.Generator) -> list[Pair]:
    return [pairs[i] for i in generator.choice(len(pairs), size=round(n_pairs), replace=False)] if pairs else []


def _without_punctuation(text: str) -> str:
    return text.rstrip(FINAL_PUNCTUATION) or text


def _join_sentences(pairs: Sequence[Pair], n_joined: int, generator: np.random.Generator) -> Iterator[Pair]:
    short = [pair for pair in pairs if len(pair.source.split()) <= MAX_JOINED_WORDS]
    if not short:
        return
    for _ in range(n_joined):
        chosen = [short[i] for i in generator.integers(len(short), size=generator.integers(2, 4))]
        yield Pair(" ".join(pair.source for pair in chosen), " ".join(pair.target for pair in chosen))
