"""The active interventions as chips; a click on a chip undoes it. Heads are switched off and on again."""

import dataclasses
from collections.abc import Iterator

import streamlit as st

from model import NONE, HeadAblation, Interventions
from model.interventions import AttentionKind, OffMode
from model.text.tokens import text_of
from viz import change_words
from viz.i18n import tr
from viz.panels.reading import Reading
from viz.plain_text import escape_markdown
from viz.state import session


def chips(reading: Reading) -> None:
    """Draw a chip for each active intervention; nothing when there is none."""
    if not reading.selection.interventions and not reading.selection.prefix:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="changes"):
        st.markdown(tr("frame.in_force"), width="content")
        for number, (words, without, prefix) in enumerate(describe_changes(reading)):
            st.button(
                escape_markdown(words),
                key=f"change.{number}",
                icon=":material/close:",
                icon_position="right",
                help=tr("frame.remove_help"),
                on_click=session.intervene,
                args=(without, prefix),
            )
        st.button(tr("frame.undo"), key="undo", type="tertiary", on_click=session.undo)
        st.button(tr("frame.undo_all"), key="undo_all", type="tertiary", on_click=session.intervene, args=(NONE, ()))


def in_words(reading: Reading) -> str:
    """The active interventions as a caption: the first few by name, the rest as a number."""
    return change_words.summarise_changes([words for words, *_ in describe_changes(reading)])


def describe_changes(reading: Reading) -> Iterator[tuple[str, Interventions, tuple[int, ...]]]:
    """Each change in words, and the interventions and forced prefix that remain without it."""
    now, trace = reading.selection, reading.trace
    tokens = change_words.Tokens(trace.source_tokens, trace.prefix_tokens, now.first_index)
    for words, without in change_words.spoken(now.interventions, tokens):
        yield words, without, now.prefix
    if now.prefix:
        yield change_words.begins(text_of(reading.bundle, now.prefix)), now.interventions, ()


def set_heads_off(kind: AttentionKind, layer: int, heads: tuple[int, ...], mode: OffMode | None) -> None:
    """Switch heads of one layer off, in place of earlier ablations of these heads; None switches them on again."""
    edits, places = session.read().interventions, {(kind, layer, head) for head in heads}
    others = tuple(off for off in edits.heads_off if (off.kind, off.layer, off.head) not in places)
    ablations = () if mode is None else tuple(HeadAblation(kind, layer, head, mode) for head in heads)
    session.intervene(dataclasses.replace(edits, heads_off=(*others, *ablations)))
