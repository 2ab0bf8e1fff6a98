"""The pictures of the scenes for slides and worksheets: the numbers that the page shows, on the same sentences."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from model import NONE, BlockedKey, HeadAblation, Interventions, PositionEdit
from model.interpret.ablation import without_layer
from model.teaching.experiments import (
    focused_head,
    greedy_under,
    layer_to_switch_off,
    token_to_hide,
    twin_of,
    with_doubled_word,
    with_other_end,
)
from model.trace import Floats
from viz import cache
from viz.figures import drawings
from viz.figures.drawings import Drawing
from viz.i18n import number, tr
from viz.inside.inspected import inspected
from viz.lesson import hunt, parts, views
from viz.lesson.marking import differences
from viz.panels.reading import Reading, read_under
from viz.panels.stage.sentence import chip_text

_write = partial(number, how=".2f")


@dataclass(frozen=True, slots=True)
class Pictures:
    """What one scene shows."""

    before: Drawing | None = None
    """After the vote."""
    after: Drawing | None = None
    """After the scene's change."""
    sheet: Drawing | None = None
    """On the worksheet, where that is another picture: one to be filled in."""


def pictures(name: str, reading: Reading) -> Pictures:
    """The pictures of a scene on the sentence that is read, without any change.

    Raises:
        Exception: what the page too would show as an error, where the model lacks something.
    """
    return _PICTURES[name](reading)


def _box(reading: Reading) -> Pictures:
    mean, (rows, columns) = views.average(reading), views.labels(reading)
    before = drawings.weight_map(mean.weights, rows, columns, kind="cross", write=_write, framed=mean.rows)
    blank = drawings.two_lines(*(_words(text) for text in (reading.trace.source_text, reading.trace.text)))
    return Pictures(before, _texts(reading, _again(reading, text=with_other_end(reading.fitted.text))), blank)


def _pieces(reading: Reading) -> Pictures:
    changed = _again(reading, text=with_doubled_word(reading.fitted.text))
    return Pictures(_strip(reading), drawings.below((_strip(changed), _texts(reading, changed))))


def _positions(reading: Reading) -> Pictures:
    text, twin = reading.fitted.text, twin_of(reading.fitted.text)
    if text == twin:
        return Pictures()
    none = Interventions(source_positions=PositionEdit("zero"))
    rows = [
        (each, *cache.compute(greedy_under, reading.bundle, text=each, variants=(NONE, none))) for each in (text, twin)
    ]
    names = [tr(f"lesson.{name}") for name in ("twin", "with_positions", "without_positions")]
    return Pictures(
        drawings.table(names[:2], [row[:2] for row in rows], widest=330),
        drawings.table(names, rows),
        drawings.table(names, [(row[0], "", "") for row in rows]),
    )


def _head(reading: Reading) -> Pictures:
    effect, (_, columns) = views.scale(reading), views.labels(reading)
    steps = inspected(reading, "cross", effect.layer, effect.head)
    lines = [("q·k", steps.scores[effect.query]), ("q·k / √dₖ", steps.scaled[effect.query])]
    table = drawings.table(
        ["", *columns], [(name, *(number(float(value), ".1f") for value in values)) for name, values in lines]
    )
    groups = ((tr("lesson.with_scale"), effect.scaled), (tr("lesson.without_scale"), effect.unscaled))
    before, after = (drawings.bars(groups[:n], columns, write=_write) for n in (1, 2))
    return Pictures(drawings.below((table, before)), after)


def _heads(reading: Reading) -> Pictures:
    names = (tr("inside.layer"), tr("inside.head"))
    grid = drawings.head_grid(views.cross_weights(reading), first=reading.selection.first_index, names=names)
    layer = cache.compute(layer_to_switch_off, reading.bundle, text=reading.fitted.text)
    return Pictures(grid, _texts(reading, _again(reading, without_layer(reading.bundle, NONE, "cross", layer))))


def _layer(reading: Reading) -> Pictures:
    layer = parts.layer(reading)
    lines = [(name, *row) for name, row in zip(parts.step_names(layer), parts.first_numbers(layer), strict=True)]
    sums = {place for place, (name, _) in enumerate(layer.steps) if name in ("summed", "ends")}
    blank = [
        (line[0], *([""] * (len(line) - 1) if place in sums and layer.norm_first else line[1:]))
        for place, line in enumerate(lines)
    ]
    after = _compared(layer.translation, layer.replaced)
    return Pictures(drawings.table((), lines, widest=420), after, drawings.table((), blank, widest=420))


def _encoder(reading: Reading) -> Pictures:
    hidden = cache.compute(token_to_hide, reading.bundle, text=reading.fitted.text)
    changed = _again(reading, Interventions(blocked_keys=(BlockedKey("encoder_self", hidden),)))
    return Pictures(_drift(reading), drawings.below((_drift(changed), _texts(reading, changed))))


def _mask(reading: Reading) -> Pictures:
    effect, fed = views.future(reading), [chip_text(piece) for piece in reading.trace.prefix.pieces]
    first = reading.selection.first_index
    titles = (tr("laboratory.causal_masked", layer=first, head=first), tr("laboratory.causal_lifted"))
    before, after = (
        drawings.weight_map(weights, fed, fed, kind="decoder_self", write=_write, title=title)
        for weights, title in zip((effect.masked, effect.lifted), titles, strict=True)
    )
    blank = drawings.weight_map(effect.masked, fed, fed, kind="decoder_self", write=_write, is_blank=True)
    return Pictures(before, drawings.beside((before, after)), blank)


def _loss(reading: Reading) -> Pictures:
    step = parts.step(reading)
    names = [f"{fed} → {right}" for fed, right in parts.pairs(step)]
    groups = ((tr("lesson.before_step"), step.before), (tr("lesson.after_step"), step.after))
    before, after = (drawings.bars(groups[:n], names, write=_write) for n in (1, 2))
    return Pictures(before, after)


def _cross(reading: Reading) -> Pictures:
    layer, head = views.aligning(reading)
    weights, columns = views.cross_weights(reading)[layer, head], views.labels(reading)[1]
    before, after = (
        drawings.weight_map(
            weights, [chip_text(piece) for piece in rows.pieces], columns, kind="cross", write=_write,
            title=tr(f"attention.{name}"),
        )
        for name, rows in (("predicted", reading.trace.target), ("fed", reading.trace.prefix))
    )  # fmt: skip
    return Pictures(before, drawings.beside((before, after)))


def _beam(reading: Reading) -> Pictures:
    choice = views.parting(reading)
    if choice is None:
        return Pictures()
    bars = drawings.bars(((tr("laboratory.probability"), choice.probabilities),), choice.names, write=_write,
                         title=f"{choice.begun} …")  # fmt: skip
    return Pictures(bars, _texts(choice.greedy, choice.beam))


def _train(reading: Reading) -> Pictures:
    (trained, fresh), (rows, columns) = views.trained_and_fresh(reading), views.labels(reading)
    shown = ((fresh, "lesson.train_right"), (trained, "lesson.train_left"))
    untrained, learned = (
        drawings.weight_map(weights, rows, columns, kind="cross", write=_write, title=tr(title))
        for weights, title in shown
    )
    blank = drawings.weight_map(trained, rows, columns, kind="cross", write=_write, is_blank=True)
    return Pictures(learned, drawings.beside((untrained, learned)), drawings.beside((blank, blank)))


def _explain(reading: Reading) -> Pictures:
    layer, head = focused_head(views.cross_weights(reading)) or (0, 0)
    changed = _again(reading, Interventions(heads_off=(HeadAblation("cross", layer, head),)))
    return Pictures(_one_head(reading, layer, head), _texts(reading, changed))


def _share(reading: Reading) -> Pictures:
    layer, head = hunt.hunted(reading).first or (0, 0)
    reading = dataclasses.replace(
        reading, selection=dataclasses.replace(reading.selection, kind="cross", layer=layer, head=head)
    )
    lines = hunt.tested(reading)
    names = (tr("lesson.claim_on"), tr("lesson.claim_off"))
    after = drawings.table(names, lines, widest=420)
    return Pictures(_one_head(reading, layer, head), after)


def _one_head(reading: Reading, layer: int, head: int) -> Drawing:
    (rows, columns), first = views.labels(reading), reading.selection.first_index
    title = tr("export.head", layer=layer + first, head=head + first)
    weights: Floats = views.cross_weights(reading)[layer, head]
    return drawings.weight_map(weights, rows, columns, kind="cross", write=_write, title=title)


def _strip(reading: Reading) -> Drawing:
    source = reading.trace.source
    ids = [str(index) for index in source.ids]
    return drawings.token_strip([chip_text(piece) for piece in source.pieces], ids, kind="encoder_self")


def _drift(reading: Reading) -> Drawing:
    cosine, rows = views.drift(reading)
    columns = [chip_text(piece) for piece in reading.trace.source.pieces]
    return drawings.weight_map(np.clip(cosine, 0, 1), rows, columns, kind="encoder_self", write=_write)


def _texts(before: Reading, after: Reading) -> Drawing:
    return _compared(before.trace.text, after.trace.text)


def _compared(before: str, after: str) -> Drawing:
    lost, new = differences(before, after)
    return drawings.before_and_after(((tr("lesson.act_before"), lost), (tr("lesson.act_after"), new)))


def _again(reading: Reading, interventions: Interventions = NONE, *, text: str = "") -> Reading:
    selection = dataclasses.replace(reading.selection, text=text or reading.fitted.text, interventions=interventions)
    return read_under(reading.bundle, selection) or reading


def _words(text: str) -> list[str]:
    """Words to draw lines between; characters where no spaces stand between them."""
    return text.split() if " " in text else list(text)


_PICTURES: Mapping[str, Callable[[Reading], Pictures]] = {
    "box": _box, "pieces": _pieces, "positions": _positions, "head": _head, "heads": _heads, "layer": _layer,
    "encoder": _encoder, "mask": _mask, "loss": _loss, "cross": _cross, "beam": _beam, "train": _train,
    "explain": _explain, "share": _share,
}  # fmt: skip
