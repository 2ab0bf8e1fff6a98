"""The input of a model that reads pictures: their size, and the strips into which they are split."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model.layer_spec import ConfigError

MOST_PIXELS = 1 << 20
"""Maximum pixels of a picture in a configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSource:
    """Pictures split into strips from left to right; each strip is a source token.

    Raises:
        ConfigError: when the numbers do not fit together.
    """

    height: int = 32
    """Pixels."""
    width: int = 384
    """Pixels at most, a multiple of ``strip``."""
    strip: int = 6
    """Width of a strip in pixels."""
    right: int | None = None
    """Empty pixels to the right of the ink; None: fill up to ``width``."""

    def __post_init__(self) -> None:
        for name in ("height", "width", "strip", "right"):
            value = getattr(self, name)
            least = {"height": 8, "width": 24, "strip": 1, "right": 0}[name]
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if not (name == "right" and value is None) and not (is_whole and value >= least):
                raise ConfigError(f"{name} of the picture ({value!r:.40}) must be a whole number, at least {least}")
        if self.width % self.strip or self.height * self.width > MOST_PIXELS:
            raise ConfigError(
                f"the picture's width ({self.width}) must be a multiple of its strips' ({self.strip}), and the picture "
                f"have at most {MOST_PIXELS:,} pixels"
            )

    @property
    def n_pixels(self) -> int:
        """Pixels of a strip, P."""
        return self.height * self.strip

    @classmethod
    def from_mapping(cls, values: object) -> PictureSource:
        """Build from parsed JSON.

        Raises:
            ConfigError: for another type, an unknown field or a wrong number.
        """
        known = {field.name for field in dataclasses.fields(cls)}
        if not isinstance(values, Mapping) or set(values) - known:
            raise ConfigError(f"picture must be an object with {', '.join(sorted(known))}")
        fields: dict[str, Any] = dict(values)
        return cls(**fields)
