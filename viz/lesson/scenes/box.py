"""The machine as a whole: the mean of all heads, and a final mark that changes words before it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from model.teaching.experiments import has_mark, with_other_end
from model.teaching.measured.own_words import last_word
from model.trace import Floats
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.i18n import tr
from viz.lesson.pictures import Pictures, again, translations, write
from viz.lesson.scene import Scene, translation, vocabulary
from viz.lesson.views import MAP_HEIGHT, cross_weights, focused, labels, show
from viz.panels import model_map
from viz.panels.reading import Reading
from viz.panels.stage.sentence import chip_text
from viz.plain_text import escape_markdown
from viz.state import session
from viz.theme import palette


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of all heads (T, S), and the rows of the word that the question asks about."""

    weights: Floats
    rows: range


def average(reading: Reading) -> Average:
    """The map of the scene."""
    return Average(cross_weights(reading).mean((0, 1)), last_word(reading.trace))


class Box(Scene):
    """The first scene."""

    def words(self, part: str, text: str) -> str:
        """A mark is added to a sentence that ends without one."""
        return super().words(part, text) + ("" if has_mark(text) else "_add")

    def change(self, reading: Reading) -> None:
        """The other mark at the end."""
        session.new_sentence(with_other_end(reading.fitted.text))

    def asked(self, reading: Reading) -> str:
        """The translation, with the word that the question asks about marked."""
        text = reading.trace.text
        piece = reading.trace.target.pieces[last_word(reading.trace)[-1]].strip("▁")
        end = text.rfind(piece) + len(piece)
        begin = text.rfind(" ", 0, end) + 1 if " " in text else end - len(piece)
        before, word, after = map(escape_markdown, (text[:begin], text[begin:end], text[end:]))
        return f"{before}:blue-background[{word}]{after}"

    def draw(self, reading: Reading) -> None:
        """The mean of all heads, with the rows of the word that the question asks about in a frame."""
        names, keys = labels(reading)
        mean = average(reading)
        figure = figures.weight_maps((mean.weights,), names, keys, titles=[""], mode=session.mode(), height=MAP_HEIGHT)
        figure.add_shape(
            type="rect", x0=-0.5, x1=len(keys) - 0.5, y0=mean.rows[0] - 0.5, y1=mean.rows[-1] + 0.5,
            line={"width": 2, "color": palette(session.mode()).ink},
        )  # fmt: skip
        show(figure, "average")
        row = mean.weights[mean.rows].mean(0)  # (S,)
        word = "".join(chip_text(reading.trace.target.pieces[step]) for step in mean.rows)
        most = int(row.argmax())
        st.caption(tr("lesson.average", row=word, word=keys[most], most=float(row[most]), least=float(row.min())))

    def draw_below(self, reading: Reading) -> None:
        """All blocks of the model."""
        st.caption(tr("lesson.box_map"))
        model_map.draw(reading, last_word(reading.trace)[-1])

    def pictures(self, reading: Reading) -> Pictures:
        """The mean map; the sheet has the words of both sentences, to draw lines between."""
        mean, (rows, columns) = average(reading), labels(reading)
        before = drawings.weight_map(mean.weights, rows, columns, kind="cross", write=write, framed=mean.rows)
        blank = drawings.two_lines(*(_words(text) for text in (reading.trace.source_text, reading.trace.text)))
        return Pictures(before, translations(reading, again(reading, text=with_other_end(reading.fitted.text))), blank)

    def head(self, reading: Reading) -> tuple[int, int]:
        """The one with the sharpest rows."""
        return focused(reading)


def _words(text: str) -> list[str]:
    """Words to draw lines between; characters where no spaces stand between them."""
    return text.split() if " " in text else list(text)


SCENE = Box(
    name="box", right=0, page="explore", minutes=4, short_minutes=4,
    terms=("encoder", "decoder", "source", "token", "weight", "head"), needs=(vocabulary, translation),
)  # fmt: skip
