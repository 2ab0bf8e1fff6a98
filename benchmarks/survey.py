"""Work on many sentences: one call for 200, rate and memory of a survey, the time of a find, two processes, pruning.

    python -m benchmarks.survey                     all of it, ten minutes on two quiet cores
    python -m benchmarks.survey texts rate memory find processes pruning

Bars: 200 sentences in one call 5 times as fast as single calls; a survey that measures every head runs at 3 times the
rate of a loop over ``MarianMTModel(output_attentions=True)`` of equal size in equal batches with the same measures in
NumPy, and at 150 pairs a second; its memory does not grow with the number of pairs; a find over 100,000 sentences and
96 heads takes under 1 s; two processes are 1.7 times as fast as one; the table of 96 heads removed in turn on 200
sentences (log-probability, BLEU and chrF) takes under 180 s, the curve under 300 s.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch

import model
from benchmarks.decoding import marian
from benchmarks.timing import arguments, compare, measure, parse
from model.analysis.metrics import head_metrics
from model.analysis.sinks import sinks_of
from model.corpus.batches import batches, read_rows
from model.corpus.pruning.removal import heads_off, importance, prune, remove_each
from model.corpus.pruning.table import quality
from model.corpus.shards import Stamp, write_shard
from model.corpus.shipped import shipped_survey
from model.corpus.survey import open_survey
from model.interventions import KINDS, every_head
from model.nn.masks import pad
from model.text.pairs import Pair
from tests.serving import ROOT

SENTENCES_OF_PAIR, N_PER_SHARD, N_PRUNED, N_TEXTS = 50, 1_000, 200, 200
MAX_SECONDS = 900
PEAK_MEMORY = """
import resource, sys, tempfile, torch, model
from benchmarks.survey import held_out
torch.set_num_threads(1)
pairs = (held_out() * 4)[: int(sys.argv[1])]
with tempfile.TemporaryDirectory() as folder:
    model.survey(model.load(), pairs, folder, translate=False, shard_size=500)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def main() -> None:
    parser = arguments(__doc__, rounds=2)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--pairs", type=int, default=2_000, help="fewer to see that a part runs; bars are for 2,000")
    chosen = parse(parser)
    pairs = held_out()[: chosen.pairs]
    for part in chosen.parts:
        PARTS[part](pairs, chosen.rounds)


def held_out() -> list[Pair]:
    """The shipped survey's 2,000 pairs."""
    frame = shipped_survey().query("SELECT source, target FROM sentences ORDER BY id")
    return [Pair(source, target) for source, target in zip(frame["source"], frame["target"], strict=True)]


def texts(pairs: Sequence[Pair], rounds: int) -> None:
    """Compare one call with a loop of single calls, on different sentences with all attention."""
    bundle, distinct = model.load(), list(dict.fromkeys(pair.source for pair in pairs))
    sources = random.Random(1).sample(distinct, min(N_TEXTS, len(distinct)))
    targets = [trace.text if isinstance(trace, model.Trace) else "" for trace in model.translate(bundle, sources)]

    def report(run: Callable[..., object], *columns: list[str]) -> None:
        result = compare(
            lambda: run(bundle, *columns), lambda: [run(bundle, *row) for row in zip(*columns, strict=True)],
            rounds=rounds,
        )  # fmt: skip
        wall = f"{result.ours.wall:.2f} s, a loop {result.peer.wall:.2f} s: {result.ratio.wall:.1f} times as fast"
        print(f"{run.__name__} {len(sources)} by the clock on the wall: {wall}")
        print(f"{run.__name__} by processor time: {result.ratio.processor:.1f} times as fast")

    report(model.translate, sources)
    report(model.score, sources, targets)


def rate(pairs: Sequence[Pair], rounds: int) -> None:
    """Compare a survey with a loop, both from text and teacher-forced; then time a survey with translations."""
    bundle = model.load()
    peer = SurveyPeer(bundle)

    def surveyed(translate: bool = False) -> None:
        with tempfile.TemporaryDirectory() as folder:
            model.survey(bundle, pairs, folder, translate=translate)

    result = compare(surveyed, lambda: peer.measure(pairs), rounds=rounds)
    clocks = ("by the clock on the wall", "by processor time")
    for name, ours, peer_seconds, ratio in zip(clocks, *result, strict=True):
        print(f"survey of {len(pairs):,} pairs, {name}: {len(pairs) / ours:,.0f} pairs/s (bar 150), the loop over "
              f"MarianMTModel {len(pairs) / peer_seconds:,.0f}, {ratio:.2f} times as fast (bar 3)")  # fmt: skip
    print(f"with translations and their scores: {len(pairs) / measure(lambda: surveyed(True)).wall:,.0f} pairs/s")


class SurveyPeer:
    """A loop over MarianMT of equal size with the same measures in NumPy; hooks capture each layer's values, and remove
    cross-attention for the decoder without the source."""

    def __init__(self, bundle: model.Bundle) -> None:
        self.bundle, self.peer = bundle, marian(bundle.config)
        self.values: dict[str, list[np.ndarray]] = {}
        self.is_without_source = False
        inner: Any = self.peer.model
        self.outputs: dict[str, list[np.ndarray]] = {kind: [] for kind in KINDS}
        for kind in KINDS:
            for layer in (inner.encoder if kind == "encoder_self" else inner.decoder).layers:
                attention = layer.encoder_attn if kind == "cross" else layer.self_attn
                self.outputs[kind].append(attention.out_proj.weight.detach().numpy())
                attention.v_proj.register_forward_hook(lambda _, __, out, kind=kind: self._capture(kind, out))
                if kind == "cross":
                    attention.register_forward_hook(lambda _, __, output: self._zero(output))

    def _capture(self, kind: str, values: torch.Tensor) -> None:
        if not self.is_without_source:
            self.values[kind].append(values.numpy())

    def _zero(self, output: tuple) -> tuple | None:
        return (torch.zeros_like(output[0]), *output[1:]) if self.is_without_source else None

    def _norms(self, kind: str, index: int, n_keys: int, n_heads: int) -> np.ndarray:
        """Norm of each key's value after the output projection, (L, H, K)."""
        norms = []
        for values, output in zip(self.values[kind], self.outputs[kind], strict=True):
            by_head = values[index, :n_keys].reshape(n_keys, n_heads, -1)
            projected = np.einsum("khm,dhm->hkd", by_head, output.reshape(len(output), n_heads, -1), optimize=True)
            norms.append(np.linalg.norm(projected, axis=-1))
        return np.stack(norms)

    @torch.inference_mode()
    def measure(self, pairs: Sequence[Pair]) -> list:
        """All measures of a survey on the same batches, sentence by sentence, without writing files."""
        config, measured = self.bundle.config, []
        rows, _ = read_rows(self.bundle, pairs)
        for chosen in batches(self.bundle, rows):
            source = pad([row.source.ids for row in chosen], config.source_pad_id)
            fed = pad([(config.bos_id, *row.target.ids[:-1]) for row in chosen], config.target_pad_id)
            labels = pad([row.target.ids for row in chosen], config.target_pad_id)
            inputs: dict[str, Any] = {"attention_mask": source != config.source_pad_id, "decoder_input_ids": fed}
            self.values = {kind: [] for kind in KINDS}
            full: Any = self.peer(input_ids=source, output_attentions=True, **inputs)
            self.is_without_source = True
            without: Any = self.peer(encoder_outputs=(full.encoder_last_hidden_state,), **inputs)
            self.is_without_source = False
            log_probs, without_source = (
                output.logits.log_softmax(-1).gather(2, labels[..., None])[..., 0] for output in (full, without)
            )
            measured.append((log_probs - without_source).numpy())
            stacks = (full.encoder_attentions, full.decoder_attentions, full.cross_attentions)
            for kind, layers in zip(KINDS, stacks, strict=True):
                weights = torch.stack(layers, 1).numpy()
                for index, row in enumerate(chosen):
                    n_queries = len(row.source) if kind == "encoder_self" else len(row.target)
                    keys = row.prefix if kind == "decoder_self" else row.source
                    attention, sinks = weights[index, :, :, :n_queries, : len(keys)], sinks_of(keys)
                    measured.append(head_metrics(attention, kind=kind, key_is_sink=sinks))
                    norms = attention * self._norms(kind, index, len(keys), attention.shape[1])[:, :, None]
                    total = norms.sum((-2, -1))
                    measured.append((total / total.sum(-1, keepdims=True), norms[..., sinks].sum(-1) / norms.sum(-1)))
                    measured.append((attention.argmax(-1), attention.max(-1)))
        return measured


def memory(pairs: Sequence[Pair], _: int) -> None:
    """Compare the peak memory of a survey of the pairs with that of four times as many; both include the longest
    sentences, which determine it."""
    n = len(pairs)
    few, many = (int(run(["-c", PEAK_MEMORY, str(count)]).split()[-1]) / 1024 for count in (n, 4 * n))
    print(f"peak memory: {few:,.0f} MiB for {n:,} pairs, {many:,.0f} MiB for {4 * n:,}, {many / few:.2f} times as much "
          "(bar: flat)")  # fmt: skip


def run(arguments: Sequence[str], **environment: str) -> str:
    """The output of Python with these arguments; raises after ``MAX_SECONDS``."""
    process = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=os.environ | environment, capture_output=True, text=True,
        timeout=MAX_SECONDS,
    )  # fmt: skip
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments[:5])} … failed:\n{process.stderr[-2_000:]}")
    return process.stdout


def find(pairs: Sequence[Pair], _: int) -> None:
    """Time queries of the Corpus page on a large survey of random numbers."""
    n_sentences = SENTENCES_OF_PAIR * len(pairs)
    with tempfile.TemporaryDirectory() as folder:
        large_survey(Path(folder), n_sentences)
        survey = open_survey(folder)
        questions = {
            "more than half to a sink": "SELECT id, sink_share AS value FROM heads WHERE kind = 'cross' AND layer = 2 "
                                        "AND head = 4 AND sink_share > 0.5 ORDER BY value DESC, id",
            "a word": r"SELECT id, chrf AS value FROM sentences WHERE regexp_matches(lower(source), '\bbank\b')",
            "every head's median": "SELECT layer, head, median(entropy) FROM heads WHERE kind = 'cross' GROUP BY ALL",
        }  # fmt: skip
        for name, sql in questions.items():
            n_rows = len(survey.query(sql))
            seconds = statistics.median(measure(lambda sql=sql: survey.query(sql)).wall for _ in range(3))
            size = f"{n_sentences:,} sentences and 96 heads"
            print(f"find over {size}, {name}: {seconds:.2f} s, {n_rows:,} rows (bar 1 s)")


def large_survey(folder: Path, n_sentences: int) -> None:
    """Write many sentences with 96 heads each, in a survey's file format."""
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


def processes(pairs: Sequence[Pair], _: int) -> None:
    """Compare one process with two of Accelerate's on the same pairs, each with one thread, by the wall-clock time that
    the command prints."""
    # Without --multi_gpu Accelerate starts a single process, even on a machine without a GPU.
    launch = ["accelerate.commands.launch", "--multi_gpu", "--num_processes", "2", "--num_machines", "1",
              "--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0", "-m"]  # fmt: skip
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        path, many = Path(folder) / "pairs.tsv", [*pairs] * 4
        path.write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in many), "utf-8")
        for count, before in ((1, []), (2, launch)):
            output = run(["-m", *before, "model", "survey", str(path), "--out", f"{folder}/out{count}",
                        "--no-translate", "--device", "cpu", "--shard-size", str(max(1, min(1_000, len(many) // 8))),
                        "--json"], OMP_NUM_THREADS="1")  # fmt: skip
            seconds.append(json.loads(output[output.index("{") :])["seconds"])
    print(f"{len(many):,} pairs: one process {seconds[0]:.1f} s, two {seconds[1]:.1f} s, "
          f"{seconds[0] / seconds[1]:.2f} times as fast (bar 1.7)")  # fmt: skip


def pruning(pairs: Sequence[Pair], _: int) -> None:
    """Time removing every head in turn, and the curve of heads in order of importance."""
    bundle, pairs = model.load(), pairs[:N_PRUNED]
    heads = every_head(bundle.config)
    scored = measure(lambda: remove_each(bundle, pairs)).wall
    measured = measure(lambda: quality(bundle, pairs, [heads_off([head]) for head in heads])).wall
    print(f"{len(heads)} heads removed in turn on {len(pairs)} sentences: log-probabilities {scored:.0f} s, with BLEU "
          f"and chrF {scored + measured:.0f} s (bar 180)")  # fmt: skip

    def curve() -> None:
        ranked = importance(bundle, pairs)
        prune(bundle, pairs, sorted(ranked, key=lambda head: ranked[head]))

    print(f"the curve on {len(pairs)} sentences, importance included: {measure(curve).wall:.0f} s (bar 300)")


PARTS: dict[str, Callable[[Sequence[Pair], int], None]] = {
    part.__name__: part for part in (texts, rate, memory, find, processes, pruning)
}

if __name__ == "__main__":
    main()
