"""A model with everything needed to use it, as one frozen value that sessions share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import torch

from model.calibration import Calibration
from model.device import device_named
from model.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from model.checkpoints.basis.report import Report
    from model.config import TransformerConfig
    from model.decoding.generation import Generation
    from model.grid_source import GridSource
    from model.nn.protocol import EncoderDecoder
    from model.picture_source import PictureSource


class _AtFirstUse:
    """Descriptor of a string field that may be set to a function, which is called on first access."""

    def __get__(self, bundle: Bundle | None, owner: type | None = None) -> str:
        if bundle is None:
            return ""  # the field's default
        held: str | Callable[[], str] = bundle.__dict__["_fingerprint"]
        fingerprint = held() if callable(held) else held
        bundle.__dict__["_fingerprint"] = fingerprint
        return fingerprint

    def __set__(self, bundle: Bundle, value: str | Callable[[], str]) -> None:
        bundle.__dict__["_fingerprint"] = value


@dataclass(frozen=True, repr=False)
class Bundle:
    """A loaded model with its configuration, tokenizers and device: the result of ``load``."""

    name: str
    model: EncoderDecoder
    """A Transformer in eval mode, or an adapter with the same encode, decode and project."""
    config: TransformerConfig
    """For an adapter, the library's values under our names."""
    source_tokenizer: Tokenizer | None
    """None if the checkpoint has no tokenizer: ids are shown."""
    target_tokenizer: Tokenizer | None
    family: str = "own"
    fingerprint: _AtFirstUse = _AtFirstUse()
    """Hex SHA-256 of weights, configuration and tokens: equal fingerprints give equal attention. For large weights it
    is computed on first use, because that takes longer than opening them."""
    source_language: str | None = None
    """BCP 47, such as "en"."""
    target_language: str | None = None
    report: Report | None = None
    normalisation: Literal["plain"] | None = None
    """The normalisation of a text before tokenization: None leaves it verbatim, as checkpoints of other projects
    expect; "plain" is ``model.text.tokenizer.normalise``, with which this project's models are trained."""
    calibration: Calibration | None = None
    """Constants that predict whether a translation is poor; None if they were not measured."""
    generation: Generation | None = None
    """The settings of the model's generation_config.json; None without that file."""

    @property
    def picture(self) -> PictureSource | None:
        """The pictures that the model reads; None for a model that reads text."""
        return getattr(self.config, "picture", None)

    @property
    def grid(self) -> GridSource | None:
        """The processor of a ``transformers`` model that reads pictures in patches, or sounds; otherwise None."""
        return getattr(self.model, "grid", None)

    def __repr__(self) -> str:
        n_parameters = sum(parameter.numel() for parameter in self.model.parameters())
        return f"Bundle({self.name!r}, {self.family}, {n_parameters:,} parameters on {self.device})"

    def but(self, **changes: Any) -> Bundle:
        """A copy with other fields; unlike ``dataclasses.replace`` it does not compute the fingerprint."""
        return dataclasses.replace(self, **{"fingerprint": self.__dict__["_fingerprint"]} | changes)

    def to(self, device: torch.device | str) -> Bundle:
        """Move the model to a device in place, for all users of this model. Returns the bundle itself.

        Raises:
            DeviceError: when this machine has no such device.
        """
        self.model.to(device_named(device))
        return self

    @property
    def device(self) -> torch.device:
        """The device of the model's weights, and so of its inputs."""
        return next(self.model.parameters()).device
