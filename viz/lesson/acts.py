"""The experiment of a scene as before and after, for the screens of a class: pictures as plain data."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from model.trace import Floats
from viz.lesson.marking import differences
from viz.panels.reading import Reading

MOST_TOKENS = 16
"""Rows and columns of a map that the last row of a class can tell apart."""
Act = dict[str, Any]
"""``kind`` names the picture ("texts", "tokens", "maps", "bars", "layer" or "hunt"), and ``titles`` are the keys of the
words above before and after, where they are not those; the rest are its numbers and words."""


def pair(source: str, before: str, after: str) -> Act:
    """A row of texts: the sentence, and its two translations in parts."""
    lost, new = differences(before, after)
    return {"source": source, "before": lost, "after": new}


def texts(before: Reading, reading: Reading) -> Act:
    """The translation before and after the change."""
    one, other = before.trace, reading.trace
    row = pair(other.source_text, one.text, other.text)
    if one.source_text != other.source_text:
        row |= {"source": "", "sources": differences(one.source_text, other.source_text)}
    return {"kind": "texts", "rows": [row]}


def bars(names: Sequence[str], before: Floats, after: Floats, *, most: int = 0) -> Act:
    """Two bars for each name: shares of 1, or counts of which the longest bar is ``most``."""
    kept = slice(MOST_TOKENS)
    return {
        "kind": "bars", "names": list(names[kept]), "before": _rounded(before[kept]), "after": _rounded(after[kept]),
        **({"most": most} if most else {}), **_cut(len(names)),
    }  # fmt: skip


def maps(pair: Sequence[Floats], rows: Sequence[Sequence[str]], columns: Sequence[str], *, kind: str) -> Act:
    """Two maps; the rows of each are named."""
    before, after = (_rounded(weights[:MOST_TOKENS, :MOST_TOKENS]) for weights in pair)
    names = [list(each[:MOST_TOKENS]) for each in rows]
    return {"kind": "maps", "before": before, "after": after, "rows": names, "columns": list(columns[:MOST_TOKENS]),
            "hue": kind, **_cut(max(map(len, (*rows, columns))))}  # fmt: skip


def _cut(n: int) -> Act:
    """How many tokens a map or table shows, where it leaves some out."""
    return {"cut": MOST_TOKENS} if n > MOST_TOKENS else {}


def _rounded(values: Floats) -> list[Any]:
    return np.round(np.nan_to_num(values).astype(float), 3).tolist()
