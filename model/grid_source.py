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
    """A picture, or the spectrogram of a sound with low tones below, and the grid of tokens on it."""

    picture: Picture
    rows: int
    columns: int
    before: int = 0
    """Tokens before the first patch, which stand for no place."""


class GridSource(Protocol):
    """From a picture or a sound to tokens, and from tokens to what the encoder takes.

    A token is a patch of a picture or a frame of a sound, and its id is what it holds: pixels from 0 to 255, or samples
    from 0 to 65,535. The library's own processor prepares the one and makes tensors of the other.
    """

    reads: Literal["picture", "sound"]
    n_values: int
    """Numbers of a token's id, P."""
    pad: int
    """The value of padding, one more than the largest that a picture or a sound has."""
    settings: dict[str, Any]
    """Of the processor, as its file has them."""
    has_default_settings: bool
    """Whether the folder had no file of the processor's settings."""

    def tokens(self, source: Any) -> tuple[TokenSequence, str]:
        """The S tokens of a picture, a sound or its text form, and their text form.

        Raises:
            TextError: when it is something else, or cannot be read.
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
