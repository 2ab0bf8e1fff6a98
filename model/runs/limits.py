"""What one installation allows its training runs: every bound in one place, changed by one environment variable."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.deployment import is_public
from model.runs.errors import RunError

VARIABLE = "REGARD_TRAINING_LIMITS"
"""JSON of the fields to change, such as ``{"max_steps": 500, "threads": 2}``."""
RUNS_VARIABLE = "REGARD_RUNS"
"""Folder of all runs."""
_PUBLIC: dict[str, Any] = {
    "max_alive": 12, "max_alive_per_session": 1, "max_steps": 500, "max_seconds": 300, "max_pause_seconds": 120,
    "keep_days": 1 / 24, "keep_bytes": 4 << 30,
    "keep_bytes_per_session": 2 << 30, "undo_bytes": 1 << 28,
}  # fmt: skip
"""Other defaults on a server that anybody can reach: a place for each visitor, short runs, kept for an hour."""
_MAY_BE_ZERO = ("niceness", "max_alive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of runs that are started from the browser.

    Raises:
        RunError: when a bound is not positive.
    """

    max_steps: int = 2_000
    max_pairs: int = 5_000
    max_parameters: int = 40_000_000
    """Of a model that is trained: weights, gradients and the optimiser take 16 bytes for each, its folder about 30."""
    max_seconds: int = 1_800
    """Training time of one run; then it stops, keeps what it learned, and can go on."""
    max_pause_seconds: int = 600
    """A paused run holds its device; after so long in all its pauses it stops and the next one begins."""
    max_alive_per_session: int = 2
    """Runs of one browser session that wait or train at once."""
    max_alive: int = 8
    """The same for all sessions together; 0 switches training and surveys off."""
    threads: int = 1
    """Of a run on the CPU; the others stay with the pages."""
    niceness: int = 10
    """Niceness of a run, 0 to 19."""
    probe_share: float = 0.03
    """Time at most that recording the probe sentence may take, as a share of training time."""
    undo_bytes: int = 1 << 30
    """Disk for the recorded weights of one run."""
    keep_days: float = 7.0
    """Age at which a run's folder is removed."""
    keep_bytes_per_session: int = 6 << 30
    """Total size of the runs of one browser session; a new one is refused that may not fit beside them."""
    keep_bytes: int = 8 << 30
    """Total size of all runs beyond which the oldest are removed, the caller's own first."""

    def run_bytes(self, n_parameters: int) -> int:
        """Disk space that one run may take: models at its start and end, snapshots, the optimiser's state, its
        recording."""
        return 30 * n_parameters + self.undo_bytes

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or value < 0 or (value == 0 and field.name not in _MAY_BE_ZERO):
                raise RunError(f"{VARIABLE}: {field.name} ({value!r}) must be a positive number")

    @classmethod
    def from_environment(cls) -> Limits:
        """The defaults, changed by ``REGARD_TRAINING_LIMITS``.

        Raises:
            RunError: when it is not JSON or names an unknown bound.
        """
        usual = _PUBLIC if is_public() else {}
        text = os.environ.get(VARIABLE, "")
        if not text.strip():
            return cls(**usual)
        try:
            return cls(**{**usual, **json.loads(text)})
        except (ValueError, TypeError) as error:
            known = ", ".join(field.name for field in dataclasses.fields(cls))
            raise RunError(f"{VARIABLE} ({text}) must be a JSON object with some of {known}: {error}") from error


def runs_root() -> Path:
    """The folder that contains the runs: ``REGARD_RUNS``, or ``runs`` beside the source."""
    folder = os.environ.get(RUNS_VARIABLE)
    return Path(folder) if folder else Path(__file__).resolve().parents[2] / "runs"
