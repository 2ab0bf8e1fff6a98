"""A decoder-only model's prompt in its chat template, where it came with one."""

from dataclasses import dataclass

import streamlit as st

from model import Bundle
from model.text.chat import ChatPrompt, chat_prompt, has_chat_template
from model.text.tokenizer import TemplateError, TokenizerError
from model.text.tokens import TextError, is_ids
from viz.i18n import tr
from viz.panels import errors
from viz.plain_text import public_message
from viz.state import session
from viz.state.rules import yes_no

AREA = "chat"
_PAGES = ("", "decode", "inside", "overview")
"""Pages on which the prompt stands in its template; Causal compares two plain prompts."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Kept in the link under ``chat.``."""

    is_used: bool = yes_no(default=True)


def in_template(bundle: Bundle, text: str) -> ChatPrompt | None:
    """The text in the model's chat template; None where there is none, it is switched off, or it fails."""
    if not _is_enabled(bundle, text):
        return None
    try:
        return chat_prompt(bundle, text)
    except (TokenizerError, TextError):
        return None


def _is_enabled(bundle: Bundle, text: str) -> bool:
    is_plain = not has_chat_template(bundle) or is_ids(text) or not text.strip()
    return not is_plain and session.page_name() in _PAGES and session.choices_of(Choices, AREA).is_used


def switch(bundle: Bundle) -> None:
    """Draw the toggle that applies the chat template; nothing for a model without one."""
    if has_chat_template(bundle):
        st.toggle(tr("decode.chat"), help=tr("decode.chat_help"), **session.bind("is_used", Choices, AREA))


def explain(bundle: Bundle, text: str) -> None:
    """What the template adds to the text, or why it failed."""
    if not _is_enabled(bundle, text):
        return
    try:
        prompt = chat_prompt(bundle, text)
    except (TokenizerError, TextError) as error:
        reason = public_message(error)
        if isinstance(error, TemplateError):
            reason = tr("decode.chat_reason", reason=public_message(error.reason))
        errors.show(tr("decode.chat_failed"), reason)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if prompt.message_span is None:
            st.caption(tr("decode.chat_all", n=len(prompt.tokens)), width="content")
        else:
            before, after = prompt.message_span[0], len(prompt.tokens) - prompt.message_span[1]
            st.caption(tr("decode.chat_said", before=before, after=after), width="content")
        with st.popover(tr("decode.chat_text"), key="chat_text"):
            st.caption(tr("decode.chat_text_about"))
            st.code(prompt.text, language=None, wrap_lines=True)
