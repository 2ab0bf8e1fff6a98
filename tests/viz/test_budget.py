"""The memory budget of all sessions: checked before work begins, released when a session ends."""

import gc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from model.checkpoints.basis.errors import LimitError
from viz import budget
from viz.budget import KINDS, Budget

MIB = 1 << 20


@pytest.fixture
def small() -> Budget:
    return Budget(lambda kind: (10, 15))


@pytest.mark.parametrize("kind", KINDS)
def test_a_session_and_all_sessions_are_bounded_and_the_message_names_the_numbers(small: Budget, kind) -> None:
    small.ask(kind, "a", 10 * MIB)
    small.hold(kind, "a", 8 * MIB)
    small.ask(kind, "a", 2 * MIB)
    small.settle(kind, "a")
    variable = budget._VARIABLES[kind][0]
    with pytest.raises(LimitError, match=f"3 MiB of .* beside the 8 MiB of this browser session: 10 MiB .*{variable}"):
        small.ask(kind, "a", 3 * MIB)
    everyone = budget._VARIABLES[kind][1]
    with pytest.raises(LimitError, match=f"8 MiB of .* beside the 8 MiB of all visitors: 15 MiB .*{everyone}"):
        small.ask(kind, "b", 8 * MIB)
    small.ask(kind, "b", 7 * MIB)


def test_a_value_that_is_too_large_alone_has_a_message_without_a_sum(small: Budget) -> None:
    message = (
        r"^11 MiB of models do not fit: this browser session may hold 10 MiB\. Please take something smaller, or raise "
        r"REGARD_SESSION_MEMORY_MB on a server of your own$"
    )
    with pytest.raises(LimitError, match=message):
        small.ask("models", "a", 11 * MIB, instead=True)


def test_released_memory_of_a_session_no_longer_counts(small: Budget) -> None:
    small.hold("models", "a", 9 * MIB)
    small.ask("models", "a", 10 * MIB, instead=True)
    assert small.held("models") == 10 * MIB
    with pytest.raises(LimitError):
        small.ask("models", "a", 11 * MIB, instead=True)
    small.hold("models", "b", 6 * MIB)
    with pytest.raises(LimitError, match="all visitors"):
        small.ask("models", "a", 10 * MIB, instead=True)
    small.close("b")
    small.ask("models", "a", 10 * MIB, instead=True)
    small.hold("models", "a", 0)
    assert small.held("models") == 0


def test_two_sessions_never_hold_more_than_the_limit_whichever_asks_first(small: Budget) -> None:
    for kind in KINDS:
        small.ask(kind, "a", 9 * MIB)
        with pytest.raises(LimitError, match="all visitors"):
            small.ask(kind, "b", 7 * MIB)
        small.ask(kind, "b", 6 * MIB)
        small.hold(kind, "a", 8 * MIB)
        small.hold(kind, "b", 6 * MIB)
        assert small.held(kind) == 14 * MIB


def test_of_sessions_that_ask_at_the_same_moment_only_those_that_fit_are_served(small: Budget) -> None:
    served = []

    def ask(owner: str) -> None:
        with suppress(LimitError):
            small.ask("models", owner, 4 * MIB)
            served.append(owner)

    with ThreadPoolExecutor(30) as pool:
        list(pool.map(ask, map(str, range(30))))
    assert len(served) == 3 and small.held("models") == 12 * MIB


def test_work_that_fails_gives_its_room_back() -> None:
    with pytest.raises(OSError), budget.settled("uploads"):
        budget.ask("uploads", MIB)
        assert budget.BUDGET.held("uploads", budget._owner()) == MIB
        raise OSError
    assert budget.BUDGET.held("uploads", budget._owner()) == 0


def test_kinds_are_apart(small: Budget) -> None:
    small.hold("uploads", "a", 10 * MIB)
    small.ask("runs", "a", 10 * MIB)
    assert (small.held("uploads", "a"), small.held("models")) == (10 * MIB, 0)


def test_the_account_of_a_session_is_closed_when_it_ends() -> None:
    member = budget._Member()
    name = member.name
    budget.BUDGET.hold("models", name, 5)
    assert budget.BUDGET.held("models", name) == 5
    del member
    gc.collect()
    assert budget.BUDGET.held("models", name) == 0


def test_bounds_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_SESSION_MEMORY_MB", "7")
    monkeypatch.setenv("REGARD_MODELS_MB", "70")
    monkeypatch.setenv("REGARD_TRAINING_LIMITS", '{"keep_bytes_per_session": 1048576, "keep_bytes": 2097152}')
    assert budget.bounds("models") == (7, 70) and budget.bounds("runs") == (1, 2)
