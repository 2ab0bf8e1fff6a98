"""The open scene's experiment as before and after, for the screens of a class: one picture and one sentence."""

from contextlib import suppress

from viz.i18n import in_each_language, tr
from viz.lesson import moving
from viz.lesson.acts import Act
from viz.lesson.choices import AREA, Choices
from viz.panels import errors
from viz.panels.reading import Reading
from viz.state import session


def experiment(reading: Reading) -> Act | None:
    """The open scene's experiment; None before the change is made, and where the model lacks something it needs.

    Returns:
        The scene's act, with ``said`` (its sentence), ``measured`` (where the scene measures one) and ``titles`` (its
        two headings), each by language.
    """
    choices, scene = session.choices_of(Choices, AREA), moving.open_scene()
    if not choices.changed or choices.vote(choices.scene) is None:
        return None
    with suppress(*errors.USER_ERRORS):
        act = scene.act(moving.before(choices, reading), reading)
        if act is not None:
            titles = act.pop("titles", ("lesson.act_before", "lesson.act_after"))
            words = scene.words(scene.phone_text)
            caption = in_each_language(lambda: tr(words, **scene.named(reading)))
            if (measured := scene.measured) is not None:
                act["measured"] = in_each_language(lambda: measured(reading))
            return act | {"said": caption, "titles": in_each_language(lambda: [tr(key) for key in titles])}
    return None
