"""The scenes in order, the one change that each proposes, and moving from scene to scene."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from model import NONE, BlockedKey, HeadAblation, Interventions, PositionEdit
from model.bundle import Bundle
from model.interpret.ablation import without_layer
from model.interpret.recording import activation_names as names_of
from model.intervention_text import read_interventions, write_interventions
from model.teaching.experiments import (
    focused_head,
    has_mark,
    layer_to_switch_off,
    token_to_hide,
    with_doubled_word,
    with_other_end,
)
from model.teaching.sentences import FIRST, collection, collection_for, collections, scene_sentence
from model.text.language_codes import main_language
from viz import cache
from viz.lesson.links import one_scene, some_scenes, votes
from viz.lesson.questions import Question, question_named
from viz.panels.opening import EXAMPLES, is_read, own_texts
from viz.panels.reading import Reading, is_alone
from viz.state import session
from viz.state.rules import from_params, names, numbers, one_of, to_params, words, yes_no
from viz.state.selection import DEFAULT_TEXT, Selection

BEAM_SIZE = 4
"""Unfinished translations that the scene on beam search keeps."""
AREA = "lesson"
TIE = 3
"""Stands for the class's option where two have as many votes."""
_RESTORED = ("method", "beam_size", "rows", "prefix", "pins", "zoom")
"""Shared choices that a change may replace and that its undoing restores."""
Need = Callable[[Bundle], str]
"""Key of what a model lacks; empty where it lacks nothing."""


def _words(bundle: Bundle) -> str:
    return "lesson.need_words" if bundle.source_tokenizer is None and bundle.target_tokenizer is None else ""


def _translation(bundle: Bundle) -> str:
    return "lesson.need_translation" if is_alone(bundle) else ""


def _own_layers(bundle: Bundle) -> str:
    return "" if names_of(bundle) else "lesson.need_own"


def _source_positions(bundle: Bundle) -> str:
    return "positions.no_positions" if bundle.config.positions == "none" else ""


def _division(bundle: Bundle) -> str:
    return "" if bundle.config.score_scale is None else "lesson.need_scale"


@dataclass(frozen=True, slots=True)
class Choices:
    """Where the class is; all of it travels in the link."""

    scene: int = one_scene()
    route: str = one_of("full", "short")
    votes: tuple[int, ...] = votes()
    """For each scene the option voted for, counted from 1; 0 before the vote."""
    explained: tuple[int, ...] = some_scenes()
    """Scenes whose explanation was opened."""
    changed: bool = yes_no()
    """Whether this scene's change is active."""
    is_late: bool = yes_no()
    """Whether the change was made after the explanation."""
    before: str = words(longest=2_000)
    """The sentence before the change."""
    before_edits: str = words(longest=2_000)
    """The interventions before the change, as in a link."""
    altered: tuple[str, ...] = names()
    """Shared choices that the change replaced, besides the sentence and the interventions."""
    earlier: str = words(longest=4_000)
    """What they were before, as link parameters."""
    tried: tuple[int, ...] = numbers()
    """Heads tried in the hunt, as layer × heads + head."""
    claim: str = words(longest=300)
    run: str = words(longest=64)
    """The training run of the scene on training."""

    def vote(self, number: int) -> int | None:
        """The option voted for in a scene, from 0; ``TIE`` when the class was divided, None before the vote."""
        voted = self.votes[number] if number < len(self.votes) else 0
        return voted - 1 if 0 < voted <= TIE + 1 else None


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene; its words are ``lesson.<name>_…``."""

    question: Question
    page: str
    """The page where the same thing can be done freely."""
    minutes: int
    change: Callable[[Reading], None] | None = None
    """Makes the one change; None where the view itself changes."""
    short_minutes: int = 0
    """In the short route; 0 leaves the scene out."""
    terms: tuple[str, ...] = ()
    """Terms of the glossary (``first.forms_<term>``) that it introduces. A route may not use those of a scene that it
    leaves out, so a term stands twice where a route leaves out the first scene that needs it."""
    needs: tuple[Need, ...] = (_translation,)
    """What the model must have, the most telling first."""
    compares: str = "mean"
    """How sure the model is of both translations: by the "mean" of a token or as a "whole", which a mean would hide
    where the length changes; empty where the change is seen elsewhere than in the translation."""
    said_on_phones: str = "done"
    """Its text on the change for the phones: "seen" where "done" speaks of the teacher's page."""
    lines: int = 2
    """Lines to write on for its task on the worksheet; 2 where a picture is filled in."""
    formerly: tuple[str, ...] = ()
    """Shared choices restored to the default for links of earlier versions, which do not say what was replaced."""

    @property
    def name(self) -> str:
        """As in its words."""
        return self.question.id


def scenes_of(route: str) -> tuple[int, ...]:
    """Numbers of a route's scenes, from 0."""
    return tuple(i for i, scene in enumerate(SCENES) if route == "full" or scene.short_minutes)


def minutes_of(scene: Scene, route: str) -> int:
    """How long a scene takes on a route."""
    return scene.short_minutes if route == "short" and scene.short_minutes else scene.minutes


def sentence_of(scene: Scene, bundle: Bundle) -> str:
    """The scene's own sentence; empty where none was chosen for the model's language, or the model cannot read it."""
    text = scene_sentence(bundle, scene.name)
    return text if is_read(bundle, text) else ""


def tried_elsewhere(reading: Reading) -> str:
    """Key of what to say where the lesson was made with another model than the one in use; empty otherwise."""
    if collection(FIRST).is_tried_on(reading.bundle):
        return ""
    chosen = collection_for(reading.bundle)
    return "lesson.tried_here" if chosen and chosen.is_tried_on(reading.bundle) else "lesson.tried_elsewhere"


def words_of(scene: Scene, part: str, text: str) -> str:
    """Key of the text on a scene's change, which differs for a sentence that ends without punctuation."""
    return f"lesson.{scene.name}_{part}{'_add' if scene.name == 'box' and not has_mark(text) else ''}"


def go(number: int, reading: Reading) -> None:
    """Open a scene: the change of the one before is undone, and its sentence is put on the stage."""
    put_back()
    session.change_part(Choices, AREA, scene=number, tried=())
    if is_ours(session.read().text, reading.bundle):
        take_sentence(number, reading.bundle)


def take_sentence(number: int, bundle: Bundle) -> None:
    """Put the scene's own sentence on the stage."""
    wanted = sentence_of(SCENES[number], bundle)
    if wanted and (wanted != session.read().text or not session.is_chosen("text")):
        session.new_sentence(wanted)  # the default one too: a page that nobody has chosen a text for shows another


def is_ours(text: str, bundle: Bundle) -> bool:
    """Whether the sentence was not typed by the reader."""
    language = main_language(bundle.source_language or "en")
    ours = {
        DEFAULT_TEXT,
        *EXAMPLES.get(language, ()),
        *(text for each in collections() for text in each.scenes.values()),
        *(each.front.text for each in collections() if each.front is not None),
    }
    return text in ours or text in own_texts(bundle)


def make(scene: Scene, reading: Reading) -> None:
    """Make the scene's change, remembering in the link how it was before."""
    before = session.read()
    if scene.change is not None:
        scene.change(reading)
    now = session.read()
    altered = tuple(name for name in _RESTORED if getattr(now, name) != getattr(before, name))
    earlier = to_params(dataclasses.replace(Selection(), **{name: getattr(before, name) for name in altered}))
    session.change_part(
        Choices, AREA, changed=True, is_late=_is_explained(), before=reading.fitted.text,
        before_edits=write_interventions(reading.selection.interventions), altered=altered, earlier=urlencode(earlier),
    )  # fmt: skip


def _is_explained() -> bool:
    choices = session.choices_of(Choices, AREA)
    return choices.scene in choices.explained


def put_back() -> None:
    """Undo this scene's change, if it is active."""
    choices = session.choices_of(Choices, AREA)
    if not choices.changed:
        return
    scene = SCENES[choices.scene]
    session.change_part(
        Choices, AREA, changed=False, is_late=False, before="", before_edits="", altered=(), earlier="", tried=()
    )  # fmt: skip
    if choices.before and choices.before != session.read().text:
        session.new_sentence(choices.before)
    session.intervene(read_interventions(choices.before_edits))
    earlier = from_params(Selection, dict(parse_qsl(choices.earlier, keep_blank_values=True)))
    altered = set(choices.altered) & set(_RESTORED) or scene.formerly
    session.change(**{name: getattr(earlier, name) for name in altered})


def find_scene(name: str) -> Scene:
    """The scene of a name."""
    return next(scene for scene in SCENES if scene.name == name)


def lacking(scene: Scene, reading: Reading) -> str:
    """Key of what the model in use lacks for a scene; empty where it lacks nothing."""
    return next((missing for need in scene.needs if (missing := need(reading.bundle))), "")


def _other_end(reading: Reading) -> None:
    session.new_sentence(with_other_end(reading.fitted.text))


def _double_longest(reading: Reading) -> None:
    session.new_sentence(with_doubled_word(reading.fitted.text))


def _no_positions(reading: Reading) -> None:
    _with(reading, source_positions=PositionEdit("zero"))


def _layer_off(reading: Reading) -> None:
    layer = cache.compute(layer_to_switch_off, reading.bundle, text=reading.fitted.text)
    session.intervene(without_layer(reading.bundle, NONE, "cross", layer))


def _hide_word(reading: Reading) -> None:
    hidden = cache.compute(token_to_hide, reading.bundle, text=reading.fitted.text)
    _with(reading, blocked_keys=(BlockedKey("encoder_self", hidden),))


def _relabel(reading: Reading) -> None:
    session.change(rows="fed" if reading.selection.rows == "predicted" else "predicted")


def _beam(reading: Reading) -> None:
    session.change(method="beam", beam_size=BEAM_SIZE)


def _head_off(reading: Reading) -> None:
    place = focused_head(reading.trace.attention.cross)
    if place is not None:
        session.change_part(Choices, AREA, tried=(place[0] * reading.bundle.config.n_decoder_heads + place[1],))
        _with(reading, heads_off=(HeadAblation("cross", *place),))


def _claimed_head_off(reading: Reading) -> None:
    selection = reading.selection
    _with(reading, heads_off=(HeadAblation(selection.kind, selection.layer, selection.head),))


def _with(reading: Reading, **fields: object) -> None:
    session.intervene(dataclasses.replace(Interventions(), **fields))


SCENES: tuple[Scene, ...] = (
    Scene(
        question_named("box"), "explore", 4, _other_end, short_minutes=4,
        terms=("encoder", "decoder", "source", "token", "weight", "head"), needs=(_words, _translation),
    ),
    Scene(
        question_named("pieces"), "laboratory", 4, _double_longest, short_minutes=4, terms=("vector", "embedding"),
        needs=(_words,), lines=5,
    ),
    Scene(
        question_named("positions"), "positions", 7, _no_positions, short_minutes=6,
        needs=(_translation, _source_positions),
    ),
    Scene(
        question_named("head"), "inside", 9, short_minutes=8, terms=("query", "softmax"),
        needs=(_translation, _division), compares="", lines=5,
    ),
    Scene(question_named("heads"), "explore", 6, _layer_off, terms=("layer", "cross"), lines=3),
    Scene(
        question_named("layer"), "inside", 8, short_minutes=6, terms=("layer", "residual", "feed_forward"),
        needs=(_translation, _own_layers), compares="",
    ),
    Scene(question_named("encoder"), "explore", 6, _hide_word, terms=("cosine",), lines=3),
    Scene(
        question_named("mask"), "laboratory", 5, terms=("mask",), needs=(_translation, _own_layers), compares="",
    ),
    Scene(
        question_named("loss"), "laboratory", 7, short_minutes=6, terms=("loss", "nat", "gradient"),
        needs=(_translation, _own_layers), compares="", lines=3,
    ),
    Scene(
        question_named("cross"), "explore", 7, _relabel, short_minutes=5, terms=("cross", "sink"), compares="",
        lines=3, formerly=("rows",),
    ),
    Scene(
        question_named("beam"), "decode", 7, _beam, terms=("logit", "greedy"), compares="whole",
        said_on_phones="seen", lines=3, formerly=("method",),
    ),
    Scene(question_named("train"), "fine_tune", 7, compares="", said_on_phones="seen"),
    Scene(
        question_named("explain"), "decode", 9, _head_off, short_minutes=6, terms=("log_prob",), compares="whole",
        lines=4,
    ),
    Scene(question_named("share"), "explore", 4, _claimed_head_off, compares="", lines=5),
)  # fmt: skip
