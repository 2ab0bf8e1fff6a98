"""One step of training on the class's sentence, token by token."""

import numpy as np
import streamlit as st

from model.teaching.sentences import collection_for, reference_of
from model.teaching.teacher_forcing import OneStep, one_step
from viz import cache
from viz.figures import drawings
from viz.i18n import number, tr
from viz.lesson.choices import TRIES, is_changed
from viz.lesson.scene import Scene, named_activations, translation
from viz.lesson.views import Act, Pictures, bars, write
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown, markdown_table


def step(reading: Reading) -> OneStep:
    """One step of training on this sentence and its right translation."""
    text = reading.text
    reference = reference_of(reading.bundle, text) or reading.trace.text
    return cache.compute(one_step, reading.bundle, source=text, reference=reference)


def measured_effect(reading: Reading) -> str:
    """The mean loss before and after the step."""
    before, after = (number(loss, ".2f") for loss in step(reading).losses)
    return tr("lesson.loss_said", before=before, after=after)


class Loss(Scene):
    """The surprisal of each right token before and after the step."""

    def numbers(self, reading: Reading, n_tried: int | None = TRIES) -> dict[str, object]:
        """Both losses, and the number of parameters updated."""
        trained = step(reading)
        return {"before": trained.losses[0], "after": trained.losses[1], "n": trained.n_parameters}

    def draw(self, reading: Reading) -> None:
        """Draw each position's input token, the right next token, and its surprisal."""
        if not reference_of(reading.bundle, reading.text):
            st.caption(tr("lesson.loss_own"))
        heads = ("loss_head", "loss_head_after")[: 1 + is_changed()]
        columns = [name for head in heads for name in tr(f"lesson.{head}").split("|")]
        st.markdown(markdown_table(columns, _rows(step(reading)), n_texts=3))
        collection = collection_for(reading.bundle)
        # How other models were trained is not known.
        if collection is not None and collection.is_tried_on(reading.bundle):
            st.caption(tr("lesson.loss_smoothing"))

    def finding(self, reading: Reading) -> str:
        """The right token whose probability gains most."""
        trained = step(reading)
        place = int((trained.after - trained.before).argmax())
        right, preferred = (
            chip_text(tokens.pieces[place]).strip("▁") for tokens in (trained.reference, trained.preferred)
        )
        before, after = float(trained.before[place]), float(trained.after[place])
        return tr("lesson.loss_found", right=right, own=preferred, before=before, after=after)

    def pictures(self, reading: Reading) -> Pictures:
        """A bar for each token."""
        trained, names = step(reading), _names(reading)
        groups = ((tr("lesson.before_step"), trained.before), (tr("lesson.after_step"), trained.after))
        before, after = (drawings.bars(groups[:n], names, write=write) for n in (1, 2))
        lines = [(name, *_format_probability(float(p))) for name, p in zip(names, trained.before, strict=True)]
        table = drawings.table((tr("lesson.loss_pair"), "p", "−ln p"), [*lines, (tr("lesson.loss_mean"), "", "")])
        return Pictures(before, after, sheet=table)

    def act(self, before: Reading, reading: Reading) -> Act:
        """The probability of each right token before the step and after it."""
        trained = step(reading)
        return bars(_names(reading), trained.before, trained.after) | {
            "titles": ("lesson.before_step", "lesson.after_step")
        }


def _pairs(trained: OneStep) -> list[tuple[str, str]]:
    """Each position's input token and the right next token."""
    fed, right = ([chip_text(piece) for piece in tokens.pieces] for tokens in (trained.fed, trained.reference))
    return list(zip(fed, right, strict=True))


def _names(reading: Reading) -> list[str]:
    return [f"{fed} → {right}" for fed, right in _pairs(step(reading))]


def _rows(trained: OneStep) -> list[list[str]]:
    rows = []
    for place, (fed, right) in enumerate(_pairs(trained)):
        is_right = trained.preferred.ids[place] == trained.reference.ids[place]
        first = "✓" if is_right else f"**{escape_markdown(chip_text(trained.preferred.pieces[place]))}**"
        row = [escape_markdown(fed), escape_markdown(right), first]
        for values in (trained.before, trained.after)[: 1 + is_changed()]:
            row += _format_probability(float(values[place]))
        rows.append(row)
    return rows


def _format_probability(p: float) -> tuple[str, str]:
    """A probability and its surprisal."""
    return number(p, ".2f"), number(float(-np.log(max(p, 1e-30))), ".2f")


SCENE = Loss(
    name="loss", right=2, page="laboratory", minutes=6, short_minutes=5, terms=("loss", "nat", "gradient"),
    needs=(translation, named_activations), compares="", is_of_the_view=True, measured=measured_effect, lines=3,
)  # fmt: skip
