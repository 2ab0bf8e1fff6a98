"""Recurrent models: a GRU with and without attention beside the model in use, and its context vector."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from model import Bundle, Trace
from model.checkpoints.recurrent import VARIANTS, shipped_folders
from model.inference.translation import translate_texts
from model.teaching.alternatives import ContextSteps, context_steps
from model.training.by_length import LengthScore, read_scores
from viz import cache
from viz.figures import laboratory as figures
from viz.i18n import number, sentences, tr
from viz.laboratory import bench
from viz.panels.reading import Reading, unknown_in
from viz.plain_text import chip_text, escape_markdown, markdown_table
from viz.state import session

MAX_ROWS = 12


def draw(reading: Reading) -> None:
    """Draw the part."""
    screens: dict[str, Callable[[Reading], object]]
    screens = {"translate": _translate, "context": _context, "lengths": _lengths}
    if not shipped_folders():
        screens = dict.fromkeys(screens, lambda reading: st.info(tr("laboratory.recurrent_absent")))
    rows = next(iter(_length_scores().values()), ())
    bench.draw_screen("recurrent", screens, reading, lengths={"n_last": rows[-1].n_sentences if rows else 0})


def _length_scores() -> dict[str, tuple[LengthScore, ...]]:
    return cache.get_or_compute(("length scores",), read_scores)


def _translate(reading: Reading) -> None:
    """Draw the translations of the model in use and of the recurrent ones, with their times and maps."""
    bundles = {name: cache.recurrent(name) for name in VARIANTS}
    if not _knows_letters(bundles["attention"], reading.text):
        st.info(tr("laboratory.recurrent_reads"))
        return
    text = reading.text
    traces = {name: cache.translate(bundle, text) for name, bundle in bundles.items()}
    rows = [("transformer", reading.trace, _seconds(reading.bundle, text))]
    rows += [(name, traces[name], _seconds(bundle, text)) for name, bundle in bundles.items()]
    for column, (name, trace, seconds) in zip(st.columns(3), rows, strict=True):
        with column:
            st.caption(tr(f"laboratory.model_{name}"))
            st.text(trace.text or "–")
            st.caption(tr("laboratory.took", ms=number(1000 * seconds, ".0f")))
    _maps(reading, traces["attention"])


def _knows_letters(bundle: Bundle, text: str) -> bool:
    """Whether a recurrent model knows at least half of the letters of a text."""
    assert bundle.source_tokenizer is not None
    unknown = {letter for part in unknown_in(bundle.source_tokenizer, text) for letter in part}
    return 2 * len(unknown) <= len(set(text) - {" "})


def _maps(reading: Reading, recurrent: Trace) -> None:
    """Draw the GRU's map, and that of the Transformer's cross-attention head with the largest mean row maximum."""
    cross, gru = reading.trace.attention.cross, recurrent.attention.cross
    if cross is None or gru is None:
        return
    sharp = cross.max(-1).mean(-1)  # (L, H)
    layer, head = np.unravel_index(int(sharp.argmax()), sharp.shape)
    first = reading.selection.first_index
    left, right = st.columns(2)
    pairs = (
        (left, gru[0, 0], recurrent, tr("laboratory.map_gru")),
        (right, cross[layer, head], reading.trace, tr("laboratory.map_head", layer=layer + first, head=head + first)),
    )
    for column, weights, trace, title in pairs:
        queries, keys = ([chip_text(p) for p in tokens.pieces] for tokens in (trace.target, trace.source))
        figure = figures.weight_maps((weights,), queries, keys, titles=[title], mode=session.mode())
        with column:
            bench.show(figure, f"map.{title}")


def _seconds(bundle: Bundle, text: str) -> float:
    """Seconds that this translation takes, measured once for a model and a text."""
    return bench.seconds(("seconds", bundle.fingerprint, text), lambda: list(translate_texts(bundle, [text])))


def _lengths(reading: Reading) -> None:
    scores = _length_scores()
    bleu = [(tr(f"laboratory.model_{name}"), *_curve(rows, "bleu")) for name, rows in scores.items()]
    names = (tr("laboratory.words"), "BLEU")
    bench.show(figures.lines(bleu, names=names, mode=session.mode(), height=360, markers=True), "bleu")
    seconds = [(tr(f"laboratory.model_{name}"), *_curve(rows, "seconds", 1000.0)) for name, rows in scores.items()]
    with st.expander(tr("laboratory.speed")):
        names = (tr("laboratory.words"), tr("laboratory.ms_per_sentence"))
        bench.show(figures.lines(seconds, names=names, mode=session.mode(), height=300, markers=True), "speed")
    if not scores:
        return
    n = sum(row.n_sentences for row in next(iter(scores.values())))
    st.caption(tr("laboratory.lengths_said", n=number(n)))


def _curve(rows: tuple[LengthScore, ...], field: str, factor: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    middle = np.array([(row.shortest + min(row.longest, 25)) / 2 for row in rows])
    return middle, np.array([getattr(row, field) * factor for row in rows])


def _context(reading: Reading) -> None:
    """Draw one step's context vector: scores of the source tokens, the softmax, and the weighted sum."""
    gru = cache.recurrent("attention")
    trace = cache.translate(gru, reading.text)
    steps = cache.compute(context_steps, gru, source_ids=trace.source.ids, prefix_ids=trace.prefix.ids)
    keys = [chip_text(piece) for piece in trace.source.pieces]
    step = bench.choose_token(tr("laboratory.context_step"), [chip_text(piece) for piece in trace.target.pieces])
    st.latex(
        r"e_j = v^{\top}\tanh(W s + U h_j) \qquad \alpha_j = \frac{e^{e_j}}{\sum_k e^{e_k}}"
        r"\qquad c = \sum_j \alpha_j h_j"
    )
    left, right = st.columns((3, 2))
    with left:
        groups = ((tr("laboratory.weight"), steps.weights[step]),)
        figure = figures.bars(groups, keys, axis_name=tr("laboratory.context_weight"), mode=session.mode(), height=320)
        bench.show(figure, "context")
    right.markdown(_table(steps, step, keys))
    st.markdown(_sum_text(steps, step, keys))


def _table(steps: ContextSteps, step: int, keys: list[str]) -> str:
    """A table of the source tokens with the largest weights, in the order of the sentence."""
    largest = sorted(np.argsort(-steps.weights[step])[:MAX_ROWS].tolist())
    titles = [tr(f"laboratory.context_{name}") for name in ("token", "score", "alpha", "first")]
    numbers = ((steps.scores[step, j], steps.weights[step, j], steps.memory[j, 0]) for j in largest)
    rows = ((escape_markdown(keys[j]), *map(_number, row)) for j, row in zip(largest, numbers, strict=True))
    return markdown_table(titles, rows, n_texts=1)


def _sum_text(steps: ContextSteps, step: int, keys: list[str]) -> str:
    """The first entry of the context vector as a sum of its largest terms."""
    order = np.argsort(-steps.weights[step])[:3]
    terms = " + ".join(f"{_number(steps.weights[step, j])} · {_with_sign(steps.memory[j, 0])}" for j in order)
    rest = float(steps.context[step, 0] - sum(steps.weights[step, j] * steps.memory[j, 0] for j in order))
    has_rest = len(keys) > len(order)
    if has_rest:
        terms += f" + {_with_sign(rest)}"
    context = tr(
        "laboratory.context_said", terms=terms, total=_number(steps.context[step, 0]), d=steps.context.shape[1]
    )
    return sentences(context, tr("laboratory.context_rest") if has_rest else "")


def _number(value: float) -> str:
    return number(float(value), ".2f")


def _with_sign(value: float) -> str:
    return f"({_number(value)})" if value < 0 else _number(value)
