"""What a newcomer finds above the sentence: what this is, a box to type in, a tour, sentences to try, and the words."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from model import Bundle
from model.teaching.sentences import collection_for, collections
from model.text.language_codes import main_language
from viz import clicks, session
from viz.i18n import catalogue, current_language, tr
from viz.panels.drawer import drawer
from viz.panels.opening import is_read, own_texts
from viz.panels.reading import find_bundle, use_model
from viz.plain_text import as_written
from viz.selection import DEFAULT_TEXT, MAX_CHARACTERS
from viz.shipped_models import shipped_for

STOPS = ("sentence", "heads", "off", "overview", "lesson")
TERMS = ("token", "head", "layer", "weight", "cross", "query", "sink", "log_prob", "embedding", "greedy")
MOST_RECENT = 6
_PAGES = Path(__file__).parents[1] / "pages"
_TOUR, _RECENT, _BOX = "first.tour", "first.recent", "first.text"


def first_steps() -> None:
    """Draw the row."""
    bundle, text = find_bundle(), session.read().text
    recent = _remember(text)
    if bundle is None or session.read().presenter:
        return
    # The container stays when the introduction disappears; otherwise what follows would move up and be rebuilt.
    place = st.empty()
    if text == DEFAULT_TEXT:
        place.markdown(tr("first.what"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="first_steps"):
        st.text_input(
            tr("first.box"), key=_BOX, placeholder=_invitation(bundle), label_visibility="collapsed", width=380,
            max_chars=MAX_CHARACTERS, on_change=_take_text,
        )  # fmt: skip
        drawer(tr("first.gallery"), lambda: _gallery(bundle, recent), key="first.gallery")
        with st.popover(tr("first.words"), key="first.words"):
            st.markdown("\n".join(f"- {_explained(term)}" for term in TERMS))
        _offer_own_language(bundle)
        if clicks.button(tr("first.tour"), key="first.tour", type="tertiary", icon=":material/explore:"):
            session.remember(_TOUR, 0)
            st.dialog(tr("first.tour_title"))(_tour)()


def _offer_own_language(bundle: Bundle) -> None:
    """The model that translates into the reader's own language, where there is one and another is in use."""
    name, read_or_written = shipped_for(current_language()), (bundle.source_language, bundle.target_language)
    if name and current_language() not in map(main_language, read_or_written):
        st.button(
            tr("first.own_language"), key="first.own_language", type="tertiary", icon=":material/translate:",
            on_click=_take_model, args=(name,),
        )  # fmt: skip


def _take_model(name: str) -> None:
    """Switch to a shipped model, with a sentence of its own where the reader has not chosen one."""
    use_model(name)
    own = next((each for each in collections() if each.model == name), None)
    if own is not None and session.read().text == DEFAULT_TEXT:
        session.new_sentence(own.scenes["cross"])


def _explained(term: str) -> str:
    return tr("first.term", term=tr(f"first.term_{term}"), about=tr(f"first.about_{term}"))


def _invitation(bundle: Bundle) -> str:
    """ "Type an English sentence", in the language that the model reads."""
    if bundle.source_tokenizer is None and bundle.target_tokenizer is None:
        return tr("first.invite_ids", ids=own_texts(bundle)[1])
    key = f"first.invite_{main_language(bundle.source_language)}"
    return tr(key if key in catalogue("en") else "first.invite")


def _take_text() -> None:
    text = session.value(_BOX)
    if isinstance(text, str) and text.strip():
        session.new_sentence(text.strip())


def _remember(text: str) -> tuple[str, ...]:
    """The sentences of this visit before the present one, newest first."""
    known: tuple[str, ...] = session.recall(_RECENT, tuple)
    kept = (text, *(each for each in known if each != text))[: MOST_RECENT + 1]
    session.remember(_RECENT, kept)
    return kept[1:]


def _gallery(bundle: Bundle, recent: tuple[str, ...]) -> None:
    chosen = collection_for(bundle)
    named = [example for example in (chosen.examples(bundle) if chosen else ()) if example.name]
    readable = [example for example in named if is_read(bundle, example.text)]
    is_tried = chosen is not None and chosen.is_tried_on(bundle)
    if readable and chosen is not None and not is_tried:
        st.caption(tr("first.tried_elsewhere", model=chosen.model))
    if not readable:
        for number, text in enumerate(own_texts(bundle)):
            st.button(as_written(text), key=f"first.own.{number}", type="tertiary", width="stretch",
                      on_click=session.new_sentence, args=(text,))  # fmt: skip
    for example in readable:
        st.button(
            example.text, key=f"first.example.{example.name}", type="tertiary", on_click=session.new_sentence,
            args=(example.text,), width="stretch",
        )  # fmt: skip
        st.caption(tr(f"first.shows_{example.name}" if is_tried else f"gallery.{example.phenomenon}"))
    if recent:
        st.markdown(f"**{tr('first.recent')}**")
        for number, text in enumerate(recent):
            st.button(
                as_written(text[:80]),
                key=f"first.recent.{number}",
                type="tertiary",
                on_click=session.new_sentence,
                args=(text,),
            )


def _tour() -> None:
    """Five stops, one at a time."""
    stop = min(session.recall(_TOUR, int), len(STOPS) - 1)
    name = STOPS[stop]
    st.caption(f"{stop + 1} / {len(STOPS)}")
    st.markdown(f"**{tr(f'first.stop_{name}')}**\n\n{tr(f'first.stop_{name}_text')}")
    if name in ("overview", "lesson"):
        st.page_link(_PAGES / f"{name}.py", label=tr(f"frame.page_{name}"), icon=":material/arrow_forward:")
    with st.container(horizontal=True, gap="small"):
        st.button(tr("first.back"), key="first.back", disabled=stop == 0, on_click=_turn, args=(stop - 1,))
        st.button(
            tr("first.next"), key="first.next", type="primary", disabled=stop == len(STOPS) - 1, on_click=_turn,
            args=(stop + 1,),
        )  # fmt: skip


def _turn(stop: int) -> None:
    session.remember(_TOUR, stop)
