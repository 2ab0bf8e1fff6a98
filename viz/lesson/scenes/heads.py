"""Heads attend to different tokens; without one layer's cross-attention a word of the translation changes."""

import streamlit as st

from model import NONE, Interventions
from model.interpret.ablation import without_layer
from model.teaching.experiments import contrasting_heads, layer_to_switch_off
from viz import cache
from viz.figures import drawings
from viz.figures.head_grid import head_grid
from viz.i18n import tr
from viz.lesson.choices import AREA, Choices, is_changed
from viz.lesson.scene import Scene
from viz.lesson.views import Pictures, cross_weights, labels, read_with, translations
from viz.panels import chart
from viz.panels.reading import Reading
from viz.state import session

THREE = ("spreads", "follows", "ends")
"""Kinds of the three heads, in their order on screen; the class matches them."""


class Heads(Scene):
    """All heads, and three of them side by side."""

    def change(self, reading: Reading) -> None:
        """Switch one layer's cross-attention off."""
        session.intervene(_without(reading))

    def named(self, reading: Reading) -> dict[str, object]:
        """The layer, as the page counts it."""
        heads_off = reading.selection.interventions.heads_off or _without(reading).heads_off
        return {"layer": heads_off[0].layer + reading.selection.first_index}

    def has_caption(self, reading: Reading) -> bool:
        """Before the change the three heads come first."""
        return is_changed()

    def draw(self, reading: Reading) -> None:
        """Draw the grid of heads; before the change, three of them above it."""
        if not is_changed():
            _three(reading)
            st.caption(tr("lesson.heads_look"))
        off = {(item.layer, item.head) for item in reading.selection.interventions.heads_off if item.kind == "cross"}
        cross = cross_weights(reading)
        grid = head_grid(
            cross, kind="cross", mode=session.mode(), first_index=reading.selection.first_index, cell=58, off=off,
            names=(tr("inside.layer"), tr("inside.head")),
        )  # fmt: skip
        # Streamlit fits the axes into the chart's size: without room for them the pictures would touch.
        grid = grid.properties(width=66 * cross.shape[1] + 60, height=66 * cross.shape[0] + 60)
        with st.container(key="wide_heads"):
            st.altair_chart(grid, theme=None, key="lesson.heads", width="content")

    def pictures(self, reading: Reading) -> Pictures:
        """The grid, and both translations."""
        names = (tr("inside.layer"), tr("inside.head"))
        grid = drawings.head_grid(cross_weights(reading), first=reading.selection.first_index, names=names)
        return Pictures(grid, translations(reading, read_with(reading, _without(reading))))


def _without(reading: Reading) -> Interventions:
    layer = cache.compute(layer_to_switch_off, reading.bundle, text=reading.text)
    return without_layer(reading.bundle, NONE, "cross", layer)


def _three(reading: Reading) -> None:
    """Draw three heads side by side; their titles tell what they do once the scene is explained."""
    cross, first, choices = cross_weights(reading), reading.selection.first_index, session.choices_of(Choices, AREA)
    contrasting, (rows, keys) = contrasting_heads(cross), labels(reading)
    places = [(contrasting[kind][0] + first, contrasting[kind][1] + first) for kind in THREE]
    if choices.scene in choices.explained:
        titles = [tr(f"lesson.heads_{kind}", head=f"{i}·{j}") for kind, (i, j) in zip(THREE, places, strict=True)]
    else:
        titles = [tr("export.head", layer=layer, head=head) for layer, head in places]
        st.markdown(tr("lesson.heads_which"))
    chart.beside([cross[contrasting[name]] for name in THREE], rows, keys, titles=titles, key="lesson.three")


SCENE = Heads(name="heads", right=0, page="explore", minutes=6, terms=("layer", "cross"), lines=3)
