"""A map's rows labelled in two ways: with the token that a row predicts, and with the token that it was fed."""

import streamlit as st

from model.teaching.experiments import aligning_head
from viz import cache
from viz.figures import drawings
from viz.i18n import tr
from viz.lesson.scene import Scene, sentence_of
from viz.lesson.views import Act, Pictures, cross_weights, draw_head, labels, maps, write
from viz.panels.reading import Reading
from viz.plain_text import chip_text
from viz.state import session


class Cross(Scene):
    """The head with the best word alignment."""

    def change(self, reading: Reading) -> None:
        """Switch the row labels."""
        session.change(rows="fed" if reading.selection.rows == "predicted" else "predicted")

    def draw(self, reading: Reading) -> None:
        """The head's map."""
        (layer, head), first = self.head(reading), reading.selection.first_index
        draw_head(reading, layer, head, "aligning")
        st.caption(tr("lesson.aligning", layer=layer + first, head=head + first))

    def pictures(self, reading: Reading) -> Pictures:
        """The map under both labels."""
        before, after = (
            drawings.weight_map(
                cross_weights(reading)[self.head(reading)], names, labels(reading)[1], kind="cross", write=write,
                title=tr(f"attention.{rows}"),
            )
            for rows, names in _names(reading).items()
        )  # fmt: skip
        return Pictures(before, drawings.beside((before, after)), caption=tr("lesson.cross_picture"))

    def act(self, before: Reading, reading: Reading) -> Act:
        """One map under both labels of its rows."""
        weights, by_name, now = cross_weights(reading)[self.head(reading)], _names(reading), reading.selection.rows
        rows = (by_name["fed" if now == "predicted" else "predicted"], by_name[now])
        return maps((weights, weights), rows, labels(reading)[1], kind="cross")

    def head(self, reading: Reading) -> tuple[int, int]:
        """The head with the best word alignment, on the scene's own sentence."""
        example = sentence_of(self.name, reading.bundle) or reading.text
        return cache.compute(aligning_head, reading.bundle, text=example)


def _names(reading: Reading) -> dict[str, list[str]]:
    rows = {"predicted": reading.trace.target, "fed": reading.trace.prefix}
    return {name: [chip_text(piece) for piece in tokens.pieces] for name, tokens in rows.items()}


SCENE = Cross(
    name="cross", right=1, page="explore", minutes=6, short_minutes=5, terms=("cross", "sink"), compares="", lines=3,
    legacy_restored_fields=("rows",),
)  # fmt: skip
