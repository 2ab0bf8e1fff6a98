"""Many small checks of files in one test: a test of its own for each takes longer to report than to run."""

from collections.abc import Callable, Iterable
from typing import Any


def for_each(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make one test of a function that checks one case and takes no fixture.

    Args:
        cases: the argument of each check, or its arguments in a tuple.

    Returns:
        A decorator. The test checks all cases, and its failure names each that is wrong.
    """
    listed = [case if type(case) is tuple else (case,) for case in cases]

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            wrong = []
            for case in listed:
                try:
                    check(*case)
                except Exception as error:  # all that fail are named together
                    wrong.append(f"{' '.join(map(str, case))[:200]}: {type(error).__name__}: {error}")
            assert listed, "there is no case"
            assert not wrong, "\n\n".join(wrong)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate
