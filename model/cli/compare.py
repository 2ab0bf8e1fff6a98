"""``compare``: what differs between two checkpoints of one shape, by head and by sentence."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from model.bundle import Bundle
from model.cli.arguments import add_answers, open_checkpoint
from model.cli.output import errors, escape, progress_of, results
from model.cli.stamp import say_json
from model.corpus.batches import translates
from model.corpus.model_difference import ModelDifference, model_difference
from model.text.counting import format_count
from model.text.pairs import as_texts, read_pairs

SUMMARY = "compare two checkpoints of one shape, by head and by sentence"
EPILOGUE = """\
examples:
  python -m model compare en-fr runs/mine/result pairs.tsv         before and after a fine-tuning
  python -m model compare en-fr runs/mine/result pairs.tsv --json  every head and sentence, with a stamp

pairs.tsv has one source<TAB>target a line; for a model of one stack, one text a line. Both checkpoints have the same
layers, heads and vocabulary. A head's number is the mean total variation distance between its rows before and after:
0, every row is the same; 1, all attention goes elsewhere. A sentence's is the change of its target's log-probability
in nats. Both have 95 % bootstrap intervals over the sentences.
"""
_N_SHOWN = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", help="a checkpoint's folder or file, or a shipped name")
    parser.add_argument("after", help="another, of the same shape")
    parser.add_argument("pairs", type=Path, help="a TSV of source and target, or texts")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N pairs")
    add_answers(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Compare, and print what differs most."""
    before, after = (
        open_checkpoint(argparse.Namespace(**{**vars(chosen), "checkpoint": path}))
        for path in (chosen.before, chosen.after)
    )
    read = read_pairs if translates(before) else as_texts
    pairs = read(chosen.pairs)[: chosen.limit]
    texts: Any = pairs if translates(before) else [pair.source for pair in pairs]
    with progress_of("comparing") as on_progress:
        found = model_difference(before, after, texts, on_progress=on_progress)
    for reason in found.skipped[:5]:
        errors().print(f"left out {reason}", markup=False)
    report = report_values(found, before, after)
    say_json(report, before, chosen) if chosen.json else _show(found, report)
    return 0


def report_values(found: ModelDifference, before: Bundle, after: Bundle) -> dict[str, Any]:
    """The whole difference as plain values."""
    predicts = bool(found.n_tokens.any())
    return {
        "before": {"checkpoint": before.name, "fingerprint": before.fingerprint},
        "after": {"checkpoint": after.name, "fingerprint": after.fingerprint},
        "n_sentences": len(found.pairs), "skipped": list(found.skipped), "heads": found.head_rows(),
        "change": asdict(found.mean_change()) if predicts else None,
        "sentences": found.sentence_rows() if predicts else [],
    }  # fmt: skip


def _show(found: ModelDifference, report: dict[str, Any]) -> None:
    console = results()
    console.print(
        f"[dim]{escape(found.before)} → {escape(found.after)}, {format_count(len(found.pairs), 'sentence')}; layers "
        "and heads count from 0[/dim]",
        soft_wrap=True,
    )
    console.print("heads whose attention has moved most", style="bold")
    for head in sorted(report["heads"], key=lambda head: -head["moved"])[:_N_SHOWN]:
        place = f"{head['kind']} {head['layer']}·{head['head']}"
        console.print(f"  {head['moved']:.3f} ({head['low']:.3f} to {head['high']:.3f})   {place}", soft_wrap=True)
    if (change := report["change"]) is None:
        return
    console.print(
        f"log-probability of a sentence: {change['mean']:+.2f} nats ({change['low']:+.2f} to {change['high']:+.2f})",
        soft_wrap=True,
    )
    ordered = sorted(report["sentences"], key=lambda row: -row["change"])
    for title, some in (("more probable", ordered[:3]), ("less probable", ordered[:-4:-1])):
        some = [row for row in some if row["change"] * (1 if title == "more probable" else -1) > 0]
        if some:
            console.print(title, style="bold")
        for row in some:
            text = escape(" → ".join(filter(None, (row["source"], row["target"]))))
            console.print(f"  {row['change']:+.2f}   {text:.160}", soft_wrap=True)
