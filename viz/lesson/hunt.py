"""Heads are switched off one by one, and a claim about a head is tested on several sentences."""

import math

import numpy as np
import streamlit as st

from model import NONE, HeadAblation, Interventions
from model.interpret.ablation import HeadEffects, head_effects
from model.teaching.experiments import Removals, greedy_under, removals
from model.teaching.sentences import collection_for
from viz import cache, processors
from viz.components.matrix import Block, Matrix, matrix
from viz.i18n import tr
from viz.lesson.choices import AREA, NAMES, TRIES, Choices
from viz.lesson.scene import sentence_of
from viz.lesson.views import chances
from viz.panels import explorer
from viz.panels.explorer import look_at
from viz.panels.opening import vocabulary_texts
from viz.panels.reading import Reading, prepare_input
from viz.panels.widgets import head_picker, segmented_picker
from viz.plain_text import escape_markdown, markdown_table
from viz.state import session

_KEY = "lesson.hunt"
_N_HEADS = "lesson.hunt.heads"
_PROPOSED = "lesson.proposed"
N_TESTED = 4
"""Sentences on which a claim is tested, the class's own included."""


def find_changing_heads(reading: Reading) -> Removals:
    """Which heads change the translation when only that head is off."""
    with processors.all_processors():
        return cache.compute(removals, reading.bundle, text=reading.text)


def heads_message(reading: Reading) -> str:
    """The heads that change the translation, for the teacher."""
    first = reading.selection.first_index
    heads = [
        f"{layer + first}·{head + first}"
        for layer, head in np.argwhere(find_changing_heads(reading).is_changed).tolist()
    ]
    return tr("lesson.heads_found", heads=tr("checkpoints.comma").join(heads)) if heads else tr("lesson.heads_none")


def count_message(reading: Reading, n_tried: int | None) -> str:
    """How many heads change the translation, once enough were tried; empty where none can be tried."""
    if n_tried is None:
        return ""
    is_changed = find_changing_heads(reading).is_changed
    if n_tried < TRIES:
        return tr("lesson.explain_open", n_heads=int(is_changed.size), n=TRIES)
    return tr("lesson.explain_count", n_change=int(is_changed.sum()), n_heads=int(is_changed.size))


def effects(reading: Reading) -> HeadEffects:
    """The effect of switching each head off on the translation before the change."""
    before = session.choices_of(Choices, AREA).before
    text = prepare_input(reading.bundle, before).text if before else reading.text
    plain_trace = cache.translate(reading.bundle, text)
    return cache.get_or_compute(
        ("lesson hunt", reading.bundle.fingerprint, plain_trace.source_text),
        lambda: head_effects(reading.bundle, plain_trace),
    )


def draw(reading: Reading) -> None:
    """Draw the grid of heads: tried ones show the effect of switching them off, the others stay blank."""
    choices, first = session.choices_of(Choices, AREA), reading.selection.first_index
    effects_of_heads = effects(reading)
    layers, heads = reading.bundle.config.n_decoder_layers, reading.bundle.config.n_decoder_heads
    session.remember(_N_HEADS, heads)
    tried = [(place // heads, place % heads) for place in choices.tried if place < layers * heads]
    values = np.full((layers, heads), np.nan, np.float32)
    for place in tried:
        values[place] = effects_of_heads.totals("cross")[place]
    off = tuple((item.layer, item.head) for item in reading.selection.interventions.heads_off if item.kind == "cross")
    is_changed = find_changing_heads(reading).is_changed
    st.markdown(tr("lesson.hunt", changed=sum(bool(is_changed[place]) for place in tried), tried=len(tried)))
    block = Block(
        title=tr("frame.kind_cross"), kind="cross", rows=tuple(str(i + first) for i in range(layers)),
        columns=tuple(str(i + first) for i in range(heads)), values=values, off=off,
        rows_name=tr("decode.layer"), columns_name=tr("decode.head"),
    )  # fmt: skip
    help, unknown = tr("lesson.hunt_cell"), tr("lesson.hunt_unknown")
    matrix(Matrix(blocks=(block,), digits=2, help=help, unknown=unknown, can_click=True), key=_KEY, on_cell=_try_head)


def _try_head() -> None:
    cell = session.clicked_cell(_KEY)
    if cell is None:
        return
    _, layer, head = cell
    place = layer * session.recall(_N_HEADS, int) + head
    choices = session.choices_of(Choices, AREA)
    session.change_part(Choices, AREA, tried=tuple(dict.fromkeys((*choices.tried, place))))
    session.intervene(Interventions(heads_off=(HeadAblation("cross", layer, head),)))


def propose_head(reading: Reading) -> None:
    """Choose a head that changes the translation when off, unless the reader has chosen one."""
    if explorer.is_chosen_head() or (session.is_chosen("head") and session.recall(_PROPOSED, bool)):
        return
    session.remember(_PROPOSED, True)
    proposed = find_changing_heads(reading).first
    if proposed is not None:
        look_at("cross", *proposed)


def choose(reading: Reading) -> None:
    """Draw the choice of the head and the text field for the claim about it."""
    kind, extent = reading.selection.kind, cache.extent(reading.bundle)
    with st.container(horizontal=True, gap="small"):
        kinds = {name: tr(f"frame.kind_{name}") for name in extent.kinds}
        segmented_picker(tr("inside.kind"), kinds, **session.bind("kind"))
        head_picker(extent.layers[kind], extent.heads[kind], session.bind, width=120)
    st.text_input(tr("lesson.claim"), placeholder=tr("lesson.claim_hint"), **session.bind("claim", Choices, AREA))


def link() -> None:
    """Draw the link that holds the claim, folded."""
    with st.expander(tr("lesson.link"), icon=":material/link:"):
        st.caption(tr("lesson.link_note"))
        st.code(session.address(), language=None, wrap_lines=True)


def sureness(reading: Reading) -> list[tuple[float, float]]:
    """Mean log-probability of a token of the translation with the head, scored with it and without it."""
    variants = (NONE, without_claimed(reading))
    scored = [
        [cache.score(reading.bundle, text, on, interventions=edits).log_probs.mean() for edits in variants]
        for text, (on, _) in zip(_texts(reading), compare_without_head(reading), strict=True)
    ]
    return [(float(before), float(after)) for before, after in scored]


def without_claimed(reading: Reading) -> Interventions:
    """The head of the claim switched off."""
    selection = reading.selection
    return Interventions(heads_off=(HeadAblation(selection.kind, selection.layer, selection.head),))


def _texts(reading: Reading) -> list[str]:
    return list(dict.fromkeys((reading.text, *_others(reading))))[:N_TESTED]


def compare_without_head(reading: Reading) -> list[tuple[str, str]]:
    """Translations of several sentences with the claimed head and without it."""
    variants = (NONE, without_claimed(reading))
    translated = (cache.compute(greedy_under, reading.bundle, text=text, variants=variants) for text in _texts(reading))
    return [(on, without) for on, without in translated]


def _others(reading: Reading) -> tuple[str, ...]:
    """Further sentences to test a claim on, those on which some head matters first: on most, none does."""
    collection = collection_for(reading.bundle)
    chosen = collection.examples(reading.bundle) if collection else ()
    mattering = [example.text for example in chosen if example.phenomenon == "head_matters"]
    examples = filter(None, (*mattering, *(sentence_of(name, reading.bundle) for name in NAMES)))
    return tuple(examples) or vocabulary_texts(reading.bundle)


def draw_tested(reading: Reading) -> None:
    """The translations of several sentences with the head and without it, the changed ones in bold."""
    pairs, rows = compare_without_head(reading), []
    for (on, without), (before, after) in zip(pairs, sureness(reading), strict=True):
        changed = escape_markdown(without) if on == without else f"**{escape_markdown(without)}**"
        rows.append((escape_markdown(on), changed, " → ".join(chances(math.exp(before), math.exp(after)))))
    titles = (tr("lesson.claim_on"), tr("lesson.claim_off"), tr("lesson.claim_sure"))
    st.markdown(markdown_table(titles, rows, n_texts=2))
    st.caption(tr("lesson.claim_said", changed=sum(on != without for on, without in pairs), total=len(pairs)))
