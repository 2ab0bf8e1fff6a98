"""The models open in this browser session: use, rename, download, remove, and their memory."""

import dataclasses

import streamlit as st

from model import Bundle, Transformer
from model.checkpoints.basis.limits import limits
from model.checkpoints.doctor import weight_bytes
from viz import cache
from viz.checkpoints import draft as checkpoint_draft
from viz.checkpoints.report import family_name, megabytes
from viz.i18n import number, tr
from viz.panels import shelf
from viz.panels.reading import use_model
from viz.state import session


def draw_open_models() -> None:
    """Draw the list, newest first; nothing when no model is open."""
    models = session.held_models()
    if not models:
        return
    st.markdown(f"**{tr('checkpoints.open_models')}**")
    for name, bundle in reversed(models.items()):
        _row(name, bundle)
    used, limit = shelf.used_mb(models), limits().session_memory_mb
    st.progress(min(1.0, used / limit), tr("checkpoints.used", used=number(used, ",.0f"), most=number(limit)))


def use(name: str) -> None:
    """Make an open model the one that every page shows."""
    shelf.keep(shelf.touch(session.held_models(), name))
    use_model(name)


def _row(name: str, bundle: Bundle) -> None:
    is_used = session.read().model == name
    with st.container(border=True, key=f"shelf_{name}"):
        st.text_input(
            tr("checkpoints.rename"), name, key=f"rename_{name}", max_chars=60, label_visibility="collapsed",
            on_change=_rename, args=(name,),
        )  # fmt: skip
        st.caption(f"{family_name(bundle.family)} · {megabytes(weight_bytes(bundle))}")
        waits = session.needs_answer(bundle)
        if waits:
            st.caption(f":orange[:material/help:] {tr('checkpoints.waits')}")
        with st.container(horizontal=True, gap="small"):
            label = tr("checkpoints.in_use") if is_used else tr("checkpoints.use")
            st.button(label, key=f"use_{name}", disabled=is_used or waits, on_click=use, args=(name,))
            _download(name, bundle)
            st.button(
                "", icon=":material/close:", help=tr("checkpoints.remove"), key=f"remove_{name}", type="tertiary",
                on_click=_remove, args=(name,),
            )  # fmt: skip


def _download(name: str, bundle: Bundle) -> None:
    is_ours = isinstance(bundle.model, Transformer)
    st.download_button(
        "", data=lambda: shelf.zip_model(bundle), file_name=f"{name}.zip", mime="application/zip",
        icon=":material/download:", disabled=not is_ours,
        help=tr("checkpoints.download") if is_ours else tr("checkpoints.download_not"),
        key=f"download_{name}", on_click="ignore", type="tertiary",
    )  # fmt: skip


def _rename(name: str) -> None:
    wished = session.widget_value(f"rename_{name}") or name
    models, chosen = shelf.rename(session.held_models(), name, wished, cache.model_names())
    shelf.keep(models)
    if session.read().model == name:
        session.change(model=chosen)
    _follow(name, chosen)


def _remove(name: str) -> None:
    models = session.held_models()
    removed = models.pop(name, None)
    shelf.keep(models)
    if session.read().model == name:
        use_model("", before=removed)
    _follow(name, "")


def _follow(name: str, chosen: str) -> None:
    """Keep the drafts' references to their models after a rename, and drop the reference to a removed model."""
    draft = checkpoint_draft.current()
    aside = draft.aside
    if not chosen:
        session.forget_uploads(key for part in (draft, aside) if part and part.name == name for key in part.keys)
    if aside is not None and aside.name == name:
        aside = dataclasses.replace(aside, name=chosen) if chosen else None
    if draft.name == name:
        draft = dataclasses.replace(draft, name=chosen) if chosen else checkpoint_draft.Draft()
    checkpoint_draft.keep(dataclasses.replace(draft, aside=aside))
