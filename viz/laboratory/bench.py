"""What the laboratory's parts share: the reader's choices, and how a question and a figure are set."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st

from model.text.tokens import describe
from viz.i18n import tr
from viz.panels import chart, widgets
from viz.panels.reading import Reading
from viz.panels.widgets import segmented_picker
from viz.plain_text import chip_text
from viz.state import session
from viz.state.rules import bounded, one_of, words

AREA = "laboratory"
QUESTIONS = {
    "sentence": ("scoring", "masks", "recurrent", "optimisation", "metrics", "data"),
    "machinery": ("kernel", "toy"),
}
"""The questions whose answer uses the reader's sentence, and the others."""
PARTS = (*QUESTIONS["sentence"], *QUESTIONS["machinery"])
TABS: dict[str, tuple[str, ...]] = {
    "scoring": ("compare", "width", "hard", "keyvalue", "window"),
    "masks": ("padding", "causal", "both", "cache"),
    "recurrent": ("translate", "context", "lengths"),
    "optimisation": ("curves", "schedule", "smoothing", "first", "dropout", "norms"),
    "data": ("pipeline", "vocabulary", "labels", "partition"),
}
"""Parts of several screens."""
MOST_STEPS = 83
"""Tokens of a row that are written out."""
TOYS = 100
"""Toy models, one of each seed."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Everything that is chosen in the laboratory."""

    part: str = one_of(*PARTS)
    scoring: str = one_of(*TABS["scoring"])
    masks: str = one_of(*TABS["masks"])
    recurrent: str = one_of(*TABS["recurrent"])
    optimisation: str = one_of(*TABS["optimisation"])
    data: str = one_of(*TABS["data"])
    query: int = bounded(2, 0, 511)
    seed: int = bounded(0, 0, 9999)
    window: int = bounded(3, 3, 9)
    n_points: int = bounded(40, 5, 200)
    start_width: float = bounded(1.0, 0.05, 5.0)
    curve: str = one_of("fits", "overfits", "underfits", "diverges")
    toy_seed: int = bounded(2, 0, TOYS - 1)
    toy_pair: int = bounded(1, 0, 17)
    cell: int = bounded(10_000, 1, 10_000)
    second: str = words("Go.", longest=300)
    third: str = words("She said that she would not come back tomorrow.", longest=300)
    warmup: int = bounded(4000, 1, 20000)
    d_model: int = bounded(512, 16, 4096)
    smoothing: float = bounded(0.1, 0.0, 0.9)
    drop: float = bounded(0.1, 0.0, 0.9)
    candidate: str = words(longest=500)
    reference: str = words(longest=2000)
    max_order: int = bounded(4, 1, 4)
    long_text: str = words(longest=5000)
    steps: int = bounded(0, 0, MOST_STEPS)
    """Length of a row in a batch; 0 is a little longer than the sentence."""
    min_count: int = bounded(1, 1, 5)
    n_rows: int = bounded(2, 1, 8)
    length: int = bounded(5, 2, 32)


PAGE = session.Area(Choices, AREA)
choices, change, bind = PAGE.read, PAGE.change, PAGE.bind
"""Read, replace and tie a widget to the laboratory's choices."""


def is_of_sentence() -> bool:
    """Whether the question that is answered is about the reader's sentence."""
    return choices().part in QUESTIONS["sentence"]


def decimal_slider(field: str, low: float, high: float, step: float, *, width: int = 320) -> None:
    """A slider of decimals tied to a choice, under its own name."""
    widgets.decimal_slider(tr(f"laboratory.{field}"), field, low, high, step, area=PAGE, width=width)


def heading(name: str, **values: object) -> None:
    """One line on how to read the screen, and the longer explanation, with the numbers in ``values``."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(tr(f"laboratory.read_{name}"), width="content")
        with st.popover(tr("laboratory.why"), type="tertiary", key=f"laboratory.why.{name}"):
            st.markdown(tr(f"laboratory.why_{name}", **values))


def tabs(part: str) -> str:
    """The screens of a part, and which is chosen."""
    segmented_picker(
        tr("laboratory.screen"), {name: tr(f"laboratory.tab_{part}_{name}") for name in TABS[part]}, **bind(part)
    )
    return getattr(choices(), part)


def choose_token(label: str, tokens: Sequence[str]) -> int:
    """A menu of numbered tokens tied to ``query``, and the place that is chosen."""
    place = min(choices().query, len(tokens) - 1)
    st.selectbox(label, range(len(tokens)), format_func=lambda i: f"{i} · {tokens[i]}", width=240,
                 **bind("query", value=place))  # fmt: skip
    return place


def next_seed() -> None:
    """Choose the next seed."""
    change(seed=(choices().seed + 1) % 10_000)


def padding_piece(reading: Reading) -> str:
    """The target's padding token as it is written."""
    pad = reading.bundle.config.target_pad_id
    return chip_text(describe(reading.bundle.target_tokenizer, (pad,), (pad,)).pieces[0])


def show(figure: go.Figure, key: str) -> None:
    """Draw a figure."""
    chart.show(figure, f"laboratory.{key}")
