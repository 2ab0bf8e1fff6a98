"""Translates the sentences of several pages in one pass.

Translating one sentence multiplies single rows and spends its time reading the weights; eight in one pass take a third
of the time of eight passes. So a page registers its request and yields its turn to waiting pages; whichever gets a turn
first translates all registered requests.
"""

import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from viz.state.turns import Turns

Request = TypeVar("Request")
Result = TypeVar("Result")

MAX_REQUESTS = 8
"""Maximum requests in a pass: it should end before the next page's turn begins in parallel."""


@dataclass(slots=True, eq=False)
class _Request(Generic[Request, Result]):
    value: Request
    answer: Result | BaseException | None = None
    is_answered: threading.Event = field(default_factory=threading.Event)


class SharedPasses(Generic[Request, Result]):
    """Answers equal requests once, and requests of one group together."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._guard = threading.Lock()
        self._waiting: dict[Hashable, dict[Hashable, _Request[Request, Result]]] = {}
        """By group and key."""

    def answer(
        self,
        group: Hashable,
        key: Hashable,
        value: Request,
        run: Callable[[list[Request]], Sequence[Result | Exception]],
    ) -> Result:
        """The result of ``run`` for one request, which may share a pass with others of its group. ``run`` answers
        requests in order; an exception in place of an answer is raised for that request only."""
        with self._guard:
            mine = self._waiting.setdefault(group, {}).setdefault(key, _Request(value))
        self._turns.let_others_pass()
        with self._guard:
            waiting = self._waiting.get(group, {})
            keys = [key, *(other for other in waiting if other != key)][:MAX_REQUESTS]
            requests = [waiting.pop(name) for name in keys] if waiting.get(key) is mine else []
            if not waiting:
                self._waiting.pop(group, None)
        if requests:
            _run(requests, run)
        mine.is_answered.wait()
        if isinstance(mine.answer, BaseException):
            raise mine.answer
        assert mine.answer is not None
        return mine.answer


def _run(
    requests: list[_Request[Request, Result]], run: Callable[[list[Request]], Sequence[Result | Exception]]
) -> None:
    """Answer requests together, or one by one if the pass fails."""
    try:
        answers = run([request.value for request in requests])
    except BaseException as error:
        if len(requests) > 1:
            for request in requests:
                _run([request], run)
            return
        answers = [error]
    for request, answer in zip(requests, answers, strict=True):
        request.answer = answer
        request.is_answered.set()
