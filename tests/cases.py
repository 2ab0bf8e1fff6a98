"""Runs many small checks in one test, because reporting a parametrized test takes longer than such a check."""

from collections.abc import Callable, Iterable
from typing import Any


def for_each(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Turn a function that checks one case, without fixtures, into one test of all cases.

    Args:
        cases: the argument of each check, or its arguments in a tuple.

    Returns:
        A decorator. The test's failure names every case that fails.
    """
    arguments = [case if type(case) is tuple else (case,) for case in cases]

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            failures = []
            for case in arguments:
                try:
                    check(*case)
                except Exception as error:  # to report all failures together
                    failures.append(f"{' '.join(map(str, case))[:200]}: {type(error).__name__}: {error}")
            assert arguments, "there is no case"
            assert not failures, "\n\n".join(failures)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate
