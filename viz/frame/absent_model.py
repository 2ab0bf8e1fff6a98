"""A link to a model that is not open: another model is shown, and choices that name the missing model's tokens are kept
until it is opened."""

from urllib.parse import parse_qsl, urlencode

import streamlit as st

from viz import cache
from viz.i18n import tr
from viz.panels.reading import current_model_name, find_bundle, use_model
from viz.plain_text import escape_markdown
from viz.state import session


def warn_missing_model() -> None:
    """Say that the link's model is not open here, which one is shown instead, and what to do about it."""
    chosen, used = session.read(), current_model_name()
    wished = cache.current_model_name(chosen.model)
    if used is None:
        return
    if not wished or used == wished:
        if chosen.tokens_of:
            _bring_back()
        return
    if chosen.tokens_of != used:
        _put_aside(used)
    with st.container(border=True, key="absent_model"):
        st.text(tr("frame.model_unknown", name=wished, used=used))
        if session.read().waiting:
            st.text(tr("frame.model_waits"))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(
                "checkpoints/checkpoints.py", label=tr("frame.page_checkpoints"), icon=":material/upload_file:"
            )
            st.button(
                tr("frame.model_keep", used=escape_markdown(used)), key="model_keep", on_click=use_model, args=(used,)
            )


def _put_aside(used: str) -> None:
    """Drop choices that name tokens or missing layers of the model shown. The link keeps them for its own model."""
    before, params = session.read(), session.params()
    session.change_tokens(tokens_of=used, waiting=before.waiting)
    shown = find_bundle()
    if shown is not None:
        session.clamp(cache.extent(shown))
    if not before.tokens_of:  # otherwise they name tokens of the model that replaced it
        now = session.params()
        session.change(waiting=urlencode({name: text for name, text in params.items() if now.get(name) != text}))


def _bring_back() -> None:
    """The model has been opened: restore what its link named, and drop what names the other model's tokens."""
    waiting = session.read().waiting
    session.change_tokens(tokens_of="")
    session.merge_params(dict(parse_qsl(waiting)))
