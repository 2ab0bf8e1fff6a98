"""The one owner of a browser session's choices; what the address, a widget or a component holds is a copy of them."""

import dataclasses
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from viz.state.rules import from_params, to_params

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """All choices at one moment, and the parts already read from them: each text on screen asks for the language."""

    params: dict[str, str]
    parts: dict[tuple[type, str], Any] = dataclasses.field(default_factory=dict)


class Choices:
    """The choices of all pages, each page's a frozen dataclass whose fields have rules (``viz.state.rules``).

    It lasts as long as the session and is replaced in one step, so that another thread that keeps it, a download, reads
    the newest choices and never half of a change.
    """

    def __init__(self, params: dict[str, str]) -> None:
        """Begin with the parameters of a link; they are checked when a page asks for its part."""
        self._current = _Snapshot(params)

    @property
    def params(self) -> dict[str, str]:
        """All choices as link parameters: what differs from a default, and what a reader or link has set to one."""
        return dict(self._current.params)

    @property
    def version_token(self) -> object:
        """Stays the same object until a choice changes, or ``renew_version_token`` is called."""
        return self._current

    def renew_version_token(self) -> None:
        """Say that something has changed on which the meaning of choices depends: the session's models."""
        self._current = _Snapshot(self._current.params)

    def read(self, kind: type[Part], area: str = "") -> Part:
        """The choices of one page; its parameters are ``area.field``. Empty for the shared ones."""
        current = self._current
        if (kind, area) not in current.parts:
            current.parts[kind, area] = from_params(kind, current.params, prefix=_prefix(area))
        return current.parts[kind, area]

    def write(self, value: Any, area: str = "", *, without: Iterable[str] = ()) -> None:
        """Replace the choices of one page, and remove parameters of others."""
        before, prefix = self._current.params, _prefix(area)
        mine = {*without, *(prefix + field.name for field in dataclasses.fields(value))}
        rest = {name: text for name, text in before.items() if name not in mine}
        self.replace(rest | to_params(value, prefix=prefix, before=before))

    def replace(self, params: dict[str, str]) -> None:
        """Replace all choices by link parameters."""
        if params != self._current.params:
            self._current = _Snapshot(params)


def _prefix(area: str) -> str:
    return f"{area}." if area else ""


MAX_SENTENCES = 128
"""Sentences of all visitors; the least recently used is removed first."""


class LongSentences:
    """Sentences by the browser that wrote them and their name, which is a digest. No other browser finds them."""

    def __init__(self, max_sentences: int = MAX_SENTENCES) -> None:
        self._max_sentences, self._guard = max_sentences, threading.Lock()
        self._sentences: OrderedDict[tuple[str, str], str] = OrderedDict()

    def keep(self, visitor: str, text: str) -> str:
        """Keep a sentence of a visitor, and return its name."""
        name = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]
        with self._guard:
            self._sentences[visitor, name] = text
            self._sentences.move_to_end((visitor, name))
            while len(self._sentences) > self._max_sentences:
                self._sentences.popitem(last=False)
        return name

    def find(self, visitor: str, name: str | None) -> str | None:
        """The sentence of this name that this visitor wrote; None where it is not known any more."""
        with self._guard:
            return self._sentences.get((visitor, name or ""))
