"""Buttons whose click is kept until a run of the page has acted on it.

Streamlit reports a click in one run only. If another event interrupts that run before it draws the button,
``if st.button(…)`` never sees the click. These buttons record it in a callback, which runs before the page, and the
first run that draws the button acts on it, so errors and progress appear in their place on the page.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException

from viz.state import session

_MEMORY = "clicks"


def button(label: str, *, key: str, about: Hashable = None, until_done: bool = False, **options: Any) -> bool:
    """Draw a button, and return whether it was clicked.

    Args:
        about: what a click acts on. A click is dropped if the button acts on something else by then.
        until_done: whether the click holds until a run of the whole page has ended or ``forget`` is called: what it
            asks for begins again where another event interrupts it.
        options: further arguments of ``st.button``.
    """
    return _draw_button(st.button, label, key, about, options, until_done)


def submit_button(label: str, *, key: str, about: Hashable = None, **options: Any) -> bool:
    """Like ``button``, for the button of a form."""
    return _draw_button(st.form_submit_button, label, key, about, options)


def forget(key: str) -> None:
    """Drop the click on a button, where the visitor cancels what it asks for."""
    _clicks().pop(key, None)


@contextmanager
def drop_unused_clicks() -> Iterator[None]:
    """Around a run of the whole page: drops clicks whose button it did not draw, unless another run interrupts it."""
    is_interrupted = False
    try:
        yield
    except RerunException:
        is_interrupted = True
        raise
    finally:
        if not is_interrupted:
            session.remember(_MEMORY, {})


def _draw_button(
    draw: Callable[..., bool], label: str, key: str, about: Hashable, options: dict[str, Any], until_done: bool = False
) -> bool:
    subject = (session.page_name(), about)
    draw(label, key=key, on_click=_note, args=(key, subject), **options)
    is_clicked = _clicks().get(key) == subject
    if not (is_clicked and until_done):
        forget(key)
    return is_clicked


def _note(key: str, subject: Hashable) -> None:
    _clicks()[key] = subject


def _clicks() -> dict[str, Hashable]:
    """Clicks that no run has acted on yet: the subject of each by the button's key."""
    return session.recall(_MEMORY, dict)
