"""Fine-tuning as the page does it: speed, first step, recording the probe, and the effect of a minute of training.

    python -m benchmarks.fine_tuning                                  speed, first step, and the lesson on its own pairs
    python -m benchmarks.fine_tuning --pairs en-fr.tsv                the same, and scores on the test part of a corpus
    python -m benchmarks.fine_tuning --only lesson --seconds 60 --threads 2

A lesson (tu → vous unless another is named) trains with the same trainer, settings and probe recorder as the page, for
a given number of seconds. From a corpus, the 2,000 test sentences of ``split_pairs`` are used, which no training here
sees: BLEU on all of them, and the form of address in the translations of those whose references contain tu or vous.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import torch
from torch import nn

from benchmarks import joeynmt
from benchmarks.peer import PlainTransformer
from benchmarks.timing import arguments, clock, compare, conditions
from benchmarks.training import SMOOTHING, Loss, losses, step_of
from model import Bundle, load, save, translate_texts
from model.nn.transformer import Transformer
from model.runs.job_folder import JobFolder
from model.runs.limits import Limits
from model.runs.queue import RunQueue
from model.runs.status import read_status
from model.runs.task import TRAINING
from model.text.pairs import Pair
from model.training.data import Batches, Split, encode_pairs, read_pairs, references, split_pairs
from model.training.evaluation import evaluate
from model.training.events import StepDone
from model.training.jobs.creation import create, hold_out
from model.training.jobs.probe import MAX_FRAMES, PROBE_SHARE, ProbeRecorder
from model.training.lessons import LESSONS, Lesson, find_lesson, register_of
from model.training.preparation import prepare
from model.training.trainer import Trainer

HELD_OUT_SHARE = 0.15
READING_SECONDS = 15.0
"""From the opening of the page to the click."""


def speed(bundle: Bundle, lesson: Lesson, chosen: argparse.Namespace) -> None:
    """Tokens per second on the lesson's own batches; our model and each peer take turns."""
    config = dataclasses.replace(lesson.config, batch_tokens=lesson.config.batch_tokens)
    tokenizer, target = bundle.source_tokenizer, bundle.target_tokenizer
    assert tokenizer is not None and target is not None
    examples = encode_pairs(lesson.read(), tokenizer, target, max_length=60)
    stream = Batches(examples, bundle.config, config).iterate()
    batches = [next(stream) for _ in range(chosen.rounds + 1)]
    ours, plain = Transformer(bundle.config).train(), PlainTransformer(bundle.config).train()

    our_loss, plain_loss = losses(ours, plain)

    peers: dict[str, tuple[nn.Module, Loss]] = {"torch.nn.Transformer": (plain, plain_loss)}
    if joeynmt.IS_INSTALLED:
        peer = joeynmt.JoeyNMT(bundle.config, smoothing=SMOOTHING).train()
        peers["JoeyNMT"] = peer, peer
    print(f"fine-tuning step, batches of {lesson.name}, {conditions(chosen)}")
    tokens = sum(batch.n_tokens for batch in batches[1:]) / chosen.rounds
    for precision, (name, (peer, peer_loss)) in itertools.product(chosen.precisions, peers.items()):
        found = compare(
            step_of(ours, our_loss, cycle(batches), precision),
            step_of(peer, peer_loss, cycle(batches), precision),
            rounds=chosen.rounds,
            clock=clock(chosen),
        )
        print(f"  {precision:<9} ours {tokens / found.ours:>7,.0f}   {name:<20} {tokens / found.peer:>7,.0f} "
              f"tokens/s   ratio {1 / found.ratio:.2f}")  # fmt: skip


def first_step(bundle: Bundle, lesson: Lesson, *, is_waiting: bool) -> float:
    """Seconds from the click on Start to the first optimiser step, with a process that waits for the run or without."""
    queue = RunQueue(Limits.from_environment())
    if is_waiting:
        queue.warm(TRAINING)
        time.sleep(READING_SECONDS)
    with tempfile.TemporaryDirectory() as place:
        began = time.perf_counter()
        config = dataclasses.replace(lesson.config, device="cpu")
        folder = create(
            Path(place), bundle, lesson.read(), config, queue.limits, probe=lesson.probe, lesson=lesson.name
        )
        queue.submit(folder, owner="benchmark")
        while not (folder.metrics.exists() and '"step"' in folder.metrics.read_text("utf-8")):
            assert read_status(folder).is_alive, read_status(folder)
            time.sleep(0.02)
        seconds = time.perf_counter() - began
        folder.control.write_text("stop")
        while read_status(folder).is_alive:
            time.sleep(0.1)
    return seconds


def teach(
    bundle: Bundle, lesson: Lesson, split: Split, folder: Path, chosen: argparse.Namespace
) -> tuple[Trainer, ProbeRecorder]:
    """Train for a given number of seconds, recording the probe as the page does."""
    config = dataclasses.replace(lesson.config, steps=100_000, validate_every=100_000, device="cpu")
    trainer = prepare(bundle, Split(split.train, (), ()), config, JobFolder(folder))
    every = max(1, lesson.config.steps // MAX_FRAMES)
    recorder = ProbeRecorder(JobFolder(folder), trainer.bundle, lesson.probe, every=every, share=PROBE_SHARE)
    recorder.record(trainer.model, 0)
    ticks = clock(chosen)
    began = ticks()

    def should_stop() -> bool:
        return trainer.step >= lesson.config.steps or ticks() - began >= chosen.seconds

    for event in trainer.run(should_stop=should_stop):
        recorder.follow(event, trainer.model)
        if isinstance(event, StepDone) and event.step == lesson.config.steps:
            print(f"  the page's {lesson.config.steps} steps, recorded, took {ticks() - began:.1f} s")
    trainer.model.eval()
    return trainer, recorder


def lesson_figures(bundle: Bundle, lesson: Lesson, chosen: argparse.Namespace) -> None:
    """The effect of a minute of training on a lesson, and the share of the time spent on the probe."""
    train, held_out = hold_out(lesson.read(), HELD_OUT_SHARE, seed=lesson.config.seed)
    how = conditions(chosen).partition(", median")[0]
    print(f"{lesson.name} on {bundle.name}, at most {chosen.seconds:.0f} s of training, {how}")
    with tempfile.TemporaryDirectory() as folder:
        trainer, recorder = teach(bundle, lesson, Split(train, held_out, ()), Path(folder), chosen)
    print(f"  {trainer.step} steps in {trainer.seconds:.1f} s, {trainer.precision}")
    print(f"  recording the probe took {recorder.spent / trainer.seconds:.1%} of the training time (bar 5 %)")
    after = dataclasses.replace(bundle, model=trainer.model)
    if chosen.keep:
        save(after, chosen.keep)
    for name, model in (("before", bundle), ("after", after)):
        said = translate_texts(model, [pair.source for pair in held_out])  # as they are ready
        n_shown = sum(lesson.shows(text, held_out[index].target) for index, text in said)
        print(f"  {name:<6} {n_shown} of its own {len(held_out)} held-out pairs show what it teaches")
    if chosen.pairs is None:
        return
    test = split_pairs(read_pairs(chosen.pairs)).test
    grouped = references(test)
    sources = list(grouped)[: chosen.sentences]
    if lesson.name == "tu_vous":
        you = [source for source in sources if {register_of(text) for text in grouped[source]} & {"tu", "vous"}]
        _registers(f"test sentences whose references say tu or vous ({len(you)})", bundle, after, you)
    kept = tuple(Pair(source, text) for source in sources for text in grouped[source])
    before, later = (evaluate(model, kept).bleu for model in (bundle, after))
    print(f"  BLEU on {len(sources):,} test sentences, all references: {before:.1f} → {later:.1f} "
          f"({later - before:+.1f}, bar -5)")  # fmt: skip


def _registers(what: str, before: Bundle, after: Bundle, sources: Sequence[str]) -> None:
    print(f"  {what}")
    for name, bundle in (("before", before), ("after", after)):
        found = [register_of(text) for _, text in translate_texts(bundle, sources)]
        said = [register for register in found if register != "none"]
        polite = said.count("vous")
        share = polite / max(1, len(said))
        print(f"    {name:<6} vous {polite:>4} of {len(said):>4} that address somebody ({share:.1%}); "
              f"tu {said.count('tu')}, both {said.count('both')}, neither {found.count('none')}")  # fmt: skip


def main() -> None:
    """Print the chosen measurements."""
    parser = arguments(__doc__)
    parser.add_argument("--checkpoint", default=None, help="a model other than the shipped one")
    names = [each.name for each in LESSONS if each.beginning is None]
    parser.add_argument("--lesson", choices=names, default="tu_vous")
    parser.add_argument(
        "--keep", type=Path, help="save the lesson's result here; relearn starts from the result of unlearn"
    )
    parser.add_argument("--pairs", type=Path, help="a corpus, for BLEU and register on its test part")
    parser.add_argument("--sentences", type=int, default=2_000, help="test sentences at most")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument(
        "--precisions", nargs="+", choices=("float32", "bfloat16"), default=["float32", "bfloat16"],
        help="to measure the speed in; a processor without bfloat16 instructions takes minutes for each bfloat16 step",
    )  # fmt: skip
    parser.add_argument("--only", choices=("speed", "start", "lesson"))
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    bundle, lesson = load(chosen.checkpoint), find_lesson(chosen.lesson)
    assert lesson is not None
    if chosen.only in (None, "speed"):
        speed(bundle, lesson, chosen)
    if chosen.only in (None, "start"):
        warm, cold = (first_step(bundle, lesson, is_waiting=is_waiting) for is_waiting in (True, False))
        print(f"first step {warm:.1f} s after the click, {cold:.1f} s where no process waits for the run (bar 4 s)")
    if chosen.only in (None, "lesson"):
        started = time.perf_counter()
        lesson_figures(bundle, lesson, chosen)
        print(f"  ({time.perf_counter() - started:.0f} s in all)")


if __name__ == "__main__":
    main()
