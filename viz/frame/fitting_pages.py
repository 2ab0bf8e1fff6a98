"""Which pages the model in use cannot fill: they are not in the navigation, and the menu of models says why."""

from __future__ import annotations

import streamlit as st

from model import Bundle
from model.inference.masked import mask_id
from viz import cache
from viz.i18n import sentences, tr
from viz.panels.reading import find_bundle

_OF_WORDS = ("causal", "positions", "corpus", "lesson")
"""Pages that work on the words of a sentence."""
_DECODE, _CAUSAL = ("decode.alone", "decode.alone_remedy"), ("causal.alone",)


def unfilled(bundle: Bundle | None) -> dict[str, tuple[str, ...]]:
    """The names of such pages, each with the keys of its reason."""
    if bundle is not None and bundle.grid is not None:
        return dict.fromkeys(_OF_WORDS, ("grid.only_words",))
    if bundle is not None and bundle.picture is not None:
        return {page: ("pad.only_words",) for page in _OF_WORDS if page != "causal"}
    if bundle is None or cache.extent(bundle).kinds != ("encoder_self",):
        return {}
    return {"causal": _CAUSAL} if mask_id(bundle) is not None else {"decode": _DECODE, "causal": _CAUSAL}


def hidden() -> frozenset[str]:
    """The names of such pages for the model in use."""
    return frozenset(unfilled(find_bundle()))


def say_why(bundle: Bundle) -> None:
    """Name the pages that are not in the navigation, each with its reason."""
    for page, reason in unfilled(bundle).items():
        st.caption(sentences(tr("frame.unfilled", page=tr(f"frame.page_{page}")), *map(tr, reason)))
