"""Nearest neighbours: tokens of the corpus with a hidden state similar to the chosen one, and a plane of all states."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from model import Bundle
from model.corpus.neighbours import (
    MOST_STATES,
    Projection,
    States,
    gather_states,
    project,
    read_states,
    searchable,
    state_names,
    states_of,
    stored_states,
)
from model.corpus.sql.query import Frame
from model.corpus.survey import Survey
from model.text.pairs import Pair
from model.text.tokenizer import SPACE_MARK, WORD_MARK
from viz import cache, processors
from viz.corpus import files
from viz.corpus.choices import bind, head_picker, read
from viz.corpus.sentences import draw_sentences, surveyed_bundle
from viz.figures.corpus import states_plane
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.reading import Reading, find_reading
from viz.panels.widgets import decimal_table, segmented_picker
from viz.plain_text import escape_markdown
from viz.state import session

N_NEAREST, N_LISTED = 20, 3
MAX_PAIRS = 1_000
"""Pairs whose states are computed here if the survey has none."""
MAX_POINTS = 3_000
COLOURS = ("token", "layer", "head")


def draw(survey: Survey) -> None:
    """Draw the step and its neighbours on the left, the plane on the right."""
    bundle, reading = surveyed_bundle(survey), find_reading()
    if bundle is None or reading is None:
        st.info(tr("corpus.neighbours_other", model=escape_markdown(survey.model)), icon=":material/info:")
        return
    names = stored_states(survey) or state_names(bundle)
    name = read().state if read().state in names else names[-1]
    with errors.explained():
        states = _states(survey, bundle, names)
    left, right = st.columns([11, 10], gap="large")
    with left:
        step = _step(reading, names, name)
        vector = cache.get_or_compute(("state", name, *reading.key), lambda: states_of(bundle, reading.trace, name))[
            step
        ]
        _nearest(survey, states[name], vector)
    with right:
        _plane(survey, states, name, vector)


def _states(survey: Survey, bundle: Bundle, names: Sequence[str]) -> dict[str, States]:
    """The survey's stored states, or those of its first sentences, computed once for all visitors."""
    key = ("states", survey.identity, bundle.fingerprint)
    cached = cache.find(key)
    if cached is not None:
        return cached
    if stored_states(survey):
        return cache.put(key, {name: read_states(survey, name) for name in names})
    frame = cache.ask(survey, "SELECT source, target FROM sentences ORDER BY id LIMIT ?", (MAX_PAIRS,))
    pairs = [Pair(source, target) for source, target in zip(frame["source"], frame["target"], strict=True)]
    bar = st.progress(0.0, tr("corpus.neighbours_working"))
    with processors.all_processors():
        made = gather_states(bundle, pairs, names, on_progress=lambda done, total: bar.progress(done / total))
    bar.empty()
    ids = cache.ask(survey, "SELECT id FROM sentences ORDER BY id LIMIT ?", (MAX_PAIRS,))["id"].to_numpy(np.int64)
    placed = {
        name: States(name, states.vectors, ids[states.ids], states.positions, states.tokens, states.next_tokens)
        for name, states in made.items()
    }
    return cache.put(key, placed)


def _step(reading: Reading, names: Sequence[str], name: str) -> int:
    """Draw the choice of the state and of the token on the stage, and return the token's step."""
    first = session.read().first_index
    tokens = reading.trace.source_tokens if name.startswith("encoder") else reading.trace.target_tokens
    step = min(read().step, len(tokens) - 1)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(tr("corpus.state"), names, format_func=lambda state: label_of(state, first), width=240,
                     **bind("state", value=name))  # fmt: skip
        label = "corpus.state_source" if name.startswith("encoder") else "corpus.state_step"
        st.selectbox(tr(label), range(len(tokens)), width=240, **bind("step", value=step),
                     format_func=lambda i: f"{i + first}: {_clean(tokens[i])}")  # fmt: skip
    return step


def label_of(name: str, first: int) -> str:
    """The name of a state on screen."""
    stack, _, layer = name.partition(".")
    if layer == "0":
        return tr(f"corpus.state_{stack}_0")
    return tr(f"corpus.state_{stack}", layer=int(layer) - 1 + first)


def _nearest(survey: Survey, states: States, vector: np.ndarray) -> None:
    index = cache.get_or_compute(
        ("neighbours", survey.identity, survey.fingerprint, states.name), lambda: searchable(states)
    )
    places, cosines = index.nearest(vector, N_NEAREST)
    following = Counter(_clean(states.next_tokens[place]) for place in places)
    frame = _with_sentences(survey, states, places, cosines)
    is_source = states.name.startswith("encoder")
    st.caption(
        tr("corpus.neighbours_source" if is_source else "corpus.neighbours_target",
           words=tr("corpus.comma").join(f"“{word}” × {count}" for word, count in following.most_common(4)))
    )  # fmt: skip
    labels = {"nearness": tr("corpus.nearness"), "token": tr("corpus.state_token"), "next": tr("corpus.state_next"),
              "sentence": tr("corpus.sentence")}  # fmt: skip
    decimal_table(frame[list(labels)].rename(columns=labels), height=386)
    files.save(frame, name="neighbours")
    shape = " ".join(
        (tr("corpus.neighbours_exact" if index.index is None else "corpus.neighbours_index", n=number(len(states.ids))),
         tr("corpus.neighbours_most", most=number(MOST_STATES)) if len(states.ids) == MOST_STATES else "")
    )  # fmt: skip
    st.caption(shape)
    if not stored_states(survey):
        n = min(MAX_PAIRS, survey.n_done)
        st.caption(tr("corpus.neighbours_gathered", n=number(n)))
    chosen = read()
    ids = list(dict.fromkeys(int(states.ids[place]) for place in places))[:N_LISTED]
    draw_sentences(survey, ids, kind=chosen.kind, layer=chosen.layer, head=chosen.head, key="near")


def _with_sentences(survey: Survey, states: States, places: np.ndarray, cosines: np.ndarray) -> Frame:
    """Each neighbour's token in brackets inside its sentence, with the next token."""
    column = "source_tokens" if states.name.startswith("encoder") else "target_tokens"
    ids = tuple(int(states.ids[place]) for place in places)
    marks = ", ".join("?" * len(ids))
    frame = cache.ask(survey, f"SELECT id, {column} AS tokens FROM sentences WHERE id IN ({marks})", ids)
    sentences = dict(zip(frame["id"], frame["tokens"], strict=True))
    rows = []
    for place, cosine in zip(places, cosines, strict=True):
        number, position = int(states.ids[place]), int(states.positions[place])
        rows.append({
            "id": number, "position": position, "nearness": float(cosine), "token": _clean(states.tokens[place]),
            "next": _clean(states.next_tokens[place]),
            "sentence": bracket_token([str(token) for token in sentences[number]], position),
        })  # fmt: skip
    return pd.DataFrame(rows)


def _plane(survey: Survey, states: dict[str, States], name: str, vector: np.ndarray) -> None:
    colours = {name: tr(f"corpus.colour_{name}") for name in COLOURS}
    colour = segmented_picker(tr("corpus.colour"), colours, is_labelled=True, **bind("colour"))
    stack = name.partition(".")[0]
    drawn = [state for state in states if state.startswith(stack)] if colour == "layer" else [name]
    key = ("plane", survey.identity, survey.fingerprint, tuple(drawn))
    plane: Projection = cache.get_or_compute(key, lambda: project(*(states[state] for state in drawn)))
    frame = pd.concat(
        [
            pd.DataFrame({"id": states[state].ids, "position": states[state].positions,
                          "token": states[state].tokens, "next": states[state].next_tokens, "name": state})
            for state in drawn
        ],
        ignore_index=True,
    )  # fmt: skip
    frame = frame.assign(x=plane.points[:, 0], y=plane.points[:, 1])
    frame = frame.iloc[np.random.default_rng(0).permutation(len(frame))[:MAX_POINTS]]
    frame = _with_values(survey, frame, colour or "token", stack)
    chart = states_plane(
        frame.assign(token=frame["token"].map(_clean), next=frame["next"].map(_clean)), plane.place(vector),
        mode=session.mode(), is_number=colour == "head",
        names={"token": tr("corpus.state_token"), "next": tr("corpus.state_next"), "here": tr("corpus.state_here"),
               "value": tr(f"corpus.colour_{colour}")},
    )  # fmt: skip
    st.altair_chart(chart, theme=None, key="corpus_plane", width="stretch")
    files.save(frame, chart, name="states")
    st.caption(tr("corpus.plane_about", n=number(len(frame)), share=number(100 * plane.share, ".0f")))


def _with_values(survey: Survey, frame: Frame, colour: str, stack: str) -> Frame:
    """The points with a column ``value`` that sets their colour."""
    first = session.read().first_index
    if colour == "layer":
        return frame.assign(value=[label_of(name, first) for name in frame["name"]])
    if colour == "token":
        kind, layer, head = ("encoder_self" if stack == "encoder" else "cross"), 0, 0
        column = "CAST(token_kind AS VARCHAR)"
    else:
        kind, layer, head = head_picker(survey)
        column = "weight"
        if (kind == "encoder_self") != (stack == "encoder"):
            st.caption(tr("corpus.colour_other_side"))
    labels = cache.ask(
        survey,
        f"SELECT id, query AS position, {column} AS value FROM links WHERE kind = ? AND layer = ? AND head = ?",
        (kind, layer, head), most_rows=MOST_STATES,
    )  # fmt: skip
    merged = frame.merge(labels, on=["id", "position"])
    if colour == "token":
        merged["value"] = merged["value"].map(lambda part: tr(f"corpus.token_{part}"))
    return merged


def bracket_token(tokens: Sequence[str], position: int) -> str:
    """A sentence with one token in brackets; a vocabulary without space markers is taken as one of whole words."""
    marks = (WORD_MARK, SPACE_MARK)
    chosen = WORD_MARK * tokens[position].startswith(marks) + f"[{_clean(tokens[position])}]"
    pieces = [chosen if place == position else token for place, token in enumerate(tokens)
            if place == position or token != "</s>"]  # fmt: skip
    is_marked = any(mark in token for token in tokens for mark in marks)
    return " ".join(_with_spaces(("" if is_marked else " ").join(pieces)).split())


def _clean(token: str) -> str:
    return _with_spaces(str(token)).strip()


def _with_spaces(text: str) -> str:
    return text.replace(WORD_MARK, " ").replace(SPACE_MARK, " ")
