"""The numbers with which the explorer's JavaScript is tested are those that ``model.analysis`` computes now."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

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
