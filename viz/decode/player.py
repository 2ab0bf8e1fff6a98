"""The player on the Decode page: a translation or a beam search's tree step by step, and the reader's actions."""

import dataclasses
import hashlib
from functools import partial
from typing import Any

import streamlit as st

from model.decoding.beam_tree import BeamTree
from model.decoding.options import suppressed_id
from model.inference.ranks import Ranks, ranks
from model.inference.tree_search import beam_tree
from model.interpret.contrast import source_contribution
from model.interventions import ForcedRow, InterventionError
from model.text.tokens import as_text, text_of
from viz import cache
from viz.components.decoding import Play, Player, play_of_trace, play_of_tree, player
from viz.decode.choices import AREA, Choices, choices, choose
from viz.i18n import group, number, sentences, tr
from viz.panels import chat, errors
from viz.panels.handwriting import strip_width
from viz.panels.reading import Reading, current_bundle, translation_options
from viz.state import session

_KEY = "decoding"


def player_panel(reading: Reading) -> None:
    """Draw the player for the sentence on the stage."""
    chosen = choices()
    with errors.explained():
        play, play_key = _play(reading, chosen)
        contribution = None
        if len(reading.trace.source):
            contribution = cache.get_or_compute(
                ("source contribution", *reading.key), lambda: source_contribution(reading.bundle, reading.trace)
            )
    player(
        Player(
            play=play,
            key=hashlib.sha256(repr(play_key).encode()).hexdigest()[:16],
            step=chosen.step or max(0, reading.n_prompt - 1),
            node=chosen.node,
            cross=(chosen.cross_layer, chosen.cross_head),
            decoder_self=(chosen.own_layer, chosen.own_head),
            speed=chosen.speed,
            contribution=contribution,
            sampling=translation_options(reading).get("sampling"),
            ranks=_ranks(reading) if reading.selection.method == "sample" else None,
            suppressed_id=suppressed_id(reading.bundle.model),
            n_prompt=max(0, reading.n_prompt - 1),
            n_fixed=max(0, reading.n_prompt - 1) + len(reading.selection.prefix),
            first_index=reading.selection.first_index,
            words=_words(reading),
            tree_note=_tree_note(reading, chosen) if play.is_tree else "",
            presenter=reading.selection.presenter,
            picture=reading.trace.source_text if reading.bundle.picture is not None else "",
            strip=strip_width(reading.bundle),
        ),
        key=_KEY,
        on_act=partial(_take_act, _prompt_ids(reading)),
        on_at=lambda: _keep_place(session.component_value(_KEY, "at")),
    )


def _words(reading: Reading) -> dict[str, str]:
    """The player's texts, which for a decoder-only model speak of a text and not of a translation."""
    words = group("decode")
    if reading.bundle.picture is not None:
        return words | {"strip": group("pad")["strip"]}
    if not reading.n_prompt:
        return words
    return words | {"strip_decoder_self": words["strip_text"], "fixed_here": words["fixed_prompt"]}


def _play(reading: Reading, chosen: Choices) -> tuple[Play, tuple]:
    if reading.selection.method != "beam":
        return play_of_trace(reading.bundle, reading.trace), reading.key
    options = translation_options(reading) | {"forks": chosen.paths(reading.bundle.config.target_vocab_size)}
    del options["method"]
    tree: BeamTree = cache.compute(beam_tree, reading.bundle, text=reading.text, **options)
    return play_of_tree(reading.bundle, tree), (*reading.key, options["forks"])


def _ranks(reading: Reading) -> Ranks:
    """The distribution at each step, for the sliders that filter it in the browser."""
    return cache.compute(
        ranks,
        reading.bundle,
        source_ids=reading.trace.source.ids,
        prefix_ids=reading.trace.prefix.ids,
        interventions=reading.trace.interventions,
    )


def _tree_note(reading: Reading, chosen: Choices) -> str:
    selection = reading.selection
    note = tr("decode.tree_note", width=selection.beam_size, penalty=number(selection.length_penalty, "g"))
    return sentences(note, tr("decode.tree_forks", n=len(chosen.forks)) if chosen.forks else "")


def _keep_place(sent: Any) -> None:
    """Store the reader's position, for the link."""
    if not isinstance(sent, dict):
        return
    now = choices()
    cross, decoder_self = _layer_and_head(sent.get("cross")), _layer_and_head(sent.get("own"))
    changed = dataclasses.replace(
        now,
        step=_clamp(sent.get("step"), 0, 1024),
        node=_clamp(sent.get("node"), -1, 100_000),
        cross_layer=cross[0],
        cross_head=cross[1],
        own_layer=decoder_self[0],
        own_head=decoder_self[1],
        speed=min(16.0, max(0.25, float(sent["speed"]))) if isinstance(sent.get("speed"), int | float) else now.speed,
    )
    if changed != now:
        session.write_part(changed, AREA)


def _prompt_ids(reading: Reading) -> tuple[int, ...]:
    """The start token and a decoder-only model's prompt; callbacks that held the reading would keep its model."""
    return reading.trace.prefix.ids[: max(1, reading.n_prompt)]


def _take_act(fed: tuple[int, ...]) -> None:
    """Carry out the reader's action: continue from a token, fork the tree, force a row, filter the distribution."""
    sent = session.component_value(_KEY, "act")
    if not isinstance(sent, dict):
        return
    _keep_place(sent.get("at"))
    if sent.get("do") == "force":
        _force(sent)
        return
    if sent.get("do") == "sampling":
        session.change(**_sampling(sent))
        return
    ids = sent.get("ids")
    if not isinstance(ids, list) or not ids or not all(isinstance(i, int) and i >= 0 for i in ids):
        return
    if sent.get("do") == "prefix":
        choose(step=len(ids) - 1, node=-1)
        _continue_from(fed, tuple(ids[:256]))
    elif sent.get("do") == "fork":
        path = ".".join(map(str, ids[:256]))
        others = tuple(fork for fork in choices().forks if fork != path)
        choose(forks=(*others, path)[-16:], step=len(ids) - 1, node=-1)


def _continue_from(fed: tuple[int, ...], ids: tuple[int, ...]) -> None:
    """Continue from these tokens. A decoder-only model's include the prompt; a different prompt becomes the new
    sentence."""
    start, *prompt = fed
    n_prompt = len(prompt)
    if list(ids[:n_prompt]) == prompt and len(ids) > n_prompt:
        session.intervene(session.read().interventions, ids[n_prompt:])
    elif chat.in_template(current_bundle(), session.read().text) is not None:
        session.new_sentence(as_text((start, *ids)))  # tokens of the template are not written as text
    else:
        session.new_sentence(text_of(current_bundle(), (start, *ids)))


def _sampling(sent: dict[str, Any]) -> dict[str, Any]:
    """Temperature, top-k, top-p and min-p from the sliders, clamped to the ranges allowed in links."""
    limits = {"temperature": (0.05, 5.0), "top_p": (0.01, 1.0), "min_p": (0.0, 1.0)}
    clamped: dict[str, Any] = {
        name: round(min(high, max(low, float(sent[name]))), 4)
        for name, (low, high) in limits.items()
        if isinstance(sent.get(name), int | float)
    }
    return clamped | ({"top_k": _clamp(sent["top_k"], 0, 1000)} if isinstance(sent.get("top_k"), int) else {})


def _force(sent: dict[str, Any]) -> None:
    kind, weights = sent.get("kind"), sent.get("weights")
    if kind not in ("cross", "decoder_self") or not isinstance(weights, list):
        return
    try:
        row = ForcedRow(
            kind,
            _clamp(sent.get("layer"), 0, 999),
            _clamp(sent.get("head"), 0, 999),
            _clamp(sent.get("query"), 0, 1024),
            tuple(float(weight) for weight in weights[:1024]),
        )
    except (InterventionError, TypeError, ValueError):
        return
    force(row)


def force(row: ForcedRow) -> None:
    """Force a row, replacing an earlier forcing of the same row."""
    now = session.read().interventions
    place = (row.kind, row.layer, row.head, row.query)
    others = tuple(r for r in now.forced_rows if (r.kind, r.layer, r.head, r.query) != place)
    session.intervene(dataclasses.replace(now, forced_rows=(*others, row)))


def prune_forks() -> None:
    """Remove all forks."""
    choose(forks=(), node=-1, step=0)


def forks_button() -> None:
    """Draw a button that removes the forks, if there are any."""
    forks = choices().forks
    if forks:
        st.button(
            tr("decode.drop_forks", n=len(forks)), icon=":material/close:", on_click=prune_forks, key="drop_forks"
        )


def _layer_and_head(value: Any) -> tuple[int, int]:
    if isinstance(value, list) and len(value) == 2:
        return _clamp(value[0], -1, 999), _clamp(value[1], -1, 999)
    return -1, -1


def _clamp(value: Any, low: int, high: int) -> int:
    return min(high, max(low, value)) if isinstance(value, int) else low
