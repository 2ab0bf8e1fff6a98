"""How many processors a computation takes in a server with many visitors.

PyTorch lets all processors work on each matrix, and those that have nothing to do wait in a busy loop. For one short
sentence that gains a fifth of the time; with many visitors it costs a third of the processor time. So a page
takes one processor, and work that shows a progress bar takes all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

_ALL = _of_a_page = torch.get_num_threads()
"""The number that PyTorch finds, or that ``OMP_NUM_THREADS`` sets; and the number that a page uses."""


def share() -> None:
    """From now on every page takes one processor. For a server; nothing changes in a notebook."""
    global _of_a_page
    _of_a_page = 1
    torch.set_num_threads(1)


@contextmanager
def all_of_them() -> Iterator[None]:
    """Let work on many sentences or heads use all processors, and then restore the number for a page."""
    torch.set_num_threads(_ALL)
    try:
        yield
    finally:
        torch.set_num_threads(_of_a_page)
