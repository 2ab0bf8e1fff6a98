"""Work on many sentences: rate and memory of a survey, the time of a find, two processes, and pruning.

    python -m benchmarks.survey                     all of it, ten minutes on two quiet cores
    python -m benchmarks.survey rate memory find processes pruning

Bars: a survey that measures every head runs at 3 times the rate of a loop over
``MarianMTModel(output_attentions=True)`` of equal size in equal batches with the same measures in NumPy, and at 150
pairs a second; its memory does not grow with the number of pairs; a find over 100,000 sentences and 96 heads takes
under 1 s; two processes are 1.7 times as fast as one; the table of 96 heads removed in turn on 200 sentences
(log-probability, BLEU and chrF) takes under 180 s, the curve under 300 s.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

import model
from benchmarks.marian import marian
from benchmarks.survey_peer import Hooks, loop
from benchmarks.timing import Clock, arguments, clock, conditions
from model.corpus.pruning.quality import quality
from model.corpus.pruning.removal import heads_off, importance, prune, remove_each
from model.corpus.shards import Stamp, write_shard
from model.corpus.shipped import shipped_survey
from model.corpus.survey import open_survey
from model.interventions import KINDS, every_head
from model.text.pairs import Pair

ROOT = Path(__file__).parents[1]
PARTS = ("rate", "memory", "find", "processes", "pruning")
SENTENCES_OF_PAIR, N_PER_SHARD, N_PRUNED = 50, 1_000, 200
MOST_SECONDS = 900


def main() -> None:
    """Print each figure with its bar."""
    parser = arguments(__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument(
        "--pairs", type=int, default=2_000, help="fewer pairs for a quick check that a part runs; bars are for 2,000"
    )
    parser.set_defaults(rounds=2)
    chosen = parser.parse_args()
    ticks, pairs = clock(chosen), held_out()[: chosen.pairs]
    print(conditions(chosen))
    for part in chosen.parts:
        if part == "rate":
            rate(pairs, rounds=chosen.rounds)
        elif part == "memory":
            memory(len(pairs))
        elif part == "find":
            find(SENTENCES_OF_PAIR * len(pairs))
        elif part == "processes":
            processes(pairs)
        else:
            pruning(pairs[:N_PRUNED], ticks)


def held_out() -> list[Pair]:
    """The shipped survey's 2,000 pairs."""
    frame = shipped_survey().query("SELECT source, target FROM sentences ORDER BY id")
    return [Pair(source, target) for source, target in zip(frame["source"], frame["target"], strict=True)]


def rate(pairs: Sequence[Pair], *, rounds: int) -> None:
    """A survey against a loop, both from text and teacher-forced; then a survey with translations.

    Both are timed by the wall clock, which is what a user waits for, and by the processor time of all threads.
    """
    bundle = model.load()
    peer = marian(bundle.config)
    hooks = Hooks(peer)

    def surveyed(translate: bool = False) -> None:
        with tempfile.TemporaryDirectory() as folder:
            model.survey(bundle, pairs, folder, translate=translate)

    rows = [(spent(surveyed), spent(lambda: loop(bundle, peer, hooks, pairs))) for _ in range(rounds + 1)][1:]
    for place, name in enumerate(("by the clock on the wall", "by processor time")):
        ours, theirs = (statistics.median(row[side][place] for row in rows) for side in (0, 1))
        ratio = statistics.median(row[1][place] / row[0][place] for row in rows)
        print(f"survey of {len(pairs):,} pairs, {name}: {len(pairs) / ours:,.0f} pairs/s (bar 150), the loop over "
              f"MarianMTModel {len(pairs) / theirs:,.0f}, {ratio:.2f} times as fast (bar 3)")  # fmt: skip
    seconds, _ = spent(lambda: surveyed(translate=True))
    print(f"with translations and their scores: {len(pairs) / seconds:,.0f} pairs/s")


def spent(action: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock seconds and processor seconds."""
    wall, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - processor


def memory(n_pairs: int) -> None:
    """Peak memory of a process that surveys the pairs, and of one that surveys them four times over. Both meet the
    longest sentences, which decide."""
    script = (
        "import resource, sys, tempfile, torch, model\n"
        "from benchmarks.survey import held_out\n"
        "torch.set_num_threads(1)\n"
        "pairs = (held_out() * 4)[: int(sys.argv[1])]\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    model.survey(model.load(), pairs, folder, translate=False, shard_size=500)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peaks = []
    counts = (n_pairs, 4 * n_pairs)
    for count in counts:
        said = run([sys.executable, "-c", script, str(count)])
        peaks.append(int(said.split()[-1]) / 1024)
    print(f"peak memory: {peaks[0]:,.0f} MiB for {counts[0]:,} pairs, {peaks[1]:,.0f} MiB for {counts[1]:,}, "
          f"{peaks[1] / peaks[0]:.2f} times as much (bar: flat)")  # fmt: skip


def run(command: Sequence[str], **environment: str) -> str:
    """The output of a command, which is ended when it takes too long."""
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=True,
            timeout=MOST_SECONDS,
        )  # fmt: skip
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{' '.join(command[:6])} … failed:\n{error.stderr[-2_000:]}") from error
    return done.stdout


def find(n_sentences: int) -> None:
    """Questions of the Corpus page over a large survey of random numbers."""
    with tempfile.TemporaryDirectory() as folder:
        large_survey(Path(folder), n_sentences)
        found = open_survey(folder)
        questions = {
            "more than half to a sink": "SELECT id, sink_share AS value FROM heads WHERE kind = 'cross' AND layer = 2 "
                                        "AND head = 4 AND sink_share > 0.5 ORDER BY value DESC, id",
            "a word": r"SELECT id, chrf AS value FROM sentences WHERE regexp_matches(lower(source), '\bbank\b')",
            "every head's median": "SELECT layer, head, median(entropy) FROM heads WHERE kind = 'cross' GROUP BY ALL",
        }  # fmt: skip
        for name, sql in questions.items():
            n_rows = len(found.query(sql))
            seconds = [spent(lambda sql=sql: found.query(sql))[0] for _ in range(3)]
            print(f"find over {n_sentences:,} sentences and 96 heads, {name}: {statistics.median(seconds):.2f} s, "
                  f"{n_rows:,} rows (bar 1 s)")  # fmt: skip


def large_survey(folder: Path, n_sentences: int) -> None:
    """Write many sentences with 96 heads each, in the survey's own files."""
    draw, kinds = np.random.default_rng(0), pa.array(KINDS)
    for shard, start in enumerate(range(0, n_sentences, N_PER_SHARD)):
        ids = np.arange(start, min(start + N_PER_SHARD, n_sentences))
        places = np.indices((3, 4, 8, len(ids))).reshape(4, -1)
        numbers = {name: draw.random(places.shape[1], np.float32) for name in ("entropy", "sink_share", "maximum")}
        heads = pa.table({
            "id": ids[places[3]], "kind": pa.DictionaryArray.from_arrays(pa.array(places[0].astype(np.int8)), kinds),
            "layer": places[1].astype(np.int16), "head": places[2].astype(np.int16), **numbers,
        })  # fmt: skip
        words = ["the bank opens at nine" if number % 997 == 0 else f"sentence {number} says this" for number in ids]
        sentences = pa.table({"id": ids, "source": words, "target": words, "chrf": draw.random(len(ids))})
        stamp = Stamp(
            run="benchmark", shard=shard, pairs=str(shard), model="none", fingerprint="none", n_pairs=n_sentences,
            shard_size=N_PER_SHARD, options={},
        )  # fmt: skip
        write_shard(folder, {"sentences": sentences, "heads": heads, "links": pa.table({"id": ids[:0]})}, stamp)


def processes(pairs: Sequence[Pair]) -> None:
    """One process and two of Accelerate's over the same pairs, each with one thread, in wall-clock time: the survey
    alone, as the command prints it, and with the start of everything."""
    with tempfile.TemporaryDirectory() as folder:
        path, many = Path(folder) / "pairs.tsv", [*pairs] * 4
        path.write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in many), "utf-8")
        shard = max(1, min(1_000, len(many) // 8))
        one, two = (_launched(path, Path(folder) / f"out{count}", count, shard) for count in (1, 2))
    print(f"{len(many):,} pairs: one process {one[0]:.1f} s, two {two[0]:.1f} s, {one[0] / two[0]:.2f} times as fast "
          f"(bar 1.7); start included {one[1]:.1f} s and {two[1]:.1f} s, {one[1] / two[1]:.2f} times")  # fmt: skip


def _launched(pairs: Path, out: Path, count: int, shard_size: int) -> tuple[float, float]:
    """Seconds of the survey, and of the whole command."""
    # Without --multi_gpu Accelerate starts a single process, even on a machine without a GPU.
    launch = ["accelerate.commands.launch", "--multi_gpu", "--num_processes", str(count), "--num_machines", "1",
              "--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0", "-m"]  # fmt: skip
    command = [sys.executable, "-m", *(launch if count > 1 else []), "model", "survey", str(pairs), "--out", str(out),
               "--no-translate", "--device", "cpu", "--shard-size", str(shard_size), "--json"]  # fmt: skip
    started = time.perf_counter()
    said = run(command, OMP_NUM_THREADS="1")
    return json.loads(said[said.index("{") :])["seconds"], time.perf_counter() - started


def pruning(pairs: Sequence[Pair], ticks: Clock) -> None:
    """Every head removed in turn, and the curve of heads in order of importance."""
    bundle = model.load()
    started, heads = ticks(), every_head(bundle.config)
    remove_each(bundle, pairs)
    scored = ticks() - started
    quality(bundle, pairs, [heads_off([head]) for head in heads])
    print(f"{len(heads)} heads removed in turn on {len(pairs)} sentences: log-probabilities {scored:.0f} s, with BLEU "
          f"and chrF {ticks() - started:.0f} s (bar 180)")  # fmt: skip
    started = ticks()
    ranked = importance(bundle, pairs)
    prune(bundle, pairs, sorted(ranked, key=lambda head: ranked[head]))
    print(f"the curve on {len(pairs)} sentences, importance included: {ticks() - started:.0f} s (bar 300)")


if __name__ == "__main__":
    main()
