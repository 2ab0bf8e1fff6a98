"""Sentences that are too long for a link, kept on the server: a link names them, and finds them in the same browser."""

import hashlib
import threading
from collections import OrderedDict

MOST = 128
"""Sentences of all visitors; the one that was used longest ago is forgotten first."""


class LongSentences:
    """Sentences by the browser that wrote them and their name, which is a digest. No other browser finds them."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._guard = most, threading.Lock()
        self._kept: OrderedDict[tuple[str, str], str] = OrderedDict()

    def keep(self, visitor: str, text: str) -> str:
        """Keep a sentence of a visitor, and return its name."""
        name = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]
        with self._guard:
            self._kept[visitor, name] = text
            self._kept.move_to_end((visitor, name))
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return name

    def find(self, visitor: str, name: str | None) -> str | None:
        """The sentence of this name that this visitor wrote; None where it is not known any more."""
        with self._guard:
            return self._kept.get((visitor, name or ""))
