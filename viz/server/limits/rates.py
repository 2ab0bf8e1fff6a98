"""Token-bucket rate limits per visitor: a burst, and a sustained rate per second."""

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_KEYS = 20_000
"""Keys that are remembered; the one that was used least recently is forgotten first."""


class Rate:
    """A bucket for each key, which holds ``at_once`` and is filled at ``per_second``."""

    def __init__(self, at_once: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once, self._per_second, self._clock = at_once, per_second, clock
        self._kept: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def admits(self, key: object, cost: float = 1) -> bool:
        """Take ``cost`` from the key's bucket; False when it holds less."""
        now = self._clock()
        left, since = self._kept.pop(key, (self._at_once, now))
        left = min(self._at_once, left + (now - since) * self._per_second)
        self._kept[key] = (left - cost, now) if left >= cost else (left, now)
        if len(self._kept) > MOST_KEYS:
            self._kept.popitem(last=False)
        return left >= cost

    def clear(self) -> None:
        """Forget everybody."""
        self._kept.clear()
