"""What a page looks at: the reader's choices, the model, and the translation with its attention."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from model import Bundle, Sampling, Trace
from model.checkpoints.basis.identity import vocabulary
from model.checkpoints.vocabularies.target_language import target_languages, with_target_language
from model.inference.long_text import MAX_LONG, can_read_long
from model.inference.reading import prompt_tokens
from model.picture import is_picture
from model.text.tokenizer import Tokenizer, is_byte
from model.text.tokens import as_text, is_ids, n_positions, source_tokens
from model.text.word_tokenizer import WordTokenizer
from model.trace import TokenSequence
from viz import cache
from viz.panels import chat, dropped, errors
from viz.panels.long_texts import long_trace
from viz.panels.opening import opening
from viz.state import session
from viz.state.page_run import once_a_run
from viz.state.selection import DEFAULT_TEXT, Selection

MAX_PIECES = 512
"""Source pieces that are translated; beyond it no view stays readable and a small machine stalls."""
MAX_TARGET = 512
_SPECIAL = 4
"""Positions left for tokens that a model puts around a text."""
_DECODES = ("decode", "causal", "overview")
"""Pages on which a decoder-only model continues the text; the others show how it reads it."""


@dataclass(frozen=True, slots=True)
class ModelInput:
    """The reader's text as the model can take it."""

    text: str
    """One line, cut at ``max_pieces``; empty when nothing is left."""
    n_pieces: int
    """Pieces before cutting; of a text that is much too long, those of its beginning (``is_counted``)."""
    unknown: tuple[str, ...]
    """Characters that the vocabulary lacks, each once; whole words where it is a list of words."""
    spelled: tuple[str, ...]
    """Characters that the vocabulary lacks and that are read as bytes, each once."""
    had_breaks: bool
    max_pieces: int = MAX_PIECES
    """Limit of what is read."""
    is_counted: bool = True
    """Whether ``n_pieces`` are those of the whole text."""

    @property
    def is_cut(self) -> bool:
        """Whether the end of the text was left out."""
        return self.n_pieces > self.max_pieces


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence in one model under the reader's choices."""

    selection: Selection
    bundle: Bundle
    trace: Trace
    model_input: ModelInput

    @property
    def text(self) -> str:
        """The text as the model read it."""
        return self.model_input.text

    @property
    def key(self) -> tuple:
        """Says which trace this is, for ``cache.get_or_compute``."""
        return (self.bundle.fingerprint, self.text, self.is_decoded, *translation_options(self).items())

    @property
    def is_decoded(self) -> bool:
        """Whether tokens were written, and not only read."""
        return self.trace.candidates is not None

    @property
    def n_prompt(self) -> int:
        """Length of a decoder-only model's prompt, in tokens; 0 for a model with an encoder."""
        if len(self.trace.source) or not self.is_decoded:
            return 0
        return min(len(prompt_tokens(self.bundle, self.text)), len(self.trace.prefix))

    @property
    def is_long(self) -> bool:
        """Whether the text is read in blocks: its trace holds no attention maps."""
        return not self.trace.attention.kinds

    @property
    def is_finite(self) -> bool:
        """Whether every weight is a number; a broken checkpoint gives NaN."""
        maps = (self.trace.attention.of(kind) for kind in self.trace.attention.kinds)
        return all(weights is None or bool(np.isfinite(weights).all()) for weights in maps)


def current_bundle() -> Bundle:
    """The model in use. Ends the run when there is none or it cannot be opened: the stage has shown why."""
    bundle = find_bundle()
    if bundle is None:
        st.stop()
    return bundle


def find_bundle() -> Bundle | None:
    """The model in use, or None when there is none or it cannot be opened."""
    try:
        return open_bundle()
    except errors.USER_ERRORS:
        return None


@once_a_run
def open_bundle() -> Bundle | None:
    """The current model, else the first; None when there is none. Raises CheckpointError when it cannot be opened."""
    name = current_model_name()
    return None if name is None else _model_named(name)


def current_model_name() -> str | None:
    """The name in use in the model picker; None when no model is open."""
    return _standing_for(session.read().model)


def _standing_for(wished: str) -> str | None:
    wished, open_here = cache.current_model_name(wished), (*cache.model_names(), *session.private_models())
    if wished in open_here:
        return wished
    return open_here[0] if open_here else None


def use_model(name: str, *, before: Bundle | None = None) -> None:
    """Switch to another model. If its vocabulary differs from that of the model ``before`` (by default the one in use),
    choices that name tokens are dropped."""
    before, opened = before or find_bundle(), _standing_for(name)
    try:
        now = None if opened is None else _model_named(opened)
    except errors.USER_ERRORS:
        now = None
    is_alike = before is None or now is None or has_same_tokens(before, now)
    is_wished = name == session.read().model  # then the choices kept for it are restored in the next run
    fields = {"model": name} if is_wished else {"model": name, "tokens_of": "", "waiting": ""}
    fields |= _other_source(before, now)
    (session.change if is_alike else session.change_tokens)(**fields)


def has_same_tokens(bundle: Bundle, other: Bundle) -> bool:
    """Whether both models cut text into the same tokens, with the same ids."""
    return bundle is other or _vocabularies(bundle) == _vocabularies(other)


def _vocabularies(bundle: Bundle) -> tuple:
    config = bundle.config
    tokenizers = (bundle.source_tokenizer, bundle.target_tokenizer)
    return (*map(vocabulary, tokenizers), config.source_vocab_size, config.target_vocab_size)


def current_reading() -> Reading:
    """The sentence on the stage. Ends the run when there is none: the stage has shown why."""
    reading = find_reading()
    if reading is None:
        st.stop()
    return reading


def find_reading() -> Reading | None:
    """The sentence on the stage, or None when there is none or it cannot be read."""
    try:
        return read_sentence()
    except errors.USER_ERRORS:
        return None


@once_a_run
def read_sentence() -> Reading | None:
    """The reader's sentence in the model in use, or None when there is no sentence or no model.

    Raises:
        CheckpointError: when the model cannot be opened.
        TextError, DecodingError, InterventionError: when it cannot be translated so.
    """
    bundle = open_bundle()
    if bundle is None:
        return None
    selection = session.clamp(cache.extent(bundle))
    text = opening(bundle, _of_its_kind(bundle, selection.text), is_chosen=session.is_chosen("text"))
    selection = dataclasses.replace(selection, text=text)
    prefix = tuple(i for i in selection.prefix if i < bundle.config.target_vocab_size)[: MAX_TARGET - 1]
    if prefix != selection.prefix:
        session.change(prefix=prefix)
        selection = dataclasses.replace(selection, prefix=prefix)
    return read_under(bundle, selection)


def _of_its_kind(bundle: Bundle, text: str) -> str:
    """The text if it is of the kind that the model reads (picture, sound, words); else the default."""
    if dropped.kind_of(text) != dropped.kind_read(bundle):
        return DEFAULT_TEXT
    session.remember(_source_key(bundle), text)
    return text


def _other_source(before: Bundle | None, now: Bundle | None) -> dict[str, str]:
    """The last source of the new model's kind, where the two models read different kinds (pictures, sounds, texts)."""
    if before is None or now is None or dropped.kind_read(before) == dropped.kind_read(now):
        return {}
    return {"text": session.recall(_source_key(now), str) or opening(now, DEFAULT_TEXT, is_chosen=False)}


def _source_key(bundle: Bundle) -> str:
    return f"source_{dropped.kind_read(bundle)}"


def is_alone(bundle: Bundle) -> bool:
    """Whether the model reads and does not translate: an encoder-only or decoder-only model."""
    return "cross" not in cache.extent(bundle).kinds


def continues(bundle: Bundle) -> bool:
    """Whether the model is a decoder-only model, which continues a text."""
    return cache.extent(bundle).kinds == ("decoder_self",)


def prepare_input(bundle: Bundle, text: str, *, may_be_long: bool = True) -> ModelInput:
    """One line of text, cut to what the model can take and the page can show: more than ``MAX_PIECES`` if it
    ``may_be_long`` (viz/panels/long_texts.py)."""
    line = " ".join(text.split())
    if bundle.grid is not None:
        return ModelInput(dropped.text_of(line) if line else "", 1 if line else 0, (), (), False)
    if bundle.picture is not None and is_picture(line):
        return ModelInput(line, len(source_tokens(bundle, line)), (), (), False)
    tokenizer = bundle.source_tokenizer or (bundle.target_tokenizer if is_alone(bundle) else None)
    had_breaks = "\n" in text.strip()
    if tokenizer is None or not line or is_ids(line):
        words = line.split()
        max_pieces = _max_pieces(bundle, len(words), may_be_long)
        cut_line = " ".join(words[:max_pieces]) if is_ids(line) else line
        return ModelInput(cut_line, len(words), (), (), had_breaks, max_pieces)
    tokens, is_counted = _count_pieces(tokenizer, line)
    n_pieces, cut_line, max_pieces = len(tokens), line, _max_pieces(bundle, len(tokens), may_be_long)
    if n_pieces > max_pieces:
        span = tokens.spans[max_pieces - 1]
        cut_line = line[: span[1]] if span else line
        tokens = tokenizer.encode(cut_line)
    return ModelInput(
        cut_line if n_pieces else "", n_pieces, unknown_in(tokenizer, cut_line, tokens),
        _characters_as_bytes(tokens, cut_line), had_breaks, max_pieces, is_counted,
    )  # fmt: skip


def _count_pieces(tokenizer: Tokenizer, line: str) -> tuple[TokenSequence, bool]:
    """The pieces of a line, and whether they are all of them: beyond ``MAX_LONG``, those of its beginning.

    60,000 characters can be 240,000 pieces, which take five seconds.
    """
    n = MAX_LONG
    while n < len(line):
        tokens = tokenizer.encode(line[:n])
        if len(tokens) > MAX_LONG:
            return tokens, False
        n *= 2
    return tokenizer.encode(line), True


def _max_pieces(bundle: Bundle, n_pieces: int, may_be_long: bool) -> int:
    """The limit of pieces: on Explore, for a long text, what the model has positions for."""
    if not may_be_long or n_pieces <= MAX_PIECES or session.page_name() or not can_read_long(bundle):
        return MAX_PIECES
    return max(MAX_PIECES, min(MAX_LONG, n_positions(bundle) or MAX_LONG) - _SPECIAL)


def unknown_in(tokenizer: Tokenizer, text: str, tokens: TokenSequence | None = None) -> tuple[str, ...]:
    """The unknown characters of the text, of these tokens if they are known; an unknown piece may contain known
    ones."""
    unknown_id = getattr(tokenizer, "unknown_id", None)
    if unknown_id is None:
        return ()
    tokens = tokenizer.encode(text) if tokens is None else tokens
    spans = (span for index, span in zip(tokens.ids, tokens.spans, strict=True) if index == unknown_id and span)
    parts = [text[a:b].strip() for a, b in spans]
    if not isinstance(tokenizer, WordTokenizer):
        parts = [letter for part in parts for letter in part if unknown_id in tokenizer.encode(letter).ids] or parts
    return tuple(dict.fromkeys(filter(None, parts)))


def _characters_as_bytes(tokens: TokenSequence, text: str) -> tuple[str, ...]:
    """Characters read as bytes: only the last byte of a character has a span in the text."""
    spans = (span for piece, span in zip(tokens.pieces, tokens.spans, strict=True) if is_byte(piece) and span)
    return tuple(dict.fromkeys(filter(None, (text[a:b].strip() for a, b in spans))))


def translation_options(reading: Reading) -> dict[str, Any]:
    """How the sentence is decoded, as arguments of ``cache.translate``."""
    return _options(reading.selection, reading.bundle, reading.model_input)


def _options(selection: Selection, bundle: Bundle, prepared: ModelInput) -> dict[str, Any]:
    limit = selection.max_length or 2 * min(prepared.n_pieces, MAX_PIECES) + 16
    max_length = min(MAX_TARGET, max(limit, len(selection.prefix) + 1))
    n_source = 0 if continues(bundle) else len(source_tokens(bundle, prepared.text))
    n_target = max_length + (prepared.n_pieces if continues(bundle) else 0)
    options: dict[str, Any] = {
        "method": selection.method,
        "interventions": selection.interventions.within(n_source=n_source, n_target=n_target),
        "prefix": selection.prefix,
        "max_length": max_length,
    }
    if selection.method == "beam":
        options |= {"beam_size": selection.beam_size, "length_penalty": selection.length_penalty}
    if selection.method == "sample":
        options["sampling"] = Sampling(
            temperature=selection.temperature, top_k=selection.top_k, top_p=selection.top_p, min_p=selection.min_p,
            seed=selection.seed,
        )  # fmt: skip
    return options


def read_as(reading: Reading, *, text: str = "", model: str = "") -> Reading | None:
    """Another sentence, or the same one in another model, under the same choices; None when nothing is left of it. For
    comparisons it holds full attention maps: a text of more than ``MAX_PIECES`` is cut. Raises as ``read_sentence``
    does."""
    bundle = _model_named(model) if model else reading.bundle
    selection = reading.selection.within(cache.extent(bundle))
    if text.strip():
        selection = dataclasses.replace(selection, text=text, prefix=())
    if not has_same_tokens(reading.bundle, bundle):
        edits = selection.interventions.for_any_sentence()
        selection = dataclasses.replace(selection, prefix=(), interventions=edits)
    selection = dataclasses.replace(selection, text=opening(bundle, selection.text))
    return read_under(bundle, selection, may_be_long=False)


def read_under(bundle: Bundle, selection: Selection, *, may_be_long: bool = True) -> Reading | None:
    """A selection's sentence in a model, or None when nothing is left of it. If it may not be long, the reading has its
    attention whatever the text's length. Raises TextError, DecodingError or InterventionError when it cannot be
    translated so."""
    prompt = chat.in_template(bundle, selection.text)
    line = selection.text if prompt is None else as_text(prompt.tokens.ids)
    prepared = prepare_input(bundle, line, may_be_long=may_be_long)
    if not prepared.text:
        return None
    if prepared.max_pieces > MAX_PIECES:
        trace = long_trace(bundle, prepared.text, selection.interventions)
    elif is_alone(bundle) and not (continues(bundle) and session.page_name() in _DECODES):
        trace = cache.read(bundle, prepared.text, interventions=selection.interventions)
    else:
        trace = cache.translate(bundle, prepared.text, **_options(selection, bundle, prepared))
    if prompt is not None:  # the ids stand for what was written
        trace = dataclasses.replace(trace, source_text=selection.text)
    return Reading(selection, bundle, trace, prepared)


def _model_named(name: str) -> Bundle:
    private, code = session.private_models(), session.read().target_language
    bundle = private[name] if name in private else cache.bundle(name)
    return with_target_language(bundle, code) if code and code in target_languages(bundle) else bundle
