"""The only door from pages to the model, and the only place that remembers results.

A result belongs to the model's fingerprint, the function and its options, so that sessions with equal wishes
share it and a session with other interventions never meets it. Results are frozen: their arrays are made
read-only before anyone sees them.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import streamlit as st

import model
from model import Bundle, Interventions, Trace
from model.checkpoints.loading import PRETRAINED
from model.checkpoints.recurrent import load_recurrent, shipped
from model.inference.alone import kinds_of
from model.inference.alone import read_alone as _read_alone
from model.inference.translation import score as _score
from model.inference.translation import translate as _translate
from model.interventions import KINDS, AttentionKind
from model.training.limits import Limits
from model.training.queue import RunQueue
from viz.environment import CHECKPOINT_VARIABLE
from viz.selection import Extent

Result = TypeVar("Result")

LONG_TEXT = 400
"""Characters beyond which a result counts as large: attention grows with the square of the length."""


def model_names() -> tuple[str, ...]:
    """Models that every session can choose: the one named at the start, then those that are shipped."""
    given = os.environ.get(CHECKPOINT_VARIABLE)
    shipped = sorted(
        (folder.name for folder in PRETRAINED.glob("*") if (folder / "config.json").is_file()),
        key=lambda name: (name != "en-fr", name),
    )
    return tuple(dict.fromkeys([*([given] if given else []), *shipped]))


@st.cache_resource(show_spinner=False, max_entries=4)
def bundle(name: str) -> Bundle:
    """A model of ``model_names``, loaded once for all sessions.

    Raises:
        CheckpointError: when it cannot be opened.
    """
    return model.load(name)


@st.cache_resource(show_spinner=False)
def recurrent(variant: str) -> Bundle:
    """A shipped recurrent translator, "attention" or "without", loaded once for all sessions.

    Raises:
        CheckpointError: when it cannot be opened.
    """
    return load_recurrent(shipped()[variant])


def translate(bundle: Bundle, text: str, **options: Any) -> Trace:
    """A translation and its attention; options as for ``model.translate``."""
    return compute(_translate, bundle, text=text, **options)


def score(bundle: Bundle, source: str, target: str, *, interventions: Interventions = model.NONE) -> Trace:
    """The attention of a given translation; as ``model.score``."""
    return compute(_score, bundle, source=source, target=target, interventions=interventions)


@st.cache_resource(show_spinner=False)
def run_queue() -> RunQueue:
    """The training runs of all sessions; its processes end with this one."""
    return RunQueue(Limits.from_environment())


def compute(function: Callable[..., Result], bundle: Bundle, /, **options: Any) -> Result:
    """``function(bundle, **options)``, computed once for a model and these options.

    Args:
        function: a function at the top level of its module, from ``model``.
        options: values whose ``repr`` says all of them: strings, numbers, tuples, frozen dataclasses of these.
    """
    asked = (function.__module__, function.__qualname__, bundle.fingerprint, repr(sorted(options.items())))
    is_large = sum(len(value) for value in options.values() if isinstance(value, str)) > LONG_TEXT
    remembered = _large if is_large else _small
    return remembered(asked, lambda: function(bundle, **options))


def derive(function: Callable[..., Result], trace: Trace, /, key: tuple, **options: Any) -> Result:
    """``function(trace, **options)``, computed once; ``key`` says which trace it is (``Reading.key``)."""
    asked = (function.__module__, function.__qualname__, repr(key), repr(sorted(options.items())))
    remembered = _large if len(trace.source_text) > LONG_TEXT else _small
    return remembered(asked, lambda: function(trace, **options))


def keep(key: tuple, make: Callable[[], Result], *, is_large: bool = False) -> Result:
    """The result of ``make``, made once for a key that says everything it depends on."""
    return (_large if is_large else _small)(tuple(map(repr, key)), make)


def read_alone(bundle: Bundle, text: str, *, interventions: Interventions = model.NONE) -> Trace:
    """The attention of a model that reads and does not translate."""
    return compute(_read_alone, bundle, text=text, interventions=interventions)


def extent(bundle: Bundle) -> Extent:
    """How many layers and heads the model has of each kind."""
    config, kinds = bundle.config, kinds_of(bundle)
    layers: dict[AttentionKind, int] = {
        "encoder_self": config.n_encoder_layers,
        "decoder_self": config.n_decoder_layers,
        "cross": config.n_decoder_layers,
    }
    heads: dict[AttentionKind, int] = {
        "encoder_self": config.n_encoder_heads,
        "decoder_self": config.n_decoder_heads,
        "cross": config.n_decoder_heads,
    }
    return Extent({kind: layers[kind] if kind in kinds else 0 for kind in KINDS}, heads)


@st.cache_resource(show_spinner=False, max_entries=256)
def _small(asked: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return frozen(_make())


@st.cache_resource(show_spinner=False, max_entries=8)
def _large(asked: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return frozen(_make())


def frozen(value: Result) -> Result:
    """The value itself, with every array inside it made read-only."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            frozen(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for item in value.values():
            frozen(item)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for item in value:
            frozen(item)
    return value
