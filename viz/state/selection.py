"""A reader's choices as frozen values, written into a link and read back; values from a link are always checked.

The fields of ``Selection`` and their rules are also the schema of a link. The page without a server is sent it as JSON
values, and reads and writes its own links by it (viz/components/site/links/link.js), so that a link of the one opens in
the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from model.intervention_text import LETTERS, read_interventions, write_interventions
from model.interventions import KINDS, NONE, AttentionKind, Interventions, PositionMode
from model.patch import Patch
from viz.state.rules import LONGEST_PICTURE, LONGEST_TEXT, Rule, bounded, forms, numbers, one_of, words, yes_no
from viz.state.view_state import ViewState

DEFAULT_TEXT = "The cat is sleeping on the sofa."
MAX_CHARACTERS = LONGEST_TEXT


def _interventions() -> Any:
    rule = Rule(write_interventions, read_interventions)
    return dataclasses.field(default=NONE, metadata={"rule": rule})


@dataclass(frozen=True, slots=True)
class Extent:
    """How many layers and heads of each kind the model in use has; 0 for a kind that it lacks."""

    layers: Mapping[AttentionKind, int]
    heads: Mapping[AttentionKind, int]

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        """The kinds that the model has."""
        return tuple(kind for kind in KINDS if self.layers[kind])


@dataclass(frozen=True, slots=True)
class Selection(ViewState):
    """The choices that all pages share: sentence, model, interventions, and the chosen head and how it is read."""

    model: str = words(longest=128)
    """A name from the model picker; empty for the first one."""
    tokens_of: str = words(longest=128)
    """The model whose tokens the choices name, if it replaces one that is not open here; empty for ``model``."""
    target_language: str = words(longest=16)
    """The target language as the model's own code, if it writes many languages; empty for the model's default."""
    waiting: str = words(longest=4_000)
    """Choices made in ``model`` that are not possible in the model that replaces it, as link parameters."""
    text: str = words(DEFAULT_TEXT, stays=True)
    language: str = words(longest=8)
    """Empty until the reader chooses; then the browser's own language no longer counts."""
    first_index: int = bounded(0, 0, 1)
    """Whether layers and heads are counted from 0, as in code, or from 1."""
    method: str = one_of("greedy", "beam", "sample")
    beam_size: int = bounded(4, 1, 8)
    length_penalty: float = bounded(1.0, 0.0, 3.0)
    max_length: int = bounded(0, 0, 512)
    """The most tokens of the translation; 0 chooses by the length of the sentence."""
    temperature: float = bounded(1.0, 0.05, 5.0)
    top_k: int = bounded(0, 0, 1000)
    top_p: float = bounded(1.0, 0.01, 1.0)
    min_p: float = bounded(0.0, 0.0, 1.0)
    seed: int = bounded(1, 0, 999_999)
    prefix: tuple[int, ...] = numbers()
    """Pieces that the translation is made to begin with."""
    interventions: Interventions = _interventions()  # noqa: RUF009
    presenter: bool = yes_no()
    other_text: str = words(longest=LONGEST_PICTURE)
    """A second sentence, or the text form of a second picture, to compare with; empty for the same one."""
    other_model: str = words(longest=128)
    """A second model to compare with; empty for the same one."""
    effects: bool = yes_no()
    """Whether every head is switched off in turn, to measure its effect."""

    def within(self, extent: Extent) -> Selection:
        """The same choices, moved to the nearest that a model of this extent has."""
        look = self.inside({kind: (extent.layers[kind], extent.heads[kind]) for kind in extent.kinds})
        return dataclasses.replace(look, interventions=_fitting(self.interventions, extent))


def _fitting(interventions: Interventions, extent: Extent) -> Interventions:
    def existing(item: Any) -> Any:
        if isinstance(item, Patch):
            return item if _exists(item, extent) else None
        has_layer = item.layer is None or item.layer < extent.layers[item.kind]
        return item if has_layer and (item.head is None or item.head < extent.heads[item.kind]) else None

    return interventions.only(existing)


def _exists(patch: Patch, extent: Extent) -> bool:
    """Whether the patched layer and heads exist in a model of this extent; the model itself checks the rest."""
    stack, layer, sublayer = (*patch.name.split("."), "", "")[:3]
    kind: AttentionKind = "encoder_self" if stack == "encoder" else "cross" if sublayer == "cross" else "decoder_self"
    has_layer = not layer.isdecimal() or int(layer) < extent.layers[kind]
    return has_layer and (patch.heads is None or max(patch.heads) < extent.heads[kind])


LEVELS = {"head": "inside", "model": "overview"}
"""Levels of the page without a server, as in its links, and the pages of the application that show the same."""
STEPS = {"inside": "inside.query", "overview": "overview.step", "decode": "decode.step"}
"""The parameter by which a page of the application names the token that is looked at; elsewhere it is pinned."""
_APART = ("kind", "layer", "head", "heads", "pins", "weighting", "compare")


def schema() -> dict[str, Any]:
    """The schema as JSON values."""
    return {
        "fields": forms(Selection),
        "look": [field.name for field in dataclasses.fields(ViewState) if field.name not in _APART],
        "letters": LETTERS,
        "moves": list(get_args(PositionMode)),
        "levels": LEVELS,
        "steps": STEPS,
    }


def page_params(params: dict[str, str], page: str) -> dict[str, str]:
    """Parameters of a link to the page without a server, from ``session.params`` and the page of the application."""
    level = next((level for level, name in LEVELS.items() if name == page), "")
    shared = {name: text for name, text in params.items() if "." not in name}
    step = params.get(STEPS.get(page, ""), "")
    if step.isdecimal():
        shared["pins"] = f"q{step}"
    return shared | ({"level": level} if level else {})
