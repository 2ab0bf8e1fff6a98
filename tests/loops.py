"""Runs a test's coroutine in an event loop of another thread, and waits for conditions."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_coroutine(work: Coroutine[Any, Any, Result], *, seconds: float = 60) -> Result:
    """Run a coroutine in a thread and return its result: Playwright already runs an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(work, seconds)).result()


def wait_until(condition: Callable[[], bool], *, seconds: float = 180) -> None:
    """Poll a condition until it holds; fail after a time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
