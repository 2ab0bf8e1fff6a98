"""The open scene: its sentence, its change and undoing the change, and its experiment for the screens of a class."""

import dataclasses
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode

from model.bundle import Bundle
from model.intervention_text import read_interventions, write_interventions
from model.teaching.sentences import FIRST, collection, collection_for
from viz.i18n import in_each_language, tr
from viz.lesson.choices import AREA, Choices
from viz.lesson.scene import Scene, sentence_of
from viz.lesson.scenes import SCENES
from viz.lesson.views import Act
from viz.panels import errors
from viz.panels.opening import is_ours
from viz.panels.reading import Reading, prepare_input, read_under
from viz.state import session
from viz.state.rules import from_params, to_params
from viz.state.selection import Selection

_RESTORED = ("method", "beam_size", "rows", "prefix", "pins", "zoom")
"""Shared choices that a change may replace and that its undoing restores."""


def open_scene() -> Scene:
    """The scene that is open."""
    return SCENES[session.choices_of(Choices, AREA).scene]


def scenes_of(route: str) -> tuple[int, ...]:
    """Numbers of a route's scenes, from 0."""
    return tuple(i for i, scene in enumerate(SCENES) if route == "full" or scene.short_minutes)


def place_of(number: int, route: str) -> tuple[int, int]:
    """The scene's number on a route, from 1, and the route's length; an open scene that is not on the route counts."""
    numbers = sorted({*scenes_of(route), number})
    return numbers.index(number) + 1, len(numbers)


def minutes_of(scene: Scene, route: str) -> int:
    """How long a scene takes on a route."""
    return scene.short_minutes if route == "short" and scene.short_minutes else scene.minutes


def tried_elsewhere(reading: Reading) -> str:
    """Key of a note where the lesson was written with another model than the one in use; else empty."""
    if collection(FIRST).is_tried_on(reading.bundle):
        return ""
    chosen = collection_for(reading.bundle)
    return "lesson.tried_here" if chosen and chosen.is_tried_on(reading.bundle) else "lesson.tried_elsewhere"


def go(number: int, reading: Reading) -> None:
    """Undo the current scene's change, open another scene and put its sentence on the stage."""
    undo_change()
    session.change_part(Choices, AREA, scene=number, tried=())
    if is_ours(session.read().text, reading.bundle):
        take_sentence(number, reading.bundle)


def take_sentence(number: int, bundle: Bundle) -> None:
    """Put the scene's own sentence on the stage."""
    text = sentence_of(SCENES[number].name, bundle)
    if text and (text != session.read().text or not session.is_chosen("text")):
        session.new_sentence(text)  # the default one too: a page that nobody has chosen a text for shows another


def make(scene: Scene, reading: Reading) -> None:
    """Make the scene's change, and store the state before it in the link."""
    old = session.read()
    scene.change(reading)
    new = session.read()
    choices = session.choices_of(Choices, AREA)
    altered = tuple(name for name in _RESTORED if getattr(new, name) != getattr(old, name))
    earlier = to_params(dataclasses.replace(Selection(), **{name: getattr(old, name) for name in altered}))
    session.change_part(
        Choices, AREA, changed=True, is_late=choices.scene in choices.explained, before=reading.selection.text,
        made_on=_name(reading),
        before_edits=write_interventions(reading.selection.interventions), altered=altered, earlier=urlencode(earlier),
    )  # fmt: skip


def undo_change(*, keeps_text: bool = False) -> None:
    """Undo this scene's change, if it is active; ``keeps_text`` where the class has chosen another sentence."""
    choices = session.choices_of(Choices, AREA)
    if not choices.changed:
        return
    earlier = _earlier(choices)
    session.change_part(
        Choices, AREA, changed=False, is_late=False, before="", made_on="", before_edits="", altered=(), earlier="",
        tried=(),
    )  # fmt: skip
    if choices.before and choices.before != session.read().text and not keeps_text:
        session.new_sentence(choices.before)
    session.intervene(read_interventions(choices.before_edits))
    session.change(**earlier)


def follow(reading: Reading) -> bool:
    """Undo the change where the class has since chosen another sentence or model, because it names words and heads of
    the old ones. Returns whether something was undone, which makes the reading out of date."""
    choices = session.choices_of(Choices, AREA)
    if not (choices.changed and choices.before and choices.made_on):
        return False
    expected = prepare_input(reading.bundle, SCENES[choices.scene].changed_text(choices.before)).text
    is_same_text = reading.text == expected
    if is_same_text and choices.made_on == _name(reading):
        return False
    undo_change(keeps_text=not is_same_text)
    return True


def _name(reading: Reading) -> str:
    return reading.bundle.fingerprint[:16]


def _earlier(choices: Choices) -> dict[str, Any]:
    """The shared choices that the change replaced, with their previous values."""
    earlier = from_params(Selection, dict(parse_qsl(choices.earlier, keep_blank_values=True)))
    altered = set(choices.altered) & set(_RESTORED) or SCENES[choices.scene].legacy_restored_fields
    return {name: getattr(earlier, name) for name in altered}


def before(choices: Choices, reading: Reading) -> Reading:
    """The reading before the scene's change."""
    text = choices.before or reading.selection.text
    decoding = {name: value for name, value in _earlier(choices).items() if name in ("method", "beam_size")}
    selection = dataclasses.replace(
        reading.selection, text=text, interventions=read_interventions(choices.before_edits),
        prefix=reading.selection.prefix if text == reading.selection.text else (), **decoding,
    )  # fmt: skip
    return read_under(reading.bundle, selection) or reading


def lacking(scene: Scene, reading: Reading) -> str:
    """Key of what the model in use lacks for a scene; empty where it lacks nothing."""
    return next((missing for need in scene.needs if (missing := need(reading.bundle))), "")


def experiment(reading: Reading) -> Act | None:
    """The open scene's experiment, with ``said`` (its sentence), ``measured`` (where the scene measures one) and
    ``titles`` (its two headings) by language. None before the change is made, and where the model lacks something it
    needs."""
    choices, scene = session.choices_of(Choices, AREA), open_scene()
    if not choices.changed or choices.vote(choices.scene) is None:
        return None
    with suppress(*errors.USER_ERRORS):
        act = scene.act(before(choices, reading), reading)
        if act is not None:
            titles = act.pop("titles", ("lesson.act_before", "lesson.act_after"))
            words = scene.words(scene.phone_text)
            caption = in_each_language(lambda: tr(words, **scene.named(reading)))
            if (measured := scene.measured) is not None:
                act["measured"] = in_each_language(lambda: measured(reading))
            return act | {"said": caption, "titles": in_each_language(lambda: [tr(key) for key in titles])}
    return None
