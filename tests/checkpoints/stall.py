"""One visitor drops hostile files while another clicks: how long those clicks take on a real server.

``python -m tests.checkpoints.attack --stall`` prints a row for each file: the time of the clicks during it and before
it, how long the server's event loop was blocked, and the peak memory of the server and of its children.
"""

from __future__ import annotations

import dataclasses
import http.client
import io
import itertools
import json
import math
import multiprocessing
import os
import queue
import random
import statistics
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import torch
from safetensors.torch import save

import model
from benchmarks.serving import server
from benchmarks.session import Session, session
from model.training.limits import RUNS_VARIABLE
from tests.checkpoint import tiny_bundle
from tests.checkpoints import crafts, fuzz
from tests.tiny import tiny_model

MOST_SECONDS, MOST_MB = 1.0, 1024.0
"""Limits: seconds by which a click may exceed the median of the clicks before, and MiB of server memory per file."""
PATIENCE = 40.0
"""The hostile visitor continues with the next file after this many seconds."""
QUIET = 15.0
"""Seconds of clicks before the first file, and again until there are ``LEAST_CLICKS``."""
LEAST_CLICKS = 20
HEADS = ("", "MB", "waited", "clicks", "median", "p95", "worst", "ratio", "loop", "server", "others")
"""Size, seconds of the hostile visitor; clicks and their seconds, the worst over the median before, seconds of the
server's loop; MiB of the server and of its children."""
Files = dict[str, bytes]
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Blow:
    """A file, and the hostile visitor's actions with it."""

    name: str
    make: Callable[[Path], Files]
    do: Callable[[Session, Files], object]


@dataclass(slots=True)
class Found:
    """The measurements while one file was open."""

    name: str
    n_bytes: int
    waited: float
    clicks: list[float] = field(default_factory=list)
    beats: list[float] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    server_mb: float = 0.0
    children_mb: float = 0.0

    @property
    def usual(self) -> float:
        """The median of the clicks."""
        return statistics.median(self.clicks or [math.nan])

    @property
    def p95(self) -> float:
        """The 95th percentile of the clicks."""
        return sorted(self.clicks or [math.nan])[int(0.95 * len(self.clicks))]

    @property
    def worst(self) -> float:
        """The longest."""
        return max(self.clicks, default=math.nan)


def drop(visitor: Session, files: Files) -> None:
    """Drop it on the Checkpoints page, and look at its attention if it opens."""
    visitor.open("checkpoints", {})
    visitor.upload("checkpoint_files", files)
    if "checkpoint_look" in visitor.drawn:
        visitor.press("checkpoint_look")


def give_tokens(visitor: Session, files: Files) -> None:
    """Drop a model without a vocabulary, then the file as its vocabulary."""
    visitor.open("checkpoints", {})
    visitor.upload("checkpoint_files", {"model.pt": _without_tokens()})
    visitor.upload("tokens_source_1", files)


def open_attention(visitor: Session, files: Files) -> None:
    """Open it as a file of attention, and look at that."""
    visitor.open("", {})
    visitor.unfold("data")
    visitor.upload("attention_file", files)
    visitor.open("", {})


def fine_tune(visitor: Session, files: Files) -> None:
    """Upload it as pairs to learn from."""
    visitor.open("fine_tune", {"tune.data": "upload"})
    visitor.upload("tune_upload", files)


def paste(visitor: Session, files: Files) -> None:
    """Paste it as pairs to learn from, in full; a browser would cut it."""
    visitor.open("fine_tune", {"tune.data": "paste"})
    visitor.write("tune_paste", next(iter(files.values())).decode())


def survey(visitor: Session, files: Files) -> None:
    """Upload it as pairs of a survey, and start the survey."""
    visitor.open("corpus", {})
    visitor.upload("corpus_pairs", files)
    visitor.press("corpus_start")


def align(visitor: Session, files: Files) -> None:
    """Upload it as gold alignments, and measure."""
    visitor.open("corpus", {"corpus.view": "align"})
    visitor.upload("corpus_gold", files)
    visitor.press("corpus_gold_measure")


def measure(visitor: Session, files: Files) -> None:
    """Upload it as sentences to measure heads on."""
    visitor.open("", {})
    visitor.unfold("measure")
    visitor.upload("corpus_file", files)
    visitor.press("corpus_start")


def ablate(visitor: Session, files: Files) -> None:
    """Paste it as a set of sentences to switch heads off on."""
    visitor.open("decode", {"decode.question": "heads", "decode.scope": "set"})
    visitor.write("ablation_set", next(iter(files.values())).decode())


def crafted(craft: crafts.Craft, seed: int = 0) -> Callable[[Path], Files]:
    """Files of one of the attack's generators."""

    def make(folder: Path) -> Files:
        path = craft(random.Random(seed), folder)
        if path.is_dir():
            return {f"{path.name}.zip": fuzz.zipped(path)}
        return {path.name: path.read_bytes()}

    return make


def text(content: str, name: str = "pairs.txt") -> Callable[[Path], Files]:
    """A text file."""
    return lambda folder: {name: content.encode()[: 5 * _MIB]}


def many_layers(folder: Path) -> Files:
    """As many layers and heads as fit into five megabytes of 16-bit numbers."""
    layers, width, heads = 100, 32, 32
    stacks = torch.nn.Transformer(width, heads, layers, layers, 32)
    state = {f"core.{name}": tensor.half() for name, tensor in stacks.state_dict().items()}
    state["embed.weight"] = torch.randn(40, width).half()
    return {"deep.safetensors": save(state), "tokenizer.json": _words(36)}


def many_names(folder: Path) -> Files:
    """Twenty thousand tensors with unknown names."""
    state = {f"block_{n}.part_{n % 7}.weight": torch.zeros(2, 2) for n in range(19_000)}
    return {"names.safetensors": save(state)}


def many_words(folder: Path) -> Files:
    """A vocabulary of four hundred thousand words beside embeddings of zeros, in a zip."""
    n = 400_000
    made = tiny_model(1, source_vocab_size=n, target_vocab_size=n, d_model=2, n_encoder_heads=1, n_decoder_heads=1)
    words = model.WordTokenizer([f"{index:x}" for index in range(n)])
    bundle = dataclasses.replace(
        tiny_bundle(), model=made, config=made.config, source_tokenizer=words, target_tokenizer=words
    )
    return {"words.zip": _packed(model.save(bundle, folder / "words"))}


def many_zeros(folder: Path) -> Files:
    """Weights of zeros, which a zip compresses a hundred times."""
    made = tiny_model(1, d_model=1024, d_feed_forward=16_384, n_encoder_heads=4, n_decoder_heads=4)
    for parameter in made.parameters():
        parameter.data.zero_()
    bundle = dataclasses.replace(tiny_bundle(), model=made, config=made.config)
    place = model.save(bundle, folder / "zeros")
    raw = (place / "model.safetensors").read_bytes()
    noise = os.urandom(len(raw) // 110)
    (place / "model.safetensors").write_bytes(raw[: len(raw) - len(noise)] + noise)
    return {"zeros.zip": _packed(place)}


def slow_expression(folder: Path) -> Files:
    """A tokenizer whose regular expression for words backtracks through every way to split a text."""
    described = {
        "version": "1.0", "added_tokens": [],
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a|a|aa)+$"}, "behavior": "Isolated", "invert": False},
        "model": {"type": "WordLevel", "vocab": {"<unk>": 0, "cat": 1}, "unk_token": "<unk>"},
    }  # fmt: skip
    return {"tokenizer.json": json.dumps(described).encode()}


def doubling(folder: Path) -> Files:
    """A tokenizer whose replacement rules double a letter forty times."""
    rules = [{"type": "Replace", "pattern": {"String": "T"}, "content": "TT"} for _ in range(40)]
    described = {
        "version": "1.0", "added_tokens": [], "normalizer": {"type": "Sequence", "normalizers": rules},
        "model": {"type": "WordLevel", "vocab": {"<unk>": 0, "cat": 1}, "unk_token": "<unk>"},
    }  # fmt: skip
    return {"tokenizer.json": json.dumps(described).encode()}


def _words(n: int) -> bytes:
    return json.dumps(["<pad>", "<unk>", "<s>", "</s>", *(f"w{index}" for index in range(n - 4))]).encode()


def _without_tokens() -> bytes:
    stream = io.BytesIO()
    parts = torch.nn.ModuleDict({"t": torch.nn.Transformer(16, 2, 1, 1, 24), "e": torch.nn.Embedding(12, 16)})
    torch.save(parts.state_dict(), stream)
    return stream.getvalue()


def _packed(folder: Path) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, path.name)
    return stream.getvalue()


_MANY = 5_000_000
_CORPUS = "the cat is sleeping on the sofa .\tle chat dort sur le canapé .\n" * 20_000
_GOLD = "\n".join(f"{'the cat ' * 60}\t{'le chat ' * 60}\t{'0-0 ' * 100}" for _ in range(500))
BLOWS: tuple[Blow, ...] = (
    *(Blow(craft.__name__, crafted(craft, seed), drop) for craft, seed in (
        (crafts.deep_key, 1), (crafts.without_numbers, 0), (crafts.shared_storage, 0), (crafts.greedy_settings, 3),
        (crafts.growing_yaml, 0), (crafts.growing_yaml, 3), (crafts.running_pickle, 0), (crafts.overlapping, 0),
        (crafts.slow_tokenizer, 0), (crafts.slow_tokenizer, 1),
    )),
    Blow("many_layers", many_layers, drop), Blow("many_names", many_names, drop),
    Blow("many_words", many_words, drop), Blow("many_zeros", many_zeros, drop),
    Blow("slow_expression", slow_expression, give_tokens), Blow("doubling", doubling, give_tokens),
    *(Blow(f"lying_npz {seed}", crafted(crafts.lying_npz, seed), open_attention) for seed in range(4)),
    *(Blow(f"lying_json {seed}", crafted(crafts.lying_json, seed), open_attention) for seed in range(4)),
    *(Blow(f"{do.__name__}: {name}", text(content), do)
      for do in (paste, fine_tune, survey, align, measure, ablate)
      for name, content in {
          "spaces": f"a{' ' * _MANY}b", "spaces and a bar": f"a{' ' * (_MANY // 2)}|{' ' * (_MANY // 2)}b\tc",
          "one word": "a" * _MANY, "short words": "a\tb\n" * (_MANY // 4), "ligatures": f"{'ﷺ' * (_MANY // 4)}\tb",
          "marks": f"{'a' + chr(0x301) * (_MANY // 3)}\tb\t0-0", "links": f"a\tb\t{'0-0 ' * (_MANY // 4)}",
      }.items()),
    Blow("fine_tune: sentences", text(_CORPUS), fine_tune), Blow("survey: sentences", text(_CORPUS), survey),
    Blow("align: long pairs", text(_GOLD), align), Blow("ablate: sentences", text(_CORPUS), ablate),
)  # fmt: skip


def run(chosen: Sequence[str] = ()) -> bool:
    """Measure and print; returns whether all clicks and the memory stayed within their limits.

    Args:
        chosen: parts of file names; without any, all files are used.
    """
    blows = [blow for blow in BLOWS if not chosen or any(part in blow.name for part in chosen)]
    with tempfile.TemporaryDirectory(prefix="regard-stall-") as place, ExitStack() as stack:
        environment = {RUNS_VARIABLE: f"{place}/runs", "OMP_NUM_THREADS": "1"}
        address, process = stack.enter_context(server(environment=environment))
        clicks = stack.enter_context(_clicking(address))
        with session(address, patience=PATIENCE) as visitor:
            drop(visitor, {"model.pt": _without_tokens()})  # load everything first, so that no file is charged for it
        time.sleep(5)
        before = _undisturbed(clicks)
        print("".join(f"{head:>{34 if not head else 8}}" for head in HEADS))
        _say(before, before)
        found = [_struck(blow, address, clicks, process, Path(place), before) for blow in blows]
    slow = [one.name for one in found if one.worst > before.usual + MOST_SECONDS]
    print(f"clicks that took {MOST_SECONDS:g} s longer than before: {', '.join(slow) or 'none'}")
    large = [one.name for one in found if one.server_mb > MOST_MB]
    print(f"took more than {MOST_MB:g} MiB of the server: {', '.join(large) or 'none'}")
    unnamed = [f"{one.name}: {message}" for one in found for message in one.exceptions]
    print(f"errors without a name: {'; '.join(unnamed)[:2000] or 'none'}")
    return not slow and not large and not unnamed


def _undisturbed(clicks: _Clicks) -> Found:
    """Click while nobody drops anything, often enough for a median."""
    clicks.forget()
    before = Found("before", 0, 0.0)
    while len(before.clicks) < LEAST_CLICKS:
        time.sleep(QUIET)
        more = clicks.taken("before", 0)
        before.clicks += more.clicks
        before.beats += more.beats
    return before


def _struck(blow: Blow, address: str, clicks: _Clicks, process: int, place: Path, before: Found) -> Found:
    """Use the file in another browser session."""
    files = blow.make(Path(tempfile.mkdtemp(dir=place)))
    clicks.forget()
    with _watched(process) as memory:
        began = time.monotonic()
        with session(address, patience=PATIENCE) as visitor:
            try:
                blow.do(visitor, files)
            except KeyError as error:  # the next widget is not on the page because the last step timed out
                print(f"{blow.name}: no {error} on the page")
            waited = time.monotonic() - began
        time.sleep(1.0)
    found = clicks.taken(blow.name, sum(map(len, files.values())), waited)
    found.server_mb, found.children_mb = memory
    found.exceptions += visitor.exceptions
    _say(found, before)
    return found


def _say(found: Found, before: Found) -> None:
    times = (found.usual, found.p95, found.worst, found.worst / before.usual, max(found.beats, default=0.0))
    numbers = (found.n_bytes / 1e6, found.waited, len(found.clicks), *times, found.server_mb, found.children_mb)
    print(f"{found.name[:33]:34}" + "".join(f"{number:8.2f}" for number in numbers), flush=True)


class _Clicks:
    """The reports of the clicking process so far."""

    def __init__(self, told: Any) -> None:
        self._told = told

    def forget(self) -> None:
        """Discard all reports so far."""
        list(self._all())

    def taken(self, name: str, n_bytes: int, waited: float = 0.0) -> Found:
        """The reports since ``forget``."""
        found = Found(name, n_bytes, waited)
        for kind, seconds in self._all():
            (found.clicks if kind == "click" else found.beats).append(seconds)
        return found

    def _all(self) -> Iterator[tuple[str, float]]:
        with_care = 0.2
        while True:
            try:
                yield self._told.get(timeout=with_care)
            except queue.Empty:
                return
            with_care = 0.0


@contextmanager
def _clicking(address: str) -> Iterator[_Clicks]:
    """A visitor in a separate process, so that generating files does not delay its timing."""
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=_click, args=(address, told), daemon=True)
    process.start()
    try:
        yield _Clicks(told)
    finally:
        process.kill()
        process.join()


def _click(address: str, told: Any) -> None:
    """Click on other heads of a sentence until ended, and now and then open another sentence."""
    threading.Thread(target=_beat, args=(address, told), daemon=True).start()
    with session(address, patience=120) as visitor:
        visitor.open("", {"text": "The cat is sleeping on the sofa."})
        for number in itertools.count():
            subject = ("cat", "dog", "child")[number // 10 % 3]
            query = {"text": f"The {subject} is sleeping on the sofa.", "layer": number % 3, "head": number % 8}
            told.put(("click", visitor.send("sentence", "address", f"?{urlencode(query)}")))
            time.sleep(0.05)


def _beat(address: str, told: Any) -> None:
    """Request the server's health address repeatedly; only its event loop answers that."""
    while True:
        began = time.monotonic()
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=120)
        connection.request("GET", "/_stcore/health")
        connection.getresponse().read()
        connection.close()
        told.put(("beat", time.monotonic() - began))
        time.sleep(0.05)


@contextmanager
def _watched(process: int) -> Iterator[list[float]]:
    """Peak memory of the server in MiB beyond its current memory, and peak total memory of its children."""
    memory, is_over = [0.0, 0.0], threading.Event()
    at_first = _resident_mb(process)
    Path(f"/proc/{process}/clear_refs").write_text("5")

    def watch() -> None:
        while not is_over.wait(0.1):
            memory[1] = max(memory[1], sum(map(_resident_mb, _below(process))))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        is_over.set()
        thread.join()
        memory[0] = _status(process).get("VmHWM", 0) / 1024 - at_first


def _below(process: int) -> list[int]:
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        tasks = Path(f"/proc/{process}/task").iterdir()
        children = [child for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
    return [found for child in map(int, children) for found in (child, *_below(child))]


def _resident_mb(process: int) -> float:
    return _status(process).get("VmRSS", 0) / 1024


def _status(process: int) -> Mapping[str, int]:
    try:
        lines = Path(f"/proc/{process}/status").read_text("utf-8").splitlines()
    except OSError:
        return {}
    return {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if "kB" in rest}
