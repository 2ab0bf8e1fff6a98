"""The effect of the active interventions on the translation: with and without them, word by word and as a picture."""

import base64
import dataclasses
import math

import numpy as np

from model import NONE, HeadAblation, Interventions, Trace
from model.text.tokenizer import without_marks
from viz.components.sentence import Scene, SharedChange, Spoken
from viz.panels import changes, errors
from viz.panels.reading import Reading, is_alone, read_under


def verdict(reading: Reading) -> dict[str, Spoken] | None:
    """The translation without the interventions and with them; None without interventions or translation."""
    plain = _without_interventions(reading)
    return None if plain is None else {"before": spoken(plain.trace), "after": spoken(reading.trace)}


def change_to_share(reading: Reading) -> SharedChange | None:
    """The change to share, with the head that it switches off or else the one on screen. None without interventions,
    and for pictures and sounds from files, which no link can carry."""
    plain = _without_interventions(reading)
    if plain is None or reading.bundle.grid is not None or "cross" not in reading.trace.attention.kinds:
        return None
    selection = reading.selection
    ablated = [(head.layer, head.head) for head in selection.interventions.heads_off if head.kind == "cross"]
    on_screen = (selection.layer, selection.head) if selection.kind == "cross" else None
    place = ablated[-1] if ablated else on_screen or _clearest(plain.trace)
    before, after = (_scene(trace, *place) for trace in (plain.trace, reading.trace))
    is_only = not selection.prefix and selection.interventions == Interventions(
        heads_off=(HeadAblation("cross", *place),)
    )
    only_head = "·".join(str(number + selection.first_index) for number in place) if is_only else ""
    return SharedChange(changes.in_words(reading), before, after, bool(ablated), only_head)


def _clearest(trace: Trace) -> tuple[int, int]:
    """The cross-attention head (layer, head) with the largest mean row maximum."""
    cross = trace.attention.cross
    assert cross is not None
    layer, head = np.unravel_index(cross.max(-1).mean(-1).argmax(), cross.shape[:2])
    return int(layer), int(head)


def _scene(trace: Trace, layer: int, head: int) -> Scene:
    cross = trace.attention.cross
    assert cross is not None
    packed = base64.b64encode(np.rint(cross[layer, head] * 255).astype(np.uint8).tobytes()).decode("ascii")
    return Scene(trace.source.pieces, trace.target.pieces, trace.target.ids, packed)


def _without_interventions(reading: Reading) -> Reading | None:
    """The same sentence without interventions; None where none is active or nothing is translated."""
    selection = reading.selection
    if is_alone(reading.bundle) or not (selection.interventions or selection.prefix) or not reading.is_finite:
        return None
    try:
        return read_under(reading.bundle, dataclasses.replace(selection, interventions=NONE, prefix=()))
    except errors.USER_ERRORS:
        return None


def spoken(trace: Trace) -> Spoken:
    """A translation word by word; token by token where the language puts no spaces between words."""
    target, has_spaces = trace.target, " " in trace.text
    words: list[str] = []
    shares: list[float] = []
    before = None
    for piece, word, log_prob in zip(target.pieces, target.words, trace.log_probs, strict=True):
        if word < 0:
            continue
        if has_spaces and word == before:
            words[-1] += without_marks(piece)
            shares[-1] *= math.exp(float(log_prob))
        else:
            words.append(without_marks(piece))
            shares.append(math.exp(float(log_prob)))
        before = word
    pairs = [(word, share) for word, share in zip(words, shares, strict=True) if word]
    joiner = " " if has_spaces else ""
    return Spoken(tuple(word for word, _ in pairs), tuple(share for _, share in pairs), joiner)
