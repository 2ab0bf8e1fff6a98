"""A browser session's choices and models: the only module that uses session state and the link.

A link is read once, when the session begins. From then on the session's own copy counts, and every choice is also
written to the address bar, so that the address can be shared at any time. Reading the address again in a later run
would lose choices: a browser that reruns before it has received the last address sends the one before, and a page
change sends none. The browser's Back and Forward are detected in the stage, which calls ``return_to``.
"""

import dataclasses
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from model.bundle import Bundle
from model.interventions import NONE, Interventions
from viz.environment import VISITOR_COOKIE
from viz.i18n import follow_preferences, follow_source
from viz.state.choices import Choices, LongSentences
from viz.state.rules import without_free_text
from viz.state.selection import Extent, Selection
from viz.theme import Mode

LONGEST_LINK_TEXT = 2_000
"""Maximum length of a sentence in a link, in characters; browsers and proxies cut longer URLs."""
_READS_PICTURES, _MEMORY = "regard.reads_pictures", "regard.memory"
_LONG = {"text": "long", "lesson.before": "lesson.long_before"}
"""Parameters that hold the name of a sentence too long for a link, valid in the browser that wrote it."""
_RETURNS = "returns"
_LOST = "long.lost"
_SENTENCES = LongSentences()
MAX_UNDO = 50
_UNSHARED_PARAMS = ("room.code", "room.key")
"""Parameters left out of shared links: another browser could not lead the room."""
READER_SETTINGS = ("language", "presenter", "first_index")
"""Parameters that Back and Forward do not change."""
SENTENCE_PARAMS = (
    "decode.forks", "decode.node", "decode.step", "decode.why_rival", "decode.reference", "decode.hidden",
    "causal.rival",
)  # fmt: skip
"""Pages' parameters that name tokens of a translation or contain one; they are dropped with the sentence."""

Part = TypeVar("Part")


def read() -> Selection:
    """The choices that all pages share."""
    return choices_of(Selection)


def change(**fields: Any) -> None:
    """Replace a few of the shared choices."""
    change_part(Selection, "", **fields)


def version_token() -> object:
    """Stays the same object as long as neither a choice nor this session's models change."""
    return _choices().version_token


def is_chosen(*names: str) -> bool:
    """Whether the reader, or the link, has chosen any of these shared fields."""
    return any(name in params() for name in names)


def clamp(extent: Extent) -> Selection:
    """Clamp the shared choices to the model's layers and heads, store and return them."""
    if (fitting := read().within(extent)) != read():
        write_part(fitting)
    return fitting


def choices_of(kind: type[Part], area: str = "") -> Part:
    """The choices of one page, a frozen dataclass with ``viz.state.rules``; ``area`` is the page's name, whose
    parameters in the link are ``area.field``, or empty for the shared choices."""
    return _choices().read(kind, area)


def live(kind: type[Part], area: str = "") -> Callable[[], Part]:
    """A function that returns one page's choices at the time of its call, also outside a run (for downloads)."""
    choices = _choices()
    return lambda: choices.read(kind, area)


def write_part(value: Any, area: str = "", *, without: Iterable[str] = ()) -> None:
    """Store the choices of one page, without some parameters of other pages, and write them into the link."""
    _choices().write(value, area, without=without)
    _write_link()


def change_part(kind: type, area: str, /, **fields: Any) -> None:
    """Replace a few of one page's choices."""
    write_part(dataclasses.replace(choices_of(kind, area), **fields), area)


def bind(
    field: str, kind: type = Selection, area: str = "", *, value: Any = None,
    take: Callable[[Any], None] | None = None, is_folded: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Arguments that tie a widget to one choice: ``st.toggle(label, **session.bind("presenter"))``.

    Args:
        value: the widget's value if that differs from the choice (a default spelled out).
        take: called with the widget's value if more than this one choice must change.
        is_folded: whether the widget is in a popover. A closed popover's browser does not receive a new value, and
            after Back it would send the old one: so each return makes a new widget.
    """
    returns = recall(_RETURNS, int) if is_folded else 0
    key = f"choice.{area}.{field}" + (f".{returns}" if returns else "")
    st.session_state[key] = getattr(choices_of(kind, area), field) if value is None else value
    if take is not None:
        return {"key": key, "on_change": lambda: take(st.session_state[key])}
    return {"key": key, "on_change": _commit, "args": (field, kind, area, key)}


@dataclass(frozen=True, slots=True)
class Area(Generic[Part]):
    """One page's choices: ``kind`` as in ``choices_of``, and the prefix of their parameters in the link."""

    kind: type[Part]
    name: str

    def read(self) -> Part:
        """The choices of this session."""
        return choices_of(self.kind, self.name)

    def change(self, **fields: Any) -> None:
        """Replace a few choices."""
        change_part(self.kind, self.name, **fields)

    def bind(self, field: str, *, value: Any = None, take: Callable[[Any], None] | None = None) -> dict[str, Any]:
        """Arguments that tie a widget to one choice, as ``bind`` gives them."""
        return bind(field, self.kind, self.name, value=value, take=take)


SHARED = Area(Selection, "")
"""The choices that all pages share."""


def seed_widget(key: str, value: Any, version: Any) -> None:
    """Set the value of a widget without a choice: at first, and again whenever the version changes.

    A widget with a key keeps its value even if it is drawn with another default.
    """
    filled = recall("filled", dict)
    if key not in st.session_state or filled.get(key) != version:
        st.session_state[key] = value
        filled[key] = version


def merge_params(params: dict[str, str]) -> None:
    """Replace choices by link parameters; they are checked when they are read."""
    _replace(_choices().params | params)


def begin() -> None:
    """Take the choices from the link when the session is new, and show them in the address bar; once per run."""
    st.session_state["regard.run"] = run_number() + 1
    _choices()
    context = get_script_run_ctx()
    page = context.page_script_hash if context else ""
    if st.session_state.get("regard.page", page) != page:
        st.session_state["regard.written"] = {}  # Streamlit opens another page without parameters
    st.session_state["regard.page"] = page
    _write_link()


def has_lost_text() -> bool:
    """Whether the link named a sentence that is too long for a link, and no other has been chosen since."""
    return recall(_LOST, bool) and not is_chosen("text")


def run_number() -> int:
    """How many times the whole page has run; runs of a fragment do not count."""
    return st.session_state.get("regard.run", 0)


def return_to(address: str) -> None:
    """Apply the choices of an address, from "?" on, to which the reader went back or forward. Settings of the reader
    stay: language, type size, and whether counting begins with 0 or 1. What ``undo`` restores also stays, as long as
    the sentence and the model are the same."""
    remember(_RETURNS, recall(_RETURNS, int) + 1)
    restored = _restore_long_texts(dict(parse_qsl(address.removeprefix("?"), keep_blank_values=True)))
    settings = {name: text for name, text in params().items() if name in READER_SETTINGS}
    st.session_state["regard.written"] = None  # unknown: a page that opens writes its own
    _replace({name: text for name, text in restored.items() if name not in READER_SETTINGS} | settings)


def address() -> str:
    """The whole link that restores everything on screen, with host and page; only its parameters outside a browser."""
    place = served_at()
    return (f"{place}/{page_name()}" if place else "") + link()


def link() -> str:
    """The parameters that restore everything on screen except a teacher's room, as ``?name=value&…``; may be empty."""
    shared = _for_link(shared_params())
    return "?" + urlencode(shared) if shared else ""


def shared_params() -> dict[str, str]:
    """All choices as link parameters, but for a teacher's room."""
    return {name: text for name, text in params().items() if name not in _UNSHARED_PARAMS}


def params() -> dict[str, str]:
    """All choices as link parameters, a sentence that is too long for a link included."""
    return _choices().params


def intervene(interventions: Interventions, prefix: tuple[int, ...] | None = None) -> None:
    """Apply interventions and store the earlier ones for ``undo``; None keeps the forced prefix."""
    now = read()
    new_prefix = now.prefix if prefix is None else prefix
    if (interventions, new_prefix) != (now.interventions, now.prefix):
        earlier = (*_undo_stack(), (now.interventions, now.prefix))[-MAX_UNDO:]
        st.session_state["undo_stack"] = (_undo_subject(now), earlier)
        change(interventions=interventions, prefix=new_prefix)


def new_sentence(text: str) -> None:
    """Replace the sentence: heads stay off, and choices that name the old sentence's tokens are dropped."""
    change_tokens(text=text)
    merge_params({"text": text})  # counts as chosen even if it is the default, which a link would leave out


def change_tokens(**fields: Any) -> None:
    """Replace choices that change the tokens, and drop those that name old ones: pins, prefix, forced rows, blocked
    keys."""
    edits = read().interventions.for_any_sentence()
    selection = dataclasses.replace(read(), pins=(), zoom=(), window=(), prefix=(), waiting="", interventions=edits)
    selection = dataclasses.replace(selection, **fields)
    write_part(selection, without=SENTENCE_PARAMS)


def undo() -> None:
    """Restore the interventions before the last ``intervene``, or remove all when none are stored."""
    *earlier, (interventions, prefix) = _undo_stack() or ((NONE, ()),)
    st.session_state["undo_stack"] = (_undo_subject(read()), tuple(earlier))
    change(interventions=interventions, prefix=prefix)


def _undo_stack() -> tuple[tuple[Interventions, tuple[int, ...]], ...]:
    """Earlier interventions on this sentence and model; those on others would name other tokens."""
    subject, earlier = st.session_state.get("undo_stack", ((), ()))
    return earlier if subject == _undo_subject(read()) else ()


def _undo_subject(selection: Selection) -> tuple[str, ...]:
    return selection.text, selection.model, selection.target_language


def note_source(*, reads_pictures: bool) -> None:
    """Store whether the model in use reads pictures, which selects the page's texts."""
    st.session_state[_READS_PICTURES] = reads_pictures


def is_drawing() -> bool:
    """Whether a page or one of its callbacks is running; false where files are written, and outside the application."""
    return get_script_run_ctx(suppress_warning=True) is not None


def mode() -> Mode:
    """The reader's theme, light or dark."""
    if not is_drawing():
        return "light"
    return "dark" if st.context.theme.type == "dark" else "light"


def preferred_languages() -> Iterable[str]:
    """The reader's choice of language, then the browser's locale; empty outside the application."""
    if not is_drawing():
        return ()
    return filter(None, (read().language, st.context.locale))


def visitor() -> str:
    """A name of the browser that stays the same after a reload, or of this browser session when there is no cookie."""
    if is_drawing():
        name = st.context.cookies.get(VISITOR_COOKIE)
        if isinstance(name, str) and name:
            return name
    return recall("visitor", lambda: secrets.token_hex(16))


def network_address() -> str:
    """The visitor's network address, as seen by the proxies in front; empty outside the application."""
    return "" if not is_drawing() else st.context.ip_address or ""


def clock_time(seconds: float) -> str:
    """A moment, in seconds since 1970, as hours and minutes on the visitor's clock."""
    offset = st.context.timezone_offset if is_drawing() else 0
    return time.strftime("%H:%M", time.gmtime(seconds - 60 * (offset or 0)))


def set_page(page: str) -> None:
    """Store which page this run draws: after ``st.switch_page`` the browser still reports the previous one."""
    st.session_state["regard.page_name"] = page


def page_name() -> str:
    """The page of this run, as in its address; empty for the front page and outside the application."""
    if not is_drawing():
        return ""
    return st.session_state.get("regard.page_name", "")


def served_at() -> str:
    """The application's address without the page: "https://host/regard"."""
    url = urlsplit(st.context.url or "")
    return f"{url.scheme}://{url.netloc}{url.path.rpartition('/')[0].rstrip('/')}" if url.netloc else ""


def describe_choices() -> str:
    """The shared choices, for a log: without any that a visitor can type freely."""
    if not is_drawing():
        return ""
    return urlencode(without_free_text(read())) or "default choices"


def private_models() -> dict[str, Bundle]:
    """Models that only this browser session has opened and that may be drawn, by their name in the picker."""
    return {name: bundle for name, bundle in held_models().items() if not needs_answer(bundle)}


def held_models() -> dict[str, Bundle]:
    """All models that only this browser session has opened, also those that need an answer."""
    return dict(st.session_state.get("regard.private_models", {}))


def needs_answer(bundle: Bundle) -> bool:
    """Whether a question about the model has several nearly equally likely answers; it is not used before an answer."""
    return bundle.report is not None and bool(bundle.report.close)


def keep_private_models(models: dict[str, Bundle]) -> None:
    """Replace this session's private models; no other session ever sees them.

    The dictionary is changed in place, because Streamlit holds a replaced value, and its weights, until the next run.
    """
    held = st.session_state.setdefault("regard.private_models", {})
    held.clear()
    held.update(models)
    _choices().renew_version_token()


def component_value(key: str, name: str) -> Any:
    """The value that a component has just sent, inside its callback; unvalidated input from a browser."""
    return getattr(st.session_state.get(key), name, None)


def clicked_cell(key: str) -> tuple[int, int, int] | None:
    """Block, row and column of the cell of a matrix that was clicked, inside its callback; None for anything else."""
    sent = component_value(key, "cell")
    is_cell = isinstance(sent, list) and len(sent) == 3 and all(type(n) is int and 0 <= n < 10_000 for n in sent)
    return (sent[0], sent[1], sent[2]) if is_cell else None


def widget_value(key: str) -> Any:
    """The value of a widget without a choice, inside its callback; None when it is not on screen."""
    return st.session_state.get(key)


def forget_uploads(ids: Iterable[str]) -> None:
    """Release the files dropped in this session, because Streamlit would keep their bytes until it ends."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    for file_id in ids:
        context.uploaded_file_mgr.remove_file(context.session_id, file_id)


def recall(name: str, make: Callable[[], Part]) -> Part:
    """A value of this browser session that is not a choice (a job's handle, a draft), created when first used."""
    memory = st.session_state.setdefault(_MEMORY, {})
    if name not in memory:
        memory[name] = make()
    return memory[name]


def remember(name: str, value: Any) -> None:
    """Replace the value of ``recall``; the old value is released now, not at the next run."""
    st.session_state.setdefault(_MEMORY, {})[name] = value


def _commit(field: str, kind: type, area: str, key: str) -> None:
    value = st.session_state[key]
    change_part(kind, area, **{field: tuple(value) if isinstance(value, list) else value})


def _choices() -> Choices:
    try:  # called for each text, and session state is slow
        return st.session_state["regard.choices"]
    except KeyError:
        query = st.session_state["regard.written"] = st.query_params.to_dict()
    chosen = st.session_state["regard.choices"] = Choices(_restore_long_texts(query))
    return chosen


def _replace(params: dict[str, str]) -> None:
    _choices().replace(params)
    _write_link()


def _for_link(params: dict[str, str]) -> dict[str, str]:
    """Link parameters with each too long sentence replaced by a name, by which ``_restore_long_texts`` finds it."""
    return dict(
        (_LONG[name], _SENTENCES.keep(visitor(), text))
        if name in _LONG and len(text) > LONGEST_LINK_TEXT
        else (name, text)
        for name, text in params.items()
    )


def _restore_long_texts(params: dict[str, str]) -> dict[str, str]:
    """A link's parameters with its named long sentences; those unknown to this browser are left out."""
    others = {name: value for name, value in params.items() if name not in _LONG.values()}
    texts = {name: _SENTENCES.find(visitor(), params[short]) for name, short in _LONG.items() if short in params}
    remember(_LOST, "text" in texts and texts["text"] is None)
    return others | {name: text for name, text in texts.items() if text is not None}


def _write_link() -> None:
    """Write the choices to the URL, unless it already has them."""
    query = _for_link(params())
    if st.session_state.get("regard.written") != query:
        if query:
            st.query_params.from_dict(query)
        else:
            st.query_params.clear()  # from_dict sends nothing
        # Only now: another click may end this run while it sends, and then the next run writes the URL.
        st.session_state["regard.written"] = query


follow_preferences(preferred_languages)
follow_source(lambda: is_drawing() and bool(st.session_state.get(_READS_PICTURES, False)))
