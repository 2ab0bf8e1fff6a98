"""The interface of a scene of the lesson; ``scenes/`` has a module for each scene."""

import dataclasses
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from model.bundle import Bundle
from model.interpret.recording import activation_names as names_of
from model.interventions import AttentionKind
from model.teaching.measured.claims import shows_effect, visibility
from model.teaching.sentences import scene_sentence
from viz import cache
from viz.i18n import tr
from viz.lesson.choices import TRIES
from viz.lesson.views import Act, Pictures, chances, texts
from viz.panels import errors
from viz.panels.opening import is_read
from viz.panels.reading import Reading, is_alone
from viz.panels.votes import heading
from viz.plain_text import escape_markdown
from viz.state.view_state import ViewState

Need = Callable[[Bundle], str]
"""Key of what a model lacks; empty where it lacks nothing."""


def sentence(bundle: Bundle) -> str:
    """A source of words."""
    return "" if bundle.picture is None else "lesson.need_sentence"


def vocabulary(bundle: Bundle) -> str:
    """A tokenizer of sentences."""
    return sentence(bundle) or (
        "lesson.need_words" if bundle.source_tokenizer is None and bundle.target_tokenizer is None else ""
    )


def translation(bundle: Bundle) -> str:
    """An encoder and a decoder."""
    return sentence(bundle) or ("lesson.need_translation" if is_alone(bundle) else "")


def named_activations(bundle: Bundle) -> str:
    """Layers of this program, whose values have names."""
    return "" if names_of(bundle) else "lesson.need_own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One scene; its words are ``lesson.<name>_…``.

    Each scene is the only instance of a subclass, which overrides the methods below where it differs.
    """

    name: str
    """Must not change: links and votes contain it."""
    right: int
    """Which option is right, from 0."""
    page: str
    """The page where readers explore the same subject freely."""
    minutes: int
    short_minutes: int = 0
    """In the short route; 0 leaves the scene out."""
    terms: tuple[str, ...] = ()
    """Glossary terms (``first.forms_<term>``) that it introduces. A term appears in two scenes where a route leaves out
    the first of them."""
    needs: tuple[Need, ...] = (translation,)
    """What the model must have, most important first."""
    compares: str = "mean"
    """How the probabilities before and after are compared: the "mean" per token, or that of the "whole" translation,
    needed where the length changes; empty where the change is not visible in the translation."""
    is_of_the_view: bool = False
    """Whether the change affects only the scene's own view, and no other page."""
    measured: Callable[[Reading], str] | None = None
    """The effect of the change, as a sentence with numbers."""
    arrive: Callable[[Reading], None] | None = None
    """Called before drawing, once the class has voted."""
    phone_text: str = "done"
    """The text on the change for the phones: "seen" where "done" refers to the teacher's page."""
    lines: int = 2
    """Lines to write on for its task on the worksheet; 2 where a picture is filled in."""
    reads_sentence: bool = True
    """Whether it is about the sentence on the stage, which sheets and slides then quote."""
    kind: AttentionKind = "cross"
    """What the explorer on the phones shows, the encoder's attention or the cross-attention."""
    legacy_restored_fields: tuple[str, ...] = ()
    """Shared choices restored to the default for links of earlier versions, which do not say what was replaced."""

    @property
    def title(self) -> str:
        """Key of its title."""
        return f"lesson.{self.name}_title"

    @property
    def question(self) -> str:
        """Key of its question."""
        return f"lesson.{self.name}_question"

    @property
    def options(self) -> str:
        """Key of its options, separated by ``|``."""
        return f"lesson.{self.name}_options"

    def words(self, part: str) -> str:
        """Key of the text on its change ("try", "done", "seen")."""
        return f"lesson.{self.name}_{part}"

    def draw(self, reading: Reading) -> None:
        """Draw what it shows once the class has voted."""
        raise NotImplementedError

    def change(self, reading: Reading) -> None:
        """Make the scene's change; nothing where only the view changes."""

    def named(self, reading: Reading) -> dict[str, object]:
        """Arguments of the texts that name what the change affects."""
        return {}

    def numbers(self, reading: Reading, n_tried: int | None = TRIES) -> dict[str, object]:
        """The measured numbers in its explanation, after ``n_tried`` heads; None where none can be tried."""
        return {}

    def question_translation(self, reading: Reading) -> str:
        """The translation that stands beside the question, as Markdown."""
        return escape_markdown(reading.trace.text)

    def draw_question(self, reading: Reading) -> None:
        """Draw what the question is about."""
        heading(reading.text, level=3)
        if reading.trace.text:
            st.subheader(f"→ {self.question_translation(reading)}", anchor=False)

    def about(self, reading: Reading) -> tuple[str, str]:
        """What the phones' question is about: a sentence or a picture's text form, and its translation or reading."""
        return reading.trace.source_text, reading.trace.text

    def allows(self, reading: Reading) -> bool:
        """Whether the sentence has the features that the scene's texts refer to."""
        return True

    def has_caption(self, reading: Reading) -> bool:
        """Whether the caption on what to look at stands above the view."""
        return self.allows(reading)

    def draw_choice(self, reading: Reading) -> None:
        """Draw what is chosen before the change, above its button."""

    def has_button(self) -> bool:
        """Draw the scene's own button if it has one, and return whether it does."""
        return False

    def compared(self, before: Reading, reading: Reading) -> tuple[str, str, str] | None:
        """Two texts to compare and a note on them; None where there are none."""
        if not self.compares:
            return None
        return before.trace.text, reading.trace.text, self.sureness(before, reading)

    def sureness(self, before: Reading, reading: Reading) -> str:
        """How probable the model finds the translations before and after the change."""
        log_probs = (version.trace.log_probs for version in (before, reading))
        is_whole = self.compares == "whole"
        old, now = chances(*(math.exp(float(values.sum() if is_whole else values.mean())) for values in log_probs))
        return tr("lesson.sure_whole" if is_whole else "lesson.sure", before=old, after=now)

    def more(self, before: Reading) -> str:
        """A paragraph after the explanation, on the translation before the change."""
        return ""

    def draw_below(self, reading: Reading) -> None:
        """Draw what stands at the end once the scene is explained."""

    def finding(self, reading: Reading) -> str:
        """The measured result that the class looks for, for the teacher."""
        return ""

    def shows(self, reading: Reading) -> bool | None:
        """Whether its experiment works on the class's sentence; None for its own, and where that cannot be measured."""
        text = reading.text
        if text == sentence_of(self.name, reading.bundle):
            return None
        with suppress(*errors.USER_ERRORS):
            return cache.compute(shows_effect, reading.bundle, name=self.name, text=text)
        return None

    def changed_text(self, text: str) -> str:
        """The sentence after the change."""
        return text

    def outcome(self, reading: Reading) -> str:
        """The measured effect of the change on the sentence, for the sheets; empty where a picture shows it."""
        if self.measured is not None:
            return self.measured(reading)
        text = reading.text
        return cache.compute(visibility, reading.bundle, name=self.name, text=text).outcome if self.compares else ""

    def pictures(self, reading: Reading) -> Pictures:
        """Its pictures for slides and worksheets, on the unchanged sentence; raises as the page does."""
        return Pictures()

    def act(self, before: Reading, reading: Reading) -> Act | None:
        """The experiment for the screens of a class; None where the sentence shows none."""
        return texts(before, reading)

    def head(self, reading: Reading) -> tuple[int, int] | None:
        """The cross-attention head (layer, head) that it is about; None for the chosen one."""
        return None

    def on_phones(self, reading: Reading, now: ViewState) -> ViewState:
        """The state of the explorer on the phones."""
        if self.kind == "encoder_self":
            return dataclasses.replace(now, kind=self.kind, heads=())
        if reading.trace.attention.cross is None:
            return now
        layer, head = self.head(reading) or (now.layer, now.head)
        return dataclasses.replace(now, kind="cross", layer=layer, head=head, heads=())


def sentence_of(name: str, bundle: Bundle) -> str:
    """A scene's own sentence; empty where none was chosen for the model's language, or the model cannot read it."""
    text = scene_sentence(bundle, name)
    return text if is_read(bundle, text) else ""
