"""What the laboratory's parts share: the choices, the explanation of a screen, and its pickers."""

import timeit
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st

from model.text.tokens import describe
from viz import cache
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
"""Parts that use the reader's sentence, and the others."""
PARTS = (*QUESTIONS["sentence"], *QUESTIONS["machinery"])
TABS: dict[str, tuple[str, ...]] = {
    "scoring": ("compare", "width", "hard", "keyvalue", "window"),
    "masks": ("padding", "causal", "both", "cache"),
    "recurrent": ("translate", "context", "lengths"),
    "optimisation": ("curves", "schedule", "smoothing", "first", "dropout", "norms"),
    "data": ("pipeline", "vocabulary", "labels", "partition"),
}
"""The screens of the parts that have several."""
MAX_STEPS = 83
"""Maximum length of a padded row, in tokens."""
TOYS = 100
"""Number of seeds of the toy model."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The laboratory's choices."""

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
    steps: int = bounded(0, 0, MAX_STEPS)
    """Length of a row in a batch; 0 is a little longer than the sentence."""
    min_count: int = bounded(1, 1, 5)
    n_rows: int = bounded(2, 1, 8)
    length: int = bounded(5, 2, 32)


PAGE = session.Area(Choices, AREA)
choices, change, bind = PAGE.read, PAGE.change, PAGE.bind
"""Read, replace and tie a widget to the laboratory's choices."""


def is_of_sentence() -> bool:
    """Whether the part on screen uses the reader's sentence."""
    return choices().part in QUESTIONS["sentence"]


def decimal_slider(field: str, low: float, high: float, step: float, *, width: int = 320) -> None:
    """A slider of decimals tied to a choice; its label is the choice's message."""
    widgets.decimal_slider(tr(f"laboratory.{field}"), field, low, high, step, area=PAGE, width=width)


def heading(name: str, **values: object) -> None:
    """Draw a line on how to read the screen, and the longer explanation with ``values`` as its variables."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(tr(f"laboratory.read_{name}"), width="content")
        with st.popover(tr("laboratory.why"), type="tertiary", key=f"laboratory.why.{name}"):
            st.markdown(tr(f"laboratory.why_{name}", **values))


def draw_screen(
    part: str, screens: Mapping[str, Callable[[Reading], object]], reading: Reading, **values: Mapping[str, object]
) -> None:
    """Draw the choice of a part's screen, its explanation with the ``values`` of that screen, and the screen."""
    names = {name: tr(f"laboratory.tab_{part}_{name}") for name in TABS[part]}
    segmented_picker(tr("laboratory.screen"), names, **bind(part))
    screen = getattr(choices(), part)
    heading(f"{part}_{screen}", **values.get(screen, {}))
    screens[screen](reading)


def choose_token(label: str, tokens: Sequence[str]) -> int:
    """Draw a menu of numbered tokens tied to the choice ``query``, and return the chosen index."""
    place = min(choices().query, len(tokens) - 1)
    st.selectbox(label, range(len(tokens)), format_func=lambda i: f"{i} · {tokens[i]}", width=240,
                 **bind("query", value=place))  # fmt: skip
    return place


def seconds(key: tuple, work: Callable[[], object], *, n_runs: int = 1) -> float:
    """The shortest time of a few runs, measured once for a key."""
    return cache.get_or_compute(key, lambda: min(timeit.repeat(work, number=1, repeat=n_runs)))


def next_seed() -> None:
    """Choose the next seed."""
    change(seed=(choices().seed + 1) % 10_000)


def padding_piece(reading: Reading) -> str:
    """The target's padding token as text."""
    pad = reading.bundle.config.target_pad_id
    return chip_text(describe(reading.bundle.target_tokenizer, (pad,), (pad,)).pieces[0])


def show(figure: go.Figure, key: str) -> None:
    """Draw a figure."""
    chart.show(figure, f"laboratory.{key}")
