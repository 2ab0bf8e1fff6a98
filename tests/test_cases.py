"""``for_each``: all checks of a test run, and its failure names every wrong case."""

import pytest

from tests.cases import for_each


def test_a_failure_names_each_wrong_case_and_the_others_are_checked_too() -> None:
    checked = []

    def check(name: str, number: int) -> None:
        """What is checked."""
        checked.append(name)
        assert number > 1, "too small"

    test = for_each([("first", 1), ("second", 2), ("third", 0)])(check)
    assert (test.__name__, test.__doc__) == ("check", "What is checked.")
    with pytest.raises(AssertionError) as failed:
        test()
    assert checked == ["first", "second", "third"]
    assert "first 1" in str(failed.value) and "third 0" in str(failed.value) and "second" not in str(failed.value)
    for_each(["one"])(lambda case: None)()
    with pytest.raises(AssertionError, match="there is no case"):
        for_each([])(lambda case: None)()
