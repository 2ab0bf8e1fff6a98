"""The experiment of a scene as before and after, for the screens of a class: pictures as plain data."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from model.trace import Floats
from viz.lesson.marking import differences
from viz.panels.reading import Reading

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
        "kind": "bars", "names": list(names[:MAX_TOKENS]), "before": _rounded(before[:MAX_TOKENS]),
        "after": _rounded(after[:MAX_TOKENS]), **({"most": scale} if scale else {}), **_cut(len(names)),
    }  # fmt: skip


def maps(pair: Sequence[Floats], rows: Sequence[Sequence[str]], columns: Sequence[str], *, kind: str) -> Act:
    """Two maps, each with its row names."""
    before, after = (_rounded(weights[:MAX_TOKENS, :MAX_TOKENS]) for weights in pair)
    names = [list(labels[:MAX_TOKENS]) for labels in rows]
    return {"kind": "maps", "before": before, "after": after, "rows": names, "columns": list(columns[:MAX_TOKENS]),
            "hue": kind, **_cut(max(map(len, (*rows, columns))))}  # fmt: skip


def _cut(n: int) -> Act:
    """The number of tokens shown, where some are left out."""
    return {"cut": MAX_TOKENS} if n > MAX_TOKENS else {}


def _rounded(values: Floats) -> list[Any]:
    return np.round(np.nan_to_num(values).astype(float), 3).tolist()
