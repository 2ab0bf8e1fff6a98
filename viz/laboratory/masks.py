"""Masks: which token may attend to which, what goes wrong without them, and what a key/value cache saves."""

import math

import numpy as np
import streamlit as st

from model.inference.translation import translate
from model.teaching.masks import DecoderMask, HiddenWeights, decoder_mask, future_effect, hidden_weights, padding_effect
from viz import cache
from viz.figures import laboratory as figures
from viz.i18n import number, tr
from viz.laboratory import bench
from viz.panels import chart
from viz.panels.reading import Reading, translation_options
from viz.plain_text import chip_text, escape_markdown, markdown_table
from viz.state import session
from viz.state.view_state import nearest_head

MAX_ROWS = 8
"""Maximum real tokens of the mask: larger maps would have cells too small to point at."""
N_PADDING = 2


def draw(reading: Reading) -> None:
    """Draw the part."""
    screens = {"padding": _padding, "causal": _causal, "both": _both, "cache": _cache}
    n = len(reading.trace.target)
    bench.draw_screen("masks", screens, reading, cache={"n": n, "cached": n, "uncached": n * (n + 1) // 2})


def _padding(reading: Reading) -> None:
    chosen = bench.choices()
    left, right = st.columns(2)
    left.text_input(tr("laboratory.second_sentence"), **bench.bind("second"))
    right.text_input(tr("laboratory.third_sentence"), **bench.bind("third"))
    texts = tuple(text for text in (reading.text, chosen.second, chosen.third) if text.strip())
    effect = cache.compute(padding_effect, reading.bundle, texts=texts)
    real = np.arange(effect.ids.shape[1])[None] < np.array(effect.lengths)[:, None]
    words = [[chip_text(piece) for piece in row] for row in effect.pieces]
    rows = [tr("laboratory.valid", n=n) for n in effect.lengths]
    with st.container(key="wide_cells"):
        bench.show(figures.cell_map(real * 0.9, words, rows=rows, kind="encoder_self", mode=session.mode()), "padding")
    names = ("valid_length", "on_padding", "with_mask", "without_mask")
    translations = zip(effect.with_mask, effect.without_mask, strict=True)
    rows = [(str(length), number(float(share.mean()), ".0%"), *map(escape_markdown, texts))
            for length, share, texts in zip(effect.lengths, effect.share, translations, strict=True)]  # fmt: skip
    st.markdown(markdown_table([tr(f"laboratory.{name}") for name in names], rows))
    worst = int(np.argmax(effect.drift))
    st.caption(tr("laboratory.padding_said", drift=number(float(effect.drift[worst]), ".0%"), n=effect.lengths[worst]))


def _causal(reading: Reading) -> None:
    config = reading.bundle.config
    layer, head = nearest_head(reading.selection, (config.n_decoder_layers, config.n_decoder_heads))
    effect = cache.compute(
        future_effect, reading.bundle, source_ids=reading.trace.source.ids, target_ids=reading.trace.target.ids,
        layer=layer, head=head,
    )  # fmt: skip
    fed = [chip_text(piece) for piece in reading.trace.prefix.pieces]
    first = reading.selection.first_index
    titles = [tr("laboratory.causal_masked", layer=layer + first, head=head + first), tr("laboratory.causal_lifted")]
    maps = (effect.masked, effect.lifted)
    chart.beside(maps, fed, fed, titles=titles, kind="decoder_self", key="laboratory.causal")
    st.markdown(
        tr("laboratory.causal_said", share=number(float(effect.share.mean()), ".0%"),
           masked=number(effect.log_probs[0], ".3f"), lifted=number(effect.log_probs[1], ".3f"))
    )  # fmt: skip


def _both(reading: Reading) -> None:
    """Draw the causal mask, the padding mask and their conjunction, filled cell by cell."""
    tokens = [chip_text(piece) for piece in reading.trace.prefix.pieces[:MAX_ROWS]]
    tokens += [bench.padding_piece(reading)] * N_PADDING
    mask = decoder_mask(len(tokens) - N_PADDING, N_PADDING)
    n_cells = len(tokens) ** 2
    cell = min(bench.choices().cell, n_cells)
    st.slider(tr("laboratory.cell"), 1, n_cells, width=420, **bench.bind("cell", value=cell))
    st.markdown(_cell_text(mask, tokens, cell - 1))
    maps = [np.where(np.arange(n_cells).reshape(part.shape) < cell, 0.15 + 0.6 * part, 0.0)
            for part in (mask.not_later, mask.not_padding, mask.both)]  # fmt: skip
    titles = [tr(f"laboratory.mask_{name}") for name in ("not_later", "not_padding", "both")]
    key = "laboratory.decoder_mask"
    chart.beside(maps, tokens, tokens, titles=titles, kind="decoder_self", key=key, has_hover=False)
    with st.expander(tr("laboratory.hidden_numbers")):
        st.markdown(_hidden_table(hidden_weights()))
        st.caption(tr("laboratory.hidden_said"))


def _cell_text(mask: DecoderMask, tokens: list[str], cell: int) -> str:
    row, column = divmod(cell, len(tokens))
    hidden = ("later" if not mask.not_later[row, column] else "") + (
        "padding" if not mask.not_padding[row, column] else ""
    )
    return tr(f"laboratory.cell_{hidden or 'open'}", row=escape_markdown(f"{row} · {tokens[row]}"),
              column=escape_markdown(f"{column} · {tokens[column]}"))  # fmt: skip


def _hidden_table(hidden: tuple[HiddenWeights, ...]) -> str:
    titles = [tr(f"laboratory.hidden_{name}") for name in ("precision", "added", "stored", "one", "all")]
    rows = ((row.precision, _added_text(row.fill), _added_text(row.stored), _weights_text(row.one_hidden),
             _weights_text(row.all_hidden)) for row in hidden)  # fmt: skip
    return markdown_table(titles, rows)


def _added_text(value: float) -> str:
    return "−∞" if math.isinf(value) else number(value, ".3g")


def _weights_text(weights: tuple[float, ...]) -> str:
    return " · ".join("NaN" if math.isnan(weight) else number(weight, ".2f") for weight in weights)


def _cache(reading: Reading) -> None:
    """Draw how many positions the decoder computes at each step with and without a cache, and the time of both."""
    n = len(reading.trace.target)
    steps = np.arange(1.0, n + 1)
    series = ((tr("laboratory.cache_without"), steps, np.cumsum(steps)), (tr("laboratory.cache_with"), steps, steps))
    names = (tr("laboratory.cache_step"), tr("laboratory.cache_positions"))
    bench.show(figures.lines(series, names=names, mode=session.mode(), markers=True), "cache")
    seconds = {cached: _seconds(reading, cached) for cached in (True, False)}
    st.markdown(
        tr("laboratory.cache_said", n=n, cached=n, uncached=n * (n + 1) // 2, fast=number(1000 * seconds[True], ".0f"),
           slow=number(1000 * seconds[False], ".0f"))
    )  # fmt: skip


def _seconds(reading: Reading, cached: bool) -> float:
    """The shorter time of two runs, to exclude the first one's warm-up."""
    text, options = reading.text, translation_options(reading)
    key = ("decoding seconds", reading.bundle.fingerprint, text, *options.items(), cached)
    return bench.seconds(key, lambda: translate(reading.bundle, text, cached=cached, **options), n_runs=2)
