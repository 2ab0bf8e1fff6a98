"""Counts how many of a hundred everyday sentences a model translates with the right content words.

python -m tests.everyday [en-fr | FOLDER]

Without an argument it scores the shipped models of all three languages. It prints each translation that lacks a word.
"""

import argparse

import model
from tests.everyday import LANGUAGES, lacking


def main() -> None:
    """Score the selected models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", nargs="*", default=[f"en-{language}" for language in LANGUAGES])
    for checkpoint in parser.parse_args().checkpoints:
        report(checkpoint)


def report(checkpoint: str) -> None:
    """Print a model's failures and its score."""
    bundle = model.load(checkpoint)
    wrong = lacking(bundle, bundle.target_language or "")
    for text, translation, words in wrong:
        print(f"{text}  {translation}  lacks {', '.join(words)}")
    print(f"{checkpoint}: {100 - len(wrong)} of 100 everyday sentences have all their words")


if __name__ == "__main__":
    main()
