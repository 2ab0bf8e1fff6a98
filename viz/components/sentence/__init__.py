"""The sentence and its translation as tokens, at the top of every page, with the box to write another."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from model.interventions import AttentionKind
from viz.components.source import Source
from viz.i18n import LANGUAGES, catalogue, group, speaking
from viz.theme import in_both_modes

SOURCE = Source("sentence", "component.js", shared_sheets=("pad/pad.css", "share/share.css", "stage/stage.css"))
TERMS = (
    "cross", "sink", "log_prob", "nat", "query", "embedding", "greedy", "residual", "feed_forward", "softmax", "logit",
    "entropy", "mask", "loss", "gradient", "cosine", "encoder", "decoder", "head", "layer", "weight", "vector", "token",
    "source",
)  # fmt: skip
"""Of the glossary, in the order in which a label explains those that it holds."""
READING_ORDER = (
    "token", "source", "vector", "embedding", "encoder", "decoder", "layer", "head", "weight", "query", "softmax",
    "mask", "cross", "residual", "feed_forward", "cosine", "sink", "logit", "log_prob", "loss", "nat", "gradient",
    "entropy", "greedy",
)  # fmt: skip
"""The order in which the glossary is read."""


def _glossary() -> str:
    """What each term means in every language, as JavaScript (``menu.js``)."""
    terms = {}
    for language in LANGUAGES:
        words = catalogue(language)
        terms[language] = [[words[f"first.forms_{term}"].split("|"), words[f"first.about_{term}"]] for term in TERMS]
    order = [TERMS.index(term) for term in READING_ORDER]
    return (
        f"\nObject.assign(GLOSSARY, {json.dumps(terms, ensure_ascii=False)});"
        f"\nREADING_ORDER.push(...{json.dumps(order)});\n"
    )


def _tour() -> str:
    """The words of the tour in every language, as JavaScript (``tour.js``)."""
    spoken = {}
    for language in LANGUAGES:
        with speaking(language):
            words = group("first")
        spoken[language] = {name.removeprefix(_TOUR): text for name, text in words.items() if name.startswith(_TOUR)}
    return f"\nObject.assign(TOUR, {json.dumps(spoken, ensure_ascii=False)});\n"


_TOUR = "tour_"
_render = SOURCE.mount(_glossary() + _tour())


@dataclass(frozen=True, slots=True)
class Chip:
    """One token as it is drawn."""

    text: str
    title: str = ""
    continues: bool = False
    """Not the first piece of its word."""
    goes_on: bool = False
    """Not the last piece of its word."""
    special: bool = False
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Spoken:
    """A translation word by word."""

    words: tuple[str, ...]
    shares: tuple[float, ...]
    """The probability of each word, 0 to 1: the product of its tokens'."""
    joiner: str
    """What stands between two words."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A translation and one head of its cross-attention, as the shared loop of a change draws them."""

    source: tuple[str, ...]
    """S pieces."""
    target: tuple[str, ...]
    """T pieces."""
    target_ids: tuple[int, ...]
    weights: str
    """Of the head, (T, S), as bytes (0 to 255 for 0 to 1) in base64."""


@dataclass(frozen=True, slots=True)
class SharedChange:
    """A change and what it does, as it is shared."""

    changes: str
    """What is changed, in words."""
    before: Scene
    after: Scene
    is_off: bool
    """Whether the head that is shown is switched off."""
    only_head: str
    """Its name, where that is the whole change; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnStage:
    """Everything that is on the stage."""

    text: str
    """A sentence, or the text form of a picture."""
    reads_pictures: bool = False
    """Whether the model reads pictures: a pad stands in place of the box."""
    strip: int = 0
    """Width of a picture's strips in pixels; 0 without a picture."""
    reads_files: str = ""
    """"picture" or "sound" where the model reads a file of that kind, which is dropped in place of the box."""
    grid: dict[str, Any] | None = None
    """What is shown of it: ``picture`` (a data: URL), its ``height`` and ``width``, ``rows`` and ``columns`` of
    tokens, and ``before``, the tokens that stand before the first and have no place."""
    source: tuple[Chip, ...]
    """Empty when there is no sentence; then the box is open."""
    target: tuple[Chip, ...]
    source_label: str
    target_label: str
    source_language: str
    target_language: str
    notice: str
    announcement: str
    """What a screen reader hears when the translation arrives."""
    suggestions: tuple[tuple[str, str], ...]
    """Sentences to try, each with what it shows, or ""."""
    suggestions_about: str
    """What holds for all of them; may be empty."""
    recent: tuple[str, ...]
    """Earlier sentences of this visit."""
    invitation: str
    """What stands in the empty box."""
    is_hidden: bool
    """Whether the page shows nothing of the sentence: only the tools are drawn, and Back and Forward still work."""
    has_tools: bool
    """Whether the page has a menu of its own at the end of the row of tools."""
    verdict: dict[str, Spoken] | None
    """The translation ``before`` and ``after`` the changes in force; None where nothing is changed."""
    shared: SharedChange | None
    """The change in force, where the page offers to share it with a picture."""
    surprise: dict[str, Any] | None
    """The heads without which the translation is another (``changing``: layer, head, translation; empty until they were
    measured), the translation (``text``), what is measured (``of``, as the explorer names it) and the number that
    counting begins with (``first``); None where nothing is offered."""
    has_outcome: bool
    """Whether the page keeps a place for what a change does, so that nothing moves when there is one."""
    kind: AttentionKind
    presenter: bool
    page: str
    """Which page the stage stands on."""
    language: str
    """Of the interface: what the page is read aloud in."""
    words: dict[str, str]


def sentence(
    stage: OnStage, *, key: str, on_text: Callable[[], None], on_address: Callable[[], None], on_act: Callable[[], None]
) -> Any:
    """Draw the stage; returns what the reader has just sent, as ``text``, ``address`` and ``act``; None if not sent.

    In the first run of another page they are set here, while the callbacks find no value yet.

    Args:
        on_text: called when the reader has written another sentence, which is sent as ``text``.
        on_address: called when the reader has gone back or forward; the address's parameters are sent as ``address``.
        on_act: called when the reader switches the offered head off, or undoes a change; it is sent as ``act``.
    """
    chips = {side: [_non_empty(chip) for chip in getattr(stage, side)] for side in ("source", "target")}
    data = asdict(stage) | chips | {"colours": in_both_modes("warm", "good", "bad")}
    return _render(data=data, key=key, on_text_change=on_text, on_address_change=on_address, on_act_change=on_act)


def _non_empty(chip: Chip) -> dict[str, str | bool]:
    """The fields that are not empty: most tokens are whole words, neither special nor unknown."""
    return {name: value for name, value in asdict(chip).items() if value}
