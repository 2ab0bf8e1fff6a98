"""The active interventions as chips; a click on a chip undoes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import streamlit as st

from model import NONE, Interventions, Patch, TokenSequence
from model.text.tokens import text_of
from viz import session
from viz.i18n import tr
from viz.panels.reading import Reading
from viz.panels.sentence import chip_text
from viz.plain_text import as_written

MOST_NAMED = 3
"""Changes that a caption names."""


def chips(reading: Reading) -> None:
    """A row of what is changed, if anything is."""
    if not reading.selection.interventions and not reading.selection.prefix:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="changes"):
        st.markdown(tr("frame.in_force"), width="content")
        for number, (words, without, prefix) in enumerate(listed(reading)):
            st.button(
                as_written(words),
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
    """All that is changed, for a caption: the first few by name, the others counted."""
    words = [words for words, *_ in listed(reading)]
    if len(words) > MOST_NAMED + 1:
        words = [*words[:MOST_NAMED], tr("frame.more_changes", n=len(words) - MOST_NAMED)]
    return ", ".join(words)


def listed(reading: Reading) -> Iterator[tuple[str, Interventions, tuple[int, ...]]]:
    """Each change in words, and the interventions and forced prefix that remain without it."""
    prefix = reading.selection.prefix
    for words, without in _interventions(reading):
        yield words, without, prefix
    if prefix:
        yield tr("frame.prefix_fixed", text=text_of(reading.bundle, prefix)), reading.selection.interventions, ()


def _interventions(reading: Reading) -> Iterator[tuple[str, Interventions]]:
    now, first = reading.selection.interventions, reading.selection.first_index
    for name in ("heads_off", "forced_rows", "blocked_keys"):
        items = getattr(now, name)
        for place, item in enumerate(items):
            rest = items[:place] + items[place + 1 :]
            yield _words(item, reading, first), dataclasses.replace(now, **{name: rest})
    for place, patch in enumerate(now.patches):
        rest = now.patches[:place] + now.patches[place + 1 :]
        yield _patched(patch, reading, first), dataclasses.replace(now, patches=rest)
    if now.source_positions is not None:
        edit = now.source_positions
        words = tr(f"frame.positions_{edit.mode}", **({"amount": edit.amount} if edit.mode == "shift" else {}))
        yield words, dataclasses.replace(now, source_positions=None)
    if now.lift_causal_mask:
        yield tr("frame.mask_lifted"), dataclasses.replace(now, lift_causal_mask=False)


def _patched(patch: Patch, reading: Reading, first: int) -> str:
    """A patch in words: where, at which tokens and heads, and what was put there."""
    is_source = patch.stack == "encoder" or patch.name.endswith((".cross.key", ".cross.value"))
    pieces = (reading.trace.source if is_source else reading.trace.prefix).pieces
    tokens = " ".join(chip_text(pieces[i]) if i < len(pieces) else f"#{i}" for i in patch.positions or ())
    heads = ", ".join(str(head + first) for head in patch.heads or ())
    where = "".join((f" [{heads}]" if heads else "", f" {tokens}" if tokens else ""))
    if patch.from_text is not None:
        return tr("frame.patch_text", name=patch.name, where=where, text=patch.from_text)
    how = next(how for how in ("zero", "mean", "noise", "value") if getattr(patch, how) not in (None, False))
    return tr(f"frame.patch_{how}", name=patch.name, where=where)


def _words(item, reading: Reading, first: int) -> str:
    kind = tr(f"frame.kind_{item.kind}").lower()
    if hasattr(item, "key"):
        keys: TokenSequence = reading.trace.prefix if item.kind == "decoder_self" else reading.trace.source
        token = keys.pieces[item.key] if item.key < len(keys) else f"#{item.key}"
        return tr("frame.key_blocked", kind=kind, token=token)
    place = {"kind": kind, "layer": item.layer + first, "head": item.head + first}
    if hasattr(item, "query"):
        return tr("frame.row_forced", row=item.query + first, **place)
    return tr("frame.head_even" if item.mode == "uniform" else "frame.head_off", **place)
