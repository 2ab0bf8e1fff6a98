"""What surrounds every page: the pickers beside the navigation, and the page listing the keys."""

import os
import re
from collections.abc import Container
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from model import Bundle
from model.checkpoints.vocabularies.target_language import target_languages
from model.text.language_codes import main_language
from viz import cache
from viz.environment import SITE_VARIABLE
from viz.frame import fitting_pages
from viz.i18n import LANGUAGES, catalogue, current_language, tr
from viz.panels import teacher_room
from viz.panels.explorer import consume_file_request
from viz.panels.reading import current_model_name, find_bundle, find_reading, use_model
from viz.plain_text import escape_markdown, markdown_table
from viz.shipped_models import shipped_models
from viz.state import clicks, session
from viz.state.selection import page_params

_STYLES = (Path(__file__).with_name("frame.css"), Path(__file__).parents[1] / "panels/votes.css")
_PRESENTER_STYLE = Path(__file__).with_name("presenter.css")
_GONE = "room.told_gone"
_SHORT_LANGUAGES = {"zh": "中文"}
"""On the button of the language picker; others are called by their code."""
_TITLE = 60
"""Maximum characters of the sentence in the title of the browser's tab."""
_KEYS = (
    ("frame.key_arrows_name", "frame.key_arrows"),
    ("Tab", "frame.key_tab"),
    ("Enter", "frame.key_enter"),
    ("Esc", "frame.key_escape"),
    ("frame.key_shift_name", "frame.key_shift"),
)


def top_bar() -> None:
    """The pickers at the right of the navigation."""
    st.html(_style())
    # Popovers are outside the application's element, and only that element has the light or dark theme.
    st.html(f"<style>:root {{ color-scheme: {session.mode()}; }}</style>")
    if session.read().presenter:
        st.html(_PRESENTER_STYLE)
    with st.container(
        key="top_bar", horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"
    ):
        if session.read().presenter:
            st.button(
                tr("frame.end_presenting"),
                key="end_presenting",
                shortcut="Escape",
                on_click=session.change,
                kwargs={"presenter": False},
            )
        else:
            _model_picker()
            _language_picker()
        _room()
        _settings()


def name_tab(page: str) -> None:
    """Name the browser's tab by the page and its sentence."""
    reading = find_reading()
    text = " ".join(reading.selection.text.split()) if reading else ""
    short = text if len(text) <= _TITLE else f"{text[: _TITLE - 1]}…"
    st.set_page_config(page_title=" · ".join(filter(None, (page, short, "Regard"))))


@lru_cache(maxsize=1)
def _style() -> str:
    """The style sheets without comments and line breaks, since every run sends them."""
    whole = "".join(path.read_text("utf-8") for path in _STYLES)
    sheet = re.sub(r"/\*.*?\*/", "", whole, flags=re.DOTALL)
    return f"<style>{' '.join(sheet.split())}</style>"


def assumptions() -> None:
    """Say which of the model's settings are guesses, until somebody has confirmed them on its page."""
    bundle = find_bundle() if session.read().model in session.private_models() else None
    hints = bundle.report.guesses if bundle is not None and bundle.report is not None else ()
    if not hints:
        return
    names = tr("checkpoints.comma").join(tr(f"checkpoints.ask_{hint}") for hint in hints)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="model_guesses"):
        st.markdown(f":orange[:material/help:] {tr('frame.guesses', names=names)}", width="content")
        st.page_link("checkpoints/checkpoints.py", label=tr("frame.guesses_confirm"))


def model_title(bundle: Bundle, session_name: str = "") -> str:
    """A model in one line: its name in this session, or its languages, and its shape."""
    extent, config = cache.extent(bundle), bundle.config
    if "cross" in extent.kinds:
        shape = _shape(config.n_encoder_layers, config.n_decoder_layers, config.n_decoder_heads)
    else:
        (kind,) = extent.kinds
        shape = _shape(extent.layers[kind], 0, extent.heads[kind])
    if session_name and bundle.target_language in target_languages(bundle):
        session_name = f"{session_name} → {bundle.target_language}"
    name = session_name or _direction(bundle.source_language, bundle.target_language) or bundle.name
    return f"{escape_markdown(name)} · {shape}"


def _direction(source: str | None, target: str | None) -> str:
    """ "English → French"; empty where a language has no name here."""
    keys = [f"sentence.language_{main_language(code)}" for code in (source, target)]
    return " → ".join(map(tr, keys)) if all(key in catalogue("en") for key in keys) else ""


def _shape(encoder: int, decoder: int, heads: int) -> str:
    """The layers of each stack, of which one may be missing, and their heads."""
    if encoder and decoder:
        return tr("frame.model_shape", encoder=encoder, decoder=decoder, heads=heads)
    return tr("frame.model_shape_alone", layers=encoder or decoder, heads=heads)


def _about(name: str, private: Container[str]) -> str:
    """What stands below a model's name in the menu."""
    if name in private:
        return tr("frame.model_of_session")
    shipped = shipped_models().get(name)
    if shipped is None:
        return ""
    shape = _shape(shipped.n_encoder_layers, shipped.n_decoder_layers, shipped.n_heads)
    if shipped.is_single_stack:
        key = f"sentence.language_{main_language(shipped.source_language or shipped.target_language)}"
        reads = tr(key) if key in catalogue("en") else ""
    else:
        reads = _direction(shipped.source_language, shipped.target_language)
    return " · ".join(filter(None, (tr("pad.reads_handwriting") if shipped.reads_pictures else reads, shape)))


def _model_picker() -> None:
    private, name = session.private_models(), current_model_name()
    if name is None:
        return
    names = [*cache.model_names(), *private]
    bundle = find_bundle()
    title = tr("frame.model") if bundle is None else model_title(bundle, name if name in private else "")
    with st.popover(title, key="model_picker"):
        st.radio(
            tr("frame.model_choose"),
            names,
            format_func=escape_markdown,
            captions=[_about(name, private) for name in names],
            **session.bind("model", value=name, take=use_model, is_folded=True),
        )
        if bundle is not None:
            _target_language_picker(bundle)
            fitting_pages.say_why(bundle)


def _target_language_picker(bundle: Bundle) -> None:
    """The languages that a model of many writes, by its tokenizer's own codes."""
    codes = tuple(target_languages(bundle))
    if codes:
        spoken = bundle.target_language if bundle.target_language in codes else ""
        st.selectbox(
            tr("frame.target_language"),
            ("", *codes),
            format_func=lambda code: code or tr("frame.target_language_own"),
            **session.bind("target_language", value=spoken, is_folded=True),
        )


def _language_picker() -> None:
    st.menu_button(
        _SHORT_LANGUAGES.get(current_language(), current_language().upper()),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key="language",
        help=tr("frame.language"),
        # A callback: a run that another one interrupts before it draws the menu would lose the click.
        on_click=lambda: session.change(language=session.widget_value("language")),
    )


def _room() -> None:
    """The link to the classroom, labelled with the code of an open room; or once a message that the room has ended."""
    is_gone = teacher_room.is_gone()  # first: it drops the code of another browser's room
    code = escape_markdown(teacher_room.wished_code())
    if is_gone and session.page_name() != "room" and session.recall(_GONE, str) != code:
        session.remember(_GONE, code)
        st.toast(tr("room.gone", code=code), icon=":material/link_off:", duration="infinite")
    label = tr("frame.page_room") if is_gone else code or tr("frame.page_room")
    st.page_link("room/room.py", label=label, icon=":material/groups:")


def _settings() -> None:
    with st.popover(tr("frame.settings"), icon=":material/tune:", help=tr("frame.settings"), key="icon_settings"):
        st.toggle(tr("frame.presenter"), help=tr("frame.presenter_help"), **session.bind("presenter"))
        st.segmented_control(tr("frame.count_from"), (0, 1), required=True, **session.bind("first_index"))
        _site_link()
        if clicks.button(tr("frame.keys"), icon=":material/keyboard:", key="keys"):
            # A run has room for one dialog, and an interrupted run may have left that of files due.
            consume_file_request()
            _show_keys()


def _site_link() -> None:
    """Draw the link to the static site, if there is one."""
    site, model = os.environ.get(SITE_VARIABLE, ""), current_model_name()
    if not site.startswith(("https://", "http://")) or model is None:
        return
    named = {"text": session.read().text, "model": model, "language": current_language()}
    query = urlencode(page_params(session.shared_params() | named, session.page_name()))
    label, address = tr("frame.open_site"), f"{site.rstrip('/')}/?{query}"
    st.link_button(label, address, help=tr("frame.open_site_help"), icon=":material/open_in_new:", type="tertiary")


def _show_keys() -> None:
    rows = [(tr(key) if key in catalogue("en") else key, tr(does)) for key, does in _KEYS]
    table = markdown_table((tr("frame.keys_key"), tr("frame.keys_does")), rows)
    st.dialog(tr("frame.keys_title"))(lambda: st.markdown(table))()
