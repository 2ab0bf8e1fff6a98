"""``survey``: measures a corpus and stores Parquet tables."""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.cli.arguments import add_checkpoint, open_checkpoint
from model.cli.output import errors, escape, progress, results, say
from model.cli.pairs import add_pairs, load_pairs
from model.cli.stamp import stamp
from model.progress import Progress
from model.runs.devices import choose_device
from model.text.counting import format_count
from model.text.pairs import as_texts

if TYPE_CHECKING:
    from model.corpus.survey import Survey

_SEVERAL = {"ACCELERATE_MIXED_PRECISION", "MASTER_ADDR"}
"""Variables that ``accelerate launch`` sets when several processes are requested, even if it starts only one."""
SUMMARY = "measure every head over a corpus"
EPILOGUE = """\
examples:
  python -m model survey pairs.tsv --out survey/                 every head on every pair
  python -m model survey pairs.tsv --out survey/ --resume        continue after Ctrl-C
  python -m model survey pairs.tsv --out survey/ --split test    the held-out sentences alone
  accelerate launch --multi_gpu --num_processes 4 -m model survey pairs.tsv --out survey/

Several processes share the corpus out, on GPUs or, each with a thread, on processors: Accelerate starts more than one
only with --multi_gpu, whatever they run on.

pairs.tsv has one source<TAB>target a line; a third column, or --gold, may hold links such as 0-0 1p2. For an
encoder-only or decoder-only model, give a file with one text a line.
The tables are Parquet: sentences*, heads*, links*. Read them with DuckDB, pandas, Spark or Ray (docs/survey.md).
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_pairs(parser)
    add_checkpoint(parser)
    parser.add_argument("--out", type=Path, default=Path("survey"), metavar="DIR", help="default: survey")
    parser.add_argument("--gold", type=Path, metavar="FILE", help="links of one pair on each line")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted survey")
    parser.add_argument("--maps", action="store_true", help="keep every map as float16")
    parser.add_argument("--states", nargs="+", default=(), metavar="S", help="keep states, such as encoder.2 decoder.4")
    parser.add_argument("--own-targets", action="store_true", help="measure the model's own translations as targets")
    parser.add_argument("--no-translate", action="store_true", help="measure only the given targets")
    parser.add_argument("--slim", action="store_true", help="two decimals, no token texts in the links' files")
    parser.add_argument("--batch-size", type=int, default=64, metavar="N", help="pairs at once (default: 64)")
    parser.add_argument("--shard-size", type=int, default=1_000, metavar="N", help="pairs per file (default: 1000)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Survey, show rate and time left, and print the files written."""
    from model.corpus.batches import translates
    from model.corpus.survey import open_survey, refuse_full, survey  # imports pyarrow; other commands do not

    state = _processes(chosen)
    share = (state.process_index, state.num_processes) if state else (0, 1)
    if state and not chosen.resume:
        if state.is_main_process:
            refuse_full(chosen.out)
        state.wait_for_everyone()
    bundle, pace = open_checkpoint(chosen), Pace()
    pairs: Any = (
        load_pairs(chosen, gold=chosen.gold)
        if translates(bundle)
        else [pair.source for pair in as_texts(chosen.pairs)][: chosen.limit]
    )
    try:
        with progress("rate") as bar:
            surveyed = survey(
                bundle, pairs, chosen.out, translate=not chosen.no_translate, own_targets=chosen.own_targets,
                maps=chosen.maps, states=chosen.states, slim=chosen.slim, batch_size=chosen.batch_size,
                shard_size=chosen.shard_size, resume=chosen.resume, share=share,
                stamp=stamp(bundle, chosen), on_progress=_show_pace(bar, pace),
            )  # fmt: skip
    except KeyboardInterrupt:
        errors().print(f"stopped: the shards in {chosen.out} are complete; continue with --resume", markup=False)
        raise
    if state:
        state.wait_for_everyone()
        surveyed = open_survey(chosen.out)
    if share[0] == 0:
        _report(surveyed, pace, chosen, pace_of_all=str(pace) if state is None else f"{pace.seconds:,.0f} s")
    return 0


def _processes(chosen: argparse.Namespace) -> Any:
    """The processes that Accelerate started; None for a single one."""
    if int(os.environ.get("WORLD_SIZE", "1")) < 2:
        if os.environ.keys() >= _SEVERAL:
            errors().print("accelerate started one process alone: give it --multi_gpu to start several", markup=False)
        return None
    from accelerate import PartialState

    # Without a GPU, Accelerate's processes only find each other if the CPU is requested explicitly.
    state = PartialState(cpu=choose_device(chosen.device).type == "cpu")
    if chosen.device == "auto":
        chosen.device = str(state.device)
    return state


class Pace:
    """Pairs a second of this run: pairs that an earlier run has written do not count."""

    def __init__(self) -> None:
        self._started, self._first, self._latest = time.perf_counter(), -1, 0

    def reach(self, done: int) -> None:
        """Record that this many pairs are done; those of the first call were done before."""
        self._first = done if self._first < 0 else self._first
        self._latest = done

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return time.perf_counter() - self._started

    def __str__(self) -> str:
        measured = self._latest - max(self._first, 0)
        return f"{format_count(round(measured / max(self.seconds, 1e-9)), 'pair')}/s"


def _show_pace(bar: Any, pace: Pace) -> Progress:
    task = bar.add_task("surveying", total=None, rate="")

    def show(done: int, total: int) -> None:
        pace.reach(done)
        bar.update(task, completed=done, total=total, rate=str(pace))

    return show


def _report(surveyed: Survey, pace: Pace, chosen: argparse.Namespace, *, pace_of_all: str) -> None:
    for number, reason in surveyed.skipped[:5]:
        errors().print(f"left out pair {number + 1}: {reason}", markup=False, soft_wrap=True)
    if len(surveyed.skipped) > 5:
        errors().print(f"left out {len(surveyed.skipped):,} pairs in all")
    if chosen.json:
        say(json.dumps({
            "out": str(surveyed.folder), "model": surveyed.model, "fingerprint": surveyed.fingerprint,
            "pairs": surveyed.n_done, "seconds": round(pace.seconds, 3), "skipped": len(surveyed.skipped),
            "tables": {name: len(files) for name, files in surveyed.tables.items()},
        }))  # fmt: skip
        return
    console = results()
    console.print(
        f"{format_count(surveyed.n_done - len(surveyed.skipped), 'pair')} in {escape(str(surveyed.folder))} "
        f"[dim]({escape(surveyed.model)}, {pace_of_all}; {', '.join(surveyed.tables)})[/dim]",
        soft_wrap=True,
    )
