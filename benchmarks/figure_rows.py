"""The rows of the tables of figures: what is measured, by which command, and how its output is read."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    Args:
        what: a description of what is measured.
        command: the benchmark's module and arguments.
        pattern: finds the figures in its output, one group each.
        unit: written after each figure.
        bar: the promised limit.
        in_readme: whether README shows it.
    """

    what: str
    command: str
    pattern: str
    unit: str = "×"
    bar: str = ""
    in_readme: bool = False

    @property
    def name(self) -> str:
        """The benchmark's own name."""
        return self.command.split()[0]

    def begins(self, *names: str) -> bool:
        """Whether its command begins with one of these."""
        return any(f"{self.command} ".startswith(f"{name} ") for name in names)

    def read(self, output: str) -> str | None:
        """The figures as the table shows them, or None when the output has none."""
        found = sorted({float(figure.replace(",", "")) for figure in re.findall(self.pattern, output)})
        if not found:
            return None
        ends = [f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}" for figure in found]
        return f"{ends[0]}{self.unit}" if len(set(ends)) == 1 else f"{ends[0]}–{ends[-1]}{self.unit}"

    def line(self, measured: str, when: str) -> str:
        """The row as Markdown."""
        cells = (self.what, f"`python -m benchmarks.{self.command}`", measured, self.verdict(measured), when)
        return f"| {' | '.join(cells)} |"

    def verdict(self, measured: str) -> str:
        """The bar, and whether a figure (of a range, its worse end) misses it."""
        bar = re.fullmatch(r"([≤≥>]) ([\d.,]+).*", self.bar)
        numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d.,]*", measured)]
        if bar is None or not numbers:
            return self.bar
        limit = float(bar[2].replace(",", ""))
        met = {"≤": max(numbers) <= limit, "≥": min(numbers) >= limit, ">": min(numbers) > limit}[bar[1]]
        return self.bar if met else f"{self.bar}: **missed**"


QUICK = {
    "capture": "--rounds 2", "decoding": "--rounds 1", "training": "--rounds 1", "causal_map": "--rounds 1",
    "survey": "--rounds 1 --pairs 40", "classroom": "--devices 20 --changes 4 --votes-in 1",
    "views_app": "--rounds 2", "page_trace": "--rounds 1", "visitors": "--visitors 4 --minutes 0.2",
}  # fmt: skip
"""What is added to a benchmark's command to see in little time that it runs."""


ROWS = (
    Row("returning all attention, against a forward pass without it", "capture", r"ratio ([\d.]+)", bar="≤ 1.5×",
        in_readme=True),
    Row("cached greedy decoding of 60 tokens, all attention included, against the uncached loop",
        "decoding --threads 1", r"cached .* uncached loop .* ([\d.]+) times as fast", bar="≥ 5×"),
    Row("greedy decoding, against Hugging Face's MarianMT of equal size",
        "decoding --threads 1", r"greedy.*ours .* MarianMT .* ([\d.]+) times as fast", bar="≥ 1.5×", in_readme=True),
    Row("beam of five, against the same", "decoding --threads 1", r"beam 5.* MarianMT .* ([\d.]+) times as fast",
        bar="≥ 1×"),
    Row("training tokens/s, float32, against the same loop around `torch.nn.Transformer`",
        "training", r"ratio +([\d.]+)", bar="≥ 1.2×", in_readme=True),
    Row("fine-tuning tokens/s, float32, against `torch.nn.Transformer`", "training --fine-tuning", r"ratio +([\d.]+)",
        bar="> 1×"),
    Row("all heads switched off in turn, against one by one", "causal_map", r"heads off .* ([\d.]+) times as fast",
        bar="≥ 5×"),
    Row("an exact causal map of a 12-token pair, heads included, against a loop of hooked passes, by processor time",
        "causal_map", r"([\d.]+) times the processor time", bar="≥ 5×", in_readme=True),
    Row("that map", "causal_map", r"exact map of \d+ cells ([\d.]+) s", " s", bar="≤ 2 s"),
    Row("its estimate from one gradient", "causal_map", r"attribution patching ([\d.]+) s", " s", bar="≤ 0.3 s"),
    Row("recording every activation, against a forward pass with attention", "causal_map",
        r"recorded .* ([\d.]+) times", bar="≤ 1.5×"),
    Row("200 sentences with all attention in one call, against single calls", "survey texts",
        r"translate \d+ by the clock on the wall: .* ([\d.]+) times as fast", bar="≥ 5×"),
    Row("those sentences, by processor time", "survey texts", r"translate by processor time: .* ([\d.]+) times as fast",
        bar="≥ 5×"),
    Row("scoring 200 given pairs with all attention in one call, against single calls", "survey texts",
        r"score \d+ by the clock on the wall: .* ([\d.]+) times as fast"),
    Row("a survey with every head measured, against a loop over MarianMTModel that measures the same with NumPy",
        "survey rate", r"by the clock on the wall: .* ([\d.]+) times as fast", bar="≥ 3×", in_readme=True),
    Row("the same, by processor time", "survey rate", r"by processor time: .* ([\d.]+) times as fast", bar="≥ 3×"),
    Row("pairs a second of that survey", "survey rate", r"by the clock on the wall: ([\d,]+) pairs/s", "", bar="≥ 150"),
    Row("its memory at four times the pairs", "survey memory", r"([\d.]+) times as much", bar="flat"),
    Row("a find over 100,000 surveyed sentences", "survey find", r"find over .*: ([\d.]+) s", " s", bar="≤ 1 s"),
    Row("two processes of Accelerate, a thread each, against one", "survey processes",
        r"two [\d.]+ s, ([\d.]+) times as fast \(bar 1", bar="≥ 1.7×"),
    Row("96 heads removed in turn on 200 sentences, with BLEU and chrF", "survey pruning",
        r"BLEU and chrF (\d+) s", " s", bar="≤ 180 s"),
    Row("heads removed in order of importance, the curve", "survey pruning", r"importance included: (\d+) s", " s",
        bar="≤ 300 s"),
    Row("300 phones in a room, from the teacher's click to the last phone, median",
        "classroom", r"last device median ([\d.]+) s", " s", bar="≤ 0.4 s"),
    Row("the same, 95th percentile", "classroom", r"p95 ([\d.]+) s", " s", bar="≤ 0.5 s"),
    Row("a teacher's click with 300 phones in the room, against one without", "classroom", r"ratio ([\d.]+)",
        bar="≤ 1.1×", in_readme=True),
    Row("server memory with that class", "classroom", r"highest: ([\d.]+) GB", " GB", bar="≤ 1.5 GB"),
    Row("votes lost of 300 within 5 s", "classroom", r"counted, (-?\d+) lost", "", bar="0"),
    Row("votes lost of 1,000 with Redis and two replicas", "classroom --redis", r"counted, (-?\d+) lost", "", bar="0"),
    Row("one change in Decode, from the click to the new translation", "views_app app", r"another word (\d+) ms",
        " ms"),
    Row("from Enter to all views of a new sentence drawn", "views_app app", r"median (\d+) ms", " ms", bar="≤ 300 ms"),
    Row("bytes of that sentence", "views_app app", r"12 words: ([\d.]+) KB", " KB", bar="≤ 60 KB"),
    Row("the model in the page: from Enter to all views of a new sentence drawn",
        "views_app page", r"all views drawn: ([\d.]+) s", " s", bar="≤ 0.3 s"),
    Row("the model in the page: the same, the processor slowed four times as on a phone",
        "views_app page", r"all views drawn, processor slowed 4 times: ([\d.]+) s", " s", bar="≤ 0.6 s"),
    Row("the model in the page: from the click that switches a head off or on to all views drawn",
        "views_app page", r"switched off or on: ([\d.]+) s", " s", bar="≤ 0.25 s"),
    Row("the model in the page: from a first visit to its translation, beyond the download",
        "views_app page", r"beyond the download: ([\d.]+) s", " s", bar="≤ 1.0 s"),
    Row("the model in the page: from opening it to the first picture in motion",
        "views_app page", r"moving: ([\d.]+) s", " s", bar="≤ 1.0 s"),
    Row("the model in the page: the same, the processor slowed four times",
        "views_app page", r"moving, processor slowed 4 times: ([\d.]+) s", " s", bar="≤ 2.5 s"),
    Row("the model in the page: download with float16 weights",
        "views_app page", r"download, f16: ([\d.]+) MB", " MB", bar="≤ 20 MB"),
    Row("the model in the page: download with 8-bit weights",
        "views_app page", r"download, i8: ([\d.]+) MB", " MB", bar="≤ 11 MB"),
    Row("the model in the page: memory of its process", "views_app page", r"process: (\d+) MB", " MB", bar="≤ 250 MB"),
    Row("the model in the page: from Enter to the views of 40 tokens translated into 40",
        "views_app page", r"in and out: ([\d.]+) s", " s", bar="≤ 1.5 s"),
    Row("the model in the page: total blocking time of a first visit by processor time, four times slower",
        "page_trace", r"blocking time, processor 4 times slower: (\d+) ms", " ms", bar="≤ 200 ms"),
    Row("the model in the page: layout shift of a first visit", "page_trace", r"shift.*: ([\d.]+)", "", bar="≤ 0.1"),
    Row("the model in the page: the longest task while ribbons grow, by processor time", "page_trace",
        r"ribbons: .* longest (\d+) ms", " ms", bar="≤ 16 ms"),
    Row("the model in the page: that task on a processor four times slower", "page_trace",
        r"ribbons, processor 4 times slower: .* longest (\d+) ms", " ms", bar="≤ 33 ms"),
    Row("40 visitors who open a link of their own each 10 s, 95th percentile", "visitors --minutes 1",
        r"p95 ([\d.]+) s", " s", bar="≤ 0.6 s"),
    Row("the same while a fine-tuning runs", "visitors --minutes 1 --training", r"p95 ([\d.]+) s", " s", bar="≤ 0.9 s"),
    Row("100 visitors and two replicas", "visitors --minutes 1 --visitors 100 --replicas 2", r"p95 ([\d.]+) s", " s",
        bar="≤ 1.5 s"),
)  # fmt: skip

AREAS = {
    "Translating": ("capture", "decoding"), "Training": ("training",), "Explaining": ("causal_map",),
    "Many sentences": ("survey",), "The application": ("views_app app", "visitors"), "A class": ("classroom",),
    "The model in the page": ("views_app page", "page_trace"),
}  # fmt: skip
"""The headings of benchmarks/README.md, and the beginnings of the commands below each."""
