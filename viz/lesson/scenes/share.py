"""A claim about a head, tested on several sentences."""

import dataclasses

from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.i18n import tr
from viz.lesson import hunt
from viz.lesson.choices import is_changed
from viz.lesson.scene import Scene
from viz.lesson.views import Act, Pictures, head_map, labels, pair, show
from viz.panels.reading import Reading
from viz.plain_text import chip_text
from viz.state import session

_MAX_ROWS = 2
"""Pairs of translations that a second screen shows."""


class Share(Scene):
    """The head of the claim, the test of the claim, and the head's map."""

    def change(self, reading: Reading) -> None:
        """Switch the claimed head off."""
        session.intervene(hunt.without_claimed(reading))

    def draw(self, reading: Reading) -> None:
        """Draw the choice of the head, after the change the test, and the head's map."""
        hunt.choose(reading)
        if is_changed():
            hunt.draw_tested(reading)
        selection = reading.selection
        weights = reading.trace.attention.of(selection.kind)
        if weights is not None:
            (rows, source), fed = labels(reading), [chip_text(piece) for piece in reading.trace.prefix.pieces]
            of_kind = {"encoder_self": (source, source), "decoder_self": (fed, fed), "cross": (rows, source)}
            figure = figures.weight_maps(
                (weights[selection.layer, selection.head],), *of_kind[selection.kind], titles=[""],
                kind=selection.kind, mode=session.mode(), height=300, is_off=is_changed(),
            )  # fmt: skip
            show(figure, "claimed")
        hunt.link()

    def finding(self, reading: Reading) -> str:
        """The heads that change the translation."""
        return hunt.heads_message(reading)

    def pictures(self, reading: Reading) -> Pictures:
        """A head that changes the translation, and the test."""
        layer, head = hunt.find_changing_heads(reading).first or (0, 0)
        claimed = dataclasses.replace(reading.selection, kind="cross", layer=layer, head=head)
        lines = hunt.compare_without_head(dataclasses.replace(reading, selection=claimed))
        names = (tr("lesson.claim_on"), tr("lesson.claim_off"))
        return Pictures(head_map(reading, layer, head), drawings.table(names, lines, widest=420))

    def act(self, before: Reading, reading: Reading) -> Act:
        """The claimed head switched off in several sentences."""
        return {
            "kind": "texts",
            "rows": [pair("", on, off) for on, off in hunt.compare_without_head(reading)[:_MAX_ROWS]],
        }


SCENE = Share(name="share", right=2, page="explore", minutes=4, compares="", lines=5, arrive=hunt.propose_head)
