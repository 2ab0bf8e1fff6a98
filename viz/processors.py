"""Sets how many processors a computation uses in a server with many visitors.

PyTorch uses all processors for each matrix, and those that have nothing to do wait in a busy loop. For one short
sentence that saves a fifth of the time; with many visitors it wastes a third of the processor time. So a page uses one
processor, and work that shows a progress bar uses all.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

_ALL = _of_a_page = torch.get_num_threads()
"""The number that PyTorch finds, or that ``OMP_NUM_THREADS`` sets; and the number that a page uses."""


def one_thread_per_page() -> None:
    """Let every page use one processor from now on. Only the server calls this, so a notebook is not affected."""
    global _of_a_page
    _of_a_page = 1
    torch.set_num_threads(1)


@contextmanager
def all_processors() -> Iterator[None]:
    """Let work on many sentences or heads use all processors, and then restore the number for a page."""
    torch.set_num_threads(_ALL)
    try:
        yield
    finally:
        torch.set_num_threads(_of_a_page)
