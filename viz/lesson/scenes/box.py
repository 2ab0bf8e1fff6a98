"""The whole model: its mean attention while it writes the last word, and which source word that word needs."""

from dataclasses import dataclass

import streamlit as st

from model import Interventions
from model.teaching.measured.source_words import WithoutWords, hide_from_decoder, last_word, without_words
from model.trace import Floats
from viz import cache
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.i18n import tr
from viz.lesson import views
from viz.lesson.choices import is_changed
from viz.lesson.scene import Scene, translation, vocabulary
from viz.lesson.views import Pictures, labels, write
from viz.panels import model_map
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown
from viz.state import session
from viz.theme import palette

_CHOSEN, _PILLS = "lesson.hidden_word", "lesson.hide"


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of all heads (T, S), and the rows of the word that the question asks about."""

    weights: Floats
    rows: range


def average(reading: Reading) -> Average:
    """The mean attention map of the scene."""
    return Average(views.cross_weights(reading).mean((0, 1)), last_word(reading.trace))


def words_removed(reading: Reading) -> WithoutWords:
    """The probability of the translation's last word without each word of the sentence."""
    trace = cache.translate(reading.bundle, reading.text)
    return cache.get_or_compute(
        ("lesson without words", reading.bundle.fingerprint, trace.source_text),
        lambda: without_words(reading.bundle, trace=trace),
    )


def measured_effect(reading: Reading) -> str:
    """The effect of hiding the word on the probability of the last word."""
    without = words_removed(reading)
    before, after = views.chances(without.before, without.after[_place(reading)])
    return tr("lesson.box_measured", last=_last(reading), before=before, after=after)


class Box(Scene):
    """The first scene."""

    def change(self, reading: Reading) -> None:
        """Hide the chosen word from the decoder."""
        session.intervene(_hide_word(reading))

    def named(self, reading: Reading) -> dict[str, object]:
        """The hidden word."""
        return {"word": words_removed(reading).names[_place(reading)]}

    def numbers(self, reading: Reading, n_tried: int | None = None) -> dict[str, object]:
        """The word that the translation's last word needs most, and the probabilities without it and without others."""
        without = words_removed(reading)
        before, after, other = views.chances(without.before, without.after[without.most], without.least_of_others)
        return {
            "word": without.names[without.most], "last": _last(reading), "before": before, "after": after,
            "other": other,
        }  # fmt: skip

    def question_translation(self, reading: Reading) -> str:
        """The translation, with the word that the question asks about marked."""
        text = reading.trace.text
        piece = reading.trace.target.pieces[last_word(reading.trace)[-1]].strip("▁")
        end = text.rfind(piece) + len(piece)
        begin = text.rfind(" ", 0, end) + 1 if " " in text else end - len(piece)
        before, word, after = map(escape_markdown, (text[:begin], text[begin:end], text[end:]))
        return f"{before}:blue-background[{word}]{after}"

    def draw_choice(self, reading: Reading) -> None:
        """Draw the words to hide; the class chooses one."""
        names = [escape_markdown(name) for name in words_removed(reading).names]
        if names:
            key = f"{_PILLS}.{reading.text}"
            st.pills(
                tr("lesson.box_choose"), range(len(names)), default=_place(reading), format_func=names.__getitem__,
                key=key, on_change=_choose, args=(key, reading.text, words_removed(reading).words),
            )  # fmt: skip

    def draw(self, reading: Reading) -> None:
        """Draw the mean of all heads, with the rows of the word in question framed."""
        names, keys = labels(reading)
        mean = average(reading)
        figure = figures.weight_maps(
            (mean.weights,), names, keys, titles=[""], mode=session.mode(), height=views.MAP_HEIGHT
        )
        figure.add_shape(
            type="rect", x0=-0.5, x1=len(keys) - 0.5, y0=mean.rows[0] - 0.5, y1=mean.rows[-1] + 0.5,
            line={"width": 2, "color": palette(session.mode()).ink},
        )  # fmt: skip
        views.show(figure, "average")
        row = mean.weights[mean.rows].mean(0)  # (S,)
        word = "".join(chip_text(reading.trace.target.pieces[step]) for step in mean.rows)
        key = int(row.argmax())
        st.caption(tr("lesson.average", row=word, word=keys[key], most=float(row[key]), least=float(row.min())))

    def draw_below(self, reading: Reading) -> None:
        """All blocks of the model."""
        st.caption(tr("lesson.box_map"))
        model_map.draw(reading, last_word(reading.trace)[-1])

    def pictures(self, reading: Reading) -> Pictures:
        """The mean map; the sheet has the words of both sentences to connect with lines."""
        mean, (rows, columns) = average(reading), labels(reading)
        before = drawings.weight_map(mean.weights, rows, columns, kind="cross", write=write, framed=mean.rows)
        blank = drawings.two_lines(*(_words(text) for text in (reading.trace.source_text, reading.trace.text)))
        return Pictures(before, views.translations(reading, views.read_with(reading, _hide_word(reading))), blank)

    def head(self, reading: Reading) -> tuple[int, int]:
        """The head with the sharpest rows."""
        return views.sharpest_head(reading)


def _place(reading: Reading) -> int:
    """Index of the word to hide: the chosen one, else the one that the last word attends to most."""
    words = words_removed(reading).words
    if is_changed() and (blocked := reading.selection.interventions.blocked_keys):
        return next((place for place, word in enumerate(words) if blocked[0].key in word), 0)
    text, place = session.recall(_CHOSEN, lambda: ("", 0))
    if text == reading.text and place < len(words):
        return place
    mean = average(reading)
    row = mean.weights[mean.rows].mean(0)  # (S,)
    return max(range(len(words)), key=lambda i: float(row[words[i].start : words[i].stop].sum()), default=0)


def _hide_word(reading: Reading) -> Interventions:
    words = words_removed(reading).words
    return hide_from_decoder(words[_place(reading)]) if words else Interventions()


def _choose(key: str, text: str, words: tuple[range, ...]) -> None:
    """Store the chosen word; where one is already hidden, hide this one instead."""
    place = session.widget_value(key)
    if not isinstance(place, int) or place >= len(words):
        return
    session.remember(_CHOSEN, (text, place))
    if is_changed():
        session.intervene(hide_from_decoder(words[place]))


def _last(reading: Reading) -> str:
    """The word that the question asks about."""
    trace = cache.translate(reading.bundle, reading.text)
    return "".join(chip_text(trace.target.pieces[step]) for step in last_word(trace)).strip("▁")


def _words(text: str) -> list[str]:
    """Words to connect with lines; characters where the language has no spaces."""
    return text.split() if " " in text else list(text)


SCENE = Box(
    name="box", right=0, page="explore", minutes=4, short_minutes=4,
    terms=("encoder", "decoder", "source", "token", "weight", "head"), needs=(vocabulary, translation),
    measured=measured_effect,
)  # fmt: skip
