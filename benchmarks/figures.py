"""Runs every benchmark that the README quotes, and writes the README's table with the machine's description.

    python -m benchmarks.figures                     all of them, one after the other
    python -m benchmarks.figures capture decoding    these alone; the other rows stay as they are

Run it on an idle machine. The output of each benchmark is kept in build/figures/. When a benchmark fails, or its output
does not match its row's pattern, the row stays as it was and the benchmark is named at the end.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
KEPT = ROOT / "build" / "figures"
BEGIN, END = "<!-- figures: written by make figures -->", "<!-- end of figures -->"
PATIENCE = 1200
"""Time limit of one benchmark in seconds; then it is ended together with the servers and browsers that it started."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    Args:
        what: a description of what is measured.
        command: the benchmark's module and arguments.
        pattern: finds the figures in its output, one group each.
        unit: written after each figure.
        bar: the promised limit.
    """

    what: str
    command: str
    pattern: str
    unit: str = "×"
    bar: str = ""

    @property
    def name(self) -> str:
        """The benchmark's own name."""
        return self.command.split()[0]

    def read(self, output: str) -> str | None:
        """The figures as the table shows them, or None when the output has none."""
        found = sorted({float(figure.replace(",", "")) for figure in re.findall(self.pattern, output)})
        if not found:
            return None
        ends = [f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}" for figure in found]
        return f"{ends[0]}{self.unit}" if len(set(ends)) == 1 else f"{ends[0]}–{ends[-1]}{self.unit}"

    def line(self, measured: str) -> str:
        """The row as Markdown."""
        return f"| {self.what} | `python -m benchmarks.{self.command}` | {measured} | {self.bar} |"


ROWS = (
    Row("returning all attention, against a forward pass without it", "capture", r"ratio ([\d.]+)", bar="≤ 1.5×"),
    Row("cached greedy decoding of 60 tokens, all attention included, against the uncached loop",
        "decoding --threads 1", r"cached .* uncached loop .* ([\d.]+) times as fast", bar="≥ 5×"),
    Row("greedy decoding, against Hugging Face's MarianMT of equal size",
        "decoding --threads 1", r"greedy.*ours .* MarianMT .* ([\d.]+) times as fast", bar="≥ 1.5×"),
    Row("beam of five, against the same", "decoding --threads 1", r"beam 5.* MarianMT .* ([\d.]+) times as fast",
        bar="≥ 1×"),
    Row("training tokens/s, float32, against the same loop around `torch.nn.Transformer`",
        "training", r"ratio +([\d.]+)", bar="≥ 1.2×"),
    Row("fine-tuning tokens/s, float32, against `torch.nn.Transformer`",
        "fine_tuning --only speed --precisions float32", r"ratio ([\d.]+)", bar="> 1×"),
    Row("all heads switched off in turn, against one by one", "ablation", r"([\d.]+) times as fast", bar="≥ 5×"),
    Row("a survey with every head measured, against a loop over MarianMTModel that measures the same with NumPy",
        "survey", r"by the clock on the wall: .* ([\d.]+) times as fast", bar="≥ 3×"),
    Row("the same, by processor time", "survey", r"by processor time: .* ([\d.]+) times as fast", bar="≥ 3×"),
    Row("pairs a second of that survey", "survey", r"by the clock on the wall: ([\d,]+) pairs/s", "", bar="≥ 150"),
    Row("its memory at four times the pairs", "survey", r"([\d.]+) times as much", bar="flat"),
    Row("a find over 100,000 surveyed sentences", "survey", r"find over 100,000 .*: ([\d.]+) s", " s", bar="≤ 1 s"),
    Row("two processes of Accelerate, a thread each, against one", "survey",
        r"two [\d.]+ s, ([\d.]+) times as fast \(bar 1", bar="≥ 1.7×"),
    Row("96 heads removed in turn on 200 sentences, with BLEU and chrF", "survey", r"BLEU and chrF (\d+) s", " s",
        bar="≤ 180 s"),
    Row("heads removed in order of importance, the curve", "survey", r"importance included: (\d+) s", " s",
        bar="≤ 300 s"),
    Row("a click while another session trains, against one while none does",
        "latency_while_training", r"ratio +([\d.]+)", bar="≤ 1.5×"),
    Row("300 phones in a room, from the teacher's click to the last phone, median",
        "classroom", r"last device median ([\d.]+) s", " s", bar="≤ 0.4 s"),
    Row("the same, 95th percentile", "classroom", r"p95 ([\d.]+) s", " s", bar="≤ 1.0 s"),
    Row("the teacher's own click with that class, against one without", "classroom", r"ratio ([\d.]+)", bar="≤ 1.2×"),
    Row("server memory with that class", "classroom", r"highest: ([\d.]+) GB", " GB", bar="≤ 1.5 GB"),
    Row("votes lost of 300 within 5 s", "classroom", r"counted, (-?\d+) lost", "", bar="0"),
    Row("votes lost of 1,000 with Redis and two replicas", "classroom --redis", r"counted, (-?\d+) lost", "", bar="0"),
    Row("one change in Decode, from the click to the new translation", "what_if", r"another word (\d+) ms", " ms"),
    Row("from Enter to all views of a new sentence drawn", "views_app", r"median (\d+) ms", " ms", bar="≤ 300 ms"),
    Row("bytes of that sentence", "views_app", r"12 words: ([\d.]+) KB", " KB", bar="≤ 60 KB"),
    Row("the same on the page in which the model runs", "in_page", r"12 words: page ([\d.]+) s", " s", bar="≤ 0.3 s"),
    Row("the same there, processor slowed four times as a phone", "in_page", r"slowed 4 times: ([\d.]+) s", " s",
        bar="≤ 0.6 s"),
    Row("there: a head switched off", "in_page", r"switched off or on: page ([\d.]+) s", " s", bar="≤ 0.25 s"),
    Row("there: first visit to first translation, beyond the download", "in_page", r"download: ([\d.]+) s", " s",
        bar="≤ 1.5 s"),
    Row("there: download, float16", "in_page", r"download, f16: ([\d.]+) MB", " MB", bar="≤ 20 MB"),
    Row("there: download, 8 bits", "in_page", r"download, i8: ([\d.]+) MB", " MB", bar="≤ 11 MB"),
    Row("there: memory of the page's process", "in_page", r"process: (\d+) MB", " MB", bar="≤ 250 MB"),
    Row("there: 40 tokens in, 40 out", "in_page", r"out: page ([\d.]+) s", " s", bar="≤ 1.5 s"),
    Row("40 visitors who open a link of their own each 10 s, 95th percentile", "visitors --minutes 1",
        r"p95 ([\d.]+) s", " s", bar="≤ 0.6 s"),
    Row("the same while a fine-tuning runs", "visitors --minutes 1 --training", r"p95 ([\d.]+) s", " s", bar="≤ 0.9 s"),
    Row("100 visitors and two replicas", "visitors --minutes 1 --visitors 100 --replicas 2", r"p95 ([\d.]+) s", " s",
        bar="≤ 1.5 s"),
)  # fmt: skip


def main() -> int:
    """Run the benchmarks, rewrite the table, and list what could not be measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="BENCHMARK", help=", ".join(dict.fromkeys(r.name for r in ROWS)))
    chosen = parser.parse_args()
    unknown = set(chosen.names) - {row.name for row in ROWS}
    if unknown:
        parser.error(f"no row quotes {', '.join(sorted(unknown))}")
    commands = dict.fromkeys(row.command for row in ROWS if not chosen.names or row.name in chosen.names)
    outputs: dict[str, str] = {}
    for command in commands:  # written after each benchmark, so that an interruption loses nothing
        outputs[command] = _run(command)
        README.write_text(_rewritten(README.read_text("utf-8"), outputs, is_whole=not chosen.names), "utf-8")
    missing = [row.command for row in ROWS if row.command in outputs and row.read(outputs[row.command]) is None]
    for command in dict.fromkeys(missing):
        sys.stderr.write(f"no figure from benchmarks.{command}: see {KEPT / _file(command)}\n")
    return bool(missing)


def _run(command: str) -> str:
    sys.stdout.write(f"benchmarks.{command}\n")
    sys.stdout.flush()
    started = subprocess.Popen(
        [sys.executable, "-u", "-m", f"benchmarks.{command.split()[0]}", *command.split()[1:]],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        output, complaint = started.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGINT)  # ends its servers too
        output, complaint = _last_words(started)
        complaint += f"\ntook longer than {PATIENCE} s"
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / _file(command)).write_text(f"{output}\n{complaint}", "utf-8")
    return output


def _last_words(ending: subprocess.Popen[str]) -> tuple[str, str]:
    try:
        return ending.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(ending.pid, signal.SIGKILL)
        return ending.communicate()


def _file(command: str) -> str:
    return re.sub(r"[^\w]+", "-", command).strip("-") + ".txt"


def _rewritten(text: str, outputs: dict[str, str], *, is_whole: bool) -> str:
    before, rest = text.split(BEGIN)
    table, after = rest.split(END)
    old = {line.split("|")[1].strip(): line.split("|")[3].strip() for line in table.splitlines() if line.count("|") > 4}
    said = next((line for line in table.splitlines() if line.startswith("Measured")), "")
    lines = [
        _machine() if is_whole or not said else said,
        "",
        "| | command | measured | bar |",
        "| --- | --- | --- | --- |",
    ]
    for row in ROWS:
        measured = row.read(outputs.get(row.command, "")) or old.get(row.what)
        if measured:
            lines.append(row.line(measured))
    return f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}"


def _machine() -> str:
    info = Path("/proc/cpuinfo")
    flags = info.read_text("utf-8") if info.exists() else ""
    name = re.search(r"model name\s*:\s*(.+)", flags)
    known = [label for flag, label in (("amx_bf16", "AMX"), ("avx512_bf16", "AVX-512 with bfloat16"),
                                       ("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags]  # fmt: skip
    processor = name[1].strip() if name else platform.machine()
    return (
        f"Measured on {date.today():%Y-%m-%d}: {os.cpu_count()} cores ({processor}"
        f"{', ' + known[0] if known else ''}), Python {platform.python_version()}, wall clock."
    )


if __name__ == "__main__":
    sys.exit(main())
