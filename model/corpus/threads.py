"""Threads that measure a survey's batches, one thread per batch: matrices of a sentence are too small for two threads.

PyTorch and pyarrow release the GIL while they work. The results do not depend on the number of threads.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TypeVar

import torch

T = TypeVar("T")
A = TypeVar("A")
MOST = 8
"""Maximum threads; each holds a batch in memory."""


class BatchExecutor(AbstractContextManager["BatchExecutor"]):
    """A thread pool for batches and a thread for writing; with a single thread everything runs in sequence.

    On an exception, pending batches are dropped, and files being written are completed.
    """

    def __init__(self, device: torch.device) -> None:
        self._before = torch.get_num_threads() if device.type == "cpu" else 1
        n = min(self._before, MOST)
        self._measuring = self._writing = None
        if n > 1:
            self._measuring = ThreadPoolExecutor(n, initializer=torch.set_num_threads, initargs=(self._before // n,))
            self._writing = ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,))
        self._most_ahead = n if n > 1 else 0

    def __exit__(self, kind: type[BaseException] | None, *ended: object) -> None:
        if self._measuring and self._writing:
            self._measuring.shutdown(cancel_futures=kind is not None)
            self._writing.shutdown()
            torch.set_num_threads(self._before)  # new threads start with the process's number

    def measure(self, work: Callable[[A], T], items: Iterable[A]) -> Iterator[T]:
        """Yield each item's result in order; a few more items than threads are submitted in advance."""
        ahead: deque[Future[T]] = deque()
        for item in items:
            ahead.append(self._started(self._measuring, work, item))
            if len(ahead) > self._most_ahead:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()

    def read(self, work: Callable[[A], T], item: A) -> Future[T]:
        """Start reading the input of the next batches."""
        return self._started(self._measuring, work, item)

    def write(self, work: Callable[[A], T], item: A) -> Future[T]:
        """Start writing results, in the order of the calls."""
        return self._started(self._writing, work, item)

    @staticmethod
    def _started(pool: ThreadPoolExecutor | None, work: Callable[[A], T], item: A) -> Future[T]:
        if pool is not None:
            return pool.submit(work, item)
        done: Future[T] = Future()
        done.set_result(work(item))
        return done
