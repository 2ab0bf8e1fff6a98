"""``prune``: the loss over a corpus without each head, and with a growing number of heads removed."""

import argparse
from typing import Any

from model.cli.arguments import add_checkpoint, open_checkpoint
from model.cli.output import escape, progress_of, results
from model.cli.pairs import add_pairs, load_pairs
from model.cli.stamp import say_json
from model.text.counting import format_count

SUMMARY = "measure what a corpus loses without heads"
EPILOGUE = """\
examples:
  python -m model prune pairs.tsv                     each head removed in turn, and more and more of them
  python -m model prune pairs.tsv --no-translate      log-probabilities alone, which takes a fraction of the time
  python -m model prune pairs.tsv --json              every figure with its interval, for another program

pairs.tsv has one source<TAB>target a line. Changes are means over the pairs with their 95 % bootstrap interval.
"""
N_SHOWN = 10
_SCORES = {"bleu": "BLEU", "chrf": "chrF"}
_CURVES = {
    "importance": "least important first", "encoder_self": "encoder alone",
    "decoder_self": "decoder self alone", "cross": "cross-attention alone",
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_pairs(parser, limit=200)
    add_checkpoint(parser)
    parser.add_argument("--no-translate", action="store_true", help="leave out BLEU and chrF")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Remove heads, and print the loss."""
    from model.corpus.pruning.table import pruning_table  # imports sacreBLEU, which other commands do not need

    pairs, bundle = load_pairs(chosen), open_checkpoint(chosen)
    with progress_of("pruning") as on_progress:
        table = pruning_table(bundle, pairs, with_translations=not chosen.no_translate, on_progress=on_progress)
    report = {"checkpoint": bundle.name, "fingerprint": bundle.fingerprint, **table}
    say_json(report, bundle, chosen) if chosen.json else _show(report)
    return 0


def _show(report: dict[str, Any]) -> None:
    console, rows, n_pairs = results(), report["zero"]["rows"], format_count(report["n_pairs"], "pair")
    console.print(f"[dim]{escape(report['checkpoint'])}, {n_pairs}; layers and heads count from 0[/dim]")
    costly = [row for row in rows if row[5] < 0]
    cost = "costs" if len(costly) == 1 else "cost"
    console.print(f"without one head: {len(costly)} of {len(rows)} {cost} something, the costliest", style="bold")
    for row in sorted(rows, key=lambda row: row[3])[:N_SHOWN]:
        scores = "".join(_change(report, name, row) for name in _SCORES)
        console.print(
            f"  {row[0]} {row[1]}·{row[2]}   {row[3]:+.3f} nats a token ({row[4]:+.3f} to {row[5]:+.3f}){scores}",
            soft_wrap=True, markup=False,
        )  # fmt: skip
    console.print("more and more heads gone: log-probability of a token", style="bold")
    for name, curve in report["curves"].items():
        points = "  ".join(
            f"{removed}: {value:.2f}" for removed, value in zip(curve["removed"], curve["log_probs"], strict=True)
        )
        words = _CURVES.get(name) or f"by chance, seed {name.removeprefix('random_')}"
        console.print(f"  {words}   {points}", soft_wrap=True, markup=False)


def _change(report: dict[str, Any], name: str, row: list[Any]) -> str:
    """A score's change without the head of a row; empty when translations were not requested."""
    changes = report["zero"].get(name, {"rows": ()})["rows"]
    return "".join(f"   {_SCORES[name]} {other[3]:+.1f}" for other in changes if other[:3] == row[:3])
