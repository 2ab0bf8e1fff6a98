"""The numbers with which the explorer's JavaScript is tested are those that ``model.analysis`` computes now."""

import base64
import json
from typing import Any

import numpy as np

from tests.js import fitting_cases
from tests.js.from_python import FILE, made

REMEDY = "python -m tests.js.from_python"


def close(left: Any, right: Any) -> bool:
    return np.allclose(np.array(left), np.array(right), atol=1e-6)


def views_of(packet: str) -> list[dict[str, Any]]:
    raw = base64.b64decode(packet)
    return json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])["views"]


def test_what_javascript_is_held_against_is_what_python_computes() -> None:
    kept, now = json.loads(FILE.read_text("utf-8")), json.loads(json.dumps(made()))
    assert kept["words"] == now["words"], REMEDY
    for name, packet in now["packets"].items():
        assert views_of(kept["packets"][name]) == views_of(packet), REMEDY
    for kind in now["maps"]:
        assert close(kept["maps"][kind], now["maps"][kind]), REMEDY
        assert close(kept["merged"][kind], now["merged"][kind]), REMEDY
        assert kept["metrics"][kind]["sinks"] == now["metrics"][kind]["sinks"], REMEDY
        assert kept["metrics"][kind]["heads"].keys() == now["metrics"][kind]["heads"].keys(), REMEDY
        for name, values in now["metrics"][kind]["heads"].items():
            assert close(kept["metrics"][kind]["heads"][name], values), REMEDY
        for part in ("weights", "removed"):
            assert close(kept["removed"][kind][part], now["removed"][kind][part]), REMEDY


def test_the_nearest_states_that_javascript_is_held_against_are_what_python_finds() -> None:
    kept, now = json.loads(fitting_cases.FILE.read_text("utf-8")), json.loads(json.dumps(fitting_cases.made()))
    for name, found in now["views"].items():
        assert kept["views"][name]["states"] == found["states"], "python -m tests.js.fitting_cases"
    assert (kept["defaults"], kept["head_views"]) == (now["defaults"], now["head_views"])
    changed = [each for found in now["views"].values() for each in found["states"] if each["given"] != each["nearest"]]
    fields = {name for each in changed for name in each["given"] if each["given"][name] != each["nearest"][name]}
    assert fields == {"kind", "heads", "rows", "view", "weighting", "zoom", "window", "pins"}
