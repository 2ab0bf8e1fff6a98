"""Large weights need not matter: heads are switched off one by one."""

import numpy as np
import streamlit as st

from model import HeadAblation, Interventions
from model.teaching.experiments import focused_head
from viz.i18n import tr
from viz.lesson import hunt
from viz.lesson.choices import AREA, TRIES, Choices, is_changed
from viz.lesson.scene import Scene
from viz.lesson.views import (
    Act,
    Pictures,
    cross_weights,
    draw_head,
    head_map,
    read_with,
    sharpest_head,
    texts,
    translations,
)
from viz.panels.reading import Reading
from viz.state import session


class Explain(Scene):
    """The most focused head, then any head."""

    def change(self, reading: Reading) -> None:
        """Switch the most focused head off; it counts as tried."""
        place = focused_head(reading.trace.attention.cross)
        if place is not None:
            session.change_part(Choices, AREA, tried=(place[0] * reading.bundle.config.n_decoder_heads + place[1],))
            session.intervene(_off(*place))

    def numbers(self, reading: Reading, n_tried: int | None = TRIES) -> dict[str, object]:
        """How many heads change the translation, told only after some were tried."""
        return {"counted": hunt.count_message(reading, n_tried)}

    def has_caption(self, reading: Reading) -> bool:
        """The grid of heads has its own instruction."""
        return not is_changed()

    def draw(self, reading: Reading) -> None:
        """The most focused head; after the change all of them, to try."""
        if is_changed():
            hunt.draw(reading)
            return
        layer, head = sharpest_head(reading)
        draw_head(reading, layer, head, "focused")
        first, share = reading.selection.first_index, float(cross_weights(reading)[layer, head].max(-1).mean())
        st.caption(tr("lesson.sharpest", layer=layer + first, head=head + first, share=share))

    def more(self, before: Reading) -> str:
        """The two closest candidates, where many heads change the translation and enough were tried."""
        is_counted = len(session.choices_of(Choices, AREA).tried) >= TRIES
        close = close_call(before) if is_counted else None
        return tr("lesson.explain_many", **close) if close else ""

    def finding(self, reading: Reading) -> str:
        """The heads that change the translation."""
        return hunt.heads_message(reading)

    def outcome(self, reading: Reading) -> str:
        """The probabilities of both translations; the picture has their words."""
        return self.sureness(reading, read_with(reading, _off(*sharpest_head(reading))))

    def pictures(self, reading: Reading) -> Pictures:
        """The head's map, and both translations."""
        place = sharpest_head(reading)
        return Pictures(head_map(reading, *place), translations(reading, read_with(reading, _off(*place))))

    def act(self, before: Reading, reading: Reading) -> Act:
        """The translation without the head, and every head that was tried."""
        effects, changed = hunt.effects(reading), hunt.find_changing_heads(reading).is_changed
        was_tried = np.zeros(changed.shape, bool)
        was_tried.flat[[place for place in session.choices_of(Choices, AREA).tried if place < changed.size]] = True
        totals = effects.totals("cross")
        values = [
            [round(float(totals[i, j]), 2) if was_tried[i, j] else None for j in range(changed.shape[1])]
            for i in range(changed.shape[0])
        ]
        return texts(before, reading) | {
            "kind": "hunt", "tried": values, "changed": changed.astype(int).tolist(),
            "first": reading.selection.first_index,
        }  # fmt: skip

    def head(self, reading: Reading) -> tuple[int, int]:
        """The head with the sharpest rows."""
        return sharpest_head(reading)


def close_call(reading: Reading) -> dict[str, object] | None:
    """The top two candidates' probabilities at the step where they are closest; None where few heads matter."""
    changes, candidates = hunt.find_changing_heads(reading).is_changed, reading.trace.candidates
    if candidates is None or 4 * changes.sum() <= changes.size:
        return None
    first, second = np.exp(candidates.log_probs[:, :2]).T
    step = int((first - second).argmin())
    return {"first": float(first[step]), "second": float(second[step])}


def _off(layer: int, head: int) -> Interventions:
    return Interventions(heads_off=(HeadAblation("cross", layer, head),))


SCENE = Explain(
    name="explain", right=0, page="decode", minutes=8, short_minutes=6, terms=("log_prob",), compares="whole", lines=4
)
