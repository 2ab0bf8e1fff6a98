"""The same words in two orders, with positional encoding and without."""

import streamlit as st

from model import NONE, Bundle, Interventions, PositionEdit
from model.teaching.experiments import greedy_under, twin_of
from model.teaching.position_properties import order_effect
from viz import cache
from viz.figures import drawings
from viz.figures.positions import order_maps
from viz.i18n import power_of_ten, tr
from viz.lesson.choices import is_changed
from viz.lesson.scene import Scene, translation
from viz.lesson.views import Act, Pictures, pair
from viz.panels import chart
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown, markdown_table
from viz.state import session

_WITHOUT = Interventions(source_positions=PositionEdit("zero"))
_NAMES = ("twin", "with_positions", "without_positions")


def _positions(bundle: Bundle) -> str:
    has_positions = bundle.config.positions != "none" or bundle.config.sees_distances
    return "" if has_positions else "positions.no_positions"


class Positions(Scene):
    """A sentence and its twin, in which two words are exchanged."""

    def change(self, reading: Reading) -> None:
        """Switch the positional encoding off."""
        session.intervene(_WITHOUT)

    def allows(self, reading: Reading) -> bool:
        """Whether the sentence has a twin."""
        return twin_of(reading.text) != reading.text

    def draw(self, reading: Reading) -> None:
        """Draw both translations, and the first head's map of the sentence in order and shuffled."""
        if not self.allows(reading):
            st.info(tr("lesson.no_twin"))
            return
        n_variants = 2 if is_changed() else 1
        names = [tr(f"lesson.{name}") for name in _NAMES[: n_variants + 1]]
        st.markdown(markdown_table(names, [[*map(escape_markdown, row[: n_variants + 1])] for row in _rows(reading)]))
        source = reading.trace.source
        n_fixed = next((i for i, special in enumerate(reversed(source.is_special)) if not special), len(source))
        effect = cache.compute(order_effect, reading.bundle, source_ids=source.ids, n_fixed=n_fixed, seed=1)
        maps = [
            pair[i][0, 0] for pair in (effect.with_positions, effect.without_positions)[:n_variants] for i in (0, 1)
        ]
        names = ("with_in_order", "with_shuffled", "without_in_order", "without_shuffled")[: 2 * n_variants]
        titles = [tr(f"positions.{name}") for name in names]
        pieces = [chip_text(piece) for piece in source.pieces]
        for place, column in enumerate(st.columns(n_variants) if n_variants > 1 else (st.container(),)):
            both = slice(2 * place, 2 * place + 2)
            with column:
                figure = order_maps(maps[both], pieces, titles=titles[both], mode=session.mode())
                chart.show(figure, f"lesson.order.{place}", may_shrink=True)
        if n_variants == 2:
            change = {"with_positions": effect.change[0], "without": power_of_ten(effect.change[1])}
            st.caption(tr("positions.change", **change))

    def pictures(self, reading: Reading) -> Pictures:
        """Tables of both translations; the sheet's has room for them."""
        if not self.allows(reading):
            return Pictures()
        rows, names = _rows(reading), [tr(f"lesson.{name}") for name in _NAMES]
        return Pictures(
            drawings.table(names[:2], [row[:2] for row in rows], widest=330),
            drawings.table(names, rows),
            drawings.table(names, [(row[0], "", "") for row in rows]),
        )

    def act(self, before: Reading, reading: Reading) -> Act | None:
        """Both translations of both orders."""
        if not self.allows(reading):
            return None
        titles = ("lesson.with_positions", "lesson.without_positions")
        return {"kind": "texts", "rows": [pair(*row) for row in _rows(reading)], "titles": titles}


def _rows(reading: Reading) -> list[tuple[str, ...]]:
    """Both orders, each with its translation with positions and without."""
    text, variants = reading.text, (NONE, _WITHOUT)
    both = (text, twin_of(text))
    return [(order, *cache.compute(greedy_under, reading.bundle, text=order, variants=variants)) for order in both]


SCENE = Positions(
    name="positions", right=1, page="positions", minutes=5, short_minutes=5, needs=(translation, _positions),
    kind="encoder_self",
)  # fmt: skip
