"""Checks which shipped sentences still fit a model, and replaces those that do not."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.bundle import Bundle
from model.inference.translation import translate
from model.teaching.choosing import comparable
from model.teaching.experiments import removals, without_mark
from model.teaching.measured.claims import WITH_REFERENCE, visibility
from model.teaching.sentences import Example


@dataclass(frozen=True, slots=True)
class SceneSentence:
    """The sentence of a scene: the present one if everything the scene says holds for it, else the first that fits."""

    text: str
    """Empty where there is none."""
    outcome: str
    """What the experiment shows on it."""
    reference: str = ""
    """A person's translation that differs from the model's, where the scene needs one."""
    lacks: tuple[str, ...] = ()
    """What the scene's previous sentence does not show; empty if it is kept."""


def scene_for(
    bundle: Bundle, scene: str, text: str, texts: Sequence[str], pairs: Mapping[str, Sequence[str]]
) -> SceneSentence:
    """Keep the sentence of a scene, or choose another that shows the same.

    Args:
        text: the scene's present sentence.
        texts: other sentences to try.
        pairs: the references of each source sentence.
    """
    needs_reference = scene in WITH_REFERENCE
    lacks: tuple[str, ...] | None = None
    for each in filter(None, (text, *texts)):
        plain = comparable(translate(bundle, each).text) if needs_reference else ""
        written = pairs.get(each, ()) if needs_reference else ()
        reference = next((known for known in written if comparable(known) != plain), "")
        visible = visibility(bundle, scene, each, reference=reference)
        if visible.is_visible:
            return SceneSentence(each, visible.outcome, reference, lacks or ())
        lacks = visible.lacks if lacks is None else lacks
    return SceneSentence("", "", lacks=lacks or ())


def example_for(bundle: Bundle, example: Example, texts: Sequence[str]) -> Example | None:
    """The gallery's sentence if it still shows its phenomenon.

    For phenomena of the model itself, another sentence may replace it. None if no sentence shows it.
    """
    shows = _OF_ONE_MODEL.get(example.phenomenon)
    if shows is None:
        return example if example.shows in translate(bundle, example.text).text else None
    for text in (example.text, *texts):
        if shows(bundle, example, text):
            translation = translate(bundle, text).text
            shown = example.shows if example.shows in translation else without_mark(translation)
            return dataclasses.replace(example, text=text, shows=shown)
    return None


def _matters(bundle: Bundle, example: Example, text: str) -> bool:
    """Whether a head changes the translation; the named example says that it is one alone."""
    n = len(removals(bundle, text).changing)
    return n == 1 if example.name else n > 0


def _beam_differs(bundle: Bundle, example: Example, text: str) -> bool:
    wide = translate(bundle, text, method="beam", beam_size=4, length_penalty=1.0)
    return wide.text != translate(bundle, text).text


_OF_ONE_MODEL = {"head_matters": _matters, "beam_differs": _beam_differs}
