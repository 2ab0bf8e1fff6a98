"""The uploaded files of a checkpoint, stored on disk during the session, and the diagnosis of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from model.checkpoints import hub
from model.checkpoints.answers import answer_losses
from model.checkpoints.answers.mapping import Line, to_toml
from model.checkpoints.basis.errors import TensorsError, UnrecognisedError, UnshownError
from model.checkpoints.doctor import Diagnosis
from model.checkpoints.room import memory_of
from model.checkpoints.sandbox import Names, examine_sandboxed, names_sandboxed
from model.files.size import size_of
from viz import budget, cache
from viz.i18n import number, tr
from viz.panels import errors, shelf
from viz.plain_text import escape_markdown, public_message
from viz.state import clicks, session
from viz.uploads import plain_name

_OFFER, _DRAFT, _COUNT = "hub_offer", "checkpoint_draft", "checkpoint_drafts"
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Dropped:
    """One file of a draft."""

    key: str
    """Streamlit's id of the file."""
    name: str
    is_weights: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """One checkpoint that is being examined."""

    files: tuple[Dropped, ...] = ()
    folder: TemporaryDirectory[str] | None = None
    """Deleted when the session ends."""
    path: Path | None = None
    hints: dict[str, Any] = field(default_factory=dict)
    diagnosis: Diagnosis | None = None
    problem: Exception | None = None
    name: str = ""
    """The model's name in the picker, once it is open."""
    let_go: tuple[str, ...] = ()
    names: Names | None = None
    """A proposed mapping of the tensor names, where no family recognises them."""
    mapping_id: str = ""
    """Id of the mapping file that was dropped last."""
    token_ids: tuple[str, ...] = ()
    """Ids of the uploaded vocabularies; an unreadable one is not read again."""
    number: int = 0
    """Number of the draft in this session; part of the widgets' keys, so each draft has its own widgets."""
    n_looks: int = 0
    """How often the files were opened; form fields are reset each time."""
    aside: Draft | None = None
    """The draft that this one has replaced, which a button restores."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The files' keys."""
        return tuple(file.key for file in self.files)

    @property
    def version(self) -> tuple[int, int]:
        """Changes whenever the fields of the questions must be reset."""
        return self.number, self.n_looks

    @property
    def is_growing(self) -> bool:
        """Whether files can be added: the draft has its own folder."""
        return self.folder is not None and self.path is not None and Path(self.folder.name) in self.path.parents


def current() -> Draft:
    """The session's draft; an empty one at first."""
    return session.recall(_DRAFT, Draft)


def keep(draft: Draft) -> None:
    """Make this the session's draft."""
    session.remember(_DRAFT, draft)


def begin(**fields: Any) -> Draft:
    """A new draft, with the next number."""
    draft = Draft(number=session.recall(_COUNT, int) + 1, **fields)
    session.remember(_COUNT, draft.number)
    return draft


def from_hub() -> None:
    """Draw the field for a model's name on the hub; its size is shown before anything is fetched."""
    with st.form("checkpoint_hub", border=False):
        name = st.text_input(tr("checkpoints.hub"), key="hub_name", placeholder="Helsinki-NLP/opus-mt-en-fr")
        is_asked = clicks.submit_button(tr("checkpoints.hub_ask"), key="hub_ask")
    if is_asked and name.strip():
        try:
            session.remember(_OFFER, hub.ask(name))
        except errors.USER_ERRORS as error:
            session.remember(_OFFER, None)
            keep(begin(problem=error))
    offer: hub.Offer | None = session.recall(_OFFER, lambda: None)
    if offer is None:
        return
    size = number(max(1, round(offer.n_bytes / _MIB)))
    st.caption(tr("checkpoints.hub_offer", name=escape_markdown(offer.name), revision=offer.revision[:8],
                  files=len(offer.files), size=size))  # fmt: skip
    about = (offer.name, offer.revision)
    if clicks.button(tr("checkpoints.hub_fetch", size=size), type="primary", key="hub_fetch", about=about):
        _fetch(offer)
        session.remember(_OFFER, None)
        st.rerun()


def _fetch(offer: hub.Offer) -> None:
    """Fetch the offered files with a progress bar, and open them."""
    draft = begin(files=(Dropped(offer.revision, offer.name, is_weights=True),))
    bar = st.progress(0.0, tr("checkpoints.hub_fetching"))

    def on_progress(n_bytes: int) -> None:
        bar.progress(min(1.0, n_bytes / max(1, offer.n_bytes)))

    try:
        with budget.releasing("uploads"):
            budget.ask("uploads", offer.n_bytes)
            path = hub.fetch(offer, on_bytes=on_progress)
    except errors.USER_ERRORS as error:
        keep(dataclasses.replace(draft, problem=error))
        return
    folder = TemporaryDirectory(dir=cache.upload_folder())
    look(dataclasses.replace(draft, folder=folder, path=path), {"name": offer.name.rpartition("/")[2]})


def look(draft: Draft, hints: dict[str, Any]) -> None:
    """Open the draft's files with hints; a model that opens replaces its earlier version in the picker."""
    draft, merged = dataclasses.replace(draft, n_looks=draft.n_looks + 1), draft.hints | hints
    # All inside the spinner: another event may interrupt the run at its end, and the result would be lost.
    with st.spinner(tr("checkpoints.examining")), budget.releasing("models"):
        _look(draft, merged)


def _look(draft: Draft, hints: dict[str, Any]) -> None:
    path = draft.path
    assert path is not None
    try:
        shelf.check_room(memory_of(path))  # before reading anything; checked again for the bytes of this process
        diagnosis = examine_sandboxed(path, check_room=shelf.check_room, **hints)
    except errors.USER_ERRORS as error:
        stored = hints if draft.diagnosis is None else draft.hints
        keep(dataclasses.replace(draft, hints=stored, problem=error, names=_names(draft, error)))
        return
    models, name, let_go = session.held_models(), draft.name, ()
    if name in models:
        models = shelf.replace(models, name, diagnosis.bundle)
    else:
        models, name, let_go = shelf.place(models, diagnosis.bundle, cache.model_names())
    shelf.keep(models)
    aside = draft.aside if draft.aside is None or draft.aside.name not in let_go else None
    keep(
        dataclasses.replace(
            draft,
            hints=hints,
            diagnosis=diagnosis,
            problem=None,
            name=name,
            let_go=let_go,
            aside=aside,
            names=_opened_names(draft, diagnosis),
        )
    )


def _opened_names(draft: Draft, diagnosis: Diagnosis) -> Names | None:
    """The mapping by which a file of no known family was opened, which the reader may edit."""
    if draft.names is not None or diagnosis.bundle.family != "named":
        return draft.names
    assert draft.path is not None
    return names_sandboxed(draft.path)


def _names(draft: Draft, error: Exception) -> Names | None:
    """A mapping proposed for the tensor names of an unrecognised file; None where the file has no tensors."""
    is_unknown = isinstance(error, UnrecognisedError | TensorsError) and not isinstance(error, UnshownError)
    if draft.names is not None or not is_unknown:
        return draft.names
    assert draft.path is not None
    try:
        return names_sandboxed(draft.path)
    except errors.USER_ERRORS:
        return None


def map_names(draft: Draft, lines: Sequence[Line]) -> None:
    """Open the draft's files with an edited mapping."""
    _map(draft, to_toml(lines).encode(), "")


def map_by_file(draft: Draft, file: UploadedFile) -> None:
    """Open the draft's files with an uploaded mapping."""
    _map(draft, file.getvalue(), file.file_id)


def _map(draft: Draft, content: bytes, mapping_id: str) -> None:
    assert draft.folder is not None
    path = Path(draft.folder.name) / "mapping.toml"
    draft = dataclasses.replace(draft, mapping_id=mapping_id or draft.mapping_id)
    if _write_file(draft, path, content):
        look(draft, {"mapping": path})


def _write_file(draft: Draft, path: Path, content: bytes | memoryview) -> bool:
    """Write a file to the draft's folder if this session has room for it; else store the error in the draft."""
    try:
        with budget.releasing("uploads"):
            budget.ask("uploads", len(content))
            path.write_bytes(content)
            budget.hold("uploads", size_of(cache.upload_folder()))
    except errors.USER_ERRORS as error:
        keep(dataclasses.replace(draft, problem=error))
        return False
    return True


def weigh(draft: Draft, source: str, target: str) -> None:
    """Add a translation's loss under each answer to the questions' evidence."""
    assert draft.diagnosis is not None
    try:
        questions = answer_losses.weigh(draft.diagnosis.bundle, draft.diagnosis.questions, source, target)
    except errors.USER_ERRORS as error:
        errors.show(tr("checkpoints.weigh_cannot"), public_message(error))
        return
    diagnosis = dataclasses.replace(draft.diagnosis, questions=questions)
    keep(dataclasses.replace(draft, diagnosis=diagnosis))
    st.rerun()


def add_tokens(draft: Draft, side: str, file: UploadedFile) -> None:
    """Set the vocabulary of one side from an uploaded file, and open the files again."""
    assert draft.folder is not None
    place = Path(draft.folder.name) / f"tokens-{side}"
    place.mkdir(exist_ok=True)
    path = place / plain_name(file.name, "tokens")
    draft = dataclasses.replace(draft, token_ids=(*draft.token_ids, file.file_id))
    if _write_file(draft, path, file.getbuffer()):
        look(draft, {f"{side}_tokens": path})
