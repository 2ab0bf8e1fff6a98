"""Causal maps averaged over a group of minimal pairs, by the role of each token, with their spread."""

import streamlit as st

from model.interpret.minimal_pairs import (
    DECODER_ROLES,
    ENCODER_ROLES,
    GROUPS,
    Group,
    GroupMap,
    group_map_as_it_comes,
    minimal_pairs,
)
from model.interpret.tracing.pair_reading import COMPONENTS
from viz import cache
from viz.causal.choices import bind, choices
from viz.components.matrix import Block, Matrix, matrix
from viz.i18n import tr
from viz.panels import errors
from viz.panels.reading import Reading
from viz.panels.widgets import complete, segmented_picker
from viz.state import clicks, session

_COMPONENTS = ("encoder.residual", "decoder.residual")


def draw(reading: Reading) -> None:
    """Draw the choice of a group, the button to measure it, and its mean and spread."""
    names = {name: tr(f"causal.group_{name}") for name in GROUPS}
    segmented_picker(tr("causal.group"), names, is_labelled=True, **bind("group"))
    group: Group = next(name for name in GROUPS if name == choices().group)
    pairs = minimal_pairs(group)
    key = ("group map", reading.bundle.fingerprint, group)
    label = tr("causal.group_start", n=len(pairs))
    is_pressed = clicks.button(label, type="primary", key="group_start", about=key)
    group_map: GroupMap | None = cache.find(key)
    if is_pressed and group_map is None:
        parts = group_map_as_it_comes(reading.bundle, pairs=pairs)
        with errors.explained():  # a cancelled run still shows the partial result
            group_map = cache.put(key, complete(
                parts, "causal.group_progress", store=lambda part: session.remember("group_part", {key: part}),
                key="group_cancel", help=tr("causal.cancel_help"),
            ))  # fmt: skip
    group_map = group_map or session.recall("group_part", dict).get(key)
    if group_map is None:
        st.caption(tr("causal.group_empty"))
        return
    if group_map.done < group_map.total:
        st.info(tr("causal.group_cancelled", done=group_map.done, total=group_map.total))
    if not group_map.n_pairs:
        if group_map.done == group_map.total:
            st.warning(tr("causal.group_none"))
        return
    st.markdown(tr("causal.group_read", n=group_map.n_pairs, skipped=len(group_map.skipped)))
    _matrices(reading, group_map)


def _matrices(reading: Reading, group_map: GroupMap) -> None:
    offset = reading.selection.first_index
    for title, values in (("mean", group_map.mean), ("spread", group_map.spread)):
        blocks = []
        for component in (name for name in COMPONENTS if name in _COMPONENTS):
            roles = ENCODER_ROLES if component.startswith("encoder") else DECODER_ROLES
            rows, name = range(len(values[component])), tr(f"causal.block_{component.replace('.', '_')}")
            blocks.append(Block(
                title=f"{name} · {tr(f'causal.{title}')}", kind="",
                rows=tuple(tr("causal.entrance") if row == 0 else str(row - 1 + offset) for row in rows),
                columns=tuple(tr(f"causal.role_{role}") for role in roles), values=100 * values[component],
                rows_name=tr("causal.layer"),
            ))  # fmt: skip
        matrix(
            Matrix(blocks=tuple(blocks), digits=0, help=tr("causal.cell"), unknown=tr("causal.no_role")),
            key=f"causal_group_{title}",
        )
