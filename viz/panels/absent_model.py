"""A link's model that is not open here: another stands for it, and what names the absent one's tokens waits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from viz import cache, session
from viz.i18n import tr
from viz.panels.reading import current_model_name, use_model
from viz.plain_text import as_written

_PAGES = Path(__file__).parents[1] / "pages"
_MEMORY = "tokens_aside"


@dataclass(frozen=True, slots=True)
class _Aside:
    """Choices that name tokens of one sentence in one model, as link parameters."""

    model: str
    text: str
    params: dict[str, str]


def say() -> None:
    """Say that the link's model is not open here, which one is shown instead, and what to do about it."""
    chosen, used = session.read(), current_model_name()
    wished = cache.known_as(chosen.model)
    if used is None:
        return
    if not wished or used == wished:
        if chosen.tokens_of:
            _bring_tokens_back()
        return
    if chosen.tokens_of != used:
        _put_tokens_aside(used)
    aside = _aside()
    with st.container(border=True, key="absent_model"):
        st.text(tr("frame.model_unknown", name=wished, used=used))
        if aside is not None and aside.params:
            st.text(tr("frame.model_waits"))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(_PAGES / "checkpoints.py", label=tr("frame.page_checkpoints"), icon=":material/upload_file:")
            st.button(tr("frame.model_keep", used=as_written(used)), key="model_keep", on_click=use_model, args=(used,))


def _put_tokens_aside(used: str) -> None:
    """Take what names tokens out of force: an id or a place means another word in the model that is shown."""
    before, params = session.read(), session.params()
    session.change_tokens(tokens_of=used)
    if not before.tokens_of:  # else they name tokens of a model that stood here for a while
        now = session.params()
        gone = {name: text for name, text in params.items() if now.get(name) != text}
        session.remember(_MEMORY, _Aside(before.model, before.text, gone))


def _bring_tokens_back() -> None:
    """The model has been opened: what its link named holds again, and what named the other's tokens goes."""
    aside = _aside()
    session.change_tokens(tokens_of="")
    if aside is not None:
        session.take_params(aside.params)
        session.remember(_MEMORY, None)


def _aside() -> _Aside | None:
    """What waits for the model and the sentence that are chosen now."""
    found, now = session.recall(_MEMORY, lambda: None), session.read()
    return found if found is not None and (found.model, found.text) == (now.model, now.text) else None
