"""The encoder turns each token's embedding into a contextual vector."""

import numpy as np
import streamlit as st

from model import BlockedKey, Interventions
from model.interpret.residual_stream import context_drift, word_in_context
from model.teaching.alternatives import attention_cost, recurrent_cost
from model.teaching.experiments import token_to_hide
from model.text.language_codes import main_language
from model.trace import Floats
from viz import cache
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.figures.drawings import Drawing
from viz.i18n import number, tr
from viz.lesson.scene import Scene
from viz.lesson.views import Pictures, read_with, show, translations, write
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown, markdown_table
from viz.state import session

MAX_NUMBERED = 12
"""Maximum columns of a map with readable numbers in its cells."""
FIT_A_PHONE = 7
"""Columns of numbers that fit a phone's width."""
LONG = 10_000
"""Tokens of a text in which attention's pairwise products cost more than its projections."""
MEANT = "watch"
MEANINGS = ("My watch is broken.", "I watch television every day.", "The watch is new.")
"""The word means the same in the first and the last sentence, and something else in the second."""


def drift(reading: Reading) -> tuple[Floats, list[str]]:
    """Cosine similarity (layer, token) of each token's vector to its embedding after each layer, and row names."""
    edits, first = reading.selection.interventions, reading.selection.first_index
    drifted = cache.compute(context_drift, reading.bundle, trace=(reading.trace.source.ids, ()), interventions=edits)
    layers = (tr("lesson.encoder_layer", layer=layer + first) for layer in range(len(drifted.cosine) - 1))
    return drifted.cosine, [tr("lesson.encoder_start"), *layers]


class Encoder(Scene):
    """Similarity of each token's vector to its embedding, layer by layer."""

    def change(self, reading: Reading) -> None:
        """Hide one token from the others."""
        session.intervene(_hide_word(reading))

    def named(self, reading: Reading) -> dict[str, object]:
        """The hidden word."""
        hidden = reading.selection.interventions.blocked_keys or _hide_word(reading).blocked_keys
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
        keys, clipped = [chip_text(piece) for piece in reading.trace.source.pieces], np.clip(cosine, 0, 1)
        figure = figures.weight_maps(
            (clipped,), rows, keys, titles=[""], kind="encoder_self", mode=session.mode(), height=300
        )
        if len(keys) <= MAX_NUMBERED:
            texts = [[number(float(cell), ".2f") for cell in row] for row in cosine]
            figures.with_numbers(figure, clipped, texts, "encoder_self", session.mode())
        with st.container(key="wide_cells" if len(keys) > FIT_A_PHONE else "drift"):
            show(figure, "drift")
        st.caption(tr("lesson.encoder_mean", mean=float(cosine[-1].mean())))

    def draw_below(self, reading: Reading) -> None:
        """Draw the cost of attention beside that of a recurrent network."""
        with st.expander(tr("lesson.costs"), icon=":material/speed:"):
            head, *lines = costs(reading)
            st.markdown(markdown_table(head, lines))
            st.caption(tr("lesson.costs_said"))

    def finding(self, reading: Reading) -> str:
        """Which token changes most from start to last layer and which least."""
        cosine, pieces = drift(reading)[0][-1], reading.trace.source.pieces
        most, least = (chip_text(pieces[int(place)]).strip("▁") for place in (cosine.argmin(), cosine.argmax()))
        return tr("lesson.encoder_found", most=most, least=least)

    def pictures(self, reading: Reading) -> Pictures:
        """The map before and after, and both translations; the question is about two other sentences."""
        changed = read_with(reading, _hide_word(reading))
        after = drawings.below((_map(changed), translations(reading, changed)))
        has_meanings = _two_meanings(reading) is not None
        question = drawings.table((), [(text,) for text in MEANINGS[:2]], widest=420) if has_meanings else None
        return Pictures(_map(reading), after, question=question)


def costs(reading: Reading) -> list[tuple[str, str, str]]:
    """A table: attention and a recurrent layer of the model's width, for this sentence and for a long text."""
    n, d = len(reading.trace.source), reading.bundle.config.d_model
    lines = [("", tr("lesson.costs_attention"), tr("lesson.costs_recurrent")),
             (tr("lesson.costs_formula"), "4nd² + 2n²d", "6nd²")]  # fmt: skip
    for length in (n, LONG):
        millions = [cost(length, d).multiplications / 1e6 for cost in (attention_cost, recurrent_cost)]
        attention, recurrent = (number(value, ".1f" if value < 100 else ",.0f") for value in millions)
        lines.append((tr("lesson.costs_of", n=length, d=d), attention, recurrent))
    costs_of = attention_cost(n, d), recurrent_cost(n, d)
    lines.append((tr("lesson.costs_steps", n=n), number(costs_of[0].steps), number(costs_of[1].steps)))
    lines.append((tr("lesson.costs_path", n=n), number(costs_of[0].path), number(costs_of[1].path)))
    return lines


def _hide_word(reading: Reading) -> Interventions:
    hidden = cache.compute(token_to_hide, reading.bundle, text=reading.text)
    return Interventions(blocked_keys=(BlockedKey("encoder_self", hidden),))


def _map(reading: Reading) -> Drawing:
    cosine, rows = drift(reading)
    columns = [chip_text(piece) for piece in reading.trace.source.pieces]
    return drawings.weight_map(np.clip(cosine, 0, 1), rows, columns, kind="encoder_self", write=write)


def _two_meanings(reading: Reading) -> tuple[float, float] | None:
    """Similarity of a word's vectors after the encoder: between two meanings, and between two uses of one meaning."""
    if main_language(reading.bundle.source_language) != "en":
        return None
    first, other, same = MEANINGS
    drifts = [
        cache.compute(word_in_context, reading.bundle, texts=pair, word=MEANT)
        for pair in ((first, other), (first, same))
    ]
    return None if drifts[0] is None or drifts[1] is None else (float(drifts[0][-1]), float(drifts[1][-1]))


def _draw_meanings(reading: Reading) -> None:
    drifts = _two_meanings(reading)
    if drifts is None:
        return
    rows = [(text, escape_markdown(cache.translate(reading.bundle, text).text)) for text in MEANINGS[:2]]
    st.markdown(markdown_table((tr("lesson.twin"), tr("sentence.target")), rows))
    st.caption(tr("lesson.meanings", word=MEANT, one=MEANINGS[0], same=MEANINGS[2], apart=drifts[0], alike=drifts[1]))


SCENE = Encoder(name="encoder", right=0, page="explore", minutes=6, terms=("cosine",), lines=3, kind="encoder_self")
