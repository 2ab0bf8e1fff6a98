"""A scene's experiment as before and after, for the screens of a class: one picture and one sentence, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from model import NONE, Interventions, PositionEdit
from model.teaching.experiments import greedy_under, scale_effect, twin_of
from model.trace import Floats
from viz import cache
from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson import hunt, parts, teacher, views
from viz.lesson.marking import differences
from viz.lesson.scenes import AREA, SCENES, Choices, Scene, words_of
from viz.panels import errors
from viz.panels.reading import Reading
from viz.panels.stage.sentence import chip_text
from viz.state import session

MOST_TOKENS = 16
"""Rows and columns of a map that the last row of a class can tell apart."""
MOST_PIECES = 32
"""Tokens of a sentence that fit on a second screen twice."""
MOST_ROWS = 2
Shown = dict[str, Any]


def experiment(reading: Reading) -> Shown | None:
    """The picture of the open scene's experiment; None before the change is made, and where the model lacks something.

    Returns:
        ``kind`` names the picture ("texts", "tokens", "maps", "bars", "layer" or "hunt"), ``said`` is its sentence and
        ``titles`` are the two words above it, in each language; the rest are its numbers and words.
    """
    choices = session.choices_of(Choices, AREA)
    scene = SCENES[choices.scene]
    if not choices.changed or choices.vote(choices.scene) is None:
        return None
    with suppress(*errors.USER_ERRORS):
        picture = _PICTURES.get(scene.name, _texts)(choices, reading)
        if picture is not None:
            titles = picture.pop("titles", ("lesson.act_before", "lesson.act_after"))
            said = {code: _said(code, scene, choices, reading) for code in LANGUAGES}
            return picture | {"said": said, "titles": _in_all(lambda: [tr(key) for key in titles])}
    return None


def named(scene: Scene, reading: Reading) -> dict[str, object]:
    """What was changed, where the text on the change names it."""
    edits, first = reading.selection.interventions, reading.selection.first_index
    if scene.name == "heads":
        return {"layer": edits.heads_off[0].layer + first if edits.heads_off else first}
    if scene.name == "layer":
        return {"layer": parts.layer(reading).layer + first}
    if scene.name == "encoder":
        hidden = edits.blocked_keys[0].key if edits.blocked_keys else 0
        pieces = reading.trace.source.pieces
        return {"token": pieces[min(hidden, len(pieces) - 1)].lstrip("▁")}
    return {}


def _said(code: str, scene: Scene, choices: Choices, reading: Reading) -> str:
    with speaking(code):
        words = words_of(scene, scene.said_on_phones, choices.before or reading.fitted.text)
        return tr(words, **named(scene, reading))


def _in_all(make: Any) -> dict[str, Any]:
    by_language = {}
    for code in LANGUAGES:
        with speaking(code):
            by_language[code] = make()
    return by_language


def _pair(source: str, before: str, after: str) -> Shown:
    lost, new = differences(before, after)
    return {"source": source, "before": lost, "after": new}


def _texts(choices: Choices, reading: Reading) -> Shown:
    """The translation before and after the change."""
    before = teacher.before(choices, reading).trace
    pair = _pair(reading.trace.source_text, before.text, reading.trace.text)
    if before.source_text != reading.trace.source_text:
        pair |= {"source": "", "sources": differences(before.source_text, reading.trace.source_text)}
    return {"kind": "texts", "rows": [pair]}


def _hunted(choices: Choices, reading: Reading) -> Shown:
    """The translation without the head, and every head that was tried."""
    effects, changed = hunt.effects(reading), hunt.hunted(reading).is_changed
    layers, heads = changed.shape
    tried = [[layer * heads + head in choices.tried for head in range(heads)] for layer in range(layers)]
    totals = effects.totals("cross")
    values = [
        [round(float(totals[i, j]), 2) if is_tried else None for j, is_tried in enumerate(row)]
        for i, row in enumerate(tried)
    ]
    return _texts(choices, reading) | {
        "kind": "hunt",
        "tried": values,
        "changed": changed.astype(int).tolist(),
        "first": reading.selection.first_index,
    }


def _positions(choices: Choices, reading: Reading) -> Shown | None:
    """Two orders of the same words, with positions and without."""
    text, twin = reading.fitted.text, twin_of(reading.fitted.text)
    if twin == text:
        return None
    variants = (NONE, Interventions(source_positions=PositionEdit("zero")))
    rows = [(each, *cache.compute(greedy_under, reading.bundle, text=each, variants=variants)) for each in (text, twin)]
    titles = ("lesson.with_positions", "lesson.without_positions")
    return {"kind": "texts", "rows": [_pair(*row) for row in rows], "titles": titles}


def _claim(choices: Choices, reading: Reading) -> Shown:
    """The claimed head switched off in several sentences."""
    pairs = hunt.tested(reading)[:MOST_ROWS]
    return {"kind": "texts", "rows": [_pair("", on, off) for on, off in pairs]}


def _tokens(choices: Choices, reading: Reading) -> Shown:
    """Into which tokens the sentence is split, and its translation."""
    before = teacher.before(choices, reading).trace
    pieces = [[chip_text(piece) for piece in trace.source.pieces][:MOST_PIECES] for trace in (before, reading.trace)]
    texts = differences(before.text, reading.trace.text)
    return {"kind": "tokens", "before": pieces[0], "after": pieces[1], "texts": texts}


def _scale(choices: Choices, reading: Reading) -> Shown | None:
    """The weights of one row, divided by the root of the dimensions and not."""
    config = reading.bundle.config
    effect = scale_effect(reading.trace, config.d_key or config.d_model // config.n_decoder_heads)
    if effect is None:
        return None
    _, names = views.labels(reading)
    return {
        "kind": "bars", "names": names[:MOST_TOKENS], "before": _rounded(effect.scaled[:MOST_TOKENS]),
        "after": _rounded(effect.unscaled[:MOST_TOKENS]), "titles": ("lesson.with_scale", "lesson.without_scale"),
        **_cut(len(names)),
    }  # fmt: skip


def _mask(choices: Choices, reading: Reading) -> Shown:
    """The decoder's own attention with the mask and without."""
    effect = views.future(reading)
    fed = [chip_text(piece) for piece in reading.trace.prefix.pieces]
    titles = ("lesson.act_masked", "laboratory.causal_lifted")
    measured = _in_all(lambda: views.forced(reading))
    return _maps((effect.masked, effect.lifted), (fed, fed), fed, kind="decoder_self", titles=titles, measured=measured)


def _layer(choices: Choices, reading: Reading) -> Shown:
    """One vector through a layer, and the translation when attention's result takes its place."""
    layer = parts.layer(reading)
    token = chip_text(reading.trace.source.pieces[layer.token])
    return {
        "kind": "layer", "rows": [_pair(reading.trace.source_text, layer.translation, layer.replaced)], "token": token,
        "steps": _in_all(lambda: parts.step_names(layer)), "numbers": _in_all(lambda: parts.first_numbers(layer)),
    }  # fmt: skip


def _loss(choices: Choices, reading: Reading) -> Shown:
    """The probability of each right token before the step and after it."""
    step = parts.step(reading)
    names = [f"{fed} → {right}" for fed, right in parts.pairs(step)][:MOST_TOKENS]
    return {
        "kind": "bars", "names": names, "before": _rounded(step.before[:MOST_TOKENS]),
        "after": _rounded(step.after[:MOST_TOKENS]), "titles": ("lesson.before_step", "lesson.after_step"),
        "measured": _in_all(lambda: parts.loss_said(reading)), **_cut(len(step.reference)),
    }  # fmt: skip


def _labels(choices: Choices, reading: Reading) -> Shown:
    """One map under both labels of its rows."""
    layer, head = views.aligning(reading)
    weights = views.cross_weights(reading)[layer, head]
    by_name = {
        "predicted": [chip_text(piece) for piece in reading.trace.target.pieces],
        "fed": [chip_text(piece) for piece in reading.trace.prefix.pieces],
    }
    now = reading.selection.rows
    rows = (by_name["fed" if now == "predicted" else "predicted"], by_name[now])
    return _maps((weights, weights), rows, views.labels(reading)[1], kind="cross")


def _training(choices: Choices, reading: Reading) -> Shown:
    """The same head with random parameters and with trained ones."""
    trained, fresh = views.trained_and_fresh(reading)
    rows, columns = views.labels(reading)
    titles = ("lesson.train_right", "lesson.train_left")
    return _maps((fresh, trained), (rows, rows), columns, kind="cross", titles=titles)


def _maps(
    pair: Sequence[Floats], rows: Sequence[Sequence[str]], columns: Sequence[str], **more: object
) -> Shown:  # fmt: skip
    before, after = (_rounded(weights[:MOST_TOKENS, :MOST_TOKENS]) for weights in pair)
    names = [list(each[:MOST_TOKENS]) for each in rows]
    return {"kind": "maps", "before": before, "after": after, "rows": names, "columns": list(columns[:MOST_TOKENS]),
            "hue": more.pop("kind"), **_cut(max(map(len, (*rows, columns)))), **more}  # fmt: skip


def _cut(n: int) -> Shown:
    """How many tokens a map or table shows, where it leaves some out."""
    return {"cut": MOST_TOKENS} if n > MOST_TOKENS else {}


def _rounded(values: Floats) -> list[Any]:
    return np.round(np.nan_to_num(values).astype(float), 3).tolist()


_PICTURES: Mapping[str, Any] = {
    "positions": _positions, "share": _claim, "pieces": _tokens, "head": _scale, "layer": _layer, "mask": _mask,
    "loss": _loss, "cross": _labels, "train": _training, "explain": _hunted,
}  # fmt: skip
