"""The attention explorer in a Streamlit page."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from model.interventions import AttentionKind
from viz.components.attention.assets import SOURCE
from viz.components.attention.pack import MAX_EXACT_HEADS, is_exact, mount
from viz.components.attention.view import AttentionView
from viz.glossary import meanings
from viz.i18n import LANGUAGES, current_language, group, group_for_pictures, speaking
from viz.state.view_state import ViewState


def _words() -> str:
    """The interface's words and the terms that it explains in every language, as JavaScript (``js/words.js``)."""
    words: dict[str, dict[str, str]] = {}
    terms = {language: meanings(language) for language in LANGUAGES}
    for language in LANGUAGES:
        with speaking(language):
            words[language] = group("attention")
            words[f"{language} of pictures"] = group_for_pictures("attention")
    return (
        f"\nObject.assign(WORDS, {json.dumps(words, ensure_ascii=False)});"
        f"\nObject.assign(TERMS, {json.dumps(terms, ensure_ascii=False)});\n"
    )


_explorer = SOURCE.mount(_words())

ACTIONS = ("open_head", "switch_off", "switch_on", "present", "end_presenting", "files", "matters", "matters_quietly")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that the reader asked the page to do."""

    name: str
    """One of ``ACTIONS``."""
    kind: AttentionKind
    layer: int
    head: int


@dataclass(frozen=True, slots=True)
class Report:
    """What the explorer reports when the reader has changed something."""

    state: ViewState
    """What is on screen."""
    revision: int
    """The last revision that the browser had taken in."""


def attention_explorer(
    packet: bytes,
    views: Iterable[AttentionView],
    *,
    state: ViewState,
    looked_at: ViewState,
    revision: int,
    key: str,
    on_report: Callable[[], None],
    on_action: Callable[[], None],
    held: str = "",
    is_presenting: bool = False,
    matters: Mapping[str, Any] | None = None,
) -> None:
    """Mount the explorer: head grid, map, lines, text, cards and toolbar. Hover, zoom and switches never rerun.

    The browser owns the state once it is on screen, and reports each change of the reader's a moment later. A change
    made on the server has a higher revision, and the browser then takes the server's state.

    Args:
        packet: what is shown, from :func:`pack`; its strings are not used.
        views: what was packed, one or two.
        state: what to show at this revision.
        looked_at: what the browser shows now, which may have moved on from ``state``.
        revision: counted up with every change of the state that the browser did not make itself.
        key: identity of this explorer in the page.
        on_report: called when a report has come; read it with :func:`report_of`.
        on_action: called when an action is asked for; read it with :func:`action_of`.
        held: which packet the browser holds already, from :func:`held_packet`; that one is not sent again.
        is_presenting: whether the explorer fills the screen.
        matters: the heads without which the translation changes, as far as they were measured.
    """
    shown = list(views)
    language = current_language()
    name = f"{hashlib.blake2b(packet, digest_size=8).hexdigest()}.{language}"
    heads = [] if is_exact(*shown) else looked_at.all_heads[:MAX_EXACT_HEADS]
    data = mount(
        b"" if held == name else packet,
        fields={
            "name": name,
            "language": language,
            # A browser that is sent the packet may have mounted the explorer anew, and knows no state at all.
            "state": (state if held == name else looked_at).to_mapping(),
            "revision": revision,
            "isPresenting": is_presenting,
            "matters": matters,
        },
        exact=[(place, view, head) for place, view in enumerate(shown) for head in heads],
        kind=looked_at.kind,
        window=looked_at.place,
    )
    _explorer(key=key, data=data, on_report_change=on_report, on_action_change=on_action)


def report_of(sent: object) -> Report | None:
    """A report from the browser; None when it is not valid."""
    if not isinstance(sent, Mapping) or not isinstance(sent.get("revision"), int):
        return None
    return Report(ViewState.parse(sent.get("state")), sent["revision"])


def held_packet(sent: object) -> str:
    """The name of the packet that the browser held when it last reported; empty when it is unknown."""
    name = sent.get("holds") if isinstance(sent, Mapping) else None
    return name if isinstance(name, str) else ""


def action_of(sent: object, view: AttentionView) -> Action | None:
    """An action from the browser, or None when it is not possible in this view."""
    if not isinstance(sent, Mapping) or sent.get("name") not in ACTIONS:
        return None
    fields: Mapping[str, Any] = sent
    kind, layer, head = (fields.get(name) for name in ("kind", "layer", "head"))
    if kind not in view.attention.kinds or not isinstance(layer, int) or not isinstance(head, int):
        return None
    n_layers, n_heads = view.shape(kind)
    if not (0 <= layer < n_layers and 0 <= head < n_heads):
        return None
    return Action(str(fields["name"]), kind, layer, head)
