"""What a run of the whole page looks up once and passes on to everything that it draws: the model, the reading."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

from viz.state import session

Answer = TypeVar("Answer")

_answers: ContextVar[dict[Callable, tuple[object, Any]] | None] = ContextVar("answers", default=None)
"""Each function's answer with the moment it belongs to; None outside such a run."""


@contextmanager
def page_run() -> Iterator[None]:
    """Around a run of the whole page. Callbacks come before it; a fragment that is drawn again by itself has none."""
    token = _answers.set({})
    try:
        yield
    finally:
        _answers.reset(token)


def is_page_run() -> bool:
    """Whether the whole page is being drawn, and not one fragment of it."""
    return _answers.get() is not None


def once_a_run(look_up: Callable[[], Answer]) -> Callable[[], Answer]:
    """A function of the session's choices and models that is asked once in a run of the page, and again if one of them
    has changed since; outside such a run it is asked each time. What it raises is not kept."""

    @wraps(look_up)
    def passed_on() -> Answer:
        answers = _answers.get()
        if answers is None:
            return look_up()
        moment, answer = answers.get(look_up, (None, None))
        if moment is not session.version_token():
            answer = look_up()
            answers[look_up] = session.version_token(), answer  # looking up may move a choice to one that the model has
        return answer

    return passed_on
