"""Words written by hand with what a model reads in each and where it looks; and a pad to write another one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from viz.components.source import Source
from viz.i18n import current_language
from viz.theme import in_both_modes

SOURCE = Source("written", "component.js", shared_sheets=("pad/pad.css",))
_render = SOURCE.mount()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A written word as it is drawn."""

    text: str
    """The text form of its picture."""
    letters: tuple[str, ...]
    """That are read, T."""
    looks: tuple[tuple[int, ...], ...]
    """For each letter the weights of the strips with ink, in per cent: (T, S)."""
    strip: int
    """Width of a strip in pixels."""
    title: str = ""
    key: str = ""
    """By which an act names it; without one, there is nothing to do with it."""


def written(
    words: Sequence[Shown], *, texts: Mapping[str, str], key: str, acts: Sequence[str] = (), letter: int = 0,
    has_pad: bool = False, on_act: Callable[[], None] = lambda: None, on_text: Callable[[], None] = lambda: None,
) -> None:  # fmt: skip
    """Draw words beside each other.

    Args:
        texts: strings of the area "pad".
        acts: what can be done with each word: names of strings in ``texts``.
        letter: whose weights are shown until another letter is chosen.
        has_pad: whether a word can be written.
        on_act: called when the reader wants something done with a word, which is sent as ``act``: "name key".
        on_text: called when the reader has written a word, whose picture's text is sent as ``text``.
    """
    data = {
        "shown": [asdict(each) for each in words], "acts": list(acts), "letter": letter, "pad": has_pad,
        "words": dict(texts), "language": current_language(),
        "colours": in_both_modes("accent", "panel", "line", "ink"),
    }  # fmt: skip
    _render(data=data, key=key, on_act_change=on_act, on_text_change=on_text)
