"""The number of threads that each kind of work uses."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from viz import processors


@pytest.fixture(autouse=True)
def four(monkeypatch):
    before = torch.get_num_threads()
    monkeypatch.setattr(processors, "_ALL", 4)
    monkeypatch.setattr(processors, "_of_a_page", 4)
    torch.set_num_threads(4)
    yield
    torch.set_num_threads(before)


def in_a_new_thread(ask: Callable[[], int]) -> int:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result()


def test_each_run_of_a_page_takes_one():
    processors.one_thread_per_page()
    assert in_a_new_thread(torch.get_num_threads) == 1


def test_long_work_takes_all_and_gives_them_back():
    processors.one_thread_per_page()

    def long_work() -> int:
        with processors.all_processors():
            return torch.get_num_threads()

    assert in_a_new_thread(long_work) == 4
    assert in_a_new_thread(torch.get_num_threads) == 1


def test_a_notebook_keeps_its_number_of_threads():
    with processors.all_processors():
        pass
    assert torch.get_num_threads() == 4


def test_two_that_work_long_at_once_leave_one_to_a_page():
    """The second starts while the first uses all processors."""
    processors.one_thread_per_page()
    with processors.all_processors(), processors.all_processors():
        pass
    assert in_a_new_thread(torch.get_num_threads) == 1
