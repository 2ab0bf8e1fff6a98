"""Decides what an upload is: more files of the current checkpoint, or another checkpoint that replaces it.

Files that belong together may come one after the other: weights, then their vocabulary. A second file of weights is
another checkpoint; the first is set aside, and a button goes back to it.
"""

import dataclasses
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from model.checkpoints.basis.errors import LimitError
from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.source import BEGINNING, begins_like_weights
from model.files.size import size_of
from viz import budget, cache
from viz.checkpoints import draft as checkpoint_draft
from viz.checkpoints.draft import Draft, Dropped
from viz.i18n import tr
from viz.panels import errors
from viz.plain_text import escape_markdown
from viz.state import clicks, session
from viz.uploads import plain_name

_LISTED = "checkpoint_listed"
_PART = re.compile(r"(.+)-\d{5}-of-(\d{5})\.\w+")
_MIB = 1 << 20
_NAMED = 3


def take(files: Sequence[UploadedFile]) -> None:
    """Examine the files that were uploaded or removed since the last run."""
    before: tuple[str, ...] = session.recall(_LISTED, tuple)
    now = tuple(file.file_id for file in files)
    session.remember(_LISTED, now)
    draft = checkpoint_draft.current()
    new = [file for file in files if file.file_id not in {*before, *draft.keys}]
    # The list is also empty after a visit to another page, although no file was removed.
    removed = set(before) - set(now) if files else set()
    if draft.aside is not None and removed & set(draft.aside.keys):
        draft = _without_aside(draft)
        checkpoint_draft.keep(draft)
    remaining = tuple(file for file in draft.files if file.key not in removed)
    if new:
        _take_new(draft, remaining, new)
    elif len(remaining) < len(draft.files):
        _take_removal(draft, remaining, files)


def aside() -> None:
    """Draw the checkpoint set aside, a button to restore it, and one to copy its other files to the new one."""
    draft = checkpoint_draft.current()
    if draft.aside is None:
        return
    others = [file for file in draft.aside.files if not file.is_weights and file.name not in _names(draft.files)]
    with st.container(key="checkpoint_aside", gap="small"):
        st.markdown(
            f":material/swap_horiz: {tr('checkpoints.aside', old=_list(draft.aside.files), new=_list(draft.files))}"
        )
        with st.container(horizontal=True, gap="small"):
            st.button(tr("checkpoints.aside_back", old=_list(draft.aside.files[:1])), key="checkpoint_back",
                      icon=":material/undo:", on_click=_swap)  # fmt: skip
            if others and draft.is_growing and draft.aside.is_growing:
                label = tr("checkpoints.aside_add", names=_list(others))
                if clicks.button(label, key="checkpoint_with", icon=":material/playlist_add:", about=draft.version):
                    _add_from_aside(draft, others)
                    st.rerun()


def _take_new(draft: Draft, remaining: tuple[Dropped, ...], new: list[UploadedFile]) -> None:
    described = [_describe_file(file) for file in new]
    is_another = any(file.is_weights for file in remaining) and any(file.is_weights for file in described)
    with budget.releasing("uploads"):
        if remaining and draft.is_growing and (not is_another or _are_parts((*remaining, *described))):
            _add(draft, remaining, new, described)
        else:
            _start(new, described, instead_of=draft if remaining else None)


def _take_removal(draft: Draft, remaining: tuple[Dropped, ...], files: Sequence[UploadedFile]) -> None:
    if remaining:
        _look(dataclasses.replace(draft, files=remaining))
    elif draft.aside is not None:
        checkpoint_draft.keep(draft.aside)
    else:
        with budget.releasing("uploads"):
            _start(list(files), [_describe_file(file) for file in files])


def _start(files: list[UploadedFile], described: list[Dropped], *, instead_of: Draft | None = None) -> None:
    """Write files to disk as a new checkpoint, and examine it."""
    if instead_of is not None:
        instead_of = _without_aside(instead_of)
    draft = checkpoint_draft.begin(files=tuple(described), aside=instead_of)
    try:
        draft = _with_room(draft, sum(file.size for file in files))
    except errors.USER_ERRORS as error:
        checkpoint_draft.keep(dataclasses.replace(draft, problem=error))
        return
    name = _common_name(files, described)
    folder = TemporaryDirectory(dir=cache.upload_folder())
    place = Path(folder.name) / name  # messages name the folder that is read
    place.mkdir()
    _write(files, place)
    _look(dataclasses.replace(draft, folder=folder, path=place))


def _add(draft: Draft, remaining: tuple[Dropped, ...], files: list[UploadedFile], described: list[Dropped]) -> None:
    """Add files to the draft; a file replaces one of the same name."""
    try:
        draft = _with_room(draft, sum(file.size for file in files))
    except errors.USER_ERRORS as error:
        checkpoint_draft.keep(dataclasses.replace(draft, problem=error))
        return
    _write(files, _place(draft))
    others = tuple(file for file in remaining if file.name not in _names(described))
    _look(dataclasses.replace(draft, files=(*others, *described)))


def _add_from_aside(draft: Draft, others: list[Dropped]) -> None:
    assert draft.aside is not None
    for file in others:
        shutil.copyfile(_place(draft.aside) / file.name, _place(draft) / file.name)
    _look(dataclasses.replace(draft, files=(*draft.files, *others)))


def _look(draft: Draft) -> None:
    """Examine the draft's files: a single one as a file, several as their folder."""
    place = _place(draft)
    for path in place.iterdir():
        if path.name not in _names(draft.files):
            path.unlink()
    path = place / draft.files[0].name if len(draft.files) == 1 else place
    budget.hold("uploads", size_of(cache.upload_folder()))
    checkpoint_draft.look(dataclasses.replace(draft, path=path), {})


def _swap() -> None:
    draft = checkpoint_draft.current()
    if draft.aside is not None:
        checkpoint_draft.keep(dataclasses.replace(draft.aside, aside=dataclasses.replace(draft, aside=None)))


def _with_room(draft: Draft, n_bytes: int) -> Draft:
    """The draft if there is room for ``n_bytes`` more; the one set aside is deleted if necessary."""
    max_bytes = limits().max_upload_bytes
    if n_bytes > max_bytes:
        raise LimitError(tr("checkpoints.too_large", size=n_bytes // _MIB, most=max_bytes // _MIB))
    budget.hold("uploads", size_of(cache.upload_folder()))
    try:
        budget.ask("uploads", n_bytes)
    except LimitError:
        if draft.aside is None:
            raise
        draft = _without_aside(draft)
        budget.hold("uploads", size_of(cache.upload_folder()))
        budget.ask("uploads", n_bytes)
    return draft


def _without_aside(draft: Draft) -> Draft:
    """The draft without the one set aside, whose files are deleted; its model stays open."""
    if draft.aside is not None and draft.aside.folder is not None:
        draft.aside.folder.cleanup()
    return dataclasses.replace(draft, aside=None)


def _place(draft: Draft) -> Path:
    """The folder of a draft's files."""
    assert draft.path is not None
    return draft.path if draft.path.is_dir() else draft.path.parent


def _write(files: Sequence[UploadedFile], place: Path) -> None:
    for file in files:
        (place / _name(file)).write_bytes(file.getbuffer())


def _describe_file(file: UploadedFile) -> Dropped:
    beginning = bytes(file.getbuffer()[:BEGINNING])
    return Dropped(file.file_id, _name(file), begins_like_weights(_name(file), beginning, file.size))


def _name(file: UploadedFile) -> str:
    return plain_name(file.name, "file")


def _names(files: Sequence[Dropped]) -> set[str]:
    return {file.name for file in files}


def _are_parts(files: Sequence[Dropped]) -> bool:
    """Whether all weights are numbered parts of one checkpoint."""
    numbers = {match and match.groups() for file in files if file.is_weights for match in [_PART.fullmatch(file.name)]}
    return len(numbers) == 1 and None not in numbers


def _list(files: Sequence[Dropped]) -> str:
    """The names of the first few files, for a sentence."""
    named = [escape_markdown(file.name) for file in files[:_NAMED]]
    return ", ".join(named) + (" …" if len(files) > _NAMED else "")


def _common_name(files: Sequence[UploadedFile], described: Sequence[Dropped]) -> str:
    """The name of the largest file of weights, or of the largest file."""
    _, largest = max(zip(described, files, strict=True), key=lambda pair: (pair[0].is_weights, pair[1].size))
    return _name(largest).split(".")[0] or "checkpoint"
