"""Warnings about a translation that may be poor, and what to try instead."""

import streamlit as st

from model.bundle import Bundle
from model.interpret.confidence import confidence, looped_text
from model.text.language_codes import main_language
from model.text.tokens import n_positions
from viz import cache
from viz.i18n import catalogue, tr
from viz.panels.opening import is_read
from viz.panels.reading import MAX_TARGET, Reading, is_alone, prepare_input, translation_options, use_model
from viz.plain_text import escape_markdown
from viz.shipped_models import shipped_models
from viz.state import session

LONG = 20
"""Words from which a sentence is better split."""


def notices(reading: Reading) -> list[str]:
    """Warnings about the translation, most important first."""
    messages, trace = [], reading.trace
    first, alone = max(0, reading.n_prompt - 1), "_alone" if is_alone(reading.bundle) else ""
    n_written = len(trace.target) - first
    loop = looped_text(trace, first=first) if reading.is_decoded else None
    if loop is not None:
        messages.append(tr(f"doubt.{_end_of_loop(reading, n_written)}{alone}", text=loop, n=n_written))
    elif trace.is_truncated:
        messages.append(tr(f"sentence.unfinished{alone}", n=n_written))
    if reading.bundle.grid is not None:
        return messages  # what follows is about words
    text, (can_read, is_doubtful) = reading.text, _judge(reading)
    is_in_capitals = in_capitals(text, is_doubtful=is_doubtful)
    if not can_read:
        messages += _unread(reading)
    elif is_doubtful:
        messages.append(tr("doubt.far"))
        if not is_in_capitals:
            messages.append(_suggestion(text, reading.bundle.source_language))
    if is_in_capitals:
        messages.append(tr("doubt.capitals"))
    return messages


def _suggestion(text: str, language: str | None) -> str:
    """What to try instead. It names the language where it can: the text may be in another one."""
    n_words = len(text.split())
    if n_words > LONG:
        return tr("doubt.split")
    key, kind = f"doubt.language_{main_language(language)}", "plain" if n_words > 1 else "whole"
    return tr(f"doubt.{kind}_in", language=tr(key)) if key in catalogue("en") else tr(f"doubt.{kind}")


def _unread(reading: Reading) -> list[str]:
    """That the model cannot read this text, and which one can."""
    key, name = f"doubt.language_{main_language(reading.bundle.source_language)}", _reader_of(reading)
    has_name = key in catalogue("en")
    return [
        tr("doubt.unread_in", language=tr(key)) if has_name else tr("doubt.unread"),
        tr("doubt.unread_other", name=name) if name else tr("doubt.unread_none"),
    ]


def _can_read(bundle: Bundle, text: str) -> bool:
    """Whether a model knows most of a text: neither as unknown tokens, nor spelled in bytes."""
    spelled, letters = (
        set("".join(prepare_input(bundle, text).spelled)),
        [letter for letter in text if not letter.isspace()],
    )
    return is_read(bundle, text) and 2 * sum(letter in spelled for letter in letters) <= len(letters)


def _reader_of(reading: Reading) -> str:
    """The first model open here that knows most of the text; empty where none does. Those of the same language as the
    model in use do not."""
    text, here = reading.text, main_language(reading.bundle.source_language)
    for name, bundle in session.private_models().items():
        if _can_read(bundle, text):
            return name
    for name, shipped in shipped_models().items():
        is_open = name in cache.model_names() and main_language(shipped.source_language) != here
        if is_open and _can_read(cache.bundle(name), text):
            return name
    return ""


def offer(reading: Reading) -> None:
    """The button that gives a sentence in capitals its usual case, or takes the model that can read the text."""
    text = reading.text
    if reading.bundle.grid is not None:
        return
    can_read, is_doubtful = _judge(reading)
    if not can_read:
        if name := _reader_of(reading):
            st.button(
                tr("doubt.use_model", name=escape_markdown(name)), icon=":material/translate:", key="use_reader",
                on_click=use_model, args=(name,),
            )  # fmt: skip
        return
    if in_capitals(text, is_doubtful=is_doubtful):
        st.button(
            tr("doubt.lower"), icon=":material/match_case:", key="lower_case",
            on_click=session.new_sentence, args=(usual_case(text),),
        )  # fmt: skip


def in_capitals(text: str, *, is_doubtful: bool) -> bool:
    """Whether a sentence is written in capitals. A single word may be an abbreviation: it counts if doubtful."""
    return text.isupper() and sum(len(word) > 1 and word.isupper() for word in text.split()) > (not is_doubtful)


def usual_case(text: str) -> str:
    """Lower case with a capital at the beginning, and for the English word I."""
    lowered = " ".join(word.capitalize() if word.partition("'")[0] == "i" else word for word in text.lower().split(" "))
    return lowered[:1].upper() + lowered[1:]


def _end_of_loop(reading: Reading, n_written: int) -> str:
    """How a looping translation ended: stopped because of the loop, cut at its length limit, or by itself."""
    if not reading.trace.is_truncated:
        return "loop_ended"
    first = len(reading.trace.target) - n_written
    limit = min(translation_options(reading)["max_length"], (n_positions(reading.bundle) or first + MAX_TARGET) - first)
    return "loop_cut" if n_written >= limit else "loop"


def _judge(reading: Reading) -> tuple[bool, bool]:
    """Whether the model can read the text, and whether its translation is doubtful; cached."""
    selection = reading.selection
    is_model_choice = selection.method != "sample" and not selection.prefix and reading.is_finite

    def judge() -> tuple[bool, bool]:
        measured = confidence(reading.bundle, reading.trace) if is_model_choice else None
        return _can_read(reading.bundle, reading.text), measured is not None and measured.is_doubtful

    return cache.get_or_compute(("judged", is_model_choice, *reading.key), judge)
