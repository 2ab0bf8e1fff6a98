"""One whole layer: a vector step by step, and the translation without the residual connection."""

from contextlib import suppress

import streamlit as st

from model.corpus.units import shipped_units
from model.teaching.one_layer import ATTENDED, ENDS, FED, NORMALISED, OneLayer, Pattern, one_layer, strongest_pattern
from viz import cache
from viz.figures import drawings
from viz.i18n import in_each_language, number, sentences, tr
from viz.lesson.scene import Scene, named_activations, translation
from viz.lesson.views import Act, Pictures, compare_texts, pair
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown, markdown_table

N_NUMBERS = 4
"""How many components of a vector are shown: few enough to add up in class."""


def layer(reading: Reading) -> OneLayer:
    """The followed token and its layer."""
    return cache.compute(one_layer, reading.bundle, text=reading.text)


def step_names(block: OneLayer) -> list[str]:
    """The steps of a layer, in words."""
    post_norm_names = {} if block.norm_first else {name: f"{name}_post" for name in (NORMALISED, ENDS)}
    return [tr(f"lesson.step_{post_norm_names.get(name, name)}") for name, _ in block.steps]


def first_numbers(block: OneLayer) -> list[list[str]]:
    """The first numbers of the vector at each step; what is added has its sign."""
    return [
        [number(float(value), "+.2f" if name in (ATTENDED, FED) else ".2f") for value in vector[:N_NUMBERS]]
        for name, vector in block.steps
    ]


def strongest(reading: Reading) -> Pattern:
    """The strongest hidden unit of the feed-forward network at the followed token."""
    block = layer(reading)
    return cache.compute(strongest_pattern, reading.bundle, text=reading.text, layer=block.layer, token=block.token)


def activating_words(reading: Reading) -> str:
    """Words of the shipped corpus that activate the strongest unit most; empty where that was not measured."""
    with suppress(OSError):
        measured = cache.get_or_compute(("units of the shipped model",), shipped_units)
        if measured["fingerprint"] == reading.bundle.fingerprint:
            words = measured["layers"][layer(reading).layer]["words"][strongest(reading).strongest].split()
            return tr("lesson.pattern_words", n=measured["n_sentences"],
                      words=tr("checkpoints.comma").join(map(escape_markdown, words)))  # fmt: skip
    return ""


class Layer(Scene):
    """One token's vector through a layer."""

    def named(self, reading: Reading) -> dict[str, object]:
        """The layer, as the page counts it."""
        return {"layer": layer(reading).layer + reading.selection.first_index}

    def draw(self, reading: Reading) -> None:
        """A row of numbers for each step."""
        block, first = layer(reading), reading.selection.first_index
        token = escape_markdown(chip_text(reading.trace.source.pieces[block.token]).lstrip("▁"))
        width = len(block.steps[0][1])
        st.caption(tr("lesson.layer_followed", token=token, layer=block.layer + first, n=N_NUMBERS, width=width))
        rows = [(name, *row, "…") for name, row in zip(step_names(block), first_numbers(block), strict=True)]
        st.markdown(markdown_table(("", *map(str, range(1, N_NUMBERS + 1)), "…"), rows, n_texts=1))

    def compared(self, before: Reading, reading: Reading) -> tuple[str, str, str]:
        """The translation, and the one with every vector replaced by the sublayer's output."""
        block = layer(reading)
        return block.translation, block.replaced, ""

    def more(self, before: Reading) -> str:
        """Which hidden unit is strongest for this token, and which words activate it most."""
        block, pattern = layer(before), strongest(before)
        token = escape_markdown(chip_text(before.trace.source.pieces[block.token]).lstrip("▁"))
        pattern_text = tr("lesson.pattern", token=token, n=pattern.n_numbers, above=pattern.n_above_zero,
                  strongest=pattern.strongest, value=number(pattern.value, ".1f"))  # fmt: skip
        return sentences(pattern_text, activating_words(before))

    def pictures(self, reading: Reading) -> Pictures:
        """The table; on the sheet the sums are left blank."""
        block = layer(reading)
        lines = [(name, *row) for name, row in zip(step_names(block), first_numbers(block), strict=True)]
        sums = {place for place, (name, _) in enumerate(block.steps) if name in ("summed", "ends")}
        blank = [
            (line[0], *([""] * (len(line) - 1) if place in sums and block.norm_first else line[1:]))
            for place, line in enumerate(lines)
        ]
        after = compare_texts(block.translation, block.replaced)
        return Pictures(drawings.table((), lines, widest=420), after, drawings.table((), blank, widest=420))

    def act(self, before: Reading, reading: Reading) -> Act:
        """The numbers, and both translations."""
        block = layer(reading)
        return {
            "kind": "layer", "rows": [pair(reading.trace.source_text, block.translation, block.replaced)],
            "token": chip_text(reading.trace.source.pieces[block.token]),
            "steps": in_each_language(lambda: step_names(block)),
            "numbers": in_each_language(lambda: first_numbers(block)),
        }  # fmt: skip


SCENE = Layer(
    name="layer", right=2, page="inside", minutes=7, short_minutes=5, terms=("layer", "residual", "feed_forward"),
    needs=(translation, named_activations), is_of_the_view=True, kind="encoder_self",
)  # fmt: skip
