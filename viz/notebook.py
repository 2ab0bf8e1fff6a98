"""From Python: ``viz.show(trace)`` draws the interactive views in a notebook, ``viz.export_html`` writes them."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model.bundle import Bundle
from model.files.atomic import write_atomically
from model.trace import Trace
from viz.export.page import MAX_BYTES, html_page
from viz.export.views import Shown, record_of, view_of
from viz.i18n import speaking

HEIGHT = 820
"""Pixels: the sentence, the toolbar and one map without scrolling."""


@dataclass(frozen=True, slots=True)
class Display:
    """A page for a notebook, in an iframe so that neither changes the other's style."""

    page: str
    height: int

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page, quote=True)}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0" loading="lazy" title="Regard"></iframe>'
        )


def show(
    shown: Shown,
    *,
    source_tokens: Sequence[str] = (),
    target_tokens: Sequence[str] = (),
    bundle: Bundle | None = None,
    model: str = "",
    batch: int | None = None,
    height: int = HEIGHT,
    language: str = "en",
) -> Display:
    """The interactive views of any attention, for the last line of a notebook cell.

    Args:
        shown: a Trace; an AttentionRecord; the path of an attention file; the output of a ``transformers`` model
            called with ``output_attentions=True``; or its list of one tensor per layer.
        source_tokens: tokens of the encoder or the only sequence; needed for tensors alone.
        target_tokens: tokens of the decoder; needed for its tensors alone.
        bundle: the model of a trace, named in captions.
        model: the name of another model.
        batch: which sentence of an output or of tensors that hold several, or which sequence of a beam search.
        height: of the frame, in pixels.
        language: of the interface, "en", "zh" or "fr".

    Raises:
        AttentionFileError, RecordError: when it cannot be shown; the message says why.
    """
    page = _page(shown, source_tokens, target_tokens, bundle, model, batch, language, MAX_BYTES)
    return Display(page, height)


def export_html(
    shown: Shown,
    path: Path | str,
    *,
    source_tokens: Sequence[str] = (),
    target_tokens: Sequence[str] = (),
    bundle: Bundle | None = None,
    model: str = "",
    batch: int | None = None,
    language: str = "en",
    max_bytes: int = MAX_BYTES,
) -> Path:
    """Write the views as one HTML file that opens without a network; arguments as for ``show``.

    Args:
        max_bytes: write weights to 8 bits when exact ones would go beyond this.

    Raises:
        AttentionFileError, RecordError: when it cannot be shown.
        OSError: when the file cannot be written; an earlier file of that name is kept.
    """
    page = _page(shown, source_tokens, target_tokens, bundle, model, batch, language, max_bytes)
    write_atomically(Path(path), page.encode("utf-8", "replace"))
    return Path(path)


def _page(
    shown: Shown,
    source_tokens: Sequence[str],
    target_tokens: Sequence[str],
    bundle: Bundle | None,
    model: str,
    batch: int | None,
    language: str,
    max_bytes: int,
) -> str:
    if not isinstance(shown, Trace):
        shown = record_of(shown, source_tokens=source_tokens, target_tokens=target_tokens, model=model, batch=batch)
    with speaking(language):
        view = view_of(shown, bundle=bundle)
    return html_page(view, language=language, max_bytes=max_bytes)
