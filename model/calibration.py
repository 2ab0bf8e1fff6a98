"""Converts features of a translation to the probability that it is poor, by constants fitted to the model.

It is a logistic regression on the features of ``interpret.confidence``. ``model/corpus/confidence.py`` fits the
constants and writes them beside the model, to ``confidence.json``.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from model.errors import RegardError

CONFIDENCE = "confidence.json"
REASSURING = 3.0
"""Standard deviations from the centre up to which a value can lower the probability. Values far outside the fitted
range are no evidence of a good translation: a text in another script, for example, consists of bytes only."""


class CalibrationError(RegardError, ValueError):
    """A file of constants cannot be used."""


@dataclass(frozen=True, slots=True)
class Term:
    """One value's term in the sum: (value - centre) / scale x weight."""

    centre: float
    scale: float
    weight: float

    def of(self, value: float) -> float:
        """The term for a value; it lowers the sum by no more than a value at ``REASSURING`` does."""
        return max(-REASSURING * abs(self.weight), self.weight * (value - self.centre) / self.scale)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Constants of one model, and how well they predicted in the measurement."""

    fingerprint: str
    """Fingerprint of the model to which the constants belong."""
    bias: float
    terms: Mapping[str, Term]
    threshold: float
    """Probability from which a warning is shown."""
    measured: Mapping[str, Any]
    """Quality of the prediction and its data, as information for people."""

    def probability(self, values: Mapping[str, float]) -> float:
        """The probability, from 0 to 1, that a translation with these values is poor."""
        total = self.bias + sum(term.of(values[name]) for name, term in self.terms.items())
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))

    def to_json(self) -> str:
        """JSON with one constant per line."""
        return json.dumps(asdict(self), indent=2) + "\n"


def read_calibration(folder: Path, fingerprint: str) -> Calibration | None:
    """The constants in a checkpoint's folder; None if there are none, or they were fitted to other weights.

    Raises:
        CalibrationError: when the file is damaged.
    """
    path = folder / CONFIDENCE
    if not path.is_file() or path.stat().st_size > 1 << 16:
        return None
    try:
        saved = json.loads(path.read_text("utf-8"))
        terms = {
            str(name): Term(**{key: _finite(x) for key, x in term.items()}) for name, term in saved["terms"].items()
        }
        if any(term.scale <= 0 for term in terms.values()):
            raise ValueError("a scale must be positive")
        calibration = Calibration(
            str(saved["fingerprint"]), _finite(saved["bias"]), terms, _finite(saved["threshold"]), saved["measured"]
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CalibrationError(f"{path.name} is damaged ({error}): delete it, or measure it again") from error
    return calibration if calibration.fingerprint == fingerprint else None


def _finite(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    return float(value)
