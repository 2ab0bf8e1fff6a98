"""Attribution of predictions: to tokens by several methods, and to the decoder's parts as direct logit attribution."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.analysis.aggregation import by_words
from model.interpret.direct import DirectContributions, direct_contributions
from model.interpret.token_attribution import (
    METHODS,
    Method,
    TokenAttribution,
    agreement_with_erasure,
    token_attribution,
)
from model.trace import Floats, Trace
from viz import cache, processors
from viz.causal.choices import bind, choices, choose
from viz.components.matrix import Block, Matrix, matrix
from viz.corpus import choices as corpus
from viz.figures.contributions import Bar, contribution_bars
from viz.figures.tokens import as_candidates
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.handwriting import columns_of, strip_width
from viz.panels.reading import Reading
from viz.panels.widgets import progress, segmented_picker, token_picker
from viz.plain_text import chip_text, escape_markdown
from viz.state import clicks, session

MAX_BARS = 24
"""Maximum number of bars; the smallest contributions share one."""
Sides = tuple[tuple[str, ...], dict[str, tuple[str, ...]], dict[str, Floats]]


def tokens(reading: Reading) -> None:
    """Draw token attribution: the method with its explanation, the map, and its agreement with erasure."""
    ways = {name: tr(f"causal.method_{name}") for name in METHODS}
    segmented_picker(tr("causal.method"), ways, is_labelled=True, **bind("method"))
    method: Method = next(name for name in METHODS if name == choices().method)
    st.markdown(tr(f"causal.method_{method}_is"))
    with errors.explained():
        attribution, erased = _attribute(reading, method), _attribute(reading, "erasure")
    if attribution.gap is not None:
        say = st.caption if attribution.is_complete else st.warning
        say(tr("causal.gap" if attribution.is_complete else "causal.gap_large", gap=number(attribution.gap, ".2f")))
    names, picture = columns_of(reading.bundle, reading.trace)
    if not picture:
        st.toggle(tr("causal.whole_words"), help=tr("causal.whole_words_help"), **bind("whole_words"))
    is_by_word = choices().whole_words and not picture
    rows, columns, values = (_by_word if is_by_word else _by_token)(attribution, reading.trace)
    if picture:
        columns["source"], values["source"] = names, values["source"][:, : len(names)]
    scale = np.float32(1 if attribution.is_signed else 100)
    titles = {"source": "source", "prefix": "prefix" if columns["source"] else "text"}
    blocks = tuple(
        Block(title=tr(f"causal.on_{titles[side]}"), kind=kind, rows=rows, columns=columns[side],
              values=values[side] * scale, picture=picture if side == "source" else "",
              strip=strip_width(reading.bundle))
        for side, kind in (("source", "cross"), ("prefix", "decoder_self"))
        if columns[side]
    )  # fmt: skip
    unit = "nats" if attribution.is_signed else "share"
    attribution_map = Matrix(
        blocks=blocks,
        digits=2 if attribution.is_signed else 0,
        is_signed=attribution.is_signed,
        help=tr(f"causal.token_{unit}"),
        unknown=tr("causal.unseen"),
    )
    matrix(attribution_map, key="causal_tokens")
    if method != "erasure":
        correlation = agreement_with_erasure(attribution, erased)
        st.markdown(tr("causal.with_erasure", r="–" if correlation is None else number(correlation, "+.2f")))
    st.caption(tr("causal.not_the_best"))
    if not picture and clicks.button(
        tr("causal.on_corpus"), key="on_corpus", type="tertiary", icon=":material/dataset:"
    ):
        corpus.change(view="explains")
        st.switch_page("corpus/corpus.py")


def _by_token(attribution: TokenAttribution, trace: Trace) -> Sides:
    """Rows, columns and values of the two blocks; NaN where a prediction could not depend on a token."""
    columns = {side: tuple(map(chip_text, getattr(trace, side).pieces)) for side in ("source", "prefix")}
    prefix = np.where(_visible(attribution), attribution.prefix, np.float32(np.nan))
    return tuple(map(chip_text, trace.target.pieces)), columns, {"source": attribution.source, "prefix": prefix}


def _by_word(attribution: TokenAttribution, trace: Trace) -> Sides:
    """The same, with words in place of tokens."""
    merged = by_words(attribution, trace)
    visible = np.zeros(merged["prefix"].shape, bool)
    np.logical_or.at(visible, (merged.target.groups[:, None], merged.prefix.groups), _visible(attribution))
    columns = {"source": merged.source.labels, "prefix": merged.prefix.labels}
    prefix = np.where(visible, merged["prefix"], np.float32(np.nan))
    return merged.target.labels, columns, {"source": merged["source"], "prefix": prefix}


def _visible(attribution: TokenAttribution) -> NDArray[np.bool_]:
    """(T, T) which prefix tokens each prediction could depend on; for erasure, which could be removed."""
    return np.tril(np.ones(attribution.prefix.shape, bool), -1 if attribution.method == "erasure" else 0)


def _attribute(reading: Reading, method: Method) -> TokenAttribution:
    key = ("tokens", method, *reading.key)
    cached = cache.find(key)
    if cached is not None:
        return cached
    if method != "integrated_gradients":
        with processors.all_processors(), st.spinner(tr("frame.computing")):
            return cache.put(key, token_attribution(reading.bundle, reading.trace, method=method))
    button = {"key": "tokens_cancel", "help": tr("causal.cancel_tokens"), "on_cancel": lambda: choose(method="alti")}
    with progress(**button) as show:
        return cache.put(key, token_attribution(
            reading.bundle, reading.trace, method=method, on_progress=show("causal.attributing")
        ))  # fmt: skip


def direct(reading: Reading) -> None:
    """Draw direct logit attribution: a token and a rival to choose, and a signed bar for each part of the decoder."""
    trace, chosen = reading.trace, choices()
    step = min(chosen.step, len(trace.target) - 1)
    left, right = st.columns(2, width=560)
    token_picker(tr("decode.word"), trace.target.pieces, place=left, **bind("step", value=step))
    rivals = _rivals(reading, step)
    rival = chosen.rival if chosen.rival in rivals else -1
    right.selectbox(tr("causal.rival"), list(rivals), format_func=rivals.__getitem__, **bind("rival", value=rival))
    with errors.explained():
        contributions = cache.get_or_compute(
            ("direct", *reading.key, step, rival),
            lambda: direct_contributions(reading.bundle, trace, step=step, rival_id=None if rival < 0 else rival),
        )
    names = {"word": escape_markdown(chip_text(trace.target.pieces[step])), "rival": escape_markdown(rivals[rival])}
    total = number(contributions.logit, "+.2f")
    st.markdown(tr("causal.direct_read" if rival < 0 else "causal.direct_contrast", total=total, **names))
    bars = _bars(contributions, reading.selection.first_index)
    st.altair_chart(contribution_bars(bars, mode=session.mode(), value_name=tr("causal.direct_axis")), theme=None)
    st.caption(tr("causal.direct_how"))


def _rivals(reading: Reading, step: int) -> dict[int, str]:
    """The other candidates by id, after "none"."""
    rivals = {-1: tr("causal.no_rival")}
    candidates = reading.trace.candidates
    if candidates is not None:
        pieces = as_candidates(list(candidates.pieces[step]))
        rivals |= {int(i): piece for i, piece in zip(candidates.ids[step], pieces, strict=True)}
        rivals.pop(reading.trace.target.ids[step], None)
    return rivals


def _bars(contributions: DirectContributions, offset: int) -> list[Bar]:
    """The largest contributions in the order of computation, the others as one bar."""
    order = sorted(range(len(contributions.values)), key=lambda at: -abs(float(contributions.values[at])))
    large = sorted(order[:MAX_BARS])
    bars = [Bar(_name(contributions.writers[at], offset), float(contributions.values[at])) for at in large]
    others = [float(contributions.values[at]) for at in order[MAX_BARS:]]
    return [*bars, Bar(tr("causal.direct_rest", n=len(others)), sum(others))] if others else bars


def _name(writer, offset: int) -> str:
    if writer.layer is None:
        return tr(f"causal.writer_{writer.kind}")
    if writer.head is None:
        return tr("causal.writer_feed_forward", layer=writer.layer + offset)
    kind = tr("frame.kind_cross" if writer.kind == "cross" else "frame.kind_decoder_self")
    return f"{kind} {writer.layer + offset}·{writer.head + offset}"
