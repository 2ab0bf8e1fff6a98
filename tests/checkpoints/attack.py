"""Opens crafted and damaged files in the confined process and measures what each costs the server.

    python -m tests.checkpoints.attack                   # 50,000 damaged and 5,000 crafted files
    python -m tests.checkpoints.attack 200 50 --seed 3
    python -m tests.checkpoints.attack --state /tmp/attack.json     # continues where it was interrupted
    python -m tests.checkpoints.attack --stall                      # times another visitor's clicks meanwhile

It prints a row for each kind: files, opened, refused, the longest time, the largest growth of the server's memory, and
that growth divided by the file's size. The exit code is 1 when a file under 5 MB took more than 10 s or 1 GB of the
server's memory, when an error was not one of our named errors, or when a file or process was left behind.
"""

import argparse
import gc
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from model.checkpoints.sandbox import client, examine_sandboxed
from model.files.atomic import write_atomically
from model.files.size import size_of
from model.files.workspace import workspace
from tests.checkpoints.crafts import CRAFTED, NAMED, SLOW, open_checkpoint
from tests.checkpoints.fuzz import MUTATIONS, seeds
from tests.checkpoints.leavings import children_of, memory_mb

ROUND = 200
"""Number of files of each kind in a round."""
MOST_SECONDS, MOST_MB, SMALL_BYTES = 10.0, 1024.0, 5 << 20


@dataclass(slots=True)
class Row:
    """The cost of one kind of file."""

    files: int = 0
    opened: int = 0
    refused: int = 0
    unnamed: int = 0
    seconds: float = 0.0
    """Seconds of the server's processor time."""
    waited: float = 0.0
    """Wall-clock seconds."""
    megabytes: float = 0.0
    ratio: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether everything stayed within its limit."""
        return not self.unnamed and self.seconds <= MOST_SECONDS and self.megabytes <= MOST_MB

    def add(self, n_bytes: int, seconds: float, waited: float, megabytes: float) -> None:
        """Count a file."""
        self.files += 1
        self.seconds, self.waited = max(self.seconds, seconds), max(self.waited, waited)
        self.megabytes = max(self.megabytes, megabytes)
        self.ratio = max(self.ratio, megabytes * 2**20 / max(n_bytes, 1))


def attack(
    n_damaged: int, n_crafted: int, *, seed: int, folder: Path, slow: int = 1, state: Path | None = None
) -> dict[str, Row]:
    """Send the files in rounds, each from its own seed, and add up their cost by kind.

    Args:
        slow: files that take their child's whole time.
        state: keeps the table after each round; an existing file is continued.
    """
    (folder / "seeds").mkdir()
    valid = seeds(folder / "seeds")
    # Load everything first, so that no file is charged for it.
    examine_sandboxed(_write(folder / "warm", "own.zip", valid["own.zip"]))
    done, table = _read_state(state)
    for number in range(done, max(_rounds(n_damaged), _rounds(n_crafted), 1)):
        place = folder / f"round-{number}"
        place.mkdir()
        shares = (_share(n_damaged, number), _share(n_crafted, number), slow if number == 0 else 0)
        for name, path, opened in _files(random.Random(f"{seed}/{number}"), valid, *shares, place):
            _try(table.setdefault(name, Row()), path, opened)
        assert not list(place.rglob("marker")), "a file ran what it brought"
        shutil.rmtree(place)
        if state is not None:
            retained = {"done": number + 1, "table": {name: asdict(row) for name, row in table.items()}}
            write_atomically(state, json.dumps(retained, indent=1).encode())
    return table


def _rounds(n_files: int) -> int:
    return -(-n_files // ROUND)


def _share(n_files: int, number: int) -> int:
    return max(0, min(ROUND, n_files - number * ROUND))


def _read_state(state: Path | None) -> tuple[int, dict[str, Row]]:
    if state is None or not state.exists():
        return 0, {}
    report = json.loads(state.read_text())
    return report["done"], {name: Row(**row) for name, row in report["table"].items()}


def leftovers(folder: Path, before: frozenset[Path] = frozenset()) -> list[str]:
    """Files and processes that should be gone; ``before`` lists what this process's folder contained at the start."""
    gc.collect()
    results = [path.name for path in set(workspace().iterdir()) - before if path.name != "in-use"]
    results += [path.name for path in folder.rglob("marker")]
    zygote = client._ZYGOTE._process
    end = time.monotonic() + 30
    while zygote is not None and children_of(zygote.pid) and time.monotonic() < end:
        time.sleep(0.1)
    return results + ([] if zygote is None else children_of(zygote.pid))


def _files(
    draw: random.Random, valid: dict[str, bytes], n_damaged: int, n_crafted: int, slow: int, folder: Path
) -> Iterator[tuple[str, Path, Callable[[Path], None]]]:
    others = list(valid.values())
    for number in range(n_damaged):
        name, mutation = draw.choice(list(valid)), draw.choice(MUTATIONS)
        raw = mutation(draw, valid[name], others)
        yield f"damaged: {mutation.__name__}", _write(folder / f"damaged-{number}", name, raw), open_checkpoint
    crafts = [draw.choice(CRAFTED) for _ in range(n_crafted)] + [SLOW] * slow
    for number, kind in enumerate(crafts):
        place = folder / f"crafted-{number}"
        place.mkdir()
        yield f"crafted: {kind.craft.__name__}", kind.craft(draw, place), kind.open


def _write(place: Path, name: str, raw: bytes) -> Path:
    place.mkdir()
    (place / name).write_bytes(raw)
    return place / name


def _try(row: Row, path: Path, opened: Callable[[Path], None]) -> None:
    n_bytes = size_of(path)
    before, began, clock = memory_mb("self"), time.process_time(), time.monotonic()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak
    try:
        opened(path)
        row.opened += 1
    except NAMED:
        row.refused += 1
    except Exception as error:
        row.unnamed += 1
        print(f"{path}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
    if n_bytes < SMALL_BYTES:
        row.add(
            n_bytes,
            time.process_time() - began,
            time.monotonic() - clock,
            max(0.0, memory_mb("self", "VmHWM") - before),
        )


def main() -> int:
    """Run the attack, print the table, and return whether every limit held."""
    parser = argparse.ArgumentParser(prog="python -m tests.checkpoints.attack")
    parser.add_argument("damaged", type=int, nargs="?", default=50_000)
    parser.add_argument("crafted", type=int, nargs="?", default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stall", nargs="*", metavar="NAME", help="clicks of another visitor instead; of these files")
    parser.add_argument("--state", type=Path, help="keeps the table after each round, and goes on from it")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    if chosen.stall is not None:
        from tests.checkpoints import watching

        return 0 if watching.run(chosen.stall) else 1
    with tempfile.TemporaryDirectory(prefix="regard-attack-") as place:
        table = attack(chosen.damaged, chosen.crafted, seed=chosen.seed, folder=Path(place), state=chosen.state)
        left = leftovers(Path(place))
    heads = ("files", "opened", "refused", "unnamed", "s", "waited", "MB", "ratio")
    print(f"{'kind':28}" + "".join(f"{head:>9}" for head in heads))
    for name, row in sorted(table.items()):
        counts = (row.files, row.opened, row.refused, row.unnamed)
        costs = (row.seconds, row.waited, row.megabytes, row.ratio)
        print(f"{name:28}" + "".join(f"{n:9}" for n in counts) + "".join(f"{cost:9.2f}" for cost in costs))
    print(f"left behind: {', '.join(left) or 'nothing'}")
    return 0 if not left and all(row.is_good for row in table.values()) else 1


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
