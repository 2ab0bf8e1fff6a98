"""Writes ``fitting_cases.json``: the names of head views; states, and the nearest that each text can be shown in.

    python -m tests.js.fitting_cases

``state.test.js`` opens the views with the explorer's own code and finds the nearest states there.
"""

import base64
import json
import random
from pathlib import Path
from typing import Any, get_args

from model.interventions import KINDS
from model.trace import AttentionMaps
from tests.js.from_python import SOURCE, TARGET, attention
from viz.components.attention import AttentionView, Axis, pack
from viz.components.attention.view import LongView
from viz.state.view_state import VIEWS_OF_LONG_TEXTS, HeadViewName, ViewState

FILE = Path(__file__).with_suffix(".json")
N_STATES = 24
_LONG = tuple(f"▁w{i}" for i in range(150))


def views() -> dict[str, AttentionView]:
    """Views whose kinds differ in layers and heads, one without a decoder, and a long text."""
    source, target = Axis.from_pieces(SOURCE), Axis.from_pieces(TARGET[:5])
    prefix, long = Axis.from_pieces(("<s>", *TARGET[:4])), Axis.from_pieces(_LONG)
    s, t = len(source), len(target)
    maps = AttentionMaps(attention(2, 3, s, s, seed=1), attention(1, 2, t, t, seed=2), attention(3, 2, t, s, seed=3))
    alone, blocks = AttentionMaps(maps.encoder_self, None, None), attention(2, 3, 38, 38, seed=4)
    return {
        "two stacks": AttentionView(
            attention=maps, source=source, fed=prefix, predicted=target, weightings=("raw", "rollout")
        ),
        "an encoder": AttentionView(attention=alone, source=source),
        "a long text": LongView(
            attention=AttentionMaps(blocks, None, None), source=long, block=4, exact=lambda *_: None
        ),
    }  # fmt: skip


def state(draw: random.Random) -> ViewState:
    """A state that was chosen for some other view."""
    heads = [[draw.randrange(5), draw.randrange(5)] for _ in range(draw.randint(1, 4))]
    zoom = [draw.randint(0, 6), draw.choice((0, 1.5)), draw.randint(0, 5), draw.choice((2, 2.5, 90))]
    return ViewState.parse({
        "kind": draw.choice(KINDS), "heads": heads, "rows": draw.choice(("predicted", "fed")),
        "view": draw.choice(("map", "text")), "weighting": draw.choice(("raw", "rollout", "gradient")),
        "zoom": draw.choice((None, zoom)), "window": draw.choice((None, [draw.randrange(200), draw.randrange(200)])),
        "pins": [f"{draw.choice('qk')}{draw.choice((draw.randrange(9), draw.randrange(160)))}" for _ in range(3)],
    })  # fmt: skip


def content() -> dict[str, Any]:
    """The whole file: names, defaults, and of each view its packet, states, and the nearest that it can show."""
    draw, cases = random.Random(7), {}
    for name, view in views().items():
        states = [state(draw) for _ in range(N_STATES)]
        cases[name] = {
            "packet": base64.b64encode(pack(view, strings={}, exact=False)).decode(),
            "states": [{"state": each.to_mapping(), "nearest": view.nearest(each).to_mapping()} for each in states],
        }
    names = {"all": get_args(HeadViewName), "of_long_texts": VIEWS_OF_LONG_TEXTS}
    return {"head_views": names, "defaults": ViewState().to_mapping(), "views": cases}


if __name__ == "__main__":
    FILE.write_text(json.dumps(content(), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
