"""Interventions on Decode: heads, attention rows, positions, the causal mask and a forced prefix."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Literal

import streamlit as st

from model import BlockedKey, ForcedRow, Interventions, PositionEdit
from model.config import NOT_ADDED
from model.interventions import AttentionKind, PositionMode, attention_shapes
from model.text.tokens import TextError, prefix_ids
from viz.decode.player import force
from viz.i18n import sentences, tr
from viz.panels.changes import set_heads_off
from viz.panels.opening import target_examples
from viz.panels.reading import Reading
from viz.panels.widgets import segmented_picker, token_picker
from viz.plain_text import escape_markdown, public_message
from viz.state import clicks, session


def add_buttons(reading: Reading) -> None:
    """Draw the interventions, each in a popover."""
    st.caption(tr("decode.what_if"), width="content")
    with st.popover(tr("decode.add_heads"), key="add_heads"):
        _heads(reading)
    with st.popover(tr("decode.add_attention"), key="add_attention"):
        _attention(reading)
    if len(reading.trace.source):
        is_masked = "decoder_self" in reading.trace.attention.kinds
        with st.popover(tr("decode.add_positions" if is_masked else "decode.add_positions_alone"), key="add_positions"):
            _positions(reading)
    if "decoder_self" in reading.trace.attention.kinds:
        with st.popover(tr("decode.add_prefix"), key="add_prefix"):
            _prefix(reading)


def _heads(reading: Reading) -> None:
    first, sizes = reading.selection.first_index, attention_shapes(reading.bundle.config)
    kind = _kind(reading, "off_kind")
    layers, heads = sizes[kind]
    layer = st.selectbox(tr("decode.layer"), range(layers), format_func=lambda n: str(n + first), key="off_layer")
    chosen = st.pills(
        tr("decode.heads"), range(heads), format_func=lambda n: str(n + first), selection_mode="multi", key="off_heads"
    )
    mode = st.radio(
        tr("decode.off_how"),
        ("zero", "uniform"),
        format_func=_words("decode.off_", ("zero", "uniform")),
        key="off_mode",
    )
    is_whole_layer = st.checkbox(tr("decode.whole_layer"), key="off_layer_whole")
    ablated = range(heads) if is_whole_layer else chosen
    st.button(
        tr("decode.switch_off"),
        type="primary",
        disabled=not ablated,
        on_click=set_heads_off,
        args=(kind, layer, tuple(ablated), mode),
        key="off_apply",
    )


def _attention(reading: Reading) -> None:
    first, sizes = reading.selection.first_index, attention_shapes(reading.bundle.config)
    st.caption(tr("decode.attention_how"))
    kind = _kind(reading, "force_kind")
    layers, heads = sizes[kind]
    left, right = st.columns(2)
    layer = left.selectbox(tr("decode.layer"), range(layers), format_func=lambda n: str(n + first), key="force_layer")
    head = right.selectbox(tr("decode.head"), range(heads), format_func=lambda n: str(n + first), key="force_head")
    queries = reading.trace.source if kind == "encoder_self" else reading.trace.target
    label = tr("decode.row_source" if kind == "encoder_self" else "decode.row_target")
    query = token_picker(label, queries.pieces, place=left, key="force_row")
    keys = reading.trace.prefix if kind == "decoder_self" else reading.trace.source
    n_keys = query + 1 if kind == "decoder_self" else len(keys)
    key = token_picker(tr("decode.all_on"), keys.pieces[:n_keys], place=right, key="force_key")
    weights = tuple(float(n == key) for n in range(n_keys))
    force_it, hide_it = st.columns(2)
    force_it.button(
        tr("decode.force"),
        type="primary",
        on_click=force,
        args=(ForcedRow(kind, layer, head, query, weights),),
        key="force_apply",
    )
    hide_it.button(
        tr("decode.hide"),
        on_click=_hide,
        args=(BlockedKey(kind, key, layer, head),),
        help=tr("decode.hide_help"),
        key="hide_apply",
    )


def _positions(reading: Reading) -> None:
    now = reading.selection.interventions
    edit = now.source_positions
    modes: tuple[PositionMode | Literal["none"], ...] = ("none", "zero", "shuffle", "shift", "reverse")
    if reading.bundle.config.positions in NOT_ADDED:
        st.caption(tr("decode.only_distances" if reading.bundle.config.sees_distances else "decode.no_positions"))
    mode = st.radio(
        tr("decode.positions"),
        modes,
        index=modes.index(edit.mode) if edit else 0,
        format_func=_words("decode.positions_", modes),
        key="move_mode",
    )
    amount = 0
    if mode in ("shuffle", "shift"):
        amount = st.number_input(
            tr(f"decode.{mode}_by"), 0, 400, max(0, edit.amount) if edit else 5, key=f"move_{mode}"
        )
    moved = None if mode == "none" else PositionEdit(mode, int(amount))
    st.button(
        tr("decode.apply"),
        type="primary",
        disabled=moved == edit,
        on_click=session.intervene,
        args=(dataclasses.replace(now, source_positions=moved),),
        key="move_apply",
    )
    if "decoder_self" not in reading.trace.attention.kinds:
        return
    st.divider()
    st.caption(tr("decode.mask_how"))
    st.button(
        tr("decode.mask_restore" if now.lift_causal_mask else "decode.mask_lift"),
        on_click=session.intervene,
        args=(dataclasses.replace(now, lift_causal_mask=not now.lift_causal_mask),),
        key="mask_apply",
    )


def _prefix(reading: Reading) -> None:
    with st.form("prefix_form", border=False):
        text = st.text_input(
            tr("decode.prefix"),
            placeholder=target_examples(reading.bundle).beginning,
            help=tr("decode.prefix_help"),
            key="prefix_text",
        )
        is_sent = clicks.submit_button(tr("decode.go_on_from"), type="primary", key="prefix_sent")
    if not is_sent:
        return
    try:
        ids = prefix_ids(reading.bundle, text)
    except TextError as error:
        st.error(sentences(tr("decode.prefix_unknown"), escape_markdown(public_message(error))))
        return
    session.intervene(reading.selection.interventions, ids)
    st.rerun()


def _words(prefix: str, names: Sequence[str]) -> Callable[[str], str]:
    """A function for the labels of options, translated in advance because widgets may need them outside a run."""
    return {name: tr(prefix + name) for name in names}.__getitem__


def _kind(reading: Reading, key: str) -> AttentionKind:
    every: tuple[AttentionKind, ...] = ("cross", "decoder_self", "encoder_self")
    kinds: tuple[AttentionKind, ...] = tuple(kind for kind in every if kind in reading.trace.attention.kinds)
    if len(kinds) == 1:
        return kinds[0]
    names = {kind: tr(f"frame.kind_{kind}") for kind in kinds}
    return segmented_picker(tr("decode.kind"), names, is_labelled=True, default="cross", key=key)


def _hide(block: BlockedKey) -> None:
    now: Interventions = session.read().interventions
    if block not in now.blocked_keys:
        session.intervene(dataclasses.replace(now, blocked_keys=(*now.blocked_keys, block)))
