"""``steer``: sentences turned from "tu" to "vous" by a direction, and what else it changes."""

import argparse
from dataclasses import asdict
from typing import Any

from model.analysis.intervals import Interval
from model.bundle import Bundle
from model.cli.arguments import add_checkpoint, open_checkpoint
from model.cli.output import escape, progress_of, results
from model.cli.pairs import add_pairs, load_pairs
from model.cli.stamp import say_json
from model.interpret.editing.formality import Formality, cases, formality
from model.text.counting import format_count

SUMMARY = "steer translations from tu to vous, and say what else changes"
EPILOGUE = """\
examples:
  python -m model steer pairs.tsv                              from tu to vous, and what else changes
  python -m model steer pairs.tsv --split test --json          every sentence and strength, with a stamp
  python -m model steer pairs.tsv --at decoder.3.residual.after

pairs.tsv has one source<TAB>target a line. Of its sentences those of at most seven words count that have "you" and
that the model translates with "tu". The direction is that of the shipped lists, at strengths from 0.5 to 5. Shares
have 95 % bootstrap intervals over the sentences.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_pairs(parser)
    add_checkpoint(parser)
    parser.add_argument("--at", metavar="NAME", help="activation that the direction is added to")
    parser.add_argument("--sentences", type=int, default=50, metavar="N", help="sentences at most (default: 50)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Translate at each strength, and print what changed."""
    pairs, bundle = load_pairs(chosen), open_checkpoint(chosen)
    cases_found = cases(bundle, [pair.source for pair in pairs], chosen.sentences)
    with progress_of("steering") as on_progress:
        found = formality(bundle, cases_found, at=chosen.at, on_progress=on_progress)
    report = report_values(found, bundle)
    say_json(report, bundle, chosen) if chosen.json else _show(report)
    return 0


def report_values(found: Formality, bundle: Bundle) -> dict[str, Any]:
    """The whole result as plain values."""
    shares, lowest, keeps = found.shares(), found.at_lowest(), found.keeps
    rows = [
        {"strength": strength, "formal": asdict(formal), "keeps": asdict(kept)}
        for strength, formal, kept in zip(found.strengths, shares["formal"], shares["keeps"], strict=True)
    ]
    sentences = []
    for index, ((source, before), place) in enumerate(zip(found.cases, found.first, strict=True)):
        moved = {"strength": None, "after": None, "keeps": None} if place is None else {
            "strength": found.strengths[place], "after": found.texts[place][index], "keeps": bool(keeps[place, index]),
        }  # fmt: skip
        sentences.append({"source": source, "before": before, **moved})
    return {
        "checkpoint": bundle.name, "fingerprint": bundle.fingerprint, "at": found.at, "n_sentences": len(found.cases),
        "at_lowest": {name: asdict(value) for name, value in lowest.items()}, "strengths": rows, "sentences": sentences,
    }  # fmt: skip


def _show(report: dict[str, Any]) -> None:
    console = results()
    n = format_count(report["n_sentences"], "sentence")
    console.print(f"[dim]{escape(report['checkpoint'])}, {n}, {escape(report['at'])}[/dim]", soft_wrap=True)
    lowest = {name: Interval(**value) for name, value in report["at_lowest"].items()}
    console.print("each at the lowest strength that brings vous", style="bold")
    for name, words in (("formal", "say vous"), ("keeps", "and keep every other word")):
        console.print(f"  {_share(lowest[name])}   {words}", soft_wrap=True)
    console.print("at one strength for all: say vous; keep every other word", style="bold")
    for row in report["strengths"]:
        formal, keeps = (_share(Interval(**row[name])) for name in ("formal", "keeps"))
        console.print(f"  {row['strength']:.2f}   {formal}; {keeps}", soft_wrap=True)
    others = [sentence for sentence in report["sentences"] if sentence["after"] and not sentence["keeps"]]
    if others:
        console.print("what else changed", style="bold")
    for sentence in others:
        console.print(f"  {escape(sentence['before'])} → {escape(sentence['after'])}", soft_wrap=True)


def _share(value: Interval) -> str:
    return f"{100 * value.mean:.0f} % ({100 * value.low:.0f} to {100 * value.high:.0f})"
