"""The input of a ``transformers`` model that reads pictures in patches, or sounds in frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from torch import Tensor

    from model.picture import Picture
    from model.trace import TokenSequence


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, or the spectrogram of a sound with low frequencies at the bottom, and the grid of tokens on it."""

    picture: Picture
    rows: int
    columns: int
    before: int = 0
    """Tokens before the first patch, which have no place in the picture."""


class GridSource(Protocol):
    """Converts a picture or a sound to tokens, and tokens to the encoder's input.

    A token is a patch of a picture or a frame of a sound, and its "id" is its content: pixels from 0 to 255, or samples
    from 0 to 65,535. The library's processor prepares the picture or sound, and makes tensors from tokens.
    """

    reads: Literal["picture", "sound"]
    n_values: int
    """Numbers per token, P."""
    pad: int
    """The value of padding, one more than the largest value of a picture or sound."""
    settings: dict[str, Any]
    """The processor's settings, as in its file."""
    has_default_settings: bool
    """Whether the folder has no settings of the processor."""

    def tokens(self, source: Any) -> tuple[TokenSequence, str]:
        """The S tokens of a picture, a sound or a text form, and the text form.

        Raises:
            TextError: when it is none of these, or cannot be read.
        """
        ...

    def inputs(self, source_ids: Tensor) -> dict[str, Tensor]:
        """The encoder's input, from int64 (B, S, P) without padding."""
        ...

    def probe(self, device: Any) -> Tensor:
        """Tokens of noise, int64 (1, S, P)."""
        ...

    def drawn(self, text: str) -> Drawn:
        """The picture or spectrogram to show for a text form."""
        ...
