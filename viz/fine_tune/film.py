"""The probe sentence through training: frames read once each, packed, and shown as a film."""

import streamlit as st

from model.interventions import AttentionKind
from model.runs.job_folder import JobFolder
from model.training.jobs.probe import Frame, frame_path, frame_steps, read_frame
from model.training.settings import TrainingError
from viz import cache, theme
from viz.components.film import Seen, film, pack
from viz.i18n import current_language, group, tr
from viz.panels.widgets import segmented_picker
from viz.state import session
from viz.state.view_state import nearest_head


def draw(folder: JobFolder, *, last_step: int, is_alive: bool) -> Seen | None:
    """The film and the choice of its kind of attention; None while there is no frame."""
    frames = [frame for step in frame_steps(folder) if (frame := _frame(folder, step)) is not None]
    frames = [frame for frame in frames if frame.attention.kinds]
    if not frames:
        st.caption(tr("fine_tune.film_wait" if is_alive else "fine_tune.film_none"))
        return None
    kinds = frames[0].attention.kinds
    selection = session.read()
    kind: AttentionKind = selection.kind if selection.kind in kinds else kinds[-1]
    names = {name: tr(f"frame.kind_{name}") for name in kinds}
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f"**{tr('fine_tune.film')}**", width="content")
        segmented_picker(tr("fine_tune.film"), names, **session.bind("kind", value=kind))
    weights = frames[0].attention.of(kind)
    assert weights is not None
    n_layers, n_heads, *_ = weights.shape
    start = nearest_head(selection, (n_layers, n_heads))
    options = {"last_step": last_step, "is_alive": is_alive, "first_index": selection.first_index}
    steps = tuple(frame.step for frame in frames)
    packet = cache.replace_in_slot(
        ("film", str(folder.path), kind, start, session.mode(), current_language(), *options.items()),
        (steps, _written(folder, frames[-1].step)),
        lambda: pack(
            frames, kind=kind, palette=theme.palette(session.mode()), words=group("film"), start=start, **options
        ),
    )
    return film(packet, steps=steps, shape=(n_layers, n_heads), start=start, key=f"film.{folder.path.name}")


def _frame(folder: JobFolder, step: int) -> Frame | None:
    """A frame, or None where a resumed run has just dropped it."""
    try:
        return cache.get_or_compute(
            ("frame", str(folder.path), step, _written(folder, step)), lambda: read_frame(folder, step)
        )
    except TrainingError:
        return None


def _written(folder: JobFolder, step: int) -> int:
    try:
        return frame_path(folder, step).stat().st_mtime_ns
    except OSError:
        return 0
