"""Sentence pairs that a command reads: all of a file, its test part, or the first few."""

import argparse
from pathlib import Path

from model.text.pairs import Pair, read_pairs
from model.training.data import read_pairs as read_training_pairs
from model.training.data import references, split_pairs


def add_pairs(parser: argparse.ArgumentParser, *, limit: int | None = None) -> None:
    """The file, --split and --limit."""
    parser.add_argument("pairs", type=Path, help="a TSV of source and target")
    parser.add_argument("--split", choices=("test", "validation", "train", "all"), default="all", help="default: all")
    shown = "" if limit is None else f" (default: {limit})"
    parser.add_argument("--limit", type=int, default=limit, metavar="N", help=f"only the first N pairs{shown}")


def load_pairs(chosen: argparse.Namespace, *, gold: Path | None = None) -> tuple[Pair, ...]:
    """The pairs that the arguments name.

    Raises:
        CorpusError: when the file has none.
        OSError: when it cannot be read.
    """
    pairs = read_pairs(chosen.pairs, gold=gold)
    if chosen.split != "all":
        held = getattr(split_pairs(read_training_pairs(chosen.pairs)), chosen.split)
        pairs = tuple(Pair(source, targets[0]) for source, targets in references(held).items())
    return pairs[: chosen.limit] if chosen.limit is not None else pairs
