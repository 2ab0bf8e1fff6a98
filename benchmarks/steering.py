"""Does the shipped direction turn "tu" into "vous", and what else does it change?

    python -m benchmarks.steering en-fr.tatoeba.tsv

Sentences of at most seven words with "you" that the shipped model translates with "tu". The layer is chosen on the
validation sentences, and the figure is of the test sentences; the lists that the direction is made of are in neither.
Each sentence counts at the lowest strength that brings "vous". ``python -m model steer`` measures one layer.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import model
from model.interpret.editing.formality import Formality, cases, formality
from model.training.data import read_pairs, split_pairs

N_VALIDATION, N_TEST = 40, 50


def said(found: Formality) -> str:
    """How many moved, and how many of these keep the rest of their words."""
    shares, n = found.at_lowest(), len(found.cases)
    moved, kept = (round(shares[name].mean * n) for name in ("formal", "keeps"))
    return f"{found.at}: {moved} of {n} moved, {kept} keep the rest"


def main() -> None:
    """Choose on the validation sentences, measure on the test sentences, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    split = split_pairs(read_pairs(parser.parse_args().pairs))
    bundle = model.load()
    chosen = cases(bundle, [pair.source for pair in split.validation], N_VALIDATION)
    tried = [
        formality(bundle, chosen, at=f"decoder.{layer}.residual.after")
        for layer in range(bundle.config.n_decoder_layers)
    ]
    for found in tried:
        print(said(found), flush=True)
    best = max(tried, key=lambda found: found.at_lowest()["keeps"].mean)
    tested = formality(bundle, cases(bundle, [pair.source for pair in split.test], N_TEST), at=best.at)
    print(f"test, {said(tested)}")
    keeps = tested.keeps
    for index, ((_, before), place) in enumerate(zip(tested.cases, tested.first, strict=True)):
        if place is None or not keeps[place, index]:
            print(f"  {before}  ->  {None if place is None else tested.texts[place][index]}")


if __name__ == "__main__":
    main()
