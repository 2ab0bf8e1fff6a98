"""The map of the model: boxes in the browser, each with a link to its page."""

from collections.abc import Callable, Mapping
from dataclasses import asdict

from viz.components.overview.plan import Plan
from viz.components.source import Source
from viz.i18n import current_language
from viz.theme import in_both_modes

SOURCE = Source("overview", "component.js")
_render = SOURCE.mount()


def overview(
    plan: Plan,
    *,
    followed: tuple[str, int],
    kind: str,
    words: Mapping[str, str],
    first_index: int,
    key: str,
    on_open: Callable[[], None],
    on_word: Callable[[], None],
) -> None:
    """Draw the plan.

    Args:
        followed: the token to mark in the sentence above: its side, "source" or "target", and its index.
        kind: the kind of attention whose hue marks it.
        first_index: the number of the first head, 0 or 1.
        on_open: called after a click on a box; ``open`` is its name, or "name#head" for a head.
        on_word: called after a click on a word, here or in the sentence; ``word`` is its side and index.
    """
    data = {
        "plan": asdict(plan),
        "followed": list(followed),
        "kind": kind,
        "words": dict(words),
        "language": current_language(),
        "first": first_index,
        "colours": in_both_modes("accent", "good"),
    }
    _render(data=data, key=key, on_open_change=on_open, on_word_change=on_word)
