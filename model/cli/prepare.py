"""``prepare``: several sets of sentence pairs, mixed into one folder to train on."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from model.checkpoints import load
from model.cli.output import say
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer
from model.training.chinese import full_width
from model.training.mixing import Recipe, mix, read_sets, write_mixture
from model.training.settings import TrainingError
from model.training.vocabularies.extension import extend
from model.training.vocabularies.learned import N_WHOLE_WORDS, train_tokenizer

SUMMARY = "mix sets of sentence pairs to train on"
EPILOGUE = """\
examples:
  python -m model prepare en-fr.tatoeba.tsv en-fr.novels.tsv en-fr.pydocs.tsv --limit pydocs=6000 --out mixed/
  python -m model prepare a.tsv b.tsv --vocab-size 9000 --out mixed/          also learn a vocabulary
  python -m model train mixed/ --run runs/mine --tokenizer mixed/tokenizer.model

The first set alone is split: its test and validation parts are those of every other command. The others join its
training part by temperature: a set of n pairs gives a share that grows as n^(1/temperature). Then come copies in
capitals, copies without final punctuation, and short sentences joined in twos and threes.
"""
DEFAULTS = Recipe()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET.tsv", help="TSVs of source and target")
    parser.add_argument("--out", type=Path, required=True, dest="folder", metavar="DIR", help="the folder to write")
    parser.add_argument("--limit", action="append", default=[], metavar="SET=N", help="most pairs to take from a set")
    for name, words in (
        ("temperature", "1 takes the sets as they are, more repeats small ones"),
        ("capitals_share", "copies with the source in capitals"),
        ("unmarked_share", "copies without final punctuation"),
        ("joined_share", "short sentences joined"),
    ):
        option, default = f"--{name.replace('_', '-')}", getattr(DEFAULTS, name)
        parser.add_argument(option, type=float, default=default, metavar="X", help=f"{words} (default: {default})")
    parser.add_argument("--vocab-size", type=int, metavar="N", help="also learn tokenizer.model, bytes included")
    parser.add_argument("--full-width", action="store_true", help="give Chinese the punctuation of print: ，。！？")
    parser.add_argument(
        "--whole-words", type=int, default=N_WHOLE_WORDS, metavar="N",
        help=f"so many frequent words of each language are one piece each (default: {N_WHOLE_WORDS:,})",
    )  # fmt: skip
    parser.add_argument(
        "--extend", metavar="PATH", help="keep the pieces of this checkpoint's vocabulary, with their ids"
    )
    for name, words in (("max_words", "longer pairs are left out"), ("seed", "the same seed, the same mixture")):
        option, default = f"--{name.replace('_', '-')}", getattr(DEFAULTS, name)
        parser.add_argument(option, type=int, default=default, metavar="N", help=f"{words} (default: {default})")


def run(chosen: argparse.Namespace) -> int:
    """Mix, write, and print how many pairs each set contributed."""
    recipe = Recipe(
        temperature=chosen.temperature,
        limits=dict(map(_limit, chosen.limit)),
        max_words=chosen.max_words,
        capitals_share=chosen.capitals_share,
        unmarked_share=chosen.unmarked_share,
        joined_share=chosen.joined_share,
        seed=chosen.seed,
    )
    sets = read_sets(chosen.sets)
    if chosen.full_width:
        sets = {name: [Pair(p.source, full_width(p.target)) for p in pairs] for name, pairs in sets.items()}
    mixture = mix(sets, recipe)
    write_mixture(mixture, chosen.folder)
    if chosen.vocab_size is not None:
        _vocabulary(mixture.split.train, chosen).save(chosen.folder, "tokenizer")
    for name, n in mixture.counts.items():
        say(f"{n:>9,}  {name}")
    say(f"{len(mixture.split.train):>9,}  pairs to train on, in {chosen.folder}")
    return 0


def _vocabulary(pairs: Sequence[Pair], chosen: argparse.Namespace) -> SentencePieceTokenizer:
    learned = train_tokenizer(
        pairs, vocab_size=chosen.vocab_size, seed=chosen.seed, byte_fallback=True, whole_words=chosen.whole_words
    )
    if chosen.extend is None:
        return learned
    old = load(chosen.extend).source_tokenizer
    if not isinstance(old, SentencePieceTokenizer):
        raise TrainingError(f"{chosen.extend} has no SentencePiece vocabulary to extend: leave out --extend")
    return extend(old, learned, size=chosen.vocab_size)


def _limit(written: str) -> tuple[str, int]:
    name, _, number = written.partition("=")
    if not name or not number.isdecimal():
        raise TrainingError(f"--limit {written}: write the set's name, =, and a number, such as pydocs=6000")
    return name, int(number)
