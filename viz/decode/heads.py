"""Effects of heads: each is ablated in turn, on one sentence or on a set."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import streamlit as st

from model import AttentionMaps, Bundle, Trace
from model.analysis import head_scores, rank_agreement
from model.analysis.agreement import WeightKind
from model.interpret.ablation import CorpusEffects, HeadEffects, corpus_effects_as_they_come, head_effects_as_they_come
from model.interpret.attribution import gradient_attention, value_weighted
from model.interventions import KINDS, AttentionKind
from model.text.links import CorpusError
from model.text.pairs import columns_of
from model.trace import Floats
from model.training.rows import MAX_PASTED
from viz import cache
from viz.components.matrix import Matrix, heads_block, matrix
from viz.decode.choices import bind, choices
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.changes import set_heads_off
from viz.panels.opening import target_examples
from viz.panels.reading import Reading
from viz.panels.widgets import complete, progress, segmented_picker
from viz.state import clicks, session


def which_heads(reading: Reading) -> None:
    """Draw the ablation of every head, on this sentence or on a set."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = {name: tr(f"decode.scope_{name}") for name in ("sentence", "set")}
        segmented_picker(tr("decode.scope"), names, is_labelled=True, **bind("scope"))
        names = {name: tr(f"decode.off_{name}") for name in ("zero", "uniform")}
        segmented_picker(tr("decode.off_how"), names, is_labelled=True, **bind("off_mode"))
    if choices().scope == "set":
        _draw_set(reading)
        return
    with errors.explained():
        effects = _sentence_effects(reading)
    if effects.done < effects.total:
        st.info(tr("decode.set_cancelled", done=effects.done, total=effects.total))
        st.button(
            tr("decode.set_start", n=1), key="heads_again",
            on_click=session.remember, args=("head_effects", {}),
        )  # fmt: skip
    st.markdown(tr("decode.heads_read", log_prob=number(effects.log_prob, ".2f")))
    _heads_matrix(reading, {kind: effects.totals(kind) for kind in KINDS}, tr("decode.heads_cell"), digits=2)
    _agreement(reading, effects)


def _sentence_effects(reading: Reading) -> HeadEffects:
    """The effects of all heads, or of those measured before the reader cancelled."""
    mode: Any = choices().off_mode
    key = (reading.key, mode)
    stored = session.recall("head_effects", dict)
    effects: HeadEffects | None = stored["effects"] if stored.get("key") == key else None
    if effects is not None and (effects.done == effects.total or stored.get("is_cancelled")):
        return effects
    return complete(
        head_effects_as_they_come(reading.bundle, reading.trace, mode=mode), "decode.progress",
        store=lambda part: session.remember("head_effects", {"key": key, "effects": part}),
        key="heads_cancel", help=tr("decode.cancel_heads"),
        on_cancel=lambda: session.recall("head_effects", dict).update(is_cancelled=True),
    )  # fmt: skip


def _heads_matrix(reading: Reading, totals: dict[AttentionKind, Floats], help_text: str, *, digits: int) -> None:
    first, heads_off = reading.selection.first_index, reading.selection.interventions.heads_off
    names = (tr("decode.layer"), tr("decode.head"))
    off = {kind: tuple((item.layer, item.head) for item in heads_off if item.kind == kind) for kind in totals}
    blocks = tuple(
        heads_block(kind, values, first_index=first, names=names, off=off[kind]) for kind, values in totals.items()
    )
    effects = Matrix(blocks=blocks, digits=digits, help=help_text, unknown=tr("decode.not_tried"), can_click=True)
    matrix(effects, key="head_effects", on_cell=_take_head)
    st.caption(tr("decode.heads_click"))


def _take_head() -> None:
    cell = session.clicked_cell("head_effects")
    if cell is None or cell[0] >= len(KINDS):
        return
    kind, layer, head = KINDS[cell[0]], cell[1], cell[2]
    ablated = {(item.kind, item.layer, item.head) for item in session.read().interventions.heads_off}
    mode: Any = choices().off_mode
    set_heads_off(kind, layer, (head,), None if (kind, layer, head) in ablated else mode)


def _agreement(reading: Reading, effects: HeadEffects) -> None:
    """Draw the rank correlation of the heads' weights with their effects, by weighting."""
    changes = np.concatenate([-effects.totals(kind).ravel() for kind in KINDS])
    correlations = []
    for name, maps in _weightings(reading):
        scores = [head_scores(weights, name) for kind in KINDS if (weights := maps.of(kind)) is not None]
        agreement = rank_agreement(np.concatenate([score.ravel() for score in scores]), changes)
        text = "–" if agreement.correlation is None else number(agreement.correlation, "+.2f")
        correlations.append((tr(f"decode.measure_{name}"), text))
    with st.container(horizontal=True, gap="large"):
        for label, text in correlations:
            st.metric(label, text, help=tr("decode.agreement_help"), width="content")
    st.caption(tr("decode.agreement"))


def _weightings(reading: Reading) -> Iterator[tuple[WeightKind, AttentionMaps]]:
    """Names and weights to compare with the effects; the raw ones alone where the model cannot be differentiated."""
    bundle, trace = reading.bundle, reading.trace
    yield "raw", trace.attention
    with suppress(ValueError):
        key = ("value_weighted", *reading.key)
        yield "value_weighted", cache.get_or_compute(key, lambda: value_weighted(bundle, trace))
        key = ("gradients", *reading.key)
        yield "gradient", cache.get_or_compute(key, lambda: _summed_gradient_attention(bundle, trace))


def _summed_gradient_attention(bundle: Bundle, trace: Trace) -> AttentionMaps:
    """Gradient × attention, summed over the tokens of the translation."""
    steps = [gradient_attention(bundle, trace, step=step).maps for step in range(min(len(trace.target), 32))]
    totals: dict[str, Floats | None] = {}
    for kind in KINDS:
        weights_by_step = [weights for maps in steps if (weights := maps.of(kind)) is not None]
        totals[kind] = np.sum(weights_by_step, 0) if weights_by_step else None
    return AttentionMaps(**totals)


def _draw_set(reading: Reading) -> None:
    examples = target_examples(reading.bundle)
    default = "\n".join(f"{source}\t{target}" for source, target in examples.pairs)
    text = st.text_area(
        tr("decode.set"), default, help=tr("decode.set_help"), height=180, key=f"ablation_set.{examples.code}",
        max_chars=MAX_PASTED,
    )  # fmt: skip
    try:
        rows = columns_of(text[:MAX_PASTED].splitlines(), "") if text.strip() else []
        wrong = next((line for line, parts in rows if len(parts) != 2 or not all(map(str.strip, parts))), 0)
    except CorpusError as error:
        rows, wrong = [], error.values["line"]
    if wrong:
        st.error(tr("decode.set_wrong", line=wrong))
        return
    pairs = [parts for _, parts in rows]
    label = tr("decode.set_start", n=len(pairs))
    if clicks.button(label, type="primary", disabled=not pairs, key="set_start"):
        _measure_set(reading, pairs)
    stored = session.recall("corpus_effects", dict)
    if stored.get("fingerprint") != reading.bundle.fingerprint:
        return
    if stored["key"] != _set_key(reading, pairs):
        st.warning(tr("decode.set_other"))
    effects: CorpusEffects = stored["effects"]
    if effects.done < effects.total:
        st.info(tr("decode.set_cancelled", done=effects.done, total=effects.total))
    st.markdown(tr("decode.set_read", bleu=number(effects.bleu, ".1f"), signature=effects.signature))
    _heads_matrix(reading, dict(effects.changes), tr("decode.set_cell"), digits=1)


def _set_key(reading: Reading, pairs: list[list[str]]) -> tuple:
    """All that effects over a set depend on, except the model."""
    return reading.selection.interventions.for_any_sentence(), choices().off_mode, repr(pairs)


def _measure_set(reading: Reading, pairs: list[list[str]]) -> None:
    """Ablate every head; the partial result is stored, so that a cancelled run still shows it."""
    mode: Any = choices().off_mode
    sources, references = ([parts[side] for parts in pairs] for side in (0, 1))
    key = _set_key(reading, pairs)
    with errors.explained(), progress(key="set_cancel", help=tr("decode.cancel_help")) as show:
        show("decode.progress_start")(0, 1)
        for effects in corpus_effects_as_they_come(
            reading.bundle, sources, references, mode=mode, interventions=key[0]
        ):
            stored = {"fingerprint": reading.bundle.fingerprint, "key": key, "effects": effects}
            session.remember("corpus_effects", stored)
            show("decode.progress")(effects.done, effects.total)
