"""The Decode page's choices, beside those that all pages share."""

from dataclasses import dataclass

from viz.state import session
from viz.state.rules import bounded, names, one_of, words

AREA = "decode"


@dataclass(frozen=True, slots=True)
class Choices:
    """Kept in the link under ``decode.``."""

    mode: str = one_of("", "forcing")
    """"forcing" shows training against inference; otherwise the shared method decodes."""
    step: int = bounded(0, 0, 1024)
    node: int = bounded(-1, -1, 100_000)
    """The selected node of the beam search's tree; -1 for the translation."""
    cross_layer: int = bounded(-1, -1, 999)
    """-1 is the mean of all heads."""
    cross_head: int = bounded(-1, -1, 999)
    own_layer: int = bounded(-1, -1, 999)
    own_head: int = bounded(-1, -1, 999)
    speed: float = bounded(1.0, 0.25, 16.0)
    forks: tuple[str, ...] = names(most=16)
    """Prefixes of further searches as token ids, such as "12.5.9"."""
    question: str = one_of("", "heads", "why")
    off_mode: str = one_of("zero", "uniform")
    scope: str = one_of("sentence", "set")
    why_step: int = bounded(0, 0, 1024)
    why_rival: int = bounded(-1, -1, 10_000_000)
    """A token id; -1 stands for the most probable other token."""
    hidden: int = bounded(-1, -1, 1024)
    """The token of the sentence that an encoder is to predict; -1 for none."""
    reference: str = words(longest=2000)

    def paths(self, vocabulary: int) -> tuple[tuple[int, ...], ...]:
        """The forks as ids; unreadable ones are left out."""
        forks = (text.split(".") for text in self.forks)
        paths = (tuple(map(int, ids)) for ids in forks if all(part.isdecimal() and len(part) < 9 for part in ids))
        return tuple(path for path in paths if len(path) < 256 and max(path) < vocabulary)


PAGE = session.Area(Choices, AREA)
choices, choose, bind = PAGE.read, PAGE.change, PAGE.bind
"""Read, replace and tie a widget to this page's choices."""
