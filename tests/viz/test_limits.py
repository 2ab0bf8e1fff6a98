"""Limits of a server: the memory of all sessions, the smaller limits of a public server, and threads."""

import asyncio
import gc
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import torch

from model.checkpoints import hub
from model.checkpoints.basis.errors import LimitError
from model.checkpoints.basis.limits import limits
from model.deployment import VARIABLE, is_public
from model.runs import limits as training
from model.runs.limits import RUNS_VARIABLE, Limits
from tests.loops import run_coroutine
from viz import budget, processors
from viz.budget import KINDS, Budget
from viz.server.garbage import tidy_now_and_then

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
    variable = budget._WORDS[kind][1]
    with pytest.raises(LimitError, match=f"3 MiB of .* beside the 8 MiB of this browser session: 10 MiB .*{variable}"):
        small.ask(kind, "a", 3 * MIB)
    everyone = budget._WORDS[kind][2]
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
    with pytest.raises(OSError), budget.releasing("uploads"):
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


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")


def test_a_server_is_private_by_default(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert not is_public()
    assert limits().max_upload_mb == 512
    assert Limits.from_environment() == Limits()


def test_uploads_models_and_memory_are_smaller(public):
    bounds = limits()
    assert (bounds.max_upload_mb, bounds.uploads_mb, bounds.session_memory_mb) == (64, 512, 512)
    assert bounds.max_parameters == 150_000_000


def test_each_visitor_may_have_one_short_run_which_is_stored_for_an_hour(public):
    runs = Limits.from_environment()
    assert (runs.max_alive, runs.max_alive_per_session, runs.max_steps, runs.max_seconds) == (12, 1, 500, 300)
    assert runs.keep_days * 24 == pytest.approx(1)


def test_explicit_settings_override_those_of_a_public_server(public, monkeypatch):
    monkeypatch.setenv("REGARD_MAX_UPLOAD_MB", "20")
    monkeypatch.setenv(training.VARIABLE, '{"max_alive": 3}')
    assert limits().max_upload_mb == 20
    assert Limits.from_environment().max_alive == 3
    assert Limits.from_environment().max_steps == 500


def test_nothing_comes_from_the_hub_even_when_it_was_allowed(public, monkeypatch):
    monkeypatch.setenv(hub.VARIABLE, "1")
    assert not hub.is_allowed()


def test_old_runs_go_while_nobody_trains(public, monkeypatch, tmp_path):
    monkeypatch.setenv(RUNS_VARIABLE, str(tmp_path))
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "job.json").write_text("{}")
    for path in (old / "job.json", old):
        os.utime(path, (1, 1))

    async def look() -> None:
        chore = asyncio.create_task(tidy_now_and_then(seconds=0.01))
        while old.exists():
            await asyncio.sleep(0.01)
        chore.cancel()

    run_coroutine(look())
    assert new.exists()


@pytest.fixture
def four_processors(monkeypatch):
    before = torch.get_num_threads()
    monkeypatch.setattr(processors, "_ALL", 4)
    monkeypatch.setattr(processors, "_of_a_page", 4)
    torch.set_num_threads(4)
    yield
    torch.set_num_threads(before)


def in_a_new_thread(ask: Callable[[], int]) -> int:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result()


def test_each_run_of_a_page_takes_one_thread(four_processors):
    processors.one_thread_per_page()
    assert in_a_new_thread(torch.get_num_threads) == 1


def test_long_work_takes_all_threads_and_returns_them(four_processors):
    processors.one_thread_per_page()

    def long_work() -> int:
        with processors.all_processors():
            return torch.get_num_threads()

    assert in_a_new_thread(long_work) == 4
    assert in_a_new_thread(torch.get_num_threads) == 1


def test_a_notebook_keeps_its_number_of_threads(four_processors):
    with processors.all_processors():
        pass
    assert torch.get_num_threads() == 4


def test_two_long_computations_at_once_leave_one_thread_to_a_page(four_processors):
    """The second starts while the first uses all processors."""
    processors.one_thread_per_page()
    with processors.all_processors(), processors.all_processors():
        pass
    assert in_a_new_thread(torch.get_num_threads) == 1
