"""The causal map of two sentences: layers down, tokens across; a click applies the patch."""

import dataclasses

import numpy as np
import streamlit as st

from model.bundle import Bundle
from model.inference.reading import kinds_of
from model.inference.scoring import score
from model.interpret.causal import (
    agreement,
    attribution_map,
    causal_map_as_it_comes,
    patch_of_cell,
    patch_of_head,
    read_pair,
)
from model.interpret.tracing.pair_reading import (
    COMPONENTS,
    SINGLE_STACK_COMPONENTS,
    CausalMap,
    PairReading,
    SameTranslationError,
)
from model.interventions import attention_shapes
from model.patch import Patch
from model.text.tokens import pieces_of
from model.trace import Floats
from viz import cache
from viz.causal.choices import WHAT, bind, choices, choose, other_sentence
from viz.components.matrix import Block, Matrix, heads_block, matrix
from viz.figures.laboratory import weight_maps
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.handwriting import columns_of, strip_width
from viz.panels.reading import Reading, find_bundle, is_alone, read_under
from viz.panels.widgets import complete, segmented_picker
from viz.plain_text import chip_text, escape_markdown
from viz.state import session

_OF: dict[str, tuple[str, ...]] = {
    "residual": ("encoder.residual", "decoder.residual"),
    "attention": ("encoder.self", "decoder.self", "decoder.cross"),
    "feed_forward": ("encoder.feed_forward", "decoder.feed_forward"),
}
_PAIR = "causal_pair"
_KIND = {"encoder.self": "encoder_self", "decoder.self": "decoder_self", "decoder.cross": "cross"}


def draw(reading: Reading) -> None:
    """Draw the pair in words, the map, and the effect of the chosen patch on attention."""
    first = other_sentence(reading.text)
    with errors.explained():
        try:
            pair = cache.compute(read_pair, reading.bundle, first=first, second=reading.text)
        except SameTranslationError:
            st.info(tr("causal.same_alone" if is_alone(reading.bundle) else "causal.same"))
            return
    session.remember(_PAIR, (reading.bundle.fingerprint, pair))  # for a click on the map
    _in_words(reading.bundle, pair)
    if _is_changed(reading):
        st.caption(tr("causal.unchanged"))
    _switches()
    with errors.explained():
        causal_map, estimated = _maps(reading, first)
    if choices().what == "heads":
        _head_map(reading, causal_map)
    else:
        _position_map(reading, causal_map)
    _remarks(causal_map, estimated)
    _before_and_after(reading)


def _is_changed(reading: Reading) -> bool:
    """Whether the translation on the stage is not the unpatched model's greedy one for reasons other than a patch."""
    selection = reading.selection
    edits = dataclasses.replace(selection.interventions, patches=())
    return bool(edits or selection.prefix) or selection.method != "greedy"


def _in_words(bundle: Bundle, pair: PairReading) -> None:
    pieces = pieces_of(bundle, (pair.word_id, pair.rival_id))
    words = [escape_markdown(chip_text(pieces[index])) for index in (pair.word_id, pair.rival_id)]
    margins = [number(value, "+.2f") for value in (pair.margin_first, pair.margin_second)]
    key = "causal.pair" if len(pair.second.source) else "causal.pair_alone"
    texts = [escape_markdown(trace.text) for trace in (pair.first, pair.second)]
    st.markdown(
        tr(key, word=words[0], rival=words[1], first=texts[0], second=texts[1], there=margins[0], here=margins[1])
    )


def _switches() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = {name: tr(f"causal.what_{name}") for name in WHAT}
        segmented_picker(tr("causal.what"), names, is_labelled=True, wrap=True, **bind("what"))
        names = {name: tr(f"causal.values_{name}") for name in ("exact", "estimated")}
        segmented_picker(tr("causal.values"), names, is_labelled=True, help=tr("causal.values_help"), **bind("values"))


def _maps(reading: Reading, first: str) -> tuple[CausalMap, CausalMap]:
    """The map to draw, and the estimated map; computing the exact one shows progress and can be cancelled."""
    texts = {"first": first, "second": reading.text}
    estimated = cache.compute(attribution_map, reading.bundle, **texts)
    if choices().values == "estimated":
        return estimated, estimated
    key = ("causal map", reading.bundle.fingerprint, *texts.values())
    exact: CausalMap | None = cache.find(key)
    if exact is not None:
        return exact, estimated
    exact = complete(
        causal_map_as_it_comes(reading.bundle, **texts), "causal.progress",
        key="map_cancel", help=tr("causal.cancel_map"), on_cancel=lambda: choose(values="estimated"),
    )  # fmt: skip
    return cache.put(key, exact), estimated


def _position_map(reading: Reading, causal_map: CausalMap) -> None:
    components, offset = _components(reading.bundle), reading.selection.first_index
    pair = causal_map.pair
    source, picture = columns_of(reading.bundle, pair.second, pair.first)
    fed = tuple(chip_text(piece) for piece in pair.second.prefix.pieces[: pair.step + 1])
    blocks = []
    for component in components:
        values = causal_map.shares(component)
        is_residual = component.endswith("residual")
        rows = tuple(
            tr("causal.entrance") if is_residual and row == 0 else str(row - is_residual + offset)
            for row in range(len(values))
        )
        alone = "_alone" if is_alone(reading.bundle) and is_residual else ""
        blocks.append(Block(
            title=tr(f"causal.block_{component.replace('.', '_')}{alone}"), kind=_KIND.get(component, ""), rows=rows,
            columns=source if component.startswith("encoder") else fed,
            values=_percent(values)[:, : len(source)] if component.startswith("encoder") else _percent(values),
            rows_name=tr("causal.layer"), columns_name=tr("causal.token"),
            picture=picture if component.startswith("encoder") else "", strip=strip_width(reading.bundle),
        ))  # fmt: skip
    matrix(
        Matrix(blocks=tuple(blocks), digits=0, help=tr("causal.cell"), unknown=tr("causal.unknown"), can_click=True),
        key="causal_map",
        on_cell=_take_cell,
    )
    st.caption(tr("causal.click"))


def _head_map(reading: Reading, causal_map: CausalMap) -> None:
    offset, names = reading.selection.first_index, (tr("causal.layer"), tr("causal.head"))
    blocks = [
        heads_block(kind, _percent(effects / causal_map.pair.distance), first_index=offset, names=names)
        for kind, effects in causal_map.heads.items()
    ]
    matrix(
        Matrix(blocks=tuple(blocks), digits=0, help=tr("causal.cell"), unknown=tr("causal.unknown"), can_click=True),
        key="causal_heads",
        on_cell=_take_head,
    )
    st.caption(tr("causal.click"))


def _components(bundle: Bundle) -> tuple[str, ...]:
    """The model's components of the chosen kind; each is a block of the map."""
    of_single_stack = [name for name in _OF.get(choices().what, ()) if name in SINGLE_STACK_COMPONENTS]
    return tuple(of_single_stack) if is_alone(bundle) else _OF.get(choices().what, ())


def _percent(shares: Floats) -> Floats:
    return (100 * shares).astype(np.float32)


def _remarks(causal_map: CausalMap, estimated: CausalMap) -> None:
    if causal_map.is_exact:
        correlation = agreement(causal_map, estimated)
        st.caption(tr("causal.agreement", r=number(correlation, "+.2f"), n=causal_map.total))
    else:
        st.caption(tr("causal.estimate_note"))


def _take_cell() -> None:
    cell, current = session.clicked_cell("causal_map"), _current_pair()
    if cell is None or current is None:
        return
    bundle, reading = current
    block, row, position = cell
    components = _components(bundle)
    if block < len(components) and components[block] in COMPONENTS:
        try:
            session_patch(patch_of_cell(bundle, reading, components[block], row, position))
        except (ValueError, IndexError):
            return


def _take_head() -> None:
    cell, current = session.clicked_cell("causal_heads"), _current_pair()
    if cell is None or current is None:
        return
    bundle, reading = current
    kinds = kinds_of(bundle)
    if cell[0] >= len(kinds):
        return
    n_layers, n_heads = attention_shapes(bundle.config)[kinds[cell[0]]]
    if cell[1] < n_layers and cell[2] < n_heads:
        session_patch(patch_of_head(bundle, reading, kinds[cell[0]], cell[1], cell[2]))


def _current_pair() -> tuple[Bundle, PairReading] | None:
    """The model and the pair of the map; None when another model is in use."""
    bundle = find_bundle()
    stored: tuple[str, PairReading] | None = session.recall(_PAIR, lambda: None)
    return (bundle, stored[1]) if bundle and stored and stored[0] == bundle.fingerprint else None


def session_patch(patch: Patch) -> None:
    """Apply a patch in place of the current one, or remove it if it is already applied."""
    now = session.read().interventions
    patches = () if patch in now.patches else (patch,)
    session.intervene(dataclasses.replace(now, patches=patches))


def _before_and_after(reading: Reading) -> None:
    """The attention of the head in use over the unpatched translation, without and with the patch.

    The other interventions and the decoding method are the same for both.
    """
    edits = reading.selection.interventions
    if not edits.patches:
        return
    without = dataclasses.replace(reading.selection, interventions=dataclasses.replace(edits, patches=()))
    with errors.explained():
        plain = (read_under(reading.bundle, without) or reading).trace
        patched = cache.compute(
            score, reading.bundle, source=reading.text, target=plain.target.ids, interventions=edits
        )
    look = reading.selection
    before, after = plain.attention.of(look.kind), patched.attention.of(look.kind)
    if before is None or after is None:
        return
    place = f"{look.layer + look.first_index}·{look.head + look.first_index}"
    queries = plain.source if look.kind == "encoder_self" else plain.target
    keys = plain.prefix if look.kind == "decoder_self" else plain.source
    change = float(patched.log_probs.sum() - plain.log_probs.sum())
    st.markdown(
        tr("causal.after", text=escape_markdown(reading.trace.text), change=number(change, "+.2f"),
           kind=tr(f"frame.kind_{look.kind}"), place=place)
    )  # fmt: skip
    st.plotly_chart(
        weight_maps(
            (before[look.layer, look.head], after[look.layer, look.head]), queries.pieces, keys.pieces,
            titles=(tr("causal.before_title"), tr("causal.after_title")), kind=look.kind, mode=session.mode(),
        ),
        theme=None, key="causal_attention", config={"displayModeBar": False},
    )  # fmt: skip
