"""The film in a Streamlit page."""

from dataclasses import dataclass

from viz.components.source import Source

SOURCE = Source("film", "js/film.js", sheet="film.css")
_film = SOURCE.mount()


@dataclass(frozen=True, slots=True)
class Seen:
    """What the reader has chosen, checked against what exists."""

    step: int
    """One of the recorded steps; the last one while the film follows the run."""
    layer: int
    head: int


def film(packet: bytes, *, steps: tuple[int, ...], shape: tuple[int, int], start: tuple[int, int], key: str) -> Seen:
    """Mount the film. Moving the slider and choosing a head happen in the browser; its final position is reported.

    Args:
        packet: from ``pack``.
        steps: the recorded steps, in order, at least one.
        shape: layers and heads of the kind shown.
        start: layer and head to begin with.
        key: identity of this film in the page.
    """
    reported = _film(key=key, data=packet, on_step_change=_nothing, on_head_change=_nothing)
    step, head = reported.get("step"), reported.get("head")
    inside = tuple(min(max(place, 0), size - 1) for place, size in zip(_head(head, start), shape, strict=True))
    return Seen(step if isinstance(step, int) and step in steps else steps[-1], *inside)


def _head(value: object, start: tuple[int, int]) -> tuple[int, int]:
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(place) is int for place in value):
        return value[0], value[1]
    return start


def _nothing() -> None:
    """Streamlit reports a state only if it has a callback."""
