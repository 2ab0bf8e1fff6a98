"""Numbers computed by ``model.analysis`` that the explorer's JavaScript must reproduce.

    python -m tests.js.from_python        rewrites tests/js/from_python.json

``aids.test.js`` opens the packets with the explorer's own code and compares.
``tests/viz/components/test_agrees_with_python.py`` compares the file with what Python computes now.
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

from model.analysis import merge_maps, remove_sinks, sinks_of, words_of
from model.analysis.metrics import METRIC_NAMES, Bools, head_metrics
from model.interventions import KINDS, AttentionKind
from model.trace import AttentionMaps, Floats, TokenSequence
from viz.components.attention import AttentionView, Axis, pack

FILE = Path(__file__).with_suffix(".json")
SOURCE = ("▁The", "▁house", "keep", "er", "▁slept", ",", "</s>")
TARGET = ("▁La", "▁gou", "vern", "ante", "▁dort", ".", "</s>")
WORDS = ((0, 1, 1, 1, 2, 3, -1), (0, 1, 1, 1, 2, 3, -1))


def sequence(pieces: tuple[str, ...], words: tuple[int, ...]) -> TokenSequence:
    """Tokens with arbitrary ids."""
    return TokenSequence(tuple(range(len(pieces))), pieces, words, (None,) * len(pieces))


def attention(*shape: int, seed: int, is_causal: bool = False) -> Floats:
    """Weights (L, H, Q, K) whose rows sum to 1."""
    raised = np.random.default_rng(seed).gamma(0.4, size=shape) + 1e-6
    if is_causal:
        raised *= np.tri(shape[-2], shape[-1])
    return (raised / raised.sum(-1, keepdims=True)).astype(np.float32)


def content() -> dict[str, Any]:
    """The packets of an invented sentence pair, exact and rounded, and Python's results for their weights."""
    source, target = sequence(SOURCE, WORDS[0]), sequence(TARGET, WORDS[1])
    prefix = sequence(("<s>", *TARGET[:-1]), (-1, *WORDS[1][:-1]))
    n = len(SOURCE)
    maps = AttentionMaps(
        attention(2, 3, n, n, seed=1), attention(1, 2, n, n, seed=2, is_causal=True), attention(2, 2, n, n, seed=3)
    )
    view = AttentionView(attention=maps, source=Axis.of(source), fed=Axis.of(prefix), predicted=Axis.of(target))
    words = {name: words_of(tokens) for name, tokens in (("source", source), ("fed", prefix), ("predicted", target))}
    merged = merge_maps(maps, source=words["source"], target=words["predicted"], prefix=words["fed"])
    keys = {"encoder_self": source, "decoder_self": prefix, "cross": source}
    removed = {kind: remove_sinks(weights, sinks_of(keys[kind]))
               for kind in KINDS if (weights := maps.of(kind)) is not None}  # fmt: skip
    return {
        "packets": {
            name: base64.b64encode(pack(view, strings={}, exact=exact)).decode()
            for name, exact in (("exact", True), ("rounded", False))
        },
        "words": {
            name: {"labels": units.labels, "groups": units.groups.tolist(), "special": units.is_special}
            for name, units in words.items()
        },
        "maps": {kind: numbers(maps.of(kind)) for kind in KINDS},
        "merged": {kind: numbers(merged.of(kind)) for kind in KINDS},
        "metrics": {kind: metrics(maps, kind, sinks_of(keys[kind])) for kind in KINDS},
        "removed": {
            kind: {"weights": numbers(each.weights), "removed": numbers(each.removed)} for kind, each in removed.items()
        },
    }


def metrics(maps: AttentionMaps, kind: AttentionKind, sinks: Bools) -> dict[str, Any]:
    """The metrics of the heads of one kind, and which keys are sinks."""
    weights = maps.of(kind)
    assert weights is not None
    computed = head_metrics(weights, kind=kind, key_is_sink=sinks)
    measured = {name: getattr(computed, name) for name in METRIC_NAMES}
    return {
        "sinks": sinks.tolist(),
        "heads": {name: numbers(each) for name, each in measured.items() if each is not None},
    }


def numbers(weights: Floats | None) -> list[Any]:
    """Nested lists of numbers rounded to seven digits."""
    assert weights is not None
    flat = [float(f"{value:.7g}") for value in weights.ravel()]
    return np.array(flat).reshape(weights.shape).tolist()


if __name__ == "__main__":
    FILE.write_text(json.dumps(content(), ensure_ascii=False, indent=None, separators=(",", ":")) + "\n", "utf-8")
