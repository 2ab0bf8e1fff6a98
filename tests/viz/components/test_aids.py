"""The golden numbers of the explorer's JavaScript tests are those that ``model.analysis`` computes."""

import base64
import json
from typing import Any

import numpy as np

from tests.js import fitting_cases
from tests.js.from_python import FILE, made

REMEDY = "python -m tests.js.from_python"


def close(computed: Any, golden: Any) -> bool:
    return np.allclose(np.array(computed), np.array(golden), atol=1e-6)


def views_of(packet: str) -> list[dict[str, Any]]:
    raw = base64.b64decode(packet)
    return json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])["views"]


def test_the_golden_numbers_of_the_reading_aids_are_those_of_python() -> None:
    golden, computed = json.loads(FILE.read_text("utf-8")), json.loads(json.dumps(made()))
    assert golden["words"] == computed["words"], REMEDY
    for name, packet in computed["packets"].items():
        assert views_of(golden["packets"][name]) == views_of(packet), REMEDY
    for kind in computed["maps"]:
        assert close(golden["maps"][kind], computed["maps"][kind]), REMEDY
        assert close(golden["merged"][kind], computed["merged"][kind]), REMEDY
        assert golden["metrics"][kind]["sinks"] == computed["metrics"][kind]["sinks"], REMEDY
        assert golden["metrics"][kind]["heads"].keys() == computed["metrics"][kind]["heads"].keys(), REMEDY
        for name, values in computed["metrics"][kind]["heads"].items():
            assert close(golden["metrics"][kind]["heads"][name], values), REMEDY
        for part in ("weights", "removed"):
            assert close(golden["removed"][kind][part], computed["removed"][kind][part]), REMEDY


def test_the_golden_nearest_states_are_those_of_python() -> None:
    golden, computed = json.loads(fitting_cases.FILE.read_text("utf-8")), json.loads(json.dumps(fitting_cases.made()))
    for name, case in computed["views"].items():
        assert golden["views"][name]["states"] == case["states"], "python -m tests.js.fitting_cases"
    assert (golden["defaults"], golden["head_views"]) == (computed["defaults"], computed["head_views"])
    changed = [
        state for case in computed["views"].values() for state in case["states"] if state["given"] != state["nearest"]
    ]
    fields = {name for state in changed for name in state["given"] if state["given"][name] != state["nearest"][name]}
    assert fields == {"kind", "heads", "rows", "view", "weighting", "zoom", "window", "pins"}
