"""The only access from pages to the model, and the only module that stores results.

A result belongs to the model's fingerprint, the function and its options, so sessions with equal options share it, and
a session with other interventions never gets it. Results are frozen: their arrays are made read-only before anyone sees
them.
"""

import os
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

import model
from model import Bundle, Interventions, Trace
from model.checkpoints.basis.errors import HintError
from model.checkpoints.curve import curve_at
from model.checkpoints.curve import curve_steps as _curve_steps
from model.checkpoints.loading import PRETRAINED
from model.checkpoints.recurrent import load_recurrent
from model.checkpoints.recurrent import shipped_folders as shipped_recurrent
from model.checkpoints.sandbox import tokenizer
from model.corpus.shipped import FIGURES, shipped_figures, shipped_gold
from model.corpus.shipped import FOLDER as SHIPPED_CORPUS
from model.corpus.shipped import SURVEY as SHIPPED_SURVEY
from model.corpus.sql.sandboxed import Answer, OnWait
from model.corpus.sql.sandboxed import ask_sandboxed as _ask_sandboxed
from model.corpus.survey import Survey, open_survey
from model.inference.alone import read as _read
from model.inference.reading import kinds_of
from model.inference.scoring import score as _score
from model.inference.translation import translate as _translate
from model.interventions import attention_shapes
from model.nn.transformer import Transformer
from model.runs.limits import Limits
from model.runs.queue import RunQueue
from model.text.pairs import Pair
from viz.environment import CHECKPOINT_VARIABLE, SURVEY_VARIABLE
from viz.passes import SharedPasses
from viz.results import LruCache, digest
from viz.shipped_models import shipped_models
from viz.state.selection import Extent
from viz.state.turns import TURNS
from viz.uploads import new_folder, remove_folder

Result = TypeVar("Result")

MEGABYTES_VARIABLE = "REGARD_CACHE_MB"
RESULTS = LruCache(int(os.environ.get(MEGABYTES_VARIABLE, "512")) << 20)
"""Results computed for any session; the least recently used is removed first."""
_PASSES: SharedPasses[tuple[tuple, str, int | None], Trace] = SharedPasses(TURNS)


def model_names() -> tuple[str, ...]:
    """Models that every session can choose: the one configured at the start, then the shipped ones."""
    checkpoint = os.environ.get(CHECKPOINT_VARIABLE)
    return tuple(dict.fromkeys([*([_name_of(checkpoint)] if checkpoint else []), *shipped_models()]))


def _name_of(checkpoint: str) -> str:
    """The name, on screen and in links, of the checkpoint configured at the start: its file name without folders."""
    path, shipped = Path(checkpoint), shipped_models()
    if path.name not in shipped or checkpoint in shipped or path.resolve() == PRETRAINED / path.name:
        return path.name or checkpoint
    return f"{path.name} 2"


def current_model_name(wished: str) -> str:
    """The name of the model in a link; links of earlier versions hold the path of the one configured at the start."""
    return _name_of(wished) if wished and wished == os.environ.get(CHECKPOINT_VARIABLE) else wished


def bundle(name: str) -> Bundle:
    """A model of ``model_names``, loaded once for all sessions; raises CheckpointError when it cannot be opened."""
    checkpoint = os.environ.get(CHECKPOINT_VARIABLE)
    return _open_model(checkpoint if checkpoint and name == _name_of(checkpoint) else name)


@st.cache_resource(show_spinner=False, max_entries=6)
def _open_model(place: str) -> Bundle:
    loaded = model.load(place)
    if loaded.report is not None and loaded.report.close:
        raise HintError(
            f"{Path(place).name} needs an answer before it is drawn: {loaded.report.asking()}. Open it with "
            f"model.load(…, {loaded.report.proposed()}), save it with model.save, and start with that folder"
        )
    if isinstance(loaded.model, Transformer) and loaded.model.output is not None:
        loaded.model.keep_layout()
    return loaded


def shipped_model(name: str) -> Bundle:
    """A model shipped with the project, whatever was configured at the start; loaded and raises as ``bundle`` does."""
    return _open_model(name)


@st.cache_resource(show_spinner=False)
def recurrent(variant: str) -> Bundle:
    """A shipped recurrent translator, "attention" or "without"; loaded and raises as ``bundle`` does."""
    return load_recurrent(shipped_recurrent()[variant])


@st.cache_data(show_spinner=False)
def curve_steps() -> tuple[int, ...]:
    """Steps of the shipped curve of learning; empty when it is missing."""
    return _curve_steps()


@st.cache_resource(show_spinner=False)
def curve_bundle(step: int) -> Bundle:
    """The small model of the curve of learning after a step; loaded and raises as ``bundle`` does."""
    return curve_at(step)


@st.cache_resource(show_spinner=False, scope="session", on_release=remove_folder)
def upload_folder() -> Path:
    """The folder of this browser session's files, removed with the session."""
    return new_folder()


def _close_all(services: weakref.WeakSet[tokenizer.Service]) -> None:
    for service in list(services):
        service.close()


@st.cache_resource(show_spinner=False, scope="session", on_release=_close_all)
def _session_services() -> weakref.WeakSet[tokenizer.Service]:
    """The processes of the tokenizers that this browser session has opened; they end with it."""
    return weakref.WeakSet()


def _note_owner(service: tokenizer.Service) -> None:
    if get_script_run_ctx(suppress_warning=True) is not None:
        _session_services().add(service)


tokenizer.on_begin = _note_owner


def translate(bundle: Bundle, text: str, **options: Any) -> Trace:
    """A translation and its attention; options as for ``model.translate``.

    Pages that need one at the same time share a pass where their options are the same.
    """
    key = _key(_translate, bundle, text=text, **options)
    cached = RESULTS.find(key)
    if cached is not None:
        return cached
    shared = {name: value for name, value in options.items() if name != "max_length"}
    if shared.get("prefix") or shared.get("interventions") or shared.get("method") == "sample":
        return compute(_translate, bundle, text=text, **options)

    def run(requests: list[tuple[tuple, str, int | None]]) -> list[Trace | Exception]:
        texts: list[str] = [text for _, text, _ in requests]
        traces = _translate(bundle, texts, max_length=[limit for *_, limit in requests], **shared)
        return [
            RESULTS.put(key, trace) if isinstance(trace, Trace) else trace
            for (key, *_), trace in zip(requests, traces, strict=True)
        ]

    return _PASSES.answer(_key(_translate, bundle, **shared), key, (key, text, options.get("max_length")), run)


def score(bundle: Bundle, source: str, target: str, *, interventions: Interventions = model.NONE) -> Trace:
    """The attention of a given translation; as ``model.score``."""
    return compute(_score, bundle, source=source, target=target, interventions=interventions)


@st.cache_resource(show_spinner=False)
def run_queue() -> RunQueue:
    """The training runs of all sessions; its processes end with this one."""
    return RunQueue(Limits.from_environment())


def survey() -> Survey:
    """The server's survey: the folder configured at the start, or the shipped one; raises as ``survey_in`` does."""
    folder = os.environ.get(SURVEY_VARIABLE)
    return survey_in(Path(folder)) if folder else shipped_survey()


def shipped_survey() -> Survey:
    """The survey that comes with the project; raises as ``survey_in`` does."""
    return survey_in(SHIPPED_CORPUS / SHIPPED_SURVEY)


def is_shipped(opened: Survey) -> bool:
    """Whether a survey is the one that comes with the project."""
    return opened.folder == SHIPPED_CORPUS / SHIPPED_SURVEY


def survey_in(folder: Path) -> Survey:
    """A folder's survey, opened again only when its files have changed; raises CorpusError if it is missing or
    damaged."""
    written = tuple(sorted((path.name, path.stat().st_mtime_ns) for path in folder.glob("*.parquet")))
    return RESULTS.keep(("survey", str(folder), repr(written)), lambda: open_survey(folder))


def ask(opened: Survey, sql: str, parameters: tuple = (), *, most_rows: int = 20_000) -> Any:
    """A survey's answer as a data frame, which the caller may change. Raises QueryError when the query is not a SELECT,
    has an error, or takes too long."""
    key = ("query", *opened.identity, sql, repr(parameters), str(most_rows))
    return RESULTS.keep(key, lambda: opened.query(sql, parameters, most_rows=most_rows)).copy()


def ask_sandboxed(opened: Survey, sql: str, *, visitor: str, on_wait: OnWait) -> Answer:
    """The first rows of a visitor's SELECT, run in a separate process; raises QueryError, also when it takes too much
    memory."""
    key = ("own query", *opened.identity, sql)
    answer = find(key) or put(key, _ask_sandboxed(opened, sql, visitor=visitor, on_wait=on_wait))
    return Answer(answer.frame.copy(), answer.is_whole)


def corpus_figures() -> dict[str, Any] | None:
    """The figures measured on the shipped corpus; None when they are missing."""
    path = SHIPPED_CORPUS / FIGURES
    if not path.is_file():
        return None
    return RESULTS.keep(("corpus figures", str(path), str(path.stat().st_mtime_ns)), shipped_figures)


def shipped_alignment(fingerprint: str) -> dict[str, Any] | None:
    """The alignment error of every head of the shipped model, as ``align --json`` gives it; None for another model."""
    figures = corpus_figures()
    return figures["alignment"] if figures is not None and figures["fingerprint"] == fingerprint else None


def corpus_gold() -> tuple[Pair, ...]:
    """The shipped pairs with gold links."""
    return RESULTS.keep(("corpus gold",), shipped_gold)


def compute(function: Callable[..., Result], bundle: Bundle, /, **options: Any) -> Result:
    """``function(bundle, **options)``, computed once for a model and these options.

    Args:
        function: a function at the top level of its module, from ``model``.
        options: values whose ``repr`` is complete: strings, numbers, tuples, frozen dataclasses of these.
    """
    return RESULTS.keep(_key(function, bundle, **options), lambda: function(bundle, **options))


def is_computed(function: Callable[..., Any], bundle: Bundle, /, **options: Any) -> bool:
    """Whether ``compute`` has cached the result."""
    return RESULTS.find(_key(function, bundle, **options)) is not None


def _key(function: Callable, bundle: Bundle, /, **options: Any) -> tuple[str, ...]:
    return (function.__module__, function.__qualname__, bundle.fingerprint, repr(sorted(options.items())))


def get_or_compute(key: tuple, make: Callable[[], Result]) -> Result:
    """The result of ``make``, made once for a key that contains everything it depends on; ``make`` draws nothing."""
    return RESULTS.keep(_text(key), make)


def replace_in_slot(slot: tuple, version: tuple, make: Callable[[], Result]) -> Result:
    """Like ``get_or_compute``, but a new version replaces the earlier, which is not needed again."""
    stored = RESULTS.find(_text(slot))
    if stored is None or stored[0] != _text(version):
        stored = RESULTS.put(_text(slot), (_text(version), make()))
    return stored[1]


def find(key: tuple) -> Any | None:
    """The value stored under a key, or None; for work that shows its progress, which ``get_or_compute`` may not."""
    return RESULTS.find(_text(key))


def put(key: tuple, value: Result) -> Result:
    """Store a value that was computed after ``find`` returned None."""
    return RESULTS.put(_text(key), value)


def _text(key: tuple) -> tuple[str, ...]:
    return tuple(map(repr, key))


def memoize_by_content(function: Callable[..., Result], /, *values: Any, **options: Any) -> Result:
    """``function(*values, **options)``, made once for arguments of this content, whichever session asks."""
    key = (function.__module__, function.__qualname__, digest(values, options))
    return RESULTS.keep(key, lambda: function(*values, **options))


def read(bundle: Bundle, text: str, *, interventions: Interventions = model.NONE) -> Trace:
    """The attention of an encoder-only or decoder-only model on a text; as ``model.read``."""
    return compute(_read, bundle, text=text, interventions=interventions)


def extent(bundle: Bundle) -> Extent:
    """How many layers and heads the model has of each kind."""
    kinds, shapes = kinds_of(bundle), attention_shapes(bundle.config)
    return Extent(
        {kind: layers if kind in kinds else 0 for kind, (layers, _) in shapes.items()},
        {kind: heads for kind, (_, heads) in shapes.items()},
    )
