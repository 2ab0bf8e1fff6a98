"""Warnings about a translation that may be poor, and what to try instead."""

from __future__ import annotations

import streamlit as st

from model.interpret.confidence import Confidence, confidence, looped_text
from viz import cache, session
from viz.i18n import tr
from viz.panels.reading import Reading

LONG = 20
"""Words from which a sentence is better split."""


def notices(found: Reading) -> list[str]:
    """Sentences about the translation, most telling first."""
    said, trace = [], found.trace
    loop = looped_text(trace)
    if loop is not None:
        said.append(tr("doubt.loop" if trace.is_truncated else "doubt.loop_ended", text=loop))
    elif trace.is_truncated:
        said.append(tr("sentence.unfinished", n=len(trace.target)))
    measured = _confidence(found)
    if measured is not None and measured.is_doubtful:
        said.append(tr("doubt.far"))
        if not in_capitals(found.fitted.text):
            said.append(tr("doubt.split" if len(found.fitted.text.split()) > LONG else "doubt.plain"))
    if in_capitals(found.fitted.text):
        said.append(tr("doubt.capitals"))
    return said


def offer(found: Reading) -> None:
    """The button that gives a sentence in capitals its usual case."""
    text = found.fitted.text
    if in_capitals(text):
        st.button(
            tr("doubt.lower"), icon=":material/match_case:", key="lower_case",
            on_click=session.new_sentence, args=(usual_case(text),),
        )  # fmt: skip


def in_capitals(text: str) -> bool:
    """Whether a sentence is written in capitals; a single abbreviation does not count."""
    return text.isupper() and sum(len(word) > 1 and word.isupper() for word in text.split()) > 1


def usual_case(text: str) -> str:
    """Lower case with a capital at the beginning, and for the English word I."""
    lowered = " ".join(word.capitalize() if word.partition("'")[0] == "i" else word for word in text.lower().split(" "))
    return lowered[:1].upper() + lowered[1:]


def _confidence(found: Reading) -> Confidence | None:
    selection = found.selection
    if selection.method == "sample" or selection.prefix or not found.is_finite:
        return None
    return cache.keep(("confidence", *found.key), lambda: confidence(found.bundle, found.trace))
