"""Translates the sentences of several pages in one pass.

Translating one sentence multiplies single rows and spends its time reading the weights; eight in one pass take a third
of the time of eight passes. So a page that needs a translation says which, lets the pages that wait for their turn do
the same, and whichever has its turn first translates them all.
"""

import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from viz.state.turns import Turns

Asked = TypeVar("Asked")
Result = TypeVar("Result")

MOST = 8
"""Sentences that share a pass at most: it should end before the next page's turn begins beside it."""


@dataclass(slots=True, eq=False)
class _Request(Generic[Asked, Result]):
    asked: Asked
    answer: Result | BaseException | None = None
    is_answered: threading.Event = field(default_factory=threading.Event)


class SharedPasses(Generic[Asked, Result]):
    """Answers equal requests once, and requests of one group together."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._guard = threading.Lock()
        self._waiting: dict[Hashable, dict[Hashable, _Request[Asked, Result]]] = {}
        """By group and key."""

    def answer(
        self, group: Hashable, key: Hashable, asked: Asked, run: Callable[[list[Asked]], Sequence[Result | Exception]]
    ) -> Result:
        """What ``run`` gives for one request, which may share its pass with others of its group.

        Args:
            run: answers requests in their order; an exception in the place of an answer is raised for that one alone.
        """
        with self._guard:
            mine = self._waiting.setdefault(group, {}).setdefault(key, _Request(asked))
        self._turns.let_others_pass()
        with self._guard:
            own = self._waiting.get(group, {})
            keys = [key, *(other for other in own if other != key)][:MOST] if own.get(key) is mine else []
            taken = [own.pop(one) for one in keys]
            if not own:
                self._waiting.pop(group, None)
        if taken:
            _run(taken, run)
        mine.is_answered.wait()
        if isinstance(mine.answer, BaseException):
            raise mine.answer
        assert mine.answer is not None
        return mine.answer


def _run(taken: list[_Request[Asked, Result]], run: Callable[[list[Asked]], Sequence[Result | Exception]]) -> None:
    """Answer requests together, or one by one where the pass fails."""
    try:
        answers = run([request.asked for request in taken])
    except BaseException as error:
        if len(taken) > 1:
            for request in taken:
                _run([request], run)
            return
        answers = [error]
    for request, answer in zip(taken, answers, strict=True):
        request.answer = answer
        request.is_answered.set()
