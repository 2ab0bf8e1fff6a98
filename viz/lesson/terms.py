"""The terms of the glossary that each scene introduces; a route may not use those of a scene that it leaves out."""

from __future__ import annotations

from collections.abc import Mapping

INTRODUCED: Mapping[str, tuple[str, ...]] = {
    "box": ("encoder", "decoder", "source", "token", "weight", "head"),
    "pieces": ("vector", "embedding"),
    "head": ("query", "softmax"),
    "heads": ("layer", "cross"),
    "layer": ("layer", "residual", "feed_forward"),
    "encoder": ("cosine",),
    "mask": ("mask",),
    "loss": ("loss", "nat", "gradient"),
    "cross": ("cross", "sink"),
    "beam": ("logit", "greedy"),
    "explain": ("log_prob",),
}
"""Names of terms (``first.forms_<term>``) by the name of the scene; the other scenes introduce none.

A term stands twice where a route leaves out the first scene that needs it.
"""
