"""Causal: activation patching between two sentences."""

import streamlit as st

from model.interpret.minimal_pairs import GROUPS, minimal_pairs
from viz.causal import attribution, circuits, groups, maps, steer
from viz.causal.choices import LONGEST_FIRST, PARTS, PROMPT_PAIRS, bind, choices, choose, other_sentence
from viz.i18n import tr
from viz.panels import changes, errors
from viz.panels.handwriting import choose_other
from viz.panels.reading import Reading, current_reading, is_alone
from viz.panels.widgets import segmented_picker
from viz.state import session

DRAW = {
    "map": maps.draw,
    "circuit": circuits.draw,
    "tokens": attribution.tokens,
    "direct": attribution.direct,
    "group": groups.draw,
    "steer": steer.draw,
}
ALONE = ("map", "tokens", "direct", "steer")
"""Parts of the page for a decoder-only model."""
OF_PICTURES = ("map", "tokens", "direct")
"""Parts of the page for a model that reads handwriting; the others need lists of sentences."""


def take(first: str, second: str) -> None:
    """Put a pair's second sentence on the stage, and patch activations from its first."""
    session.new_sentence(second)
    choose(first=first)


def pairs_menu(reading: Reading) -> None:
    """The shipped pairs; a click loads one."""
    with st.popover(tr("causal.pairs"), key="causal_pairs"):
        if is_alone(reading.bundle):
            for place, pair in enumerate(PROMPT_PAIRS):
                _offer(pair, key=f"pair.prompt.{place}", is_quiet=True)
            return
        for group in GROUPS:
            st.caption(tr(f"causal.group_{group}"))
            for place, pair in enumerate(minimal_pairs(group)):
                _offer((pair.first, pair.second), key=f"pair.{group}.{place}", is_quiet=True)


def without_a_pair(reading: Reading) -> None:
    """Draw what to do without a second sentence: write one, or choose one of three pairs."""
    st.info(tr("causal.empty"))
    with st.container(horizontal=True):
        if is_alone(reading.bundle):
            for place, pair in enumerate(PROMPT_PAIRS[:3]):
                _offer(pair, key=f"first.prompt.{place}")
            return
        for group in GROUPS:
            pair = minimal_pairs(group)[0]
            _offer((pair.first, pair.second), key=f"first.{group}")


def _offer(pair: tuple[str, str], *, key: str, is_quiet: bool = False) -> None:
    st.button(f"{pair[0]} → {pair[1]}", key=key, type="tertiary" if is_quiet else "secondary", on_click=take, args=pair)


def page() -> None:
    """Read, compute, draw, store."""
    reading = current_reading()
    changes.chips(reading)
    is_single_stack, reads_pictures = is_alone(reading.bundle), reading.bundle.picture is not None
    parts = ALONE if is_single_stack else OF_PICTURES if reads_pictures else PARTS
    part = choices().part if choices().part in parts else parts[0]
    segmented_picker(tr("causal.part"), {name: tr(f"causal.part_{name}") for name in parts}, **bind("part", value=part))
    if is_single_stack:
        st.caption(tr("causal.alone_parts"))
    if part == "map" and reads_pictures:
        text, label = reading.text, tr("causal.letter")
        choose_other(text, other_sentence(text), lambda other: choose(first=other), label=label, key="causal")
    elif part in ("map", "circuit"):
        other = other_sentence(reading.text)
        with st.container(horizontal=True, vertical_alignment="bottom", key="causal_other"):
            is_map = part == "map"
            st.text_input(
                tr("causal.first" if is_map else "causal.circuit_other"),
                help=tr("causal.first_help" if is_map else "causal.circuit_other_help"), max_chars=LONGEST_FIRST,
                **bind("first", value=other),
            )  # fmt: skip
            pairs_menu(reading)
        if not other:
            without_a_pair(reading)
            return
    with errors.explained():
        DRAW[part](reading)


page()
