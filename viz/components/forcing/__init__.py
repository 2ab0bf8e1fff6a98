"""Training against inference, position by position: what is fed and predicted, the loss, and the first divergence."""

from dataclasses import dataclass

from model.teaching.teacher_forcing import Mode, TeacherForcing
from viz.components.source import Source
from viz.i18n import current_language
from viz.plain_text import marks
from viz.theme import in_both_modes

SOURCE = Source("forcing", "component.js")
_render = SOURCE.mount()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forcing:
    """Both modes over one reference, and the component's strings."""

    comparison: TeacherForcing
    masked: Mode | None
    """Training mode with the causal mask, for comparison, if the mask is lifted in ``comparison``."""
    words: dict[str, str]


def forcing(shown: Forcing, *, key: str) -> None:
    """Draw a column for each position."""
    comparison = shown.comparison
    _render(
        data={
            "reference": comparison.reference.pieces,
            "training": _mode(comparison.training),
            "inference": _mode(comparison.inference),
            "masked": None if shown.masked is None else _losses(shown.masked),
            "divergence": comparison.first_divergence,
            "words": shown.words | marks(),
            "language": current_language(),
            "colours": in_both_modes("accent", "warm", "good", "bad"),
        },
        key=key,
    )


def _mode(mode: Mode) -> dict:
    return {
        "fed": mode.fed.pieces,
        "predicted": mode.predicted.pieces,
        "losses": _losses(mode),
        "mean": round(mode.mean_loss, 4),
    }


def _losses(mode: Mode) -> list[float | None]:
    return [None if loss != loss else round(float(loss), 4) for loss in mode.losses]
