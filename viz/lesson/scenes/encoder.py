"""The encoder turns each word's vector into that of the word in its sentence."""

import dataclasses

import numpy as np
import streamlit as st

from model import BlockedKey, Interventions
from model.interpret.context import context_drift, word_in_context
from model.teaching.experiments import token_to_hide
from model.teaching.measured.layer_costs import attention_cost, recurrent_cost
from model.text.language_codes import main_language
from model.trace import Floats
from viz import cache
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.figures.drawings import Drawing
from viz.i18n import number, tr
from viz.lesson.pictures import Pictures, again, translations, write
from viz.lesson.scene import Scene
from viz.lesson.views import show
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown
from viz.state import session
from viz.state.view_state import ViewState

MOST_NUMBERED = 12
"""Columns of a map in whose cells a number can be read."""
FIT_A_PHONE = 7
"""Columns whose numbers a phone shows beside each other."""
LONG = 10_000
"""Tokens of a text in which the pairs cost attention more than its matrices."""
MEANT = "watch"
MEANINGS = ("My watch is broken.", "I watch television every day.", "The watch is new.")
"""The word has one meaning in the first and the last sentence, and another between; it is the second token of each."""


def drift(reading: Reading) -> tuple[Floats, list[str]]:
    """How similar each token (columns) is to its starting vector after each layer (rows), and the rows' names."""
    edits, first = reading.selection.interventions, reading.selection.first_index
    drifted = cache.compute(context_drift, reading.bundle, trace=(reading.trace.source.ids, ()), interventions=edits)
    layers = (tr("lesson.encoder_layer", layer=layer + first) for layer in range(len(drifted.cosine) - 1))
    return drifted.cosine, [tr("lesson.encoder_start"), *layers]


class Encoder(Scene):
    """How similar each token stays to its starting vector, layer by layer."""

    def change(self, reading: Reading) -> None:
        """One word hidden from the others."""
        session.intervene(_hidden(reading))

    def named(self, reading: Reading) -> dict[str, object]:
        """The hidden word."""
        hidden = reading.selection.interventions.blocked_keys or _hidden(reading).blocked_keys
        pieces = reading.trace.source.pieces
        return {"token": pieces[min(hidden[0].key, len(pieces) - 1)].lstrip("▁")}

    def has_caption(self, reading: Reading) -> bool:
        """The word of the question comes first."""
        return False

    def draw(self, reading: Reading) -> None:
        """A word with two meanings, and the map of similarity."""
        _draw_meanings(reading)
        st.caption(tr("lesson.encoder_look"))
        cosine, rows = drift(reading)
        keys, shown = [chip_text(piece) for piece in reading.trace.source.pieces], np.clip(cosine, 0, 1)
        figure = figures.weight_maps(
            (shown,), rows, keys, titles=[""], kind="encoder_self", mode=session.mode(), height=300
        )
        if len(keys) <= MOST_NUMBERED:
            texts = [[number(float(cell), ".2f") for cell in row] for row in cosine]
            figures.with_numbers(figure, shown, texts, "encoder_self", session.mode())
        with st.container(key="wide_cells" if len(keys) > FIT_A_PHONE else "drift"):
            show(figure, "drift")
        st.caption(tr("lesson.encoder_mean", mean=float(cosine[-1].mean())))

    def draw_below(self, reading: Reading) -> None:
        """What attention costs, and what a recurrent network does that reads one word after another."""
        with st.expander(tr("lesson.costs"), icon=":material/speed:"):
            head, *lines = costs(reading)
            rows = [f"| {' | '.join(line)} |" for line in lines]
            st.markdown("\n".join([f"| {' | '.join(head)} |", "| --- | --- | --- |", *rows]))
            st.caption(tr("lesson.costs_said"))

    def finding(self, reading: Reading) -> str:
        """Which token changes most from start to last layer and which least."""
        cosine, pieces = drift(reading)[0][-1], reading.trace.source.pieces
        most, least = (chip_text(pieces[int(place)]).strip("▁") for place in (cosine.argmin(), cosine.argmax()))
        return tr("lesson.encoder_found", most=most, least=least)

    def pictures(self, reading: Reading) -> Pictures:
        """The map before and after, and both translations; the question is about two other sentences."""
        changed = again(reading, _hidden(reading))
        after = drawings.below((_map(changed), translations(reading, changed)))
        is_asked = _two_meanings(reading) is not None
        asked = drawings.table((), [(text,) for text in MEANINGS[:2]], widest=420) if is_asked else None
        return Pictures(_map(reading), after, asked=asked)

    def on_phones(self, reading: Reading, now: ViewState) -> ViewState:
        """The encoder."""
        return dataclasses.replace(now, kind="encoder_self", heads=())


def costs(reading: Reading) -> list[tuple[str, str, str]]:
    """A table: attention and a recurrent layer of the model's width, for this sentence and for a long text."""
    n, d = len(reading.trace.source), reading.bundle.config.d_model
    lines = [("", tr("lesson.costs_attention"), tr("lesson.costs_recurrent")),
             (tr("lesson.costs_formula"), "4nd² + 2n²d", "6nd²")]  # fmt: skip
    for length in (n, LONG):
        millions = [cost(length, d).multiplications / 1e6 for cost in (attention_cost, recurrent_cost)]
        one, other = (number(value, ".1f" if value < 100 else ",.0f") for value in millions)
        lines.append((tr("lesson.costs_of", n=length, d=d), one, other))
    one, other = attention_cost(n, d), recurrent_cost(n, d)
    lines.append((tr("lesson.costs_steps", n=n), number(one.steps), number(other.steps)))
    lines.append((tr("lesson.costs_path", n=n), number(one.path), number(other.path)))
    return lines


def _hidden(reading: Reading) -> Interventions:
    hidden = cache.compute(token_to_hide, reading.bundle, text=reading.fitted.text)
    return Interventions(blocked_keys=(BlockedKey("encoder_self", hidden),))


def _map(reading: Reading) -> Drawing:
    cosine, rows = drift(reading)
    columns = [chip_text(piece) for piece in reading.trace.source.pieces]
    return drawings.weight_map(np.clip(cosine, 0, 1), rows, columns, kind="encoder_self", write=write)


def _two_meanings(reading: Reading) -> tuple[float, float] | None:
    """How similar a word's vectors after the encoder are, in two sentences with two meanings and in two with one."""
    if main_language(reading.bundle.source_language) != "en":
        return None
    one, other, same = MEANINGS
    drifts = [
        cache.compute(word_in_context, reading.bundle, texts=pair, word=MEANT) for pair in ((one, other), (one, same))
    ]
    return None if drifts[0] is None or drifts[1] is None else (float(drifts[0][-1]), float(drifts[1][-1]))


def _draw_meanings(reading: Reading) -> None:
    drifts = _two_meanings(reading)
    if drifts is None:
        return
    lines = [f"| {tr('lesson.twin')} | {tr('sentence.target')} |", "| --- | --- |"]
    lines += [f"| {text} | {escape_markdown(cache.translate(reading.bundle, text).text)} |" for text in MEANINGS[:2]]
    st.markdown("\n".join(lines))
    st.caption(tr("lesson.meanings", word=MEANT, one=MEANINGS[0], same=MEANINGS[2], apart=drifts[0], alike=drifts[1]))


SCENE = Encoder(name="encoder", right=0, page="explore", minutes=6, terms=("cosine",), lines=3)
