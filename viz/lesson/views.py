"""The three views of a scene: figures on the page, plain data for the phones (``Act``), drawings on paper
(``Pictures``)."""

import dataclasses
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from model import NONE, Interventions
from model.teaching.experiments import focused_head
from model.trace import Floats
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.figures.drawings import Drawing
from viz.i18n import number, power_of_ten, tr
from viz.panels import chart
from viz.panels.reading import Reading, read_under
from viz.plain_text import chip_text, emphasise, escape_markdown
from viz.state import session

_UNSPACED = "぀-ヿ㐀-鿿"
"""Kana and Han characters, which are compared one by one because no spaces stand between their words."""
_WORD = re.compile(rf"(?:[{_UNSPACED}]|[^\s{_UNSPACED}]+)\s*")
_EDGES = re.compile(r"^[^\w]+|[^\w]+$")


Part = tuple[str, bool]
"""A part of a text, and whether only this text has it."""


def differences(before: str, after: str) -> tuple[list[Part], list[Part]]:
    """Two texts split into parts that both have and parts that only one has.

    Punctuation at the edge of a word counts only where nothing else differs.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    keys = [_bare(word) for word in old], [_bare(word) for word in new]
    if keys[0] == keys[1]:
        keys = [word.rstrip() for word in old], [word.rstrip() for word in new]
    lost: list[Part] = []
    added: list[Part] = []
    for kind, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        lost += [("".join(old[a:b]), kind != "equal")] if b > a else []
        added += [("".join(new[c:d]), kind != "equal")] if d > c else []
    return lost, added


def mark_changes(before: str, after: str) -> tuple[str, str]:
    """Two texts as Markdown: lost words struck out, new words in bold."""
    lost, added = differences(before, after)
    return _join(lost, "~~"), _join(added, "**")


def _join(parts: Sequence[Part], sign: str) -> str:
    return "".join(_marked_part(text, sign if is_changed else "") for text, is_changed in parts).strip()


def _bare(word: str) -> str:
    return _EDGES.sub("", word) or word.rstrip()


def _marked_part(text: str, sign: str) -> str:
    body = text.rstrip()
    return (emphasise(sign, body) if sign else escape_markdown(body)) + text[len(body) :] if body else ""


MAX_TOKENS = 16
"""Rows and columns of a map that stay readable from the back of a classroom."""
Act = dict[str, Any]
"""``kind`` names the picture ("texts", "tokens", "maps", "bars", "layer" or "hunt"); ``titles`` are Fluent keys that
replace the headings "before" and "after"; the other keys are the picture's numbers and words."""


def pair(source: str, before: str, after: str) -> Act:
    """A row of texts: the sentence, and the parts of its two translations."""
    lost, new = differences(before, after)
    return {"source": source, "before": lost, "after": new}


def texts(before: Reading, reading: Reading) -> Act:
    """The translation before and after the change."""
    old, new = before.trace, reading.trace
    row = pair(new.source_text, old.text, new.text)
    if old.source_text != new.source_text:
        row |= {"source": "", "sources": differences(old.source_text, new.source_text)}
    return {"kind": "texts", "rows": [row]}


def bars(names: Sequence[str], before: Floats, after: Floats, *, scale: int = 0) -> Act:
    """Two bars for each name: shares of 1, or counts on a scale that ends at ``scale``."""
    return {
        "kind": "bars", "names": list(names[:MAX_TOKENS]), "before": _round(before[:MAX_TOKENS]),
        "after": _round(after[:MAX_TOKENS]), **({"most": scale} if scale else {}), **_cut_notice(len(names)),
    }  # fmt: skip


def maps(pair: Sequence[Floats], rows: Sequence[Sequence[str]], columns: Sequence[str], *, kind: str) -> Act:
    """Two maps, each with its row names."""
    before, after = (_round(weights[:MAX_TOKENS, :MAX_TOKENS]) for weights in pair)
    names = [list(labels[:MAX_TOKENS]) for labels in rows]
    return {"kind": "maps", "before": before, "after": after, "rows": names, "columns": list(columns[:MAX_TOKENS]),
            "hue": kind, **_cut_notice(max(map(len, (*rows, columns))))}  # fmt: skip


def _cut_notice(n: int) -> Act:
    """The number of tokens shown, where some are left out."""
    return {"cut": MAX_TOKENS} if n > MAX_TOKENS else {}


def _round(values: Floats) -> list[Any]:
    return np.round(np.nan_to_num(values).astype(float), 3).tolist()


MAP_HEIGHT = 380


def labels(reading: Reading) -> tuple[list[str], list[str]]:
    """Labels of the rows (predicted or fed tokens, as chosen) and of the source."""
    rows = reading.trace.target if reading.selection.rows == "predicted" else reading.trace.prefix
    return [chip_text(piece) for piece in rows.pieces], [chip_text(piece) for piece in reading.trace.source.pieces]


def cross_weights(reading: Reading) -> Floats:
    """All cross-attention, (L, H, T, S)."""
    weights = reading.trace.attention.cross
    assert weights is not None
    return weights


def sharpest_head(reading: Reading) -> tuple[int, int]:
    """The cross-attention head (layer, head) with the sharpest rows."""
    return focused_head(cross_weights(reading)) or (0, 0)


def draw_head(reading: Reading, layer: int, head: int, key: str) -> None:
    """The map of one head of the cross-attention."""
    rows, keys = labels(reading)
    weights = cross_weights(reading)[layer, head]
    is_off = any(
        (item.kind, item.layer, item.head) == ("cross", layer, head)
        for item in reading.selection.interventions.heads_off
    )
    figure = figures.weight_maps(
        (weights,), rows, keys, titles=[""], mode=session.mode(), height=MAP_HEIGHT, is_off=is_off
    )
    show(figure, key)
    if is_off:
        st.caption(tr("lesson.is_off"))


def show(figure: go.Figure, key: str) -> None:
    """Draw a figure of a scene."""
    chart.show(figure, f"lesson.{key}")


def chances(*probabilities: float) -> list[str]:
    """Probabilities to compare, in per cent with two significant figures, or three where two would look equal.

    A very small one is a power of ten, and one below 1 is never written as 100 %.
    """
    two_digits = [_percent(p, 2) for p in probabilities]
    is_distinct = len(set(two_digits)) >= len(set(probabilities))
    return two_digits if is_distinct else [_percent(p, 3) for p in probabilities]


def _percent(p: float, n_figures: int) -> str:
    if p < 5e-5:
        return power_of_ten(p)
    digits = max(0, n_figures - 1 - math.floor(math.log10(100 * p)))
    while round(100 * p, digits) >= 100 and p < 1 - 5e-5:
        digits += 1
    return number(p, f".{digits}%")


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
    return compare_texts(before.trace.text, after.trace.text)


def compare_texts(before: str, after: str) -> Drawing:
    """Two texts, the words that differ marked."""
    lost, new = differences(before, after)
    return drawings.before_and_after(((tr("lesson.act_before"), lost), (tr("lesson.act_after"), new)))


def read_with(reading: Reading, interventions: Interventions = NONE, *, text: str = "") -> Reading:
    """The sentence, or ``text``, read under interventions."""
    selection = dataclasses.replace(reading.selection, text=text or reading.text, interventions=interventions)
    return read_under(reading.bundle, selection) or reading
