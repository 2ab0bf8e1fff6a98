"""``align``: which cross-attention head aligns words, against links made by people."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from model.cli.arguments import add_checkpoint, open_checkpoint
from model.cli.output import errors, escape, progress_of, results
from model.cli.stamp import say_json
from model.corpus.alignment.against_gold import AlignmentTable, alignment_table, report_values
from model.corpus.alignment.aligners import Measured
from model.text.counting import format_count
from model.text.pairs import read_gold

SUMMARY = "measure every head against gold alignments"
EPILOGUE = """\
examples:
  python -m model align gold.tsv                          the best heads, read both ways
  python -m model align gold.tsv --json                   every head, for another program
  python -m model align gold.tsv --max-words 20           pairs of at most 20 words a side
  python -m model align gold.tsv --choose-on other.tsv    choose sets of heads on other pairs

gold.tsv has one source<TAB>target<TAB>links a line, tokens split at spaces, links from 0: i-j sure, ipj possible.
A target word points at the source word with the largest weight in the mean of its rows, the end token left out.
"fed" reads the rows that are fed the word's pieces, "predicted" the rows that predict them.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", type=Path, help="a TSV of source, target and links")
    add_checkpoint(parser)
    parser.add_argument("--max-words", type=int, metavar="N", help="leave out pairs with a longer side")
    parser.add_argument("--choose-on", type=Path, metavar="FILE", help="aligned pairs to choose sets of heads on")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Measure, and print which head aligns."""
    pairs = read_gold(chosen.gold, max_words=chosen.max_words)
    choose_on = read_gold(chosen.choose_on) if chosen.choose_on else ()
    bundle = open_checkpoint(chosen)
    with progress_of("aligning") as on_progress:
        table = alignment_table(bundle, pairs, choose_on=choose_on, on_progress=on_progress)
    for reason in table.skipped[:5]:
        errors().print(f"left out {reason}", markup=False)
    report = {"checkpoint": bundle.name, "fingerprint": bundle.fingerprint, **report_values(table)}
    say_json(report, bundle, chosen) if chosen.json else _show(table, report)
    return 0


def _show(table: AlignmentTable, report: dict[str, Any]) -> None:
    console = results()
    console.print(
        f"[dim]{escape(report['checkpoint'])}, {format_count(table.n_pairs, 'pair')}; layers and heads count from "
        "0[/dim]"
    )
    console.print("best heads", style="bold")
    _rows(console, sorted(table.heads, key=lambda row: row.aer)[:6])
    console.print("best layer, mean of its heads", style="bold")
    _rows(console, [min(table.layers, key=lambda row: row.aer)])
    console.print("the best head, read in other ways", style="bold")
    _rows(console, table.variants)
    console.print(f"chosen sets, counted on {format_count(table.n_counted_for_sets, 'pair')}", style="bold")
    _rows(console, table.sets)
    console.print(
        f"  AER {table.diagonal.aer:.3f}   [dim]without any head, each word linked to the one at the same place[/dim]"
    )
    if compared := report["weighted_against_raw"]:
        console.print(
            f"the best value-weighted head's AER minus the best raw one's, on the same pairs: {compared['mean']:+.3f} "
            f"({compared['low']:+.3f} to {compared['high']:+.3f})",
            soft_wrap=True,
        )
    first, best = report["best_first_heads"], report["best"]
    console.print(
        f"alignment_layer: {first['alignment_layer']}   alignment_heads: {first['alignment_heads']}   AER "
        f"{first['aer']:.3f}   [dim](OpenNMT-py, and CTranslate2 for translation models: the mean of so many first "
        "heads, read as predicted)[/dim]",
        soft_wrap=True,
    )
    console.print(
        f"alignment_heads: {best['alignment_heads']}   [dim](pairs of layer and head: CTranslate2 and Hugging Face for "
        "Whisper)[/dim]",
        soft_wrap=True,
    )
    console.print(
        "[dim]AER of others, en-fr Hansards, both directions combined: FastAlign 0.164, GIZA++ 0.080. "
        "De-En, Kobayashi et al. 2020: weights 0.477 predicted and 0.298 fed, norms 0.414 and 0.250[/dim]",
        soft_wrap=True,
    )


def _rows(console: Any, measured: Iterable[Measured]) -> None:
    for aligned in measured:
        counts, bounds = aligned.counts, aligned.interval
        console.print(
            f"  AER {counts.aer:.3f} ({bounds.low:.3f} to {bounds.high:.3f})   P {counts.precision:.3f}   "
            f"R {counts.recall:.3f}   F1 {counts.f1:.3f}   "
            f"{_words(aligned)}",
            soft_wrap=True,
        )


def _words(aligned: Measured) -> str:
    aligner = aligned.aligner
    layers = {part.layer for part in aligner.parts}
    if len(aligner.parts) > 3 and len(layers) == 1:
        where = f"layer {layers.pop()}, read as {aligner.parts[0].row}"
    else:
        where = " + ".join(f"{part.layer}·{part.head} read as {part.row}" for part in aligner.parts)
    weights = "weights" if aligner.weights == "raw" else "value-weighted"
    extras = [
        "both ways" if aligner.is_mutual else "",
        f"over {aligner.threshold:g}" if aligner.threshold else "",
        "end token allowed" if aligner.has_end else "",
    ]
    return ", ".join(filter(None, (where, weights, *extras)))
