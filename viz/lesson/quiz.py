"""Questions for the phones: one of each scene, the quiz before the lesson and the one after it."""

from viz.i18n import in_all_languages
from viz.lesson.moving import scenes_of
from viz.lesson.scenes import SCENES
from viz.rooms.questions import Item, Question

QUIZ = {
    "tokens": (1, 0, 2), "dot": (2, 0, 1), "softmax": (0, 2, 1), "rest": (1, 2, 0), "mask": (2, 0, 1),
    "cross": (0, 1, 2), "order": (1, 2, 0), "beam": (1, 0, 2), "training": (0, 2, 1), "off": (2, 1, 0),
}  # fmt: skip
"""Quiz questions, and the order in which their options are shown; in the catalogue the first is the right one."""


SCENES_OF = {
    "tokens": "pieces", "dot": "head", "softmax": "head", "rest": "box", "mask": "mask", "cross": "cross",
    "order": "positions", "beam": "beam", "training": "loss", "off": "explain",
}  # fmt: skip
"""The scene in which the class learns the answer."""


def quiz(offer: str, route: str = "full") -> tuple[Item, ...]:
    """The questions before or after the lesson; both ask about the same subjects in different words. Questions of
    scenes outside the route are left out: ten remain in the full route, nine in the short one."""
    time, scene_names = offer.partition(".")[2], {SCENES[number].name for number in scenes_of(route)}
    return tuple(
        _item(name, f"quiz.{name}_{time}", order) for name, order in QUIZ.items() if SCENES_OF[name] in scene_names
    )


def _item(name: str, key: str, order: tuple[int, ...]) -> Item:
    unknown = in_all_languages("quiz.unknown")
    options: dict[str, tuple[str, ...]] = {
        code: (*(words.split("|")[i] for i in order), unknown[code])
        for code, words in in_all_languages(f"{key}_options").items()
    }
    return Item(
        id=name,
        words=in_all_languages(key),
        options=options,
        right=order.index(0),
        why=in_all_languages(f"quiz.{name}_why"),
        about=in_all_languages(f"quiz.{name}"),
    )


def of_scene(scene: str, name: str) -> Question | None:
    """A scene's question for the phones, in all languages, under this id; None for an unknown scene."""
    found = next((candidate for candidate in SCENES if candidate.name == scene), None)
    if found is None:
        return None
    options = {code: tuple(words.split("|")) for code, words in in_all_languages(found.options).items()}
    why = in_all_languages(f"lesson.{scene}_answer")
    return Question(
        id=name, words=in_all_languages(found.question), options=options, n=len(options["en"]), right=str(found.right),
        why=why,
    )  # fmt: skip
