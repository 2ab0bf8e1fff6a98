"""Steer: a steering vector from two lists of sentences, a slider for its strength, and its effects."""

import dataclasses

import streamlit as st

from model.activations import activation_shapes
from model.corpus.metrics import example_sentences
from model.interpret.editing.steering import (
    Steered,
    SteeringError,
    SteeringExample,
    Written,
    steered,
    steering_examples,
    steering_vector,
)
from model.interventions import Interventions
from model.nn.transformer import Transformer
from model.patch import Patch
from model.trace import Floats
from viz import cache
from viz.causal.choices import EXAMPLE_STRENGTH, EXAMPLES, LONGEST_LIST, MAX_STRENGTH, bind, choices, choose
from viz.figures.contributions import steering_curve
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.reading import Reading, is_alone
from viz.panels.widgets import segmented_picker
from viz.plain_text import escape_markdown
from viz.state import session

Lists = tuple[tuple[Written, ...], tuple[Written, ...]]
_SEPARATOR = " | "
N_OTHERS, N_STRENGTHS = 12, 9
_PROMPTS = ("The cat", "She", "The children")
_WORDS_OF_A_PROMPT = 3


def draw(reading: Reading) -> None:
    """Draw the slider, the sentence before and after and the curve, above the lists and the place they depend on."""
    if not isinstance(reading.bundle.model, Transformer):
        st.info(tr("causal.steer_own_code"))
        return
    offered = _usable_examples(reading)
    example = _example(reading, choices().example if choices().example in offered else offered[0])
    _examples(example, offered)
    effects = st.container()
    _lists(reading, example)
    at = _place(reading, example)
    with effects:
        _draw_effects(reading, example, at)


def _example(reading: Reading, name: str) -> SteeringExample:
    """A shipped example; for a decoder-only model at the last layer, with prompts whose continuation changes on the
    shipped decoder (test_steer.py)."""
    example = steering_examples()[name]
    return dataclasses.replace(example, at="", strength=2.0, tries=_PROMPTS) if is_alone(reading.bundle) else example


def _draw_effects(reading: Reading, example: SteeringExample, at: str) -> None:
    chosen = choices().strength
    strength = example.strength if chosen > MAX_STRENGTH else chosen
    st.slider(
        tr("causal.steer_strength"), -MAX_STRENGTH, MAX_STRENGTH, step=0.25, help=tr("causal.steer_strength_help"),
        **bind("strength", value=strength),
    )  # fmt: skip
    positives, negatives = map(_parse_examples, _texts(example))
    lists = (positives, negatives)
    with errors.explained():
        try:
            vector = _vector(reading, lists, at)
        except SteeringError:
            st.info(tr("causal.steer_empty"))
            return
        comparison = _steer(reading, lists, at, (0.0, strength), others=())
        _verdict(comparison)
        _apply(reading, Patch(at, add=vector, strength=strength))
        _curve(reading, lists, at, strength)


def _vector(reading: Reading, lists: Lists, at: str) -> Floats:
    return cache.compute(steering_vector, reading.bundle, positives=lists[0], negatives=lists[1], at=at)


def _others(reading: Reading) -> tuple[str, ...]:
    """Sentences that the vector was not made from; for a decoder-only model their beginnings."""
    texts = example_sentences()[:N_OTHERS]
    return tuple(" ".join(text.split()[:_WORDS_OF_A_PROMPT]) for text in texts) if is_alone(reading.bundle) else texts


def _texts(example: SteeringExample) -> tuple[str, str]:
    """The text of both lists: the reader's, or the example's."""
    return choices().positives or _format_examples(example.positives), choices().negatives or _format_examples(
        example.negatives
    )


def _format_examples(examples: tuple[Written, ...]) -> str:
    return "\n".join(item if isinstance(item, str) else _SEPARATOR.join(item) for item in examples)


def _parse_examples(text: str) -> tuple[Written, ...]:
    """Parse one example per line, with an optional translation after a bar."""
    examples: list[Written] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        source, bar, translation = (part.strip() for part in line.partition("|"))
        if source:
            examples.append((source, translation) if bar and translation else source)
    return tuple(examples)


def _usable_examples(reading: Reading) -> tuple[str, ...]:
    """The examples that the model can use: those with translations need a model that writes French."""
    is_french = reading.bundle.target_language in (None, "fr") and not is_alone(reading.bundle)
    lists = steering_examples()
    return tuple(name for name in EXAMPLES if is_french or all(isinstance(item, str) for item in lists[name].positives))


def _examples(example: SteeringExample, offered: tuple[str, ...]) -> None:
    """Draw the choice of an example, and sentences on which its vector has an effect."""
    if len(offered) > 1:
        names = {name: tr(f"causal.steer_{name}") for name in offered}
        bound = bind("example", value=example.name, take=lambda name: choose(
            example=name, positives="", negatives="", place="", strength=EXAMPLE_STRENGTH
        ))  # fmt: skip
        segmented_picker(tr("causal.steer_example"), names, is_labelled=True, **bound)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(tr("causal.steer_tries"), width="content")
        for place, text in enumerate(example.tries):
            st.button(text, key=f"steer_try.{place}", type="tertiary", on_click=session.new_sentence, args=(text,))


def _lists(reading: Reading, example: SteeringExample) -> None:
    texts = _texts(example)
    about = tr("causal.steer_lists_help_alone" if is_alone(reading.bundle) else "causal.steer_lists_help")
    for column, field, text in zip(st.columns(2), ("positives", "negatives"), texts, strict=True):
        column.text_area(
            tr(f"causal.steer_{field}"), height=180, max_chars=LONGEST_LIST, help=about,
            **bind(field, value=text),
        )  # fmt: skip


def _place(reading: Reading, example: SteeringExample) -> str:
    """Draw the choice of the residual stream that the vector is computed from and added to, and return it."""
    names = [name for name in activation_shapes(reading.bundle.config) if name.endswith("residual.after")]
    chosen = next((name for name in (choices().place, example.at) if name in names), names[-1])
    offset = reading.selection.first_index

    def label(name: str) -> str:
        stack, layer, *_ = name.split(".")
        return tr(f"causal.steer_{stack}", layer=int(layer) + offset)

    st.selectbox(tr("causal.steer_at"), names, format_func=label, width=360, **bind("place", value=chosen))
    return chosen


def _steer(
    reading: Reading, lists: Lists, at: str, strengths: tuple[float, ...], *, others: tuple[str, ...]
) -> Steered:
    edits = _without_directions(reading.selection.interventions)
    vector = _vector(reading, lists, at)
    key = ("steered", reading.bundle.fingerprint, reading.text, lists, at, strengths, others, edits)
    return cache.get_or_compute(
        key,
        lambda: steered(
            reading.bundle, reading.text, vector=vector, at=at, strengths=strengths, others=others, interventions=edits
        ),
    )


def _verdict(comparison: Steered) -> None:
    before, after = comparison.texts
    same = before == after
    st.markdown(tr("causal.steer_same" if same else "causal.steer_moved", before=escape_markdown(before),
                   after=escape_markdown(after), kept=number(comparison.chrf[1], ".0f")))  # fmt: skip


def _apply(reading: Reading, patch: Patch) -> None:
    def take() -> None:
        edits = _without_directions(session.read().interventions)
        session.intervene(dataclasses.replace(edits, patches=(*edits.patches, patch)))

    st.button(tr("causal.steer_apply"), key="steer_apply", on_click=take, help=tr("causal.steer_apply_help"))


def _without_directions(edits: Interventions) -> Interventions:
    """The active interventions without an applied steering vector."""
    return dataclasses.replace(edits, patches=tuple(patch for patch in edits.patches if patch.add is None))


def _curve(reading: Reading, lists: Lists, at: str, strength: float) -> None:
    end = max(4.0, abs(strength)) * (-1 if strength < 0 else 1)
    strengths = tuple(end * step / (N_STRENGTHS - 1) for step in range(N_STRENGTHS))
    with st.spinner(tr("frame.computing")):
        curve = _steer(reading, lists, at, strengths, others=_others(reading))
    st.markdown(tr("causal.steer_curve_alone" if is_alone(reading.bundle) else "causal.steer_curve", n=N_OTHERS))
    st.altair_chart(
        steering_curve(
            curve, strength=strength, mode=session.mode(),
            words={name: tr(f"causal.steer_{name}") for name in ("own", "others", "axis", "chrf")},
        ), theme=None,
    )  # fmt: skip
