"""A toy model of three-word sentences, trained on the spot; all of its weights are shown."""

import numpy as np
import streamlit as st

from model import Trace
from model.interventions import AttentionKind
from model.teaching.toy import STEPS, Toy, toy_pairs, train_toy
from viz import cache
from viz.checkpoints import shelf as checkpoint_shelf
from viz.figures import laboratory as figures
from viz.i18n import number, tr
from viz.laboratory import bench
from viz.panels import shelf
from viz.panels.reading import Reading
from viz.plain_text import escape_markdown, markdown_table
from viz.state import session


def draw(reading: Reading) -> None:
    """Draw the part; it has sentences of its own, so ``reading`` is not used."""
    bench.heading("toy")
    seed = bench.choices().toy_seed
    with st.spinner(tr("laboratory.toy_training")):
        toy = cache.get_or_compute(("toy", seed), lambda: train_toy(seed=seed))
    traces = [cache.translate(toy.bundle, pair.source) for pair in toy_pairs()]
    left, right = st.columns((2, 3), gap="large")
    with left:
        _sentences(traces)
        with st.container(horizontal=True, gap="small"):
            st.button(
                tr("laboratory.toy_again"), icon=":material/casino:", on_click=_next_seed, key="laboratory.toy.seed"
            )
            st.button(tr("laboratory.toy_open"), icon=":material/search:", on_click=_open, args=(toy,),
                      key="laboratory.toy.open", type="primary")  # fmt: skip
    with right:
        _loss(toy)
        _maps(traces[bench.choices().toy_pair])
    _numbers(toy)


def _sentences(traces: list[Trace]) -> None:
    pairs = toy_pairs()
    titles = [tr(f"laboratory.toy_{name}") for name in ("source", "translation", "right")]
    rows = []
    for pair, trace in zip(pairs, traces, strict=True):
        mark = "✓" if trace.text == pair.target else f"✗ {pair.target}"
        source = f"**{pair.source}**" if pair.is_held_out else pair.source
        rows.append((source, escape_markdown(trace.text), mark))
    st.markdown(markdown_table(titles, rows))
    st.caption(tr("laboratory.toy_said", right=sum(t.text == p.target for p, t in zip(pairs, traces, strict=True)),
                  n=len(pairs)))  # fmt: skip


def _loss(toy: Toy) -> None:
    series = ((tr("laboratory.curve_training"), np.arange(1.0, STEPS + 1), np.array(toy.losses)),)
    names = (tr("laboratory.step"), tr("laboratory.curve_loss"))
    bench.show(figures.lines(series, names=names, mode=session.mode(), height=220), "toy.loss")


def _maps(trace: Trace) -> None:
    """Draw the maps of one sentence, one per kind: the model has one layer and one head."""
    pairs = toy_pairs()
    st.selectbox(
        tr("laboratory.toy_source"), range(len(pairs)), format_func=lambda i: pairs[i].source, width=240,
        **bench.bind("toy_pair"),
    )  # fmt: skip
    axes: tuple[tuple[AttentionKind, str, str], ...] = (
        ("encoder_self", "source", "source"),
        ("decoder_self", "prefix", "prefix"),
        ("cross", "target", "source"),
    )
    for column, (kind, queries, keys) in zip(st.columns(3), axes, strict=True):
        weights = trace.attention.of(kind)
        assert weights is not None
        tokens = (getattr(trace, queries).pieces, getattr(trace, keys).pieces)
        title = tr(f"attention.{kind}")
        figure = figures.weight_maps((weights[0, 0],), *tokens, titles=[title], kind=kind, mode=session.mode())
        with column:
            bench.show(figure, f"toy.{kind}")


def _numbers(toy: Toy) -> None:
    """Draw the choice of a tensor, and its table."""
    tensors = toy.tensors
    with st.expander(tr("laboratory.toy_numbers", n=number(toy.n_parameters))):
        name = st.selectbox(tr("laboratory.toy_tensor"), list(tensors), key="laboratory.toy.tensor", width=420)
        values = np.atleast_2d(tensors[name])
        st.caption(tr("laboratory.toy_shape", rows=values.shape[0], columns=values.shape[1]))
        rows = ((f"**{escape_markdown(word)}**", *(number(v, ".2f") for v in row.tolist()))
                for word, row in zip(_row_names(toy, name, len(values)), values, strict=True))  # fmt: skip
        st.markdown(markdown_table(["", *map(str, range(values.shape[1]))], rows, n_texts=1))


def _row_names(toy: Toy, name: str, n: int) -> list[str]:
    """Labels of a tensor's rows: tokens for an embedding or the output layer, else numbers."""
    tokenizer = {
        "encoder.embedding.weight": toy.bundle.source_tokenizer,
        "decoder.embedding.weight": toy.bundle.target_tokenizer,
        "output.weight": toy.bundle.target_tokenizer,
    }.get(name)
    return list(tokenizer.describe(range(n)).pieces) if tokenizer is not None else [str(i) for i in range(n)]


def _next_seed() -> None:
    bench.change(toy_seed=(bench.choices().toy_seed + 1) % bench.TOYS)


def _open(toy: Toy) -> None:
    """Put the toy among the reader's models and choose it, with the sentence on screen."""
    models = session.held_models()
    name = next((key for key, model in models.items() if model.fingerprint == toy.bundle.fingerprint), "")
    if not name:
        models, name, _ = shelf.place(models, toy.bundle, cache.model_names())
        shelf.keep(models)
    checkpoint_shelf.use(name)
    session.change(text=toy_pairs()[bench.choices().toy_pair].source)
