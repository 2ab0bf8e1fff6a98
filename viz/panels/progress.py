"""A progress bar with a button to cancel, removed when the work is done; and durations in words."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from viz import processors
from viz.i18n import tr


@contextmanager
def progress(
    *, key: str, help: str, on_cancel: Callable[[], None] | None = None
) -> Iterator[Callable[[float, str], Any]]:
    """Yield the function that moves the bar. Any click on the page cancels the run, not only this button's.

    Args:
        key: of the button.
        help: tells what is kept of the work, or shown instead.
        on_cancel: called before the next run; needed where that run would start the same work again.
    """
    place = st.empty()
    with place.container():
        bar = st.progress(0.0)
        st.button(tr("decode.cancel"), key=key, help=help, on_click=on_cancel)
    with processors.all_processors():
        yield bar.progress
    place.empty()


def duration(seconds: float) -> str:
    """Seconds up to a minute and a half, then minutes."""
    if seconds < 90:
        return tr("fine_tune.seconds", n=math.ceil(seconds))
    return tr("fine_tune.minutes", n=round(seconds / 60))
