"""Handwritten words with the letters that a model reads and its attention, and a pad to write a word."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from viz.components.source import Source
from viz.i18n import current_language
from viz.theme import in_both_modes

SOURCE = Source("written", "component.js", shared_sheets=("pad/pad.css",))
_render = SOURCE.mount()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A handwritten word as it is drawn."""

    text: str
    """The text form of its picture."""
    letters: tuple[str, ...]
    """The T letters that the model reads."""
    looks: tuple[tuple[int, ...], ...]
    """For each letter the weights of the strips with ink, in per cent: (T, S)."""
    strip: int
    """Width of a strip in pixels."""
    title: str = ""
    key: str = ""
    """Its name in acts; empty if there are none."""


def draw_words(
    words: Sequence[Shown], *, texts: Mapping[str, str], key: str, acts: Sequence[str] = (), letter: int = 0,
    has_pad: bool = False, on_act: Callable[[], None] = lambda: None, on_text: Callable[[], None] = lambda: None,
) -> None:  # fmt: skip
    """Draw words beside each other.

    Args:
        texts: strings of the area "pad".
        acts: actions on each word: names of strings in ``texts``.
        letter: the letter that is selected first.
        has_pad: whether there is a pad to write a word.
        on_act: called when the reader requests an action; ``act`` is "name key".
        on_text: called when the reader has written a word; ``text`` is the text form of its picture.
    """
    data = {
        "shown": [asdict(word) for word in words], "acts": list(acts), "letter": letter, "pad": has_pad,
        "words": dict(texts), "language": current_language(),
        "colours": in_both_modes("accent", "panel", "line", "ink"),
    }  # fmt: skip
    _render(data=data, key=key, on_act_change=on_act, on_text_change=on_text)
