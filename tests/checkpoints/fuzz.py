"""Opens many damaged files: byte flips, truncations, splices and changed numbers in valid files of every family.

    python -m tests.checkpoints.fuzz 50000
    python -m tests.checkpoints.fuzz 20000 --own                        # files with names of their own, old CTranslate2
    python -m tests.checkpoints.fuzz 20000 --own --state /tmp/fuzz.json     # goes on where it was interrupted

Each must give a working model or one of our named errors within 10 seconds, and must leave no file and no memory
behind.
"""

import argparse
import io
import json
import random
import shutil
import signal
import sys
import tempfile
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save

import model
from model.checkpoints.basis.errors import AnswerWarning, CheckpointError
from model.files.atomic import write_atomically
from model.text.tokenizer import TokenizerError
from tests.checkpoint import zip_folder
from tests.checkpoints import golden
from tests.checkpoints.leavings import memory_mb
from tests.checkpoints.lies import disguise, overstate, zip_files
from tests.checkpoints.seeds import author_seeds
from tests.tiny import tiny_model

NAMED = (CheckpointError, model.ConfigError, TokenizerError)
SECONDS = 10
ROUND = 500
"""Files between two savings of the figures."""
_GOLDEN = ("jadore-projection", "annotated-plain", "graykode-plain", "d2l-plain", "joeynmt-pre", "hkproj-plain",
           "hyunwoongko-plain", "fairseq-pre", "fairseq-learned", "opennmt-plain", "marian-post",
           "xtransformers-post")  # fmt: skip
Mutation = Callable[[random.Random, bytes, list[bytes]], bytes]


@dataclass(slots=True)
class Figures:
    """The results of a run of the fuzzer."""

    opened: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    growth_mb: float = 0.0

    def __str__(self) -> str:
        refused = ", ".join(f"{name} {count}" for name, count in self.refused.most_common())
        return (
            f"{self.opened + self.refused.total()} files: {self.opened} opened and worked, refused by {refused}; "
            f"slowest {self.slowest:.2f} s, memory grew by {self.growth_mb:.0f} MB"
        )


def seeds(folder: Path) -> dict[str, bytes]:
    """A valid file of every family, by file name."""
    collected: dict[str, bytes] = {}
    for name in _GOLDEN:
        place = folder / name
        place.mkdir()
        reference = golden.read(name)
        written = reference.write(place)
        if written.is_dir():
            collected[f"{name}.zip"] = zip_folder(written)
        else:
            collected[f"{name}{written.suffix}"] = written.read_bytes()
            old = io.BytesIO()
            torch.save(reference.tensors, old, _use_new_zipfile_serialization=False)
            collected[f"{name}-old.pt"] = old.getvalue()
            collected[f"{name}.safetensors"] = save({key: tensor.clone() for key, tensor in reference.tensors.items()})
    with np.load(golden.FOLDER.parent / "ctranslate2" / "int8.npz", allow_pickle=False) as converted:
        place = folder / "ctranslate2"
        place.mkdir()
        for key in converted.files:
            if key.startswith("file/"):
                (place / key.removeprefix("file/")).write_bytes(converted[key].tobytes())
    collected["ctranslate2.zip"] = zip_folder(place)
    stream = io.BytesIO()
    wrapper = torch.nn.ModuleDict({"t": torch.nn.Transformer(16, 2, 1, 1, 24), "e": torch.nn.Embedding(12, 16)})
    torch.save(wrapper.state_dict(), stream)
    collected["bare.pth"] = stream.getvalue()
    network = tiny_model()
    words = model.WordTokenizer([f"w{index}" for index in range(8)])
    bundle = model.Bundle("own", network, network.config, words, words)
    collected["own.zip"] = zip_folder(model.save(bundle, folder / "own"))
    collected["marian.zip"] = zip_folder(marian(folder / "marian"))
    return collected


def marian(folder: Path) -> Path:
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    config = transformers.MarianConfig(
        vocab_size=12, d_model=8, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, pad_token_id=1,
        decoder_attention_heads=2, encoder_ffn_dim=8, decoder_ffn_dim=8, max_position_embeddings=16,
        decoder_start_token_id=1, eos_token_id=2, bos_token_id=0, decoder_vocab_size=12, forced_eos_token_id=None,
    )  # fmt: skip
    transformers.MarianMTModel(config).save_pretrained(folder)
    return folder


def flip(draw: random.Random, raw: bytes, others: list[bytes]) -> bytes:
    """Change some bytes, mostly near both ends, where the structure is."""
    changed = bytearray(raw)
    for _ in range(draw.choice((1, 1, 2, 4, 32))):
        edge = min(len(raw), 4096)
        place = draw.choice((draw.randrange(edge), len(raw) - 1 - draw.randrange(edge), draw.randrange(len(raw))))
        changed[place] = draw.choice((0, 255, 0x80, draw.randrange(256), changed[place] ^ (1 << draw.randrange(8))))
    return bytes(changed)


def truncate(draw: random.Random, raw: bytes, _: list[bytes]) -> bytes:
    """Cut off the end or the beginning."""
    cut = draw.randrange(len(raw))
    return raw[:cut] if draw.random() < 0.8 else raw[cut:]


def splice(draw: random.Random, raw: bytes, others: list[bytes]) -> bytes:
    """Overwrite a piece of this file with a piece of another."""
    other = draw.choice(others)
    start, length = draw.randrange(len(other)), draw.choice((8, 100, 1000, 10_000))
    place = draw.randrange(len(raw))
    return raw[:place] + other[start : start + length] + raw[place + draw.choice((0, length)) :]


def renumber(draw: random.Random, raw: bytes, others: list[bytes]) -> bytes:
    """Change a number written in digits, as in a header or a configuration, to another of the same length."""
    digits = [index for index in range(min(len(raw), 200_000)) if 48 <= raw[index] <= 57]
    if not digits:
        return raw + b"\0"
    changed = bytearray(raw)
    for _ in range(draw.choice((1, 2, 5))):
        changed[draw.choice(digits)] = draw.choice(b"0123456789-e.")
    return bytes(changed)


def respell(draw: random.Random, raw: bytes, _: list[bytes]) -> bytes:
    """Change a value in a configuration inside a zip and pack the zip validly again, so that the reader sees the
    change."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            stored = {name: archive.read(name) for name in archive.namelist()}
    except zipfile.BadZipFile:
        return flip(draw, raw, [])
    name = draw.choice(list(stored))
    if name.endswith(".json"):
        described = json.loads(stored[name])
        place = described.get("transformer", described) if isinstance(described, dict) else None
        if isinstance(place, dict) and place:
            key = draw.choice(list(place))
            place[key] = draw.choice(
                (0, -1, 1, 3, 10**9, 2**70, 0.5, None, True, "x" * 50, [], {}, [1, 2], float("nan"))
            )
        stored[name] = json.dumps(described).encode()
    else:
        stored[name] = draw.choice((flip, truncate, renumber))(draw, stored[name] or b"0", [])
    return zip_files(stored)


MUTATIONS: tuple[Mutation, ...] = (
    flip,
    flip,
    truncate,
    splice,
    renumber,
    respell,
    respell,
    overstate,
    disguise,
    disguise,
)


def run(count: int, seed: int, folder: Path, *, by_authors: bool = False) -> Figures:
    """Open ``count`` damaged files.

    Args:
        by_authors: damage the files of ``author_seeds``.

    Raises:
        AssertionError: for a file left behind or an answer that took too long. Errors that are not named ones pass
        through.
    """
    draw, figures = random.Random(seed), Figures()
    (folder / "seeds").mkdir()
    valid = author_seeds() if by_authors else seeds(folder / "seeds")
    work, temporary = folder / "work", folder / "temporary"
    work.mkdir()
    temporary.mkdir()
    tempfile.tempdir = str(temporary)
    try:
        _try(valid, draw, figures, work, min(count // 4, 200))
        before = memory_mb("self")
        _try(valid, draw, figures, work, count - min(count // 4, 200))
        figures.growth_mb = memory_mb("self") - before
        assert not list(temporary.iterdir()), "a temporary file was left"
    finally:
        tempfile.tempdir = None
    return figures


def _try(valid: dict[str, bytes], draw: random.Random, figures: Figures, work: Path, count: int) -> None:
    others = list(valid.values())
    for number in range(count):
        name = draw.choice(list(valid))
        mutation = draw.choice(MUTATIONS)
        raw = mutation(draw, valid[name], others)
        path = work / name
        path.write_bytes(raw)
        began = time.process_time()
        try:
            with within(SECONDS):
                _use(model.load(path))
            figures.opened += 1
        except NAMED as error:
            figures.refused[type(error).__name__] += 1
        except BaseException:
            retained = work.parent / f"failed-{number}-{name}"
            retained.write_bytes(raw)
            print(f"{mutation.__name__} of {name} kept as {retained}", file=sys.stderr)
            raise
        figures.slowest = max(figures.slowest, time.process_time() - began)
        assert [entry.name for entry in work.iterdir()] == [name], "a stray file"
        path.unlink()


def _use(bundle: model.Bundle) -> None:
    """Run a forward pass; any numbers are accepted, because the weights may be anything."""
    config = bundle.config
    source = np.array([[config.eos_id % config.source_vocab_size, 1, 2]]) % config.source_vocab_size
    attended = model.attend(bundle, source, source % config.target_vocab_size)
    assert attended.logits is not None and attended.logits.shape[1] == 3


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail when the body takes longer in processor time, which does not depend on other processes."""

    def late(*_: object) -> None:
        raise AssertionError(f"took longer than {seconds} s")

    previous = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def in_rounds(count: int, seed: int, *, by_authors: bool, state: Path | None) -> Figures:
    """Open the files in rounds of 500, each from a seed of its own, and add up what became of them.

    Args:
        state: keeps the figures after each round; an existing file is continued.
    """
    retained: dict[str, Any] = json.loads(state.read_text()) if state is not None and state.exists() else {}
    figures = Figures(**retained | {"refused": Counter[str](retained.get("refused", {}))})
    while (done := figures.opened + figures.refused.total()) < count:
        place = Path(tempfile.mkdtemp(prefix="regard-fuzz-"))
        outcome = run(min(ROUND, count - done), seed * 1_000_003 + done, place, by_authors=by_authors)
        shutil.rmtree(place)
        figures = Figures(
            figures.opened + outcome.opened, figures.refused + outcome.refused,
            max(figures.slowest, outcome.slowest), max(figures.growth_mb, outcome.growth_mb),
        )  # fmt: skip
        if state is not None:
            names = ("opened", "refused", "slowest", "growth_mb")
            write_atomically(state, json.dumps({name: getattr(figures, name) for name in names}).encode())
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.checkpoints.fuzz")
    parser.add_argument("files", type=int, nargs="?", default=50_000)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--own", action="store_true", help="files with names of their own, and the first CTranslate2")
    parser.add_argument("--state", type=Path, help="keeps the figures after each round, and goes on from them")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore", AnswerWarning)
    print(in_rounds(chosen.files, chosen.seed, by_authors=chosen.own, state=chosen.state))
