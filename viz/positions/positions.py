"""Positions: how a Transformer, whose attention ignores order, gets the positions of words."""

import dataclasses
from collections.abc import Callable

import numpy as np
import streamlit as st

from model import PositionEdit
from model.config import NOT_ADDED
from model.inference.trace_building import positional_matrix
from model.interpret.inspection import InspectionError
from model.teaching.position_properties import (
    encoding,
    order_effect,
    rotation,
    rotation_error,
    shift_effect,
    similarity,
)
from viz import cache
from viz.figures import positions as figures
from viz.i18n import number, power_of_ten, tr
from viz.inside.view import head_inspection
from viz.panels import changes, chart, errors
from viz.panels.formula import in_latex
from viz.panels.reading import Reading, current_reading
from viz.panels.widgets import head_picker, question_picker
from viz.plain_text import chip_text, escape_markdown, public_message
from viz.positions import in_attention
from viz.positions.choices import PAGE, Choices, current_question, questions, slider
from viz.state import session
from viz.state.view_state import nearest_head

SHIFTS = (0, 5, 10, 20, 40, 80, 160, 320, 640)


def page() -> None:
    """Read, compute, draw, store."""
    reading = current_reading()
    changes.chips(reading)
    choices, part = PAGE.read(), current_question(reading)
    question_picker(PAGE, questions(reading), part)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(tr(f"positions.read_{part}"), width="content")
        with st.popover(tr("positions.why"), type="tertiary", key="positions.why"):
            st.markdown(tr(f"positions.why_{part}"))
    draw: dict[str, Callable[[Reading, Choices], None]] = {
        "table": _table, "waves": _waves, "vector": _vector, "dot": _dot, "rotation": _rotation, "layout": _layout,
        "learned": _draw_learned, "beyond": _beyond, "sentence": _sentence, "shuffle": _shuffle,
        "rotary": in_attention.rotary, "alibi": in_attention.alibi,
    }  # fmt: skip
    with errors.explained():
        draw[part](reading, choices)


def _width(reading: Reading) -> int:
    """``d_model``, rounded down to an even number, as sine and cosine come in pairs."""
    return max(2, reading.bundle.config.d_model // 2 * 2)


def _model_table(reading: Reading, n_positions: int) -> np.ndarray | None:
    try:
        return cache.compute(positional_matrix, reading.bundle, length=n_positions)
    except IndexError:
        limit = reading.bundle.config.max_positions - reading.bundle.config.position_offset
        return cache.compute(positional_matrix, reading.bundle, length=min(n_positions, limit))


def _why_none(reading: Reading) -> str:
    """Why the model has no position vectors."""
    relative = reading.bundle.config.positions == "relative"
    return tr("positions.only_distances" if relative else "positions.no_positions")


def _table(reading: Reading, choices: Choices) -> None:
    table = _model_table(reading, choices.n_positions)
    if table is None:
        st.info(_why_none(reading))
        return
    names = (tr("positions.dimension"), tr("positions.place"))
    _draw(figures.table_map(table, axis_names=names, mode=session.mode()), "table")
    slider("n_positions", "positions.n_positions", 8, 512, value=choices.n_positions)


def _waves(reading: Reading, choices: Choices) -> None:
    d_model = _width(reading)
    last = d_model // 2 - 1
    pairs = sorted({0, last // 8, last // 4, last // 2})
    title = tr("positions.wave_title", pair="{pair}", wavelength="{wavelength}")
    names = (tr("positions.place"), title)
    _draw(figures.waves(d_model, pairs, choices.n_positions, names=names, mode=session.mode()), "waves")
    slider("n_positions", "positions.n_positions", 8, 512, value=choices.n_positions)


def _vector(reading: Reading, choices: Choices) -> None:
    slider("position", "positions.choose_position", 0, 511, value=choices.position)
    table = _model_table(reading, choices.position + 1)
    if table is None:
        st.info(_why_none(reading))
        return
    names = (tr("positions.dimension"), tr("positions.value"))
    row = table[min(choices.position, len(table) - 1)]
    _draw(figures.one_position(row, axis_names=names, mode=session.mode()), "vector")
    layout = reading.bundle.config.positions
    if layout in ("interleaved", "halves"):
        pair = min(choices.pair, len(row) // 2 - 1)
        slider("pair", "positions.choose_pair", 0, len(row) // 2 - 1, value=pair)
        for line in _formula_latex(choices.position, pair, row, halves=layout == "halves"):
            st.latex(line)


def _formula_latex(position: int, pair: int, row: np.ndarray, *, halves: bool) -> tuple[str, str]:
    """The formula of both entries of a pair, with this position's numbers."""
    d_model = len(row)
    places = (pair, pair + d_model // 2) if halves else (2 * pair, 2 * pair + 1)
    exponent = 2 * pair / d_model
    angle = position / 10_000**exponent
    lines = (
        rf"PE({position},\ {place}) = \{name}\left(\frac{{{position}}}{{10000^{{{2 * pair}/{d_model}}}}}\right)"
        rf" = \{name}({in_latex(angle)}) = {in_latex(row[place])}"
        for name, place in zip(("sin", "cos"), places, strict=True)
    )
    return tuple(lines)  # type: ignore[return-value]


def _dot(reading: Reading, choices: Choices) -> None:
    names = (tr("positions.offset"), tr("positions.dot"), tr("positions.pair_cosine", pair="{pair}"))
    _draw(figures.dot_curve(_width(reading), choices.n_positions, names=names, mode=session.mode()), "dot")
    slider("n_positions", "positions.n_positions", 8, 512, value=choices.n_positions)


def _rotation(reading: Reading, choices: Choices) -> None:
    d_model = _width(reading)
    pair = min(choices.pair, d_model // 2 - 1)
    left, right = st.columns((5, 6), gap="large", vertical_alignment="center")
    with right:
        slider("position", "positions.choose_position", 0, 511, value=choices.position)
        slider("offset", "positions.choose_offset", -64, 64, value=choices.offset)
        slider("pair", "positions.choose_pair", 0, d_model // 2 - 1, value=pair)
        for line in _rotation_latex(choices.position, choices.offset, pair, d_model):
            st.latex(line)
        error = rotation_error(512, d_model, choices.offset)
        st.markdown(tr("positions.rotation_checked", n=512, d=d_model, error=power_of_ten(error)))
    with left:
        figure = figures.rotation_circle(choices.position, choices.offset, pair, d_model, mode=session.mode())
        _draw(figure, "rotation")


def _rotation_latex(position: int, offset: int, pair: int, d_model: int) -> tuple[str, str]:
    """The rotation matrix, and PE(pos + k) = R · PE(pos) with this pair's numbers."""
    matrix = rotation(offset, d_model)[pair]
    before, after = encoding(np.array([position, position + offset]), d_model)[:, 2 * pair : 2 * pair + 2]

    def column(values: np.ndarray) -> str:
        return rf"\begin{{pmatrix}}{in_latex(values[0])}\\{in_latex(values[1])}\end{{pmatrix}}"

    first, second = (" & ".join(map(in_latex, row)) for row in matrix)
    turn = rf"\begin{{pmatrix}}{first}\\{second}\end{{pmatrix}}"
    symbols = r"\begin{pmatrix}\cos k\omega & \sin k\omega\\-\sin k\omega & \cos k\omega\end{pmatrix}"
    return rf"{symbols}={turn}", rf"{turn}{column(before)}={column(after)}"


def _layout(reading: Reading, choices: Choices) -> None:
    d_model = _width(reading)
    titles = (tr("positions.interleaved"), tr("positions.halves"))
    _draw(figures.layouts(d_model, choices.n_positions, titles=titles, mode=session.mode()), "layout")
    grams = [table @ table.T for table in (
        encoding(np.arange(choices.n_positions), d_model, halves=halves) for halves in (False, True))]  # fmt: skip
    st.markdown(tr("positions.layout_equal", error=power_of_ten(float(np.abs(grams[0] - grams[1]).max()))))
    st.caption(tr("positions.this_model", kind=tr(f"positions.kind_{reading.bundle.config.positions}")))


def _draw_learned(reading: Reading, choices: Choices) -> None:
    learned = _find_learned(reading)
    if learned is None:
        st.info(tr("positions.no_learned"))
        return
    name, table = learned
    sines = encoding(np.arange(len(table)), table.shape[1] // 2 * 2)
    left, right = st.columns(2)
    titles = ((left, sines, tr("positions.sinusoidal")), (right, table, tr("positions.learned_of", name=name)))
    for column, values, title in titles:
        figure = figures.similarity_map(
            similarity(values), axis_name=tr("positions.place"), title=title, mode=session.mode()
        )
        with column:
            _draw(figure, f"similarity.{title}")


def _find_learned(reading: Reading) -> tuple[str, np.ndarray] | None:
    """Name and table of a model with learned positions: the model in use, or another that is open or shipped."""
    private = session.private_models()
    bundles = [reading.bundle, *private.values(), *(cache.bundle(name) for name in cache.model_names())]
    for bundle in bundles:
        if bundle.config.positions == "learned":
            length = min(64, bundle.config.max_positions - bundle.config.position_offset)
            table = cache.compute(positional_matrix, bundle, length=length)
            if table is not None:
                return bundle.name, table
    return None


def _beyond(reading: Reading, choices: Choices) -> None:
    config = reading.bundle.config
    if config.positions in NOT_ADDED:
        st.info(_why_none(reading))
        return
    room = config.max_positions - config.position_offset - len(reading.trace.source)
    shifts = SHIFTS if config.positions != "learned" else tuple(shift for shift in SHIFTS if shift <= room)
    effect = cache.compute(shift_effect, reading.bundle, source=reading.text, target=reading.trace.text, shifts=shifts)
    names = (tr("positions.shift"), tr("positions.log_prob"))
    end = config.max_positions if max(shifts) > config.max_positions else None
    figure = figures.shift_curve(
        effect.shifts, effect.log_probs, names=names, trained=end,
        trained_name=tr("positions.table_end"), mode=session.mode(),
    )  # fmt: skip
    _draw(figure, "beyond")


def _sentence(reading: Reading, choices: Choices) -> None:
    kind, tokens_read = (
        ("encoder_self", reading.trace.source) if len(reading.trace.source) else ("decoder_self", reading.trace.prefix)
    )
    try:
        entrance = head_inspection(reading, kind, 0, 0).entrance
    except InspectionError as error:
        st.info(public_message(error))
        return
    position = np.zeros_like(entrance.token) if entrance.position is None else entrance.position
    titles = (tr("positions.embedding"), tr("positions.added"), tr("positions.sum"))
    tokens = tuple(map(chip_text, tokens_read.pieces))
    _draw(
        figures.entrance_maps(entrance.token, position, entrance.summed, tokens, titles=titles, mode=session.mode()),
        "sum",
    )
    lengths = [float(np.linalg.norm(values, axis=1).mean()) for values in (entrance.token, position)]
    st.caption(tr("positions.norms", embedding=lengths[0], position=lengths[1]))
    d = reading.bundle.config.d_model
    st.caption(tr("positions.concatenated", d=d, wide=2 * d, added=number(3 * d * d), concatenated=number(6 * d * d)))


def _shuffle(reading: Reading, choices: Choices) -> None:
    source = reading.trace.source
    n_fixed = next((i for i, special in enumerate(reversed(source.is_special)) if not special), len(source))
    effect = cache.compute(order_effect, reading.bundle, source_ids=source.ids, n_fixed=n_fixed, seed=choices.seed)
    tokens = tuple(map(chip_text, source.pieces))
    n_layers, n_heads = effect.with_positions[0].shape[:2]
    layer, head = nearest_head(choices, (n_layers, n_heads))
    chosen = {"layer": layer, "head": head}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            tr("positions.shuffled_to", text=escape_markdown(" ".join(tokens[i] for i in effect.order))),
            width="content",
        )
        st.button(tr("positions.again"), icon=":material/shuffle:", key="positions.again", on_click=_next_seed)
        with st.container(horizontal=True, gap="small", width="content"):  # the two stay together on a phone
            head_picker(n_layers, n_heads, lambda name: PAGE.bind(name, value=chosen[name]))
    maps = [pair[i][layer, head] for pair in (effect.with_positions, effect.without_positions) for i in (0, 1)]
    names = ("with_in_order", "with_shuffled", "without_in_order", "without_shuffled")
    _draw(
        figures.order_maps(maps, tokens, titles=[tr(f"positions.{name}") for name in names], mode=session.mode()),
        "order",
    )
    st.markdown(tr("positions.change", with_positions=effect.change[0], without=power_of_ten(effect.change[1])))
    edit = PositionEdit("shuffle", choices.seed)
    edits = dataclasses.replace(reading.selection.interventions, source_positions=edit)
    st.button(tr("positions.try"), key="positions.try", on_click=session.intervene, args=(edits,))


def _next_seed() -> None:
    PAGE.change(seed=(PAGE.read().seed + 1) % 10_000)


def _draw(figure, key: str) -> None:
    chart.show(figure, f"positions.{key}")


page()
