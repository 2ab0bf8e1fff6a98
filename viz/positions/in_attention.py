"""Positions inside attention: the model's rotary positions or ALiBi."""

import math
from collections.abc import Mapping

import numpy as np
import streamlit as st

from model.layer_spec import Rotary
from model.nn.rotary import frequencies
from viz.figures import positions as figures
from viz.i18n import number, tr
from viz.panels import chart
from viz.panels.formula import in_latex
from viz.panels.reading import Reading
from viz.plain_text import markdown_table
from viz.positions.choices import Choices, self_attention, slider
from viz.state import clicks, session

_MAX_LISTED = 12
"""Maximum rows of the table: wider heads show evenly spaced pairs."""
_LABELS = {"n_positions": "n_positions", "position": "choose_position", "pair": "choose_pair"}


def rotary(reading: Reading, choices: Choices) -> None:
    """Draw the rotation of each pair of a head's dimensions, its wavelength, and its effect on scores."""
    kinds = {spec.rotary: layer for layer, spec in reversed(self_attention(reading)) if spec.rotary}
    turn = _choose_rotation(reading, kinds)
    speeds = frequencies(turn).double().numpy()
    n_pairs = len(speeds)
    pair, position = min(choices.pair, n_pairs - 1), choices.position
    left, right = st.columns(2, gap="large")
    with left:
        pairs = sorted({0, n_pairs // 8, n_pairs // 4, n_pairs // 2, pair})
        names = (tr("positions.place"), tr("positions.angle"), tr("positions.pair", pair="{pair}"))
        chart.show(
            figures.turn_lines(speeds, pairs, choices.n_positions, names=names, mode=session.mode()), "positions.turns"
        )
    with right:
        names = (tr("positions.distance"), tr("positions.agreement"))
        chart.show(
            figures.agreement_curve(speeds, choices.n_positions, names=names, mode=session.mode()),
            "positions.agreement",
        )
    for column, (field, low, high, value) in zip(
        st.columns(3), (("n_positions", 8, 512, choices.n_positions), ("position", 0, 511, position),
                        ("pair", 0, n_pairs - 1, pair)), strict=True,
    ):  # fmt: skip
        with column:
            slider(field, f"positions.{_LABELS[field]}", low, high, value=value)
    st.latex(_turn_latex(turn, pair, position, float(speeds[pair])))
    st.markdown(_table(speeds, position))
    d_key = next(spec.d_key for _, spec in self_attention(reading) if spec.rotary == turn)
    if turn.width < d_key:
        st.caption(tr("positions.partly", n=turn.width, d=d_key))
    label = tr("positions.on_a_head")
    if clicks.button(label, key="positions.on_a_head", type="tertiary", icon=":material/arrow_forward:"):
        session.merge_params({"inside.step": "turn"})
        st.switch_page("inside/inside.py")


def alibi(reading: Reading, choices: Choices) -> None:
    """Draw each head's slope, and the decay of a weight with the distance."""
    slopes = next(spec.slopes for _, spec in self_attention(reading) if spec.slopes)
    first = reading.selection.first_index
    names = (tr("positions.distance"), tr("positions.shrinks"), tr("positions.head", n="{head}"))
    chart.show(
        figures.penalty_lines(slopes, choices.n_positions, names=names, first=first, mode=session.mode()),
        "positions.penalties",
    )
    slider("n_positions", "positions.n_positions", 8, 512, value=choices.n_positions)
    st.latex(r"\mathrm{score}(m, n) = \frac{q_m \cdot k_n}{\sqrt{d}} - s_h\,|m - n|")
    titles = (tr("positions.head", n=""), tr("positions.slope"), tr("positions.halves_after"))
    rows = ((str(i + first), number(slope, ".4g"), number(math.log(2) / slope, ",.1f") if slope else "∞")
            for i, slope in enumerate(slopes))  # fmt: skip
    st.markdown(markdown_table(titles, rows, n_texts=1))


def _choose_rotation(reading: Reading, kinds: Mapping[Rotary, int]) -> Rotary:
    """The rotation of the chosen layer, where layers differ in their base (Gemma 3, ModernBERT)."""
    rotations = list(reversed(list(kinds)))
    if len(rotations) == 1:
        return rotations[0]
    first = reading.selection.first_index
    names = [tr("positions.from_layer", n=kinds[turn] + first, base=number(turn.base, ",.0f")) for turn in rotations]
    at = st.segmented_control(
        tr("positions.layers"), range(len(rotations)), default=0, required=True, format_func=names.__getitem__,
        key="positions.rotation_of",
    )  # fmt: skip
    return rotations[at or 0]


def _turn_latex(turn: Rotary, pair: int, position: int, speed: float) -> str:
    """The rotation of one pair at one position, with its numbers."""
    angle = position * speed
    rule = rf"\theta_{{{pair}}} = {position} \cdot {in_latex(speed)} = {in_latex(angle)}"
    cosine, sine = math.cos(angle), math.sin(angle)
    rows = rf"{in_latex(cosine)} & {in_latex(-sine)}\\{in_latex(sine)} & {in_latex(cosine)}"
    matrix = rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"
    places = (2 * pair, 2 * pair + 1) if turn.interleaved else (pair, pair + turn.width // 2)
    column = rf"\begin{{pmatrix}}q_{{{places[0]}}}\\q_{{{places[1]}}}\end{{pmatrix}}"
    return rf"{rule},\qquad q' = {matrix}{column}"


def _table(speeds: np.ndarray, position: int) -> str:
    """A table of pairs: angle per position, wavelength, and the angle at the chosen position."""
    pairs = sorted({round(i) for i in np.linspace(0, len(speeds) - 1, min(_MAX_LISTED, len(speeds)))})
    titles = [tr(f"positions.{name}") for name in ("pair_of", "step_angle", "wavelength")]
    rows = []
    for pair in pairs:
        speed = float(speeds[pair])
        wavelength = number(2 * math.pi / speed, ",.1f") if speed else "∞"
        angle = number(math.degrees(position * speed) % 360, ".1f")
        rows.append((str(pair), f"{number(math.degrees(speed), '.3g')}°", wavelength, f"{angle}°"))
    return markdown_table((*titles, tr("positions.angle_at", n=position)), rows, n_texts=1)
