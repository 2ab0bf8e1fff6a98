"""``sweep``: one change at many sites and positions of many sentences, each measured by one number."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from model.analysis.intervals import Interval
from model.bundle import Bundle
from model.cli.arguments import add_checkpoint, open_checkpoint
from model.cli.output import errors, escape, progress_of, results
from model.cli.stamp import say_json
from model.interpret.causal import read_pair
from model.interpret.sweeping import Sweep, sweep
from model.interpret.tracing.pair_reading import CausalError
from model.interpret.tracing.sweep_passes import SweepError
from model.text.counting import format_count
from model.text.pairs import decode_lines
from model.text.tokens import TextError

SUMMARY = "make one change at many sites and positions of many sentences"
EPILOGUE = """\
examples:
  python -m model sweep pairs.tsv                                     where the first sentence's states change the word
  python -m model sweep pairs.tsv --site "encoder.*.residual.after" --site "decoder.*.residual.after"
  python -m model sweep pairs.tsv --position 1 --position -1 --json   two positions, every number with a stamp
  python -m model sweep texts.txt --change zero --metric kl           texts, a line each, in place of pairs

pairs.tsv has two sentences of the source language a line, with a tab between them, such as She is tired.<TAB>He is
tired. Activations of the first are put into the second one by one, and the metric is read where their translations
part. Means have 95 % bootstrap intervals over the sentences; pairs that are translated alike are left out and named.
"""
_N_SHOWN = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pairs", type=Path, help="a TSV of two sentences a line; or texts, a line each")
    parser.add_argument(
        "--site", action="append", metavar="NAME",
        help="activations, such as decoder.*.residual.after (the default); may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--position", action="append", metavar="P",
        help="a number from 0, a negative one from the end, or a phrase; may be given several times (default: all)",
    )  # fmt: skip
    parser.add_argument("--change", choices=("patch", "zero", "mean"), default="patch", help="default: patch")
    parser.add_argument(
        "--metric", choices=("margin", "log_prob", "kl"), help="default: margin for pairs, log_prob for texts"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N lines")
    add_checkpoint(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Sweep, and print the largest effects."""
    lines = [line for line in decode_lines(chosen.pairs.read_bytes(), str(chosen.pairs)) if line.strip()]
    bundle = open_checkpoint(chosen)
    usable, skipped = _readable(bundle, [line.split("\t")[:2] for line in lines[: chosen.limit]])
    for reason in skipped[:5]:
        errors().print(f"left out {reason}", markup=False, soft_wrap=True)
    if not usable:
        raise SweepError(f"{chosen.pairs} has no line that can be swept{f': {skipped[0]}' if skipped else ''}")
    positions = [int(text) if text.removeprefix("-").isdigit() else text for text in chosen.position or ()] or None
    with progress_of("sweeping") as on_progress:
        found = sweep(
            bundle, usable, sites=chosen.site or "decoder.*.residual.after", change=chosen.change, metric=chosen.metric,
            positions=positions, on_progress=on_progress,
        )  # fmt: skip
    report = {"checkpoint": bundle.name, "fingerprint": bundle.fingerprint, **report_values(found, chosen.change),
              "skipped": skipped}  # fmt: skip
    say_json(report, bundle, chosen) if chosen.json else _show(report)
    return 0


def _readable(bundle: Bundle, lines: Sequence[Sequence[str]]) -> tuple[list[Any], list[str]]:
    """Lines as ``sweep`` takes them, and why others are left out."""
    usable, skipped = [], []
    for sides in lines:
        try:
            if len(sides) == 1:
                usable.append(sides[0])
            else:
                read = read_pair(bundle, *sides)
                usable.append((read.first, read.second))
        except (CausalError, TextError) as error:
            skipped.append(f"“{sides[0][:60]}”: {error}")
    return usable, skipped


def report_values(found: Sweep, change: str) -> dict[str, Any]:
    """The whole result as plain values; None for what a sentence does not have."""
    return {
        "metric": found.metric, "change": change, "sites": list(found.sites), "positions": list(found.positions),
        "n_sentences": len(found.texts), "cells": list(_cells(found)), "texts": list(found.texts),
        "base": _plain(found.base), "distance": _plain(found.distance), "effects": _plain(found.effects),
    }  # fmt: skip


def _plain(values: Any) -> Any:
    if np.ndim(values):
        return [_plain(part) for part in values]
    return float(values) if np.isfinite(values) else None


def _cells(found: Sweep) -> Iterator[dict[str, Any]]:
    n = np.isfinite(found.effects).sum(0)
    for row, (site, of_site) in enumerate(zip(found.sites, found.interval(), strict=True)):
        for column, (position, effect) in enumerate(zip(found.positions, of_site, strict=True)):
            if effect is not None:
                yield {"site": site, "position": position, "n": int(n[row, column]), **asdict(effect)}


def _show(report: dict[str, Any]) -> None:
    console = results()
    console.print(
        f"[dim]{escape(report['checkpoint'])}, {format_count(report['n_sentences'], 'sentence')}; {report['change']}, "
        f"{report['metric']}[/dim]",
        soft_wrap=True,
    )
    console.print("largest effects", style="bold")
    for cell in sorted(report["cells"], key=lambda cell: -abs(cell["mean"]))[:_N_SHOWN]:
        effect = Interval(cell["mean"], cell["low"], cell["high"])
        console.print(
            f"  {effect.mean:+.3f} ({effect.low:+.3f} to {effect.high:+.3f})   {escape(cell['site'])} at "
            f"{escape(cell['position'])}, {format_count(cell['n'], 'sentence')}",
            soft_wrap=True,
        )
