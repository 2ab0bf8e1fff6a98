"""The limits of an installation on its runs, set by one environment variable."""

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
"""The environment variable, with JSON of the fields to change, such as ``{"max_steps": 500, "threads": 2}``."""
RUNS_VARIABLE = "REGARD_RUNS"
"""The environment variable with the folder of all runs."""
_PUBLIC: dict[str, Any] = {
    "max_alive": 12, "max_alive_per_session": 1, "max_steps": 500, "max_seconds": 300, "max_pause_seconds": 120,
    "keep_days": 1 / 24, "keep_bytes": 4 << 30,
    "keep_bytes_per_session": 2 << 30, "undo_bytes": 1 << 28,
}  # fmt: skip
"""Other defaults on a public server: one run per visitor, short runs, kept for an hour."""
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
    """Parameters of a trained model: each takes 16 bytes for weight, gradient and optimiser, and about 30 on disk."""
    max_seconds: int = 1_800
    """Training time of one run; then it stops with its weights saved, and can be continued."""
    max_pause_seconds: int = 600
    """Total pause of one run, which holds its device; then it stops and the next run starts."""
    max_alive_per_session: int = 2
    """Waiting or training runs of one browser session."""
    max_alive: int = 8
    """The same for all sessions together; 0 disables training and surveys."""
    threads: int = 1
    """Threads of a run on the CPU; the others are left to the pages."""
    niceness: int = 10
    """Niceness of a run, 0 to 19."""
    probe_share: float = 0.03
    """Maximum share of training time for recording the probe sentence."""
    undo_bytes: int = 1 << 30
    """Disk for the recorded weights of one run."""
    keep_days: float = 7.0
    """Age at which a run's folder is removed."""
    keep_bytes_per_session: int = 6 << 30
    """Total size of the runs of one browser session; a new run that may exceed it is refused."""
    keep_bytes: int = 8 << 30
    """Total size of all runs beyond which the oldest are removed, the visitor's own first."""

    def run_bytes(self, n_parameters: int) -> int:
        """Maximum disk space of a run: initial and final model, snapshots, optimiser state and recording."""
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
