"""Writes ``link_cases.json``: the schema of a link, and links as the application writes them.

    python -m tests.js.link_cases

``link.test.js`` reads each with the page's own code and writes it back.
"""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import model
from model.decoding.sampling import Sampling
from model.interventions import BlockedKey, ForcedRow, HeadAblation, Interventions, PositionEdit
from viz.state.rules import to_params
from viz.state.selection import Selection, schema

FILE = Path(__file__).with_suffix(".json")
TEXT = "The man bites the dog."
CHANGES = Interventions(
    heads_off=(HeadAblation("cross", 3, 6), HeadAblation("encoder_self", 0, 2, mode="uniform")),
    forced_rows=(ForcedRow("cross", 2, 1, 3, (0, 0.25, 0.5, 0, 1)),),
    blocked_keys=(BlockedKey("cross", 2), BlockedKey("decoder_self", 1, layer=2), BlockedKey("cross", 4, 0, 7, 3)),
    source_positions=PositionEdit("shift", -3),
)
SELECTIONS = (
    Selection(text=TEXT, model="en-de", language="fr", kind="cross", layer=2, head=5, heads=("1.0", "3.7")),
    Selection(text="Ça va ? 你好 & co. +=#", interventions=CHANGES, prefix=(17, 4, 2050)),
    Selection(text=TEXT, method="sample", temperature=1.3, seed=77, pins=("q3",)),
    Selection(text=TEXT, method="sample"),
    Selection(text=TEXT, kind="encoder_self", layer=3, pins=("q1", "k4"), view="lines", unit="words", sinks="removed",
              sink_kinds=("begin",), scale="row", curve="sqrt", palette="grey", threshold=0.15, sort="entropy",
              together="sum", orientation="vertical", rows="fed", combine="max", zoom=("1", "0.5", "3", "4")),
    Selection(text=TEXT, interventions=Interventions(source_positions=PositionEdit("reverse"))),
)  # fmt: skip
DRAWN = ((1.0, 1), (0.7, 5), (1.2, 7))
"""Temperatures and seeds. Among the thousands of improbable tokens of a high temperature the last digits decide."""


def content(*, is_drawn: bool = True) -> dict[str, Any]:
    """The whole file: the schema, each link with its parameters, and what Python draws at a temperature.

    Args:
        is_drawn: whether to draw, which takes the shipped model.
    """
    params = [to_params(each, before=("text", "layer", "head") if each.layer else ("text",)) for each in SELECTIONS]
    links = [{"link": f"?{urlencode(each)}", "params": each} for each in params]
    return {"schema": schema(), "links": links} | ({"drawn": [*map(_draw_translation, DRAWN)]} if is_drawn else {})


def _draw_translation(how: tuple[float, int]) -> dict[str, Any]:
    temperature, seed = how
    trace = model.translate(model.load(), TEXT, method="sample", sampling=Sampling(temperature=temperature, seed=seed))
    return {
        "temperature": temperature, "seed": seed, "source": list(trace.source.ids), "target": list(trace.target.ids),
    }  # fmt: skip


if __name__ == "__main__":
    FILE.write_text(json.dumps(content(), ensure_ascii=True, separators=(",", ":")) + "\n", "utf-8")
