"""The attention explorer under the sentence: its data, and its reports.

Browser and session stay in step by revisions: a change made by Python is sent with a higher one.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from model.analysis import HeadMetrics
from model.attention_files import AttentionRecord
from model.config import TransformerConfig
from model.interpret.ablation import HeadEffects
from model.interventions import AttentionKind
from model.teaching.sentences import front_of
from viz import cache
from viz.components.attention import AttentionView, ViewState, pack
from viz.components.attention.explorer import Action, action_of, attention_explorer, held_packet, report_of
from viz.export.names import with_language
from viz.i18n import sentences
from viz.panels import changes, errors, measure
from viz.panels.measure import Matters
from viz.panels.reading import Reading
from viz.panels.weights import agreement, weightings, weights
from viz.state import session
from viz.state.page_run import is_page_run
from viz.state.selection import Selection
from viz.state.turns import in_turn
from viz.state.view_state import look_fields, view_state_of


@dataclass(frozen=True, slots=True)
class Shared:
    """The state last sent to the browser, and the state it has reported since.

    ``sent`` stays the same until Python changes the state: Streamlit mounts a component anew whenever its data differ.
    """

    sent: ViewState
    reported: ViewState
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Projection:
    """One explorer, and how the choices that it mirrors are read and written."""

    key: str
    """The explorer's key in the page."""
    read: Callable[[], ViewState]
    write: Callable[[ViewState], None]

    def shared(self, view: AttentionView) -> Shared:
        """The state to send to the browser: the same as before, unless something other than the browser changed it."""
        now = view.nearest(self.read())
        shared = session.recall(self._memory, lambda: Shared(now, now))
        if now != shared.reported:
            shared = Shared(now, now, shared.revision + 1)
            session.remember(self._memory, shared)
        return shared

    def take(self, view: AttentionView) -> None:
        """Store the browser's report, if the browser had received the last change made here."""
        report = report_of(session.component_value(self.key, "report"))
        shared = self.shared(view)
        if report is None or report.revision != shared.revision:
            return
        state = view.nearest(report.state)
        self.write(state)
        session.remember(self._memory, dataclasses.replace(shared, reported=state))

    def held(self) -> str:
        """The packet that the browser holds."""
        return held_packet(session.component_value(self.key, "report"))

    @property
    def _memory(self) -> str:
        return f"{self.key}.shared"


def look_at(kind: AttentionKind, layer: int, head: int) -> None:
    """Open a head in the explorer from elsewhere; links name it even where it is layer 0, head 0."""
    session.merge_params({"layer": str(layer), "head": str(head)})
    session.change(kind=kind, layer=layer, head=head, heads=())


_KEY = "explorer"
_OPENED, _GREETED, _FILES = "explorer.opened", "explorer.greeted", "explorer.files"
_PAGE_CHOICES = "explorer.page_choices"
_COPY = Projection(_KEY, lambda: view_state_of(session.read()), lambda state: session.change(**look_fields(state)))


@st.fragment
@in_turn
def explorer(
    view: AttentionView,
    *,
    compared: AttentionView | None = None,
    matters: Matters | None = None,
    actions: tuple[str, ...] = ("open_head", "switch_off", "switch_on"),
    beneath: Callable[[], object] = lambda: None,
    follow: Callable[[], object] = lambda: None,
) -> None:
    """Mount the explorer, store the reader's choices, and carry out its actions.

    Args:
        compared: a view to compare with.
        matters: measures which heads change the translation; None where that cannot be measured.
        beneath: draws what belongs to the head on screen; called in every run of the fragment.
        follow: called in a run of the fragment alone, where the rest of the page is not drawn again.
    """
    selection = session.read()
    page_choices = _page_choices(selection, view)
    if is_page_run():
        session.remember(_PAGE_CHOICES, page_choices)
    if session.recall(_FILES, str) == "asked":
        session.remember(_FILES, "due")
        st.rerun()
    if session.recall(_OPENED, bool):
        session.remember(_OPENED, False)
        st.switch_page("inside/inside.py")
    if session.recall(_PAGE_CHOICES, lambda: page_choices) != page_choices:
        st.rerun()
    packet = cache.memoize_by_content(
        pack,
        view,
        strings={},
        other=compared,
        first_index=selection.first_index,
        show_sentence=not actions,
        can_ask=True,
        options={"actions": list(actions), "isMounted": True},
    )
    shared = _COPY.shared(view)
    if not is_page_run():
        follow()
    if matters is not None:
        matters.advance_quietly(shared.reported.kind)
    attention_explorer(
        packet,
        [view] if compared is None else [view, compared],
        state=shared.sent,
        looked_at=shared.reported,
        revision=shared.revision,
        key=_KEY,
        on_report=lambda: _COPY.take(view),
        on_action=lambda: _act(action_of(session.component_value(_KEY, "action"), view), matters),
        held=_COPY.held(),
        is_presenting=selection.presenter,
        matters=None if matters is None else matters.as_json(shared.reported.kind),
    )
    beneath()
    if matters is not None and matters.advance(shared.reported.kind):
        st.rerun(scope="fragment")


def on_screen() -> Callable[[], dict[str, Any]]:
    """A function that returns what is on screen (``state``, ``first_index``) at the time of its call: a download calls
    it after the run."""
    chosen = session.live(Selection)

    def now() -> dict[str, Any]:
        selection = chosen()
        return {"state": view_state_of(selection), "first_index": selection.first_index}

    return now


def consume_file_request() -> bool:
    """Whether the reader has asked for what is on screen as files. Clears the request, so it is true once."""
    is_due = session.recall(_FILES, str) == "due"
    session.remember(_FILES, "")
    return is_due


def choose_first_head(view: AttentionView, reading: Reading) -> bool:
    """Open a first head where none is chosen: the front page's on its sentence, else the most diagonal cross-attention
    head. Returns whether a head was opened."""
    if session.is_chosen("kind", "layer", "head"):
        return False
    front = front_of(reading.bundle)
    is_front = front is not None and reading.text == front.text
    layer, head = (front.layer, front.head) if front is not None and is_front else view.most_diagonal()
    session.remember(_GREETED, (layer, head))
    session.merge_params({"layer": str(layer), "head": str(head)})
    return True


def is_chosen_head() -> bool:
    """Whether the reader or the link has chosen the head, rather than ``choose_first_head``."""
    selection = session.read()
    is_greeting = selection.kind == "cross" and (selection.layer, selection.head) == session.recall(_GREETED, tuple)
    return session.is_chosen("kind", "layer", "head") and not is_greeting


def view_of(
    reading: Reading, *, effects: HeadEffects | None = None, corpus: Mapping[AttentionKind, HeadMetrics] | None = None
) -> AttentionView:
    """The view of a sentence in the chosen weights, with the measurements of its heads."""
    with errors.explained():
        chosen = weights(reading)
    changed, name = changes.in_words(reading), with_language(reading.bundle.name, reading.bundle.target_language)
    return AttentionView.of(
        reading.trace,
        attention=chosen.display_maps,
        effects={} if chosen.weighting == "rollout" else measure.totals(effects),
        corpus_metrics={} if chosen.weighting == "rollout" else corpus,
        reach={} if chosen.weighting == "rollout" else reach_of(reading.bundle.config),
        weighting=chosen.weighting,
        weightings=weightings(reading),
        caption=" · ".join(filter(None, (reading.trace.in_words, changed, name))),
        note=sentences(chosen.note, agreement(reading, chosen, effects)),
    )


def reach_of(config: Any) -> dict[AttentionKind, tuple[int | None, ...]]:
    """Each layer's attention window (None: unlimited), for the kinds with a windowed layer."""
    if not isinstance(config, TransformerConfig):
        return {}
    sides: tuple[tuple[AttentionKind, bool], ...] = (("encoder_self", True), ("decoder_self", False))
    by_kind: dict[AttentionKind, tuple[int | None, ...]]
    by_kind = {kind: tuple(spec.attention.window for spec in config.layers(encoder=side)) for kind, side in sides}
    return {kind: windows for kind, windows in by_kind.items() if any(windows)}


def record_of(reading: Reading) -> AttentionRecord:
    """The sentence's attention in the chosen weights as a record to write files from."""
    with errors.explained():
        chosen = weights(reading)
        prefix = reading.selection.prefix
        is_forced = bool(prefix) and reading.trace.target.ids[: len(prefix)] == prefix
        return AttentionRecord.of(
            reading.trace, bundle=reading.bundle, maps=chosen.maps, weighting=chosen.weighting,
            n_forced=len(prefix) if is_forced else 0,
        )  # fmt: skip


def _page_choices(selection: Selection, view: AttentionView) -> tuple:
    """The choices that other parts of the page depend on: when one changes, the whole page is drawn again."""
    is_about_a_word = selection.weighting == "gradient"
    is_about_a_kind = is_about_a_word or bool(view.effects)
    return (
        selection.weighting,
        selection.presenter,
        selection.interventions,
        selection.pins if is_about_a_word else (),
        selection.kind if is_about_a_kind else "",
        selection.layer if selection.layer in view.missing(selection.kind) else None,
    )


def _act(action: Action | None, matters: Matters | None) -> None:
    if action is None:
        return
    if action.name in ("matters", "matters_quietly"):
        if matters is not None:
            (matters.ask if action.name == "matters" else matters.ask_quietly)(action.kind)
        return
    if action.name in ("present", "end_presenting"):
        session.change(presenter=action.name == "present")
        return
    if action.name == "files":
        session.remember(_FILES, "asked")
        return
    if action.name == "open_head":
        look_at(action.kind, action.layer, action.head)
        session.remember(_OPENED, True)
        return
    mode = "zero" if action.name == "switch_off" else None
    changes.set_heads_off(action.kind, action.layer, (action.head,), mode)
