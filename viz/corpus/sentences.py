"""Sentences of a corpus as a list: text, thumbnail of the head's map, and buttons to Explore and Decode."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from model import Bundle
from model.corpus.survey import Survey
from model.interventions import AttentionKind
from viz import cache
from viz.figures.head_grid import picture
from viz.i18n import tr
from viz.panels import errors
from viz.panels.explorer import look_at
from viz.panels.reading import find_bundle, is_alone
from viz.plain_text import escape_markdown
from viz.state import clicks, session


def draw_sentences(
    survey: Survey,
    ids: Sequence[int],
    *,
    kind: AttentionKind,
    layer: int,
    head: int,
    key: str,
    notes: Sequence[str] = (),
    n_columns: int = 1,
) -> None:
    """Draw each sentence with its map in the chosen head, its reference and its translation."""
    if not ids:
        st.caption(tr("corpus.nothing"))
        return
    marks = ", ".join("?" * len(ids))
    frame = cache.ask(
        survey, f"SELECT id, source, target, translation FROM sentences WHERE id IN ({marks})", tuple(ids)
    )
    rows = {row.id: row for row in frame.itertuples()}
    bundle = surveyed_bundle(survey)
    columns: Sequence[Any] = [st]
    for place, number in enumerate(ids):
        if n_columns > 1 and place % n_columns == 0:  # row by row, to keep the order on a phone
            columns = st.columns(n_columns)
        if number in rows:
            row = rows[number]
            note = notes[place] if notes else ""
            with columns[place % n_columns].container():
                _draw_hit(bundle, row, kind=kind, layer=layer, head=head, key=f"{key}_{place}", note=note,
                     has_own_targets=survey.has_own_targets)  # fmt: skip


def surveyed_bundle(survey: Survey) -> Bundle | None:
    """The current model if it is the surveyed one, else None: its maps would not belong to the survey."""
    bundle = find_bundle()
    return bundle if bundle is not None and bundle.fingerprint == survey.fingerprint else None


def _draw_hit(
    bundle: Bundle | None,
    row,
    *,
    kind: AttentionKind,
    layer: int,
    head: int,
    key: str,
    note: str,
    has_own_targets: bool,
) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"corpus_hit_{key}", border=True):
        if bundle is not None:
            with errors.explained():
                reads_alone = is_alone(bundle)
                trace = cache.read(bundle, row.source) if reads_alone else cache.score(bundle, row.source, row.target)
                weights = trace.attention.of(kind)
            if weights is not None and layer < weights.shape[0] and head < weights.shape[1]:
                first = session.read().first_index
                alt = tr("corpus.one_head", layer=layer + first, head=head + first, part=row.source)
                st.image(picture(weights[layer, head], kind, session.mode()), width=64, alt=alt)
        with st.container(gap=None):
            st.text(row.source)
            key_of_target = "corpus.translation" if has_own_targets else "corpus.reference"
            texts = [tr(key_of_target, text=escape_markdown(row.target))] if row.target else []
            if row.translation:
                texts.append(tr("corpus.translation", text=escape_markdown(row.translation)))
            if texts:
                st.caption("  \n".join(texts))
            if note:
                st.caption(escape_markdown(note))
        with st.container(horizontal=True, gap="small", width="content"):  # they wrap together on a phone
            for page, icon in (("explore", ":material/grid_view:"), ("decode", ":material/play_arrow:")):
                label, about = tr(f"frame.page_{page}"), (row.source, kind, layer, head)
                if clicks.button(label, icon=icon, key=f"corpus_{page}_{key}", type="tertiary", about=about):
                    session.new_sentence(row.source)
                    look_at(kind, layer, head)
                    st.switch_page(f"{page}/{page}.py")
