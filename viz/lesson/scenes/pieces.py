"""Words are split into tokens; an invented word needs several."""

import numpy as np
import streamlit as st

from model.teaching.experiments import with_doubled_word
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.figures.drawings import Drawing
from viz.i18n import tr
from viz.lesson.scene import Scene, vocabulary
from viz.lesson.views import Act, Pictures, differences, read_with, show, translations
from viz.panels.reading import Reading
from viz.state import session

MAX_PIECES = 32
"""Tokens of a sentence that fit on a second screen, before and after."""

_BOXES = 6
"""Places for tokens on the worksheet."""


class Pieces(Scene):
    """The tokens of the sentence and their ids."""

    def change(self, reading: Reading) -> None:
        """Double the longest word."""
        session.new_sentence(with_doubled_word(reading.text))

    def changed_text(self, text: str) -> str:
        """The sentence with its longest word doubled."""
        return with_doubled_word(text)

    def draw(self, reading: Reading) -> None:
        """Draw tokens above their ids, with the vocabulary's space marker, which tells otherwise equal tokens apart."""
        source = reading.trace.source if len(reading.trace.source) else reading.trace.prefix
        cells = np.array([[0.0 if special else 0.6 for special in source.is_special]] * 2, np.float32)
        cells[1] = 0
        texts = (list(source.pieces), [str(index) for index in source.ids])
        names = (tr("laboratory.data_pieces"), tr("laboratory.data_ids"))
        with st.container(key="wide_cells"):
            show(figures.cell_map(cells, texts, rows=names, kind="encoder_self", mode=session.mode()), "pieces")

    def pictures(self, reading: Reading) -> Pictures:
        """Tokens before and after."""
        changed = read_with(reading, text=with_doubled_word(reading.text))
        names = (tr("lesson.pieces_guessed"), tr("lesson.pieces_split"))
        blank = drawings.table((), [(name, *([""] * _BOXES)) for name in names])
        return Pictures(_strip(reading), drawings.below((_strip(changed), translations(reading, changed))), sheet=blank)

    def act(self, before: Reading, reading: Reading) -> Act:
        """The sentence's tokens before and after, and its translations."""
        old, new = (list(version.trace.source.pieces)[:MAX_PIECES] for version in (before, reading))
        texts = differences(before.trace.text, reading.trace.text)
        return {"kind": "tokens", "before": old, "after": new, "texts": texts}


def _strip(reading: Reading) -> Drawing:
    source = reading.trace.source
    ids = [str(index) for index in source.ids]
    return drawings.token_strip(list(source.pieces), ids, kind="encoder_self")


SCENE = Pieces(
    name="pieces", right=1, page="laboratory", minutes=4, short_minutes=4, terms=("vector", "embedding"),
    needs=(vocabulary,), lines=3,
)  # fmt: skip
