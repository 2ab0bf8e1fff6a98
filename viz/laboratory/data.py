"""From raw text to tensors, words against pieces, labels shifted by one, and ways to cut a long text."""

import math
import unicodedata

import numpy as np
import streamlit as st

from model.text.tokenizer import normalise
from model.text.tokens import source_tokens
from model.training.data import lowercase_unpunctuated
from model.training.settings import TrainingError
from model.training.vocabularies.textbook import (
    Partition,
    frequencies,
    random_partition,
    sequential_partition,
    word_vocabulary,
)
from viz.figures import laboratory as figures
from viz.i18n import number, tr
from viz.laboratory import bench
from viz.panels.opening import examples
from viz.panels.reading import Reading
from viz.plain_text import chip_text, public_message
from viz.state import session

N_PADDING = 3
"""Padding after the sentence by default, in tokens."""
LABELS_PADDING = 2


def draw(reading: Reading) -> None:
    """Draw the part."""
    screens = {"pipeline": _pipeline, "vocabulary": _vocabulary, "labels": _labels, "partition": _partition}
    size = reading.bundle.config.target_vocab_size
    classes = {"vocabulary": number(size), "by_chance": number(math.log(size), ".1f")}
    bench.draw_screen("data", screens, reading, labels=classes)


def _pipeline(reading: Reading) -> None:
    raw = reading.selection.text
    invisible = [
        f"U+{ord(c):04X} {unicodedata.name(c, '')}".strip() for c in dict.fromkeys(raw) if c not in normalise(raw)
    ]
    tokens = source_tokens(reading.bundle, reading.text)
    n = len(tokens)
    length = bench.choices().steps or min(n + N_PADDING, bench.MAX_STEPS)
    pad = reading.bundle.config.source_pad_id
    steps = (
        ("raw", repr(raw)[:400]),
        ("normalised", normalise(raw)[:400]),
        ("bare", lowercase_unpunctuated(normalise(raw))[:400]),
        ("pieces", "  ".join(chip_text(piece) for piece in tokens.pieces[:80])),
        ("ids", "  ".join(map(str, tokens.ids[:80]))),
        ("padded", "  ".join(map(str, (*tokens.ids, *[pad] * length)[:length]))),
        ("mask", "  ".join("1" if i < n else "0" for i in range(length))),
    )
    st.slider(tr("laboratory.steps"), 1, bench.MAX_STEPS, width=320, **bench.bind("steps", value=length))
    if n > length:
        st.caption(tr("laboratory.data_cut", n=n - length))
    for name, text in steps:
        left, right = st.columns((1, 4), vertical_alignment="center")
        left.markdown(f"**{tr(f'laboratory.data_{name}')}**")
        right.code(text, language=None, wrap_lines=True)
    if invisible:
        st.caption(tr("laboratory.data_replaced", characters=", ".join(invisible[:8])))


def _labels(reading: Reading) -> None:
    """What the decoder is fed, the labels shifted by one, and the loss: a column for each position, two of padding."""
    trace, n = reading.trace, len(reading.trace.target)
    padding = [bench.padding_piece(reading)] * LABELS_PADDING
    losses = -trace.log_probs.astype(np.float64)
    texts = [
        [str(i) for i in range(n + LABELS_PADDING)],
        [chip_text(piece) for piece in trace.prefix.pieces] + padding,
        [chip_text(piece) for piece in trace.target.pieces] + padding,
        [number(np.exp(-loss), ".2f") for loss in losses] + ["–"] * LABELS_PADDING,
        [number(abs(loss), ".2f") for loss in losses] + ["–"] * LABELS_PADDING,
    ]
    cells = np.zeros((len(texts), n + LABELS_PADDING))
    cells[1:3, :n], cells[4, :n] = 0.35, np.clip(losses / 4, 0, 1)
    rows = [tr(f"laboratory.labels_{name}") for name in ("position", "fed", "label", "probability", "loss")]
    with st.container(key="wide_cells"):
        bench.show(figures.cell_map(cells, texts, rows=rows, kind="decoder_self", mode=session.mode()), "labels")
    st.markdown(
        tr("laboratory.labels_said", n=n, mean=number(losses.mean(), ".2f"),
           perplexity=number(np.exp(losses.mean()), ".2f"), with_padding=n + LABELS_PADDING)
    )  # fmt: skip


def _text(reading: Reading) -> str:
    """Draw the field of a long text and return it; by default the sentence and the examples."""
    chosen = bench.choices()
    text = chosen.long_text or " ".join((reading.text, *examples(reading.bundle)))
    st.text_area(tr("laboratory.long_text"), height=90, **bench.bind("long_text", value=text))
    return normalise(text)


def _vocabulary(reading: Reading) -> None:
    text = _text(reading)
    words = frequencies(text.lower().split())
    if not words or reading.bundle.source_tokenizer is None:
        st.info(tr("laboratory.data_no_words"))
        return
    pieces = frequencies([chip_text(piece) for piece in reading.bundle.source_tokenizer.encode(text).pieces])
    st.slider(tr("laboratory.min_count"), 1, 5, width=320, **bench.bind("min_count"))
    vocabulary = word_vocabulary(text.lower().split(), min_count=bench.choices().min_count)
    st.code("  ".join(f"{token} {i}" for i, token in enumerate(vocabulary.tokens[:24])), language=None, wrap_lines=True)
    st.caption(
        tr("laboratory.vocabulary_said", kept=vocabulary.n_kept, n=vocabulary.n_words,
           share=number(vocabulary.unknown_share, ".0%"))
    )  # fmt: skip
    left, right = st.columns(2)
    for column, name, by_frequency in ((left, "words", words), (right, "pieces", pieces)):
        labels, counts = zip(*by_frequency[:20], strict=True)
        once = sum(count == 1 for _, count in by_frequency)
        with column:
            st.caption(
                tr(f"laboratory.data_{name}_said", n=len(by_frequency), once=number(once / len(by_frequency), ".0%"),
                   total=number(reading.bundle.config.source_vocab_size))
            )  # fmt: skip
            figure = figures.bars(
                ((tr("laboratory.count"), np.array(counts)),), labels, axis_name=tr("laboratory.count"),
                mode=session.mode(),
            )  # fmt: skip
            figure.update_xaxes(tickangle=-60)
            bench.show(figure, f"counts.{name}")


def _partition(reading: Reading) -> None:
    chosen = bench.choices()
    text = _text(reading)
    tokens = text.split()
    with st.container(horizontal=True, gap="large"):
        st.slider(tr("laboratory.rows"), 1, 8, width=220, **bench.bind("n_rows"))
        st.slider(tr("laboratory.length"), 2, 32, width=220, **bench.bind("length"))
    try:
        cut = {
            "random": random_partition(len(tokens), n_rows=chosen.n_rows, length=chosen.length, seed=chosen.seed),
            "sequential": sequential_partition(len(tokens), n_rows=chosen.n_rows, length=chosen.length),
        }
    except TrainingError as error:
        st.info(public_message(error))
        return
    left, right = st.columns(2)
    for column, (name, partition) in zip((left, right), cut.items(), strict=True):
        with column:
            st.caption(tr(f"laboratory.partition_{name}"))
            st.code(_batches(partition, tokens), language=None, wrap_lines=True)


def _batches(partition: Partition, tokens: list[str]) -> str:
    """The first three batches, one line per row."""
    blocks = []
    for batch, starts in enumerate(partition.starts[:3]):
        rows = [f"  {start:>3}: {' '.join(tokens[start : start + partition.length])}" for start in starts]
        blocks.append(f"{tr('laboratory.batch', n=batch)}\n" + "\n".join(rows))
    return "\n".join(blocks) or "–"
