"""Pictures of scenes for slides and worksheets."""

import dataclasses
from dataclasses import dataclass
from functools import partial

from model import NONE, Interventions
from viz.figures import drawings
from viz.figures.drawings import Drawing
from viz.i18n import number, tr
from viz.lesson.marking import differences
from viz.lesson.views import cross_weights, labels
from viz.panels.reading import Reading, read_under

write = partial(number, how=".2f")


@dataclass(frozen=True, slots=True)
class Pictures:
    """What one scene shows."""

    before: Drawing | None = None
    """After the vote."""
    after: Drawing | None = None
    """After the scene's change."""
    sheet: Drawing | None = None
    """On the worksheet, where it differs: a picture to fill in."""
    caption: str = ""
    """A caption of ``before``, where the page's own caption refers to the page."""
    question: Drawing | None = None
    """Beside the question, where it is not the sentence and its translation."""


def head_map(reading: Reading, layer: int, head: int) -> Drawing:
    """The map of one head of the cross-attention."""
    (rows, columns), first = labels(reading), reading.selection.first_index
    title = tr("export.head", layer=layer + first, head=head + first)
    return drawings.weight_map(
        cross_weights(reading)[layer, head], rows, columns, kind="cross", write=write, title=title
    )


def translations(before: Reading, after: Reading) -> Drawing:
    """Two translations, the words that differ marked."""
    return compared(before.trace.text, after.trace.text)


def compared(before: str, after: str) -> Drawing:
    """Two texts, the words that differ marked."""
    lost, new = differences(before, after)
    return drawings.before_and_after(((tr("lesson.act_before"), lost), (tr("lesson.act_after"), new)))


def read_with(reading: Reading, interventions: Interventions = NONE, *, text: str = "") -> Reading:
    """The sentence, or ``text``, read under interventions."""
    selection = dataclasses.replace(reading.selection, text=text or reading.fitted.text, interventions=interventions)
    return read_under(reading.bundle, selection) or reading
