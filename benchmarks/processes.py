"""What the kernel tells of running processes: their descendants, memory and processor time."""

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path


def memory(processes: Sequence[int]) -> float:
    """Memory of processes and all their descendants in MiB, shared pages counted once (PSS)."""
    return sum(own_memory(each) for process in processes for each in (process, *descendants(process)))


def own_memory(process: int) -> float:
    """Memory of one process without its descendants, as in ``memory``; 0 when it has ended."""
    with contextlib.suppress(OSError):
        return kibibytes(process, "smaps_rollup", "Pss") / 1024
    return 0.0


def kibibytes(process: int, file: str, fields: str) -> int:
    """The sum of the fields of a process's file in /proc whose names match a regular expression."""
    text = Path(f"/proc/{process}/{file}").read_text("utf-8")
    return sum(map(int, re.findall(rf"^{fields}:\s+(\d+)", text, re.MULTILINE)))


def processor(processes: Sequence[int]) -> float:
    """Processor seconds that the processes themselves have used, without their children."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def descendants(process: int) -> Iterator[int]:
    """All descendants of a process."""
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text("utf-8").split():
                yield int(child)
                yield from descendants(int(child))
