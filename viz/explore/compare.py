"""Compares two sentences, or two models on one sentence: the choice, both views, their difference, and a summary.

The summary shows both translations with the differing words marked, and the heads whose attention moved most.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import streamlit as st

from model import Trace
from model.analysis import CompareError, compare_traces, moved
from model.interventions import KINDS, AttentionKind
from model.picture import is_picture
from viz import cache, theme
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.explorer import look_at
from viz.panels.handwriting import choose_other
from viz.panels.reading import Reading, read_as
from viz.panels.stage.sentence import cut_message
from viz.plain_text import escape_markdown
from viz.state import session

MAX_HEADS = 6


@dataclass(frozen=True, slots=True)
class Mover:
    """A head and the share of its attention that moved to other tokens."""

    kind: AttentionKind
    layer: int
    head: int
    share: float


def is_on(reading: Reading) -> bool:
    """Whether there is something to compare with."""
    return bool(_second_text(reading) or session.read().other_model)


def _second_text(reading: Reading) -> str:
    """The second sentence, or the second written word beside a written word; "" for none."""
    other = reading.selection.other_text.strip()
    return other if is_picture(other) == is_picture(reading.text) else ""


def choices(reading: Reading) -> None:
    """Choose what to compare with."""
    selection = session.read()
    if is_picture(reading.text):
        choose_other(
            reading.text, _second_text(reading), lambda text: session.change(other_text=text),
            label=tr("explore.other_text"), key="compare",
        )  # fmt: skip
    else:
        st.text_input(
            tr("explore.other_text"), placeholder=selection.text[:200], max_chars=session.LONGEST_LINK_TEXT,
            **session.bind("other_text"),
        )  # fmt: skip
    names = ["", *cache.model_names(), *session.private_models()]
    wished = cache.current_model_name(selection.other_model)
    selected = wished if wished in names else ""
    same = tr("explore.same_model")
    st.selectbox(
        tr("explore.other_model"),
        names,
        format_func=lambda name: name or same,
        **session.bind("other_model", value=selected),
    )
    st.caption(tr("explore.compare_help"))
    if is_on(reading):
        st.button(
            tr("explore.compare_end"),
            key="compare_end",
            on_click=session.change,
            kwargs={"other_text": "", "other_model": ""},
        )


def other(reading: Reading) -> Reading | None:
    """The second reading, or None; a panel says why it cannot be read, and the page is drawn without it."""
    selection = reading.selection
    known = (*cache.model_names(), *session.private_models())
    wished = cache.current_model_name(selection.other_model)
    model = wished if wished in known else ""
    text = _second_text(reading)
    if not text and not model:
        return None
    with errors.explained_here():
        return read_as(reading, text=text, model=model)
    return None


def summary(reading: Reading, other: Reading) -> None:
    """Draw the comparison above the explorer."""
    with st.container(gap="small", key="compared"):
        _translations(reading, other)
        try:
            heads = cache.get_or_compute(("movers", reading.key, other.key), lambda: movers(reading.trace, other.trace))
        except CompareError:
            st.caption(tr("compare.other_shape"))
            return
        if heads:
            _movers(heads, reading.selection.first_index)


def movers(left: Trace, right: Trace) -> tuple[Mover, ...]:
    """The heads whose attention moved, at most ``MAX_HEADS``, largest share first.

    Raises:
        CompareError: when layers or heads differ.
    """
    heads: list[Mover] = []
    for kind in KINDS:
        if kind not in left.attention.kinds or kind not in right.attention.kinds:
            continue
        shares = moved(compare_traces(left, right, kind))
        heads += [
            Mover(kind, int(layer), int(head), float(share))
            for (layer, head), share in np.ndenumerate(shares)
            if share > 0
        ]
    return tuple(sorted(heads, key=lambda mover: -mover.share)[:MAX_HEADS])


def underline_differences(words: Sequence[str], counterpart: Sequence[str], *, colour: str) -> str:
    """The escaped words as HTML; words that the counterpart lacks are underlined."""
    parts = []
    for tag, start, stop, *_ in SequenceMatcher(None, words, counterpart, autojunk=False).get_opcodes():
        text = html.escape(" ".join(words[start:stop]))
        if tag != "equal" and text:
            text = f'<mark style="background:none;color:inherit;border-bottom:3px solid {colour}">{text}</mark>'
        parts.append(text)
    return " ".join(filter(None, parts))


def _translations(reading: Reading, other: Reading) -> None:
    colours = theme.palette(session.mode())
    sides = ((reading, other, colours.less), (other, reading, colours.more))
    for column, (side, opposite, colour) in zip(st.columns(2), sides, strict=True):
        log_prob = number(float(side.trace.log_probs.sum()), ".2f")
        name = "" if reading.bundle.fingerprint == other.bundle.fingerprint else escape_markdown(side.bundle.name)
        with column.container(gap=None):
            text = "" if is_picture(side.model_input.text) else escape_markdown(side.model_input.text)
            known = filter(None, (text, name, tr("compare.log_prob", value=log_prob)))
            st.caption(" · ".join(known))
            if side.model_input.is_cut:
                st.caption(cut_message(side.model_input))
            body = underline_differences(side.trace.text.split(), opposite.trace.text.split(), colour=colour)
            st.html(f'<p dir="auto" style="margin:0;font-size:1.25rem">{body}</p>')


def _movers(heads: Sequence[Mover], first: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="movers"):
        st.caption(tr("compare.moved_title"), help=tr("compare.moved_help"), width="content")
        for mover in heads:
            name = f"{tr(f'frame.kind_{mover.kind}')} {mover.layer + first}·{mover.head + first}"
            st.button(
                tr("compare.moved", head=name, share=number(100 * mover.share, ".0f")),
                key=f"mover.{mover.kind}.{mover.layer}.{mover.head}",
                on_click=look_at,
                args=(mover.kind, mover.layer, mover.head),
            )
