"""What each scene shows once the class has voted: the real views, on the class's own sentence."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from model import Interventions, PositionEdit
from model.interpret.context import context_drift, untrained_weights, word_in_context
from model.teaching.experiments import (
    ScaleEffect,
    aligning_head,
    contrasting_heads,
    focused_head,
    greedy_under,
    scale_effect,
    twin_of,
)
from model.teaching.mask_effects import FutureEffect, future_effect
from model.teaching.measured.own_words import last_word
from model.teaching.position_properties import order_effect
from model.text.language_codes import main_language
from model.trace import Floats, Trace
from viz import cache
from viz.components.inside import inside
from viz.figures import laboratory as figures
from viz.figures.head_grid import head_grid
from viz.figures.positions import order_maps
from viz.figures.tokens import as_candidates
from viz.i18n import group, number, power_of_ten, tr
from viz.inside.inspected import inspected
from viz.inside.screens import screen_of
from viz.inside.view import View
from viz.lesson import hunt, parts, training
from viz.lesson.scenes import AREA, BEAM_SIZE, Choices, find_scene, sentence_of
from viz.panels import chart
from viz.panels.reading import Reading, read_under
from viz.panels.stage.sentence import chip_text
from viz.plain_text import escape_markdown
from viz.state import session
from viz.theme import palette

MAP_HEIGHT = 380
MOST_NUMBERED = 12
"""Columns of a map in whose cells a number can be read."""
FIT_A_PHONE = 7
"""Columns whose numbers a phone shows beside each other."""
MEANT = "watch"
MEANINGS = ("My watch is broken.", "I watch television every day.", "The watch is new.")
"""The word has one meaning in the first and the last sentence, and another between; it is the second token of each."""


def draw(name: str, reading: Reading) -> None:
    """Draw the view of a scene."""
    {
        "box": _average, "pieces": _pieces, "positions": _positions, "head": _head, "heads": _heads,
        "layer": parts.draw_layer, "encoder": _encoder, "mask": _mask, "loss": _loss, "cross": _aligning,
        "beam": _beam, "explain": _explain, "train": _train, "share": _share,
    }[name](reading)  # fmt: skip


def numbers(name: str, reading: Reading, *, n_tried: int = hunt.TRIES) -> dict[str, object]:
    """The numbers that a scene's explanation states, measured now.

    Args:
        n_tried: heads that the class has tried: how many change the translation is said only after some.
    """
    if name == "explain":
        return {"counted": hunt.counted_said(reading, n_tried)}
    if name == "train":
        trained, fresh = trained_and_fresh(reading)
        largest = {"trained": trained, "fresh": fresh}
        means: dict[str, object] = {key: float(weights.max(-1).mean()) for key, weights in largest.items()}
        return means | {"even": 1 / fresh.shape[-1]}
    if name == "loss":
        step = parts.step(reading)
        return {"before": step.losses[0], "after": step.losses[1], "n": step.n_parameters}
    return {}


def close_call(reading: Reading) -> dict[str, object] | None:
    """Probabilities of the first two tokens where they are closest; None where few heads change the translation."""
    changes, candidates = hunt.hunted(reading).is_changed, reading.trace.candidates
    if candidates is None or 4 * changes.sum() <= changes.size:
        return None
    first, second = np.exp(candidates.log_probs[:, :2]).T
    step = int((first - second).argmin())
    return {"first": float(first[step]), "second": float(second[step])}


def future(reading: Reading) -> FutureEffect:
    """The translation's own words scored with the causal mask and without."""
    ids = {"source_ids": reading.trace.source.ids, "target_ids": reading.trace.target.ids}
    return cache.compute(future_effect, reading.bundle, layer=0, head=0, **ids)


def forced(reading: Reading) -> str:
    """What lifting the mask does to the probability of the model's own translation."""
    masked, lifted = map(parts.chance, future(reading).log_probs)
    return tr("lesson.forced", masked=masked, lifted=lifted)


def with_last_word_marked(reading: Reading) -> str:
    """The translation as Markdown, with the word that the first question asks about marked."""
    text = reading.trace.text
    piece = reading.trace.target.pieces[last_word(reading.trace)[-1]].strip("▁")
    end = text.rfind(piece) + len(piece)
    begin = text.rfind(" ", 0, end) + 1 if " " in text else end - len(piece)
    before, word, after = map(escape_markdown, (text[:begin], text[begin:end], text[end:]))
    return f"{before}:blue-background[{word}]{after}"


def is_twinless(name: str, reading: Reading) -> bool:
    """Whether a scene compares two orders of the words, and this sentence has only one."""
    return name == "positions" and twin_of(reading.fitted.text) == reading.fitted.text


def says_itself(name: str) -> bool:
    """Whether a scene's view says what it shows in its own place, not above everything."""
    return is_changed() if name == "explain" else name == "heads" and not is_changed()


def is_changed() -> bool:
    """Whether this scene's change is active."""
    return session.choices_of(Choices, AREA).changed


def labels(reading: Reading) -> tuple[list[str], list[str]]:
    """Labels of the rows by the choice of row meaning, and of the source."""
    rows = reading.trace.target if reading.selection.rows == "predicted" else reading.trace.prefix
    return [chip_text(piece) for piece in rows.pieces], [chip_text(piece) for piece in reading.trace.source.pieces]


def cross_weights(reading: Reading) -> Floats:
    """All cross-attention, (L, H, T, S)."""
    weights = reading.trace.attention.cross
    assert weights is not None
    return weights


def _map(reading: Reading, layer: int, head: int, key: str) -> None:
    rows, keys = labels(reading)
    weights = cross_weights(reading)[layer, head]
    is_off = any(
        (item.kind, item.layer, item.head) == ("cross", layer, head)
        for item in reading.selection.interventions.heads_off
    )
    figure = figures.weight_maps(
        (weights,), rows, keys, titles=[""], mode=session.mode(), height=MAP_HEIGHT, is_off=is_off
    )
    _show(figure, key)
    if is_off:
        st.caption(tr("lesson.is_off"))


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of all heads (T, S), and the rows of the word that the question asks about."""

    weights: Floats
    rows: range


def average(reading: Reading) -> Average:
    """The map of the first scene."""
    return Average(cross_weights(reading).mean((0, 1)), last_word(reading.trace))


def _average(reading: Reading) -> None:
    """The mean of all heads, with the rows of the word that the question asks about in a frame."""
    names, keys = labels(reading)
    mean = average(reading)
    figure = figures.weight_maps((mean.weights,), names, keys, titles=[""], mode=session.mode(), height=MAP_HEIGHT)
    figure.add_shape(
        type="rect", x0=-0.5, x1=len(keys) - 0.5, y0=mean.rows[0] - 0.5, y1=mean.rows[-1] + 0.5,
        line={"width": 2, "color": palette(session.mode()).ink},
    )  # fmt: skip
    _show(figure, "average")
    row = mean.weights[mean.rows].mean(0)  # (S,)
    word = "".join(chip_text(reading.trace.target.pieces[step]) for step in mean.rows)
    most = int(row.argmax())
    st.caption(tr("lesson.average", row=word, word=keys[most], most=float(row[most]), least=float(row.min())))


def _focused(reading: Reading) -> None:
    layer, head = focused_head(cross_weights(reading)) or (0, 0)
    _map(reading, layer, head, "focused")
    first, share = reading.selection.first_index, float(cross_weights(reading)[layer, head].max(-1).mean())
    st.caption(tr("lesson.sharpest", layer=layer + first, head=head + first, share=share))


def aligning(reading: Reading) -> tuple[int, int]:
    """Layer and head of the cross-attention whose rows follow the words best, on the scene's own sentence."""
    example = sentence_of(find_scene("cross"), reading.bundle) or reading.fitted.text
    return cache.compute(aligning_head, reading.bundle, text=example)


def _aligning(reading: Reading) -> None:
    layer, head = aligning(reading)
    _map(reading, layer, head, "aligning")
    first = reading.selection.first_index
    st.caption(tr("lesson.aligning", layer=layer + first, head=head + first))


def _explain(reading: Reading) -> None:
    if is_changed():
        hunt.draw(reading)
        return
    _focused(reading)


def _share(reading: Reading) -> None:
    """The head of the claim, what the test of it says, and its map."""
    hunt.choose(reading)
    if is_changed():
        hunt.draw_tested(reading)
    selection = reading.selection
    weights = reading.trace.attention.of(selection.kind)
    if weights is not None:
        (rows, source), fed = labels(reading), [chip_text(piece) for piece in reading.trace.prefix.pieces]
        of_kind = {"encoder_self": (source, source), "decoder_self": (fed, fed), "cross": (rows, source)}
        figure = figures.weight_maps(
            (weights[selection.layer, selection.head],), *of_kind[selection.kind], titles=[""], kind=selection.kind,
            mode=session.mode(), height=300, is_off=is_changed(),
        )  # fmt: skip
        _show(figure, "claimed")
    hunt.link()


def _pieces(reading: Reading) -> None:
    source = reading.trace.source if len(reading.trace.source) else reading.trace.prefix
    cells = np.array([[0.0 if special else 0.6 for special in source.is_special]] * 2, np.float32)
    cells[1] = 0
    texts = ([chip_text(piece) for piece in source.pieces], [str(index) for index in source.ids])
    names = (tr("laboratory.data_pieces"), tr("laboratory.data_ids"))
    with st.container(key="wide_cells"):
        _show(figures.cell_map(cells, texts, rows=names, kind="encoder_self", mode=session.mode()), "pieces")


def _positions(reading: Reading) -> None:
    if is_twinless("positions", reading):
        st.info(tr("lesson.no_twin"))
        return
    text, twin = reading.fitted.text, twin_of(reading.fitted.text)
    none = (Interventions(), Interventions(source_positions=PositionEdit("zero")))
    pairs = [(each, cache.compute(greedy_under, reading.bundle, text=each, variants=none)) for each in (text, twin)]
    shown = 2 if is_changed() else 1
    names = [tr(f"lesson.{name}") for name in ("twin", "with_positions", "without_positions")[: shown + 1]]
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * (shown + 1)}"]
    lines += [f"| {' | '.join(map(escape_markdown, (each, *said[:shown])))} |" for each, said in pairs]
    st.markdown("\n".join(lines))
    source = reading.trace.source
    n_fixed = next((i for i, special in enumerate(reversed(source.is_special)) if not special), len(source))
    effect = cache.compute(order_effect, reading.bundle, source_ids=source.ids, n_fixed=n_fixed, seed=1)
    maps = [pair[i][0, 0] for pair in (effect.with_positions, effect.without_positions)[:shown] for i in (0, 1)]
    names = ("with_in_order", "with_shuffled", "without_in_order", "without_shuffled")[: 2 * shown]
    titles = [tr(f"positions.{name}") for name in names]
    pieces = [chip_text(piece) for piece in source.pieces]
    for place, column in enumerate(st.columns(shown) if shown > 1 else (st.container(),)):
        pair = slice(2 * place, 2 * place + 2)
        with column:
            figure = order_maps(maps[pair], pieces, titles=titles[pair], mode=session.mode())
            chart.show(figure, f"lesson.order.{place}", may_shrink=True)
    if shown == 2:
        st.caption(tr("positions.change", with_positions=effect.change[0], without=power_of_ten(effect.change[1])))


def scale(reading: Reading) -> ScaleEffect:
    """The row of weights that shows best what the division by √d_k does."""
    config = reading.bundle.config
    effect = scale_effect(reading.trace, config.d_key or config.d_model // config.n_decoder_heads)
    assert effect is not None
    return effect


def _head(reading: Reading) -> None:
    config, effect = reading.bundle.config, scale(reading)
    inspection = inspected(reading, "cross", effect.layer, effect.head)
    rows, keys = labels(reading)
    view = View(
        inspection,
        tuple(rows),
        tuple(keys),
        effect.query,
        int(effect.scaled.argmax()),
        False,
        activation=config.activation,
    )
    weights = [round(float(weight), 4) for weight in effect.scaled]
    shade = {"kind": "cross", "source": weights, "target": None, "from": None,
             "focus": {"side": "target", "index": effect.query}}  # fmt: skip
    groups = [(tr("lesson.with_scale"), effect.scaled)]
    if is_changed():
        groups.append((tr("lesson.without_scale"), effect.unscaled))
    bars = figures.bars(groups, keys, axis_name=tr("laboratory.weight"), mode=session.mode(), height=150)
    _show(bars, "scale")
    inside(
        screen_of("scores", view), kind="cross", words=group("inside"), shade=shade,
        presenter=reading.selection.presenter, key="lesson.head", on_token=_ignore,
    )  # fmt: skip


THREE = ("spreads", "follows", "ends")
"""Kinds of the three heads in the order in which they stand: the class says which is which."""


def _heads(reading: Reading) -> None:
    if not is_changed():
        _three_heads(reading)
        st.caption(tr("lesson.heads_look"))
    off = {(item.layer, item.head) for item in reading.selection.interventions.heads_off if item.kind == "cross"}
    cross = cross_weights(reading)
    chart = head_grid(
        cross, kind="cross", mode=session.mode(), first_index=reading.selection.first_index, cell=58, off=off,
        names=(tr("inside.layer"), tr("inside.head")),
    )  # fmt: skip
    # Streamlit fits the axes into the chart's size: without room for them the pictures would touch.
    chart = chart.properties(width=66 * cross.shape[1] + 60, height=66 * cross.shape[0] + 60)
    with st.container(key="wide_heads"):
        st.altair_chart(chart, theme=None, key="lesson.heads", width="content")


def _three_heads(reading: Reading) -> None:
    """Three heads side by side; what each does is said with the explanation."""
    cross, first, choices = cross_weights(reading), reading.selection.first_index, session.choices_of(Choices, AREA)
    by_kind, (rows, keys) = contrasting_heads(cross), labels(reading)
    places = [(by_kind[kind][0] + first, by_kind[kind][1] + first) for kind in THREE]
    if choices.scene in choices.explained:
        titles = [tr(f"lesson.heads_{kind}", head=f"{i}·{j}") for kind, (i, j) in zip(THREE, places, strict=True)]
    else:
        titles = [tr("export.head", layer=layer, head=head) for layer, head in places]
        st.markdown(tr("lesson.heads_which"))
    chart.beside([cross[by_kind[name]] for name in THREE], rows, keys, titles=titles, key="lesson.three")


def drift(reading: Reading) -> tuple[Floats, list[str]]:
    """How similar each token (columns) is to its starting vector after each layer (rows), and the rows' names."""
    edits, first = reading.selection.interventions, reading.selection.first_index
    similarity = cache.compute(context_drift, reading.bundle, trace=(reading.trace.source.ids, ()), interventions=edits)
    layers = (tr("inside.lens_layer", layer=layer + first) for layer in range(len(similarity.cosine) - 1))
    return similarity.cosine, [tr("lesson.encoder_start"), *layers]


def drift_found(reading: Reading) -> str:
    """Which token changes most from start to last layer and which least, for the teacher."""
    cosine, pieces = drift(reading)[0][-1], reading.trace.source.pieces
    most, least = (chip_text(pieces[int(place)]).strip("▁") for place in (cosine.argmin(), cosine.argmax()))
    return tr("lesson.encoder_found", most=most, least=least)


def _encoder(reading: Reading) -> None:
    cosine, rows = drift(reading)
    keys, shown = [chip_text(piece) for piece in reading.trace.source.pieces], np.clip(cosine, 0, 1)
    figure = figures.weight_maps(
        (shown,), rows, keys, titles=[""], kind="encoder_self", mode=session.mode(), height=300
    )
    if len(keys) <= MOST_NUMBERED:
        texts = [[number(float(cell), ".2f") for cell in row] for row in cosine]
        figures.with_numbers(figure, shown, texts, "encoder_self", session.mode())
    with st.container(key="wide_cells" if len(keys) > FIT_A_PHONE else "drift"):
        _show(figure, "drift")
    st.caption(tr("lesson.encoder_mean", mean=float(cosine[-1].mean())))
    _two_meanings(reading)


def two_meanings(reading: Reading) -> tuple[float, float] | None:
    """How similar a word's vectors after the encoder are, in two sentences with two meanings and in two with one."""
    if main_language(reading.bundle.source_language) != "en":
        return None
    one, other, same = MEANINGS
    apart, alike = (
        cache.compute(word_in_context, reading.bundle, texts=pair, word=MEANT) for pair in ((one, other), (one, same))
    )
    return None if apart is None or alike is None else (float(apart[-1]), float(alike[-1]))


def _two_meanings(reading: Reading) -> None:
    cosines = two_meanings(reading)
    if cosines is None:
        return
    apart, alike = cosines
    lines = [f"| {tr('lesson.twin')} | {tr('sentence.target')} |", "| --- | --- |"]
    lines += [f"| {text} | {escape_markdown(cache.translate(reading.bundle, text).text)} |" for text in MEANINGS[:2]]
    st.markdown("\n".join(lines))
    st.caption(tr("lesson.meanings", word=MEANT, one=MEANINGS[0], same=MEANINGS[2], apart=apart, alike=alike))


def _mask(reading: Reading) -> None:
    effect = future(reading)
    fed = [chip_text(piece) for piece in reading.trace.prefix.pieces]
    first = reading.selection.first_index
    titles = [tr("laboratory.causal_masked", layer=first, head=first), tr("laboratory.causal_lifted")]
    shown = 2 if is_changed() else 1
    maps = (effect.masked, effect.lifted)[:shown]
    chart.beside(maps, fed, fed, titles=titles[:shown], kind="decoder_self", key="lesson.mask")


def _loss(reading: Reading) -> None:
    parts.draw_loss(reading, is_changed=is_changed())


def parting_step(one: Trace, other: Trace) -> int | None:
    """The first step at which two translations of one sentence differ; None where they are the same."""
    ids = zip(one.target.ids, other.target.ids, strict=False)
    shorter = min(len(one.target), len(other.target))
    same = len(one.target) == len(other.target)
    return next((step for step, (a, b) in enumerate(ids) if a != b), None if same else shorter - 1)


@dataclass(frozen=True, slots=True)
class Parting:
    """The step at which greedy decoding and beam search part, or the least certain one where they do not."""

    greedy: Reading
    beam: Reading
    is_same: bool
    begun: str
    """What is written before the step."""
    names: list[str]
    """The most probable tokens, with their probabilities."""
    probabilities: Floats


def parting(reading: Reading) -> Parting | None:
    """What the scene on beam search shows; None where the model's probabilities are not known."""
    greedy, beam = (
        read_under(reading.bundle, dataclasses.replace(reading.selection, method=method, beam_size=BEAM_SIZE))
        or reading
        for method in ("greedy", "beam")
    )
    candidates = greedy.trace.candidates
    if candidates is None:
        return None
    step = parting_step(greedy.trace, beam.trace)
    place = int(candidates.log_probs[:, 0].argmin()) if step is None else step
    fed, tokenizer = greedy.trace.prefix, reading.bundle.target_tokenizer
    pieces = " ".join(chip_text(piece) for piece in fed.pieces[1 : place + 1])
    begun = tokenizer.decode(fed.ids[1 : place + 1]) if tokenizer else pieces
    names = as_candidates(candidates.pieces[place])[:6]
    return Parting(greedy, beam, step is None, begun, names, np.exp(candidates.log_probs[place, :6]))


def _beam(reading: Reading) -> None:
    divergence = parting(reading)
    if divergence is None:
        return
    if divergence.is_same:
        st.caption(tr("lesson.beam_same"))
    st.text(f"{divergence.begun} …")
    groups, name = (("p", divergence.probabilities),), tr("laboratory.probability")
    _show(figures.bars(groups, divergence.names, axis_name=name, mode=session.mode()), "beam")


def trained_and_fresh(reading: Reading) -> tuple[Floats, Floats]:
    """The most focused head, and the same head with random parameters."""
    place = focused_head(cross_weights(reading)) or (0, 0)
    fresh = cache.compute(
        untrained_weights, reading.bundle, trace=(reading.trace.source.ids, reading.trace.prefix.ids), seed=0
    )
    return cross_weights(reading)[place], fresh[place]


def _train(reading: Reading) -> None:
    rows, keys = labels(reading)
    trained, fresh = trained_and_fresh(reading)
    shown = ((fresh, "lesson.train_right"), (trained, "lesson.train_left"))[0 if is_changed() else 1 :]
    maps, titles = [weights for weights, _ in shown], [tr(title) for _, title in shown]
    chart.beside(maps, rows, keys, titles=titles, key="lesson.untrained")
    training.draw()


def _show(figure: go.Figure, key: str) -> None:
    chart.show(figure, f"lesson.{key}")


def _ignore() -> None:
    """The scene follows one word; the page Inside follows the reader's clicks."""
