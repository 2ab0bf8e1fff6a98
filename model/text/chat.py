"""Chat templates: messages in the format of a chat model's training, with its special tokens.

A template is a Jinja program that comes with a tokenizer. The tokenizer renders it in the library's sandboxed
environment; an uploaded tokenizer does so in a separate process with limits on time and memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from model.text.tokens import ChatPrompt, TextError
from model.trace import TokenSequence

if TYPE_CHECKING:
    from model.bundle import Bundle

LONGEST_RENDERED = 200_000
"""Maximum characters of a rendered message."""


class _Chatting(Protocol):
    """A tokenizer with a chat template."""

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str: ...

    def encode(self, text: str) -> TokenSequence: ...


def has_chat_template(bundle: Bundle) -> bool:
    """Whether the model came with a chat template."""
    return _has_chat(bundle.target_tokenizer)


def chat_prompt(bundle: Bundle, message: str | Sequence[Mapping[str, str]]) -> ChatPrompt:
    """Render a message with the model's chat template, as ``apply_chat_template`` of the ``transformers`` library.

    ``translate``, ``read``, ``record`` and ``score`` accept the result instead of a text, and add no token to it.

    Args:
        message: the user's message; or messages, each with "role" and "content".

    Raises:
        TextError: when the model has no template, or there is no message.
        TokenizerError: when the template fails, takes too long or writes too much.
    """
    tokenizer = bundle.target_tokenizer
    if not _has_chat(tokenizer):
        raise TextError(f"{bundle.name} has no chat template: give it the text itself")
    messages: Sequence[Mapping[str, str]] = (
        [{"role": "user", "content": message}] if isinstance(message, str) else message
    )
    content = messages[-1].get("content", "") if messages else ""
    if not isinstance(content, str) or not content.strip():
        raise TextError("there is no message: write one")
    text = tokenizer.chat(messages)
    tokens = tokenizer.encode(text)
    return ChatPrompt(text, tokens, _place(text, tokens, content.strip()))


def _has_chat(tokenizer: Any) -> TypeGuard[_Chatting]:
    return bool(getattr(tokenizer, "has_chat", False))


def _place(text: str, tokens: TokenSequence, content: str) -> tuple[int, int] | None:
    start = text.rfind(content)
    if start < 0:
        return None
    inside = [
        place
        for place, span in enumerate(tokens.spans)
        if span is not None and span[0] < start + len(content) and span[1] > max(start, span[0])
    ]
    return (inside[0], inside[-1] + 1) if inside else None
