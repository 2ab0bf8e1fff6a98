"""The sentence stage: source and translation on top of every page, and the box to write another."""

import dataclasses
import math
from contextvars import ContextVar
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import NONE, Bundle, HeadAblation, Picture, TextError, TokenSequence
from model.intervention_text import unwritten
from model.text.language_codes import bcp47, main_language
from model.text.word_tokenizer import WordTokenizer
from model.trace import Floats
from viz import cache
from viz.components.sentence import Chip, OnStage, sentence
from viz.i18n import catalogue, current_language, group, number, sentences, tr
from viz.panels import dropped, errors, opening, teacher_room
from viz.panels.explorer import look_at
from viz.panels.handwriting import strip_width
from viz.panels.measure import Matters
from viz.panels.reading import MAX_PIECES, ModelInput, Reading, find_bundle, is_alone, open_bundle, read_sentence
from viz.panels.stage import doubt
from viz.panels.stage.verdict import change_to_share, verdict
from viz.plain_text import chip_text
from viz.state import session
from viz.state.selection import MAX_CHARACTERS

_KEY = "sentence"
_FILE_ERROR = "sentence.not_kept"
_PLAYED = "sentence.played"
_IS_TAKEN = "sentence.is_taken"
"""Whether a callback has received what the reader sent, until the stage is drawn."""
_MAX_SIDE = 1600
"""Pixels of the longer side of a picture on the stage."""
_WITH_TOOLS = _WITH_OUTCOME = ("",)
"""Pages with a menu beside the sentence, and pages that reserve space for the outcome of a change."""
_tools: ContextVar[DeltaGenerator] = ContextVar("tools")
"""Each script run has its own thread, so sessions never share a value."""


def stage(*, is_used: bool = True) -> None:
    """Draw the sentence and its translation (hidden where the page does not use them), and the tools beside them."""
    with st.container(horizontal=True, gap="small", key="stage"):
        with st.container(width="stretch", key="stage_sentence" if is_used else "stage_bare"):
            _sentence(is_used=is_used)
        _tools.set(st.container(horizontal=True, gap="small", width="content", key="tools"))


def tools() -> DeltaGenerator:
    """The place beside the sentence for a page's own buttons; to be used once per run, outside fragments."""
    return _tools.get()


def _sentence(*, is_used: bool) -> None:
    try:
        bundle = open_bundle()
    except errors.USER_ERRORS as error:
        errors.explain(error)
        return
    if bundle is None:
        errors.show(tr("frame.none_model"), tr("frame.none_model_remedy"))
        return
    try:
        reading, mishap = read_sentence(), None
    except errors.USER_ERRORS as error:
        reading, mishap = None, error
    _draw(bundle, reading, is_used=is_used)
    if reading is not None and not reading.is_long and is_used:
        doubt.offer(reading)
    mishap = mishap or session.recall(_FILE_ERROR, lambda: None)
    session.remember(_FILE_ERROR, None)
    if mishap is not None and is_used:
        errors.explain(mishap)


def _draw(bundle: Bundle, reading: Reading | None, *, is_used: bool) -> None:
    selection, offered = session.read(), opening.suggested_sentences(bundle)
    source, target = _rows(reading) if reading else ((), ())
    n_visible = teacher_room.visible_steps(reading.trace.source_text) if reading else None
    if n_visible is not None:
        target = (*target[:n_visible], Chip("?"))
    source_key, target_key = ("text", "next") if is_alone(bundle) else ("source", "target")
    if reading is not None and reading.n_prompt:
        source_key, target_key = "prompt", "continuation"
    is_picture, grid = bundle.picture is not None, bundle.grid
    if is_picture:
        source_key, target_key = "written_word", "read_word"
    if grid is not None:
        source_key, target_key = f"source_{grid.reads}", "written"
    area = "pad" if is_picture else "sentence" if grid is None else "grid"
    is_encoder = cache.extent(bundle).kinds == ("encoder_self",)
    has_outcome = session.page_name() in _WITH_OUTCOME and "cross" in cache.extent(bundle).kinds
    sent = sentence(
        OnStage(
            text=reading.selection.text if reading else selection.text,
            source=source,
            target=target,
            source_label=_language_name(bundle.source_language, f"{area}.{source_key}"),
            target_label="" if is_encoder else _language_name(bundle.target_language, f"{area}.{target_key}"),
            source_language=bcp47(bundle.source_language),
            target_language=bcp47(bundle.target_language),
            notice=_notice(reading),
            announcement=tr("sentence.said", text=reading.trace.text) if reading and n_visible is None else "",
            suggestions=offered.sentences,
            suggestions_about=offered.about,
            recent=opening.recent(reading.selection.text if reading else ""),
            invitation=opening.invitation(bundle),
            is_hidden=not is_used,
            has_tools=session.page_name() in _WITH_TOOLS,
            verdict=verdict(reading) if reading and n_visible is None and not reading.is_long else None,
            shared=change_to_share(reading)
            if reading and n_visible is None and not reading.is_long and has_outcome
            else None,
            surprise=_surprise(reading) if reading and n_visible is None else None,
            has_outcome=has_outcome,
            kind=selection.kind,
            presenter=selection.presenter,
            page=session.page_name(),
            language=current_language(),
            reads_pictures=is_picture,
            strip=strip_width(bundle),
            reads_files="" if grid is None else grid.reads,
            grid=None if reading is None or grid is None else _grid_of(reading),
            words=group("share") | group("sentence") | (group(area) if area != "sentence" else {}),
        ),
        key=_KEY,
        on_text=_take_text,
        on_address=_return,
        on_act=_act,
    )
    _take_what_was_missed(sent)


def _take_what_was_missed(sent: Any) -> None:
    """Handle what the previous page sent while this one was drawn: Streamlit called the callbacks without a value."""
    takes = {"text": _take_text, "address": _return, "act": _act}
    missed = [take for name, take in takes.items() if getattr(sent, name, None) is not None]
    if missed and not session.recall(_IS_TAKEN, bool):
        for take in missed:
            take()
        st.rerun()
    session.remember(_IS_TAKEN, False)


def _surprise(reading: Reading) -> dict[str, Any] | None:
    """The cross-attention heads that change this translation when switched off; empty until all layers are measured.
    None where nothing is offered."""
    selection = reading.selection
    if session.page_name() not in _WITH_OUTCOME or selection.interventions or selection.prefix or reading.is_long:
        return None
    matters = Matters.of(reading)
    measured = matters.as_json("cross")
    if measured is None:
        return None
    is_whole = measured["done"] == measured["layers"]
    changing = measured["changing"] if is_whole else []
    return {"of": matters.name, "text": measured["text"], "changing": changing, "first": selection.first_index}


def _rows(reading: Reading) -> tuple[tuple[Chip, ...], tuple[Chip, ...]]:
    """Source and target chips; a decoder-only model's source is its prompt."""
    trace, n_prompt = reading.trace, reading.n_prompt
    if reading.bundle.grid is not None:
        named = f"grid.token_{reading.bundle.grid.reads}"
        cells = tuple(
            Chip(piece, tr(named, place=piece) if word >= 0 else piece, special=word < 0)
            for piece, word in zip(trace.source.pieces, trace.source.words, strict=True)
        )
        return cells, _chips(trace.target, trace.log_probs)
    if reading.bundle.picture is not None:
        strips = tuple(Chip(piece, tr("pad.strip", text=piece)) for piece in trace.source.pieces)
        return strips, _chips(trace.target, trace.log_probs)
    if reading.is_long:
        return _beginning(_chips(trace.source)), _beginning(_chips(trace.target))
    if n_prompt:
        source, target = _chips(trace.prefix)[:n_prompt], _chips(trace.target, trace.log_probs)[n_prompt - 1 :]
        return source, target
    return _chips(trace.source if len(trace.source) else trace.prefix), _chips(trace.target, trace.log_probs)


def _beginning(chips: tuple[Chip, ...]) -> tuple[Chip, ...]:
    """The first tokens of a long text, and how many follow."""
    more = len(chips) - MAX_PIECES
    return chips if more <= 0 else (*chips[:MAX_PIECES], Chip(f"… +{number(more, ',')}", special=True))


def _grid_of(reading: Reading) -> dict[str, Any]:
    """A picture's pixels or a sound's spectrogram, and the grid of tokens on it, for the browser."""
    grid = reading.bundle.grid
    assert grid is not None

    def draw() -> dict[str, Any]:
        layout = grid.drawn(reading.trace.source_text)
        pixels = layout.picture.pixels
        step = -(-max(pixels.shape[:2]) // _MAX_SIDE)
        reduced = Picture(pixels[::step, ::step])
        return {"picture": reduced.exact_text, "height": pixels.shape[0], "width": pixels.shape[1],
                "rows": layout.rows, "columns": layout.columns, "before": layout.before}  # fmt: skip

    return cache.get_or_compute(("drawn source", *reading.key), draw)


def _sent_value(name: str) -> Any:
    """The value that the browser sent under a name."""
    value = session.component_value(_KEY, name)
    session.remember(_IS_TAKEN, value is not None)
    return value


def _take_text() -> None:
    text, bundle = _sent_value("text"), find_bundle()
    if isinstance(text, str) and text.startswith("data:") and bundle is not None and bundle.grid is not None:
        try:
            session.new_sentence(dropped.keep(text))
        except TextError as error:
            session.remember(_FILE_ERROR, error)
    elif isinstance(text, str):
        session.new_sentence(text[:MAX_CHARACTERS])
        if session.read().interventions == session.recall(_PLAYED, lambda: NONE):
            session.change(interventions=NONE)  # the page made that change, not the reader
            session.remember(_PLAYED, NONE)


def _act() -> None:
    """Switch the offered head off, or undo the last change; the browser's value is validated."""
    act, bundle = _sent_value("act"), find_bundle()
    if not isinstance(act, dict) or bundle is None:
        return
    if act.get("name") == "undo":
        session.undo()
        return
    layer, head, extent = act.get("layer"), act.get("head"), cache.extent(bundle)
    if not isinstance(layer, int) or not isinstance(head, int) or "cross" not in extent.kinds:
        return
    if 0 <= layer < extent.layers["cross"] and 0 <= head < extent.heads["cross"]:
        look_at("cross", layer, head)
        interventions = session.read().interventions
        heads_off = (*interventions.heads_off, HeadAblation("cross", layer, head))
        session.intervene(dataclasses.replace(interventions, heads_off=heads_off))
        session.remember(_PLAYED, session.read().interventions if act.get("unasked") is True else NONE)


def _return() -> None:
    address = _sent_value("address")
    if isinstance(address, str):
        session.return_to(address)


def _chips(tokens: TokenSequence, log_probs: Floats | None = None) -> tuple[Chip, ...]:
    chips, before = [], None
    for i, (piece, word) in enumerate(zip(tokens.pieces, tokens.words, strict=True)):
        after = tokens.words[i + 1] if i + 1 < len(tokens) else None
        title = tr("sentence.token", piece=piece, id=tokens.ids[i])
        if log_probs is not None:
            share = number(math.exp(float(log_probs[i])), ".3f")
            title = tr("sentence.token_probability", piece=piece, id=tokens.ids[i], probability=share)
        chips.append(
            Chip(chip_text(piece), title, word == before, word == after, word < 0, piece in WordTokenizer.UNKNOWN)
        )
        before = word
    return tuple(chips)


def _notice(reading: Reading | None) -> str:
    if reading is None:
        bundle = find_bundle()
        return tr("sentence.empty" if bundle is None or bundle.grid is None else f"grid.empty_{bundle.grid.reads}")
    prepared, messages = reading.model_input, []
    if not reading.is_finite:
        messages.append(tr("frame.error_numbers"))
    if prepared.is_cut:
        messages.append(cut_message(prepared))
    if reading.is_long:
        messages.append(tr("sentence.long", kept=MAX_PIECES))
    if session.has_lost_text():
        messages.append(tr("sentence.lost"))
    if reading.bundle.grid is not None:
        messages.append(tr("grid.no_link"))
        if "encoder_self" not in reading.trace.attention.kinds:
            messages.append(tr("grid.windows"))
    if len(reading.selection.text) > session.LONGEST_LINK_TEXT:
        messages.append(tr("sentence.no_link"))
    if unwritten(reading.selection.interventions):
        messages.append(tr("sentence.change_no_link"))
    if prepared.unknown:
        messages.append(tr("sentence.unknown", characters=_some(prepared.unknown)))
    if prepared.spelled:
        messages.append(tr("sentence.bytes", characters=_some(prepared.spelled)))
    if prepared.had_breaks:
        messages.append(tr("sentence.breaks"))
    return sentences(*messages, *(() if reading.is_long else doubt.notices(reading)))


def cut_message(prepared: ModelInput) -> str:
    """A message on how many of the text's tokens are read."""
    total = number(prepared.n_pieces, ",")
    return tr("sentence.cut", kept=prepared.max_pieces, total=total if prepared.is_counted else f"{total}+")


def _some(characters: tuple[str, ...]) -> str:
    return " ".join(characters[:12]) + (" …" if len(characters) > 12 else "")


def _language_name(code: str | None, otherwise: str) -> str:
    key = f"sentence.language_{main_language(code)}"
    return tr(key if key in catalogue("en") else otherwise)
