"""A model and everything needed to use it, as one frozen value that sessions share."""

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
    """A field for a text, or for a function that computes it when it is first asked for."""

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
    """Of the adapter, its values under the same names."""
    source_tokenizer: Tokenizer | None
    """None where the checkpoint has no tokens: ids are shown."""
    target_tokenizer: Tokenizer | None
    family: str = "own"
    fingerprint: _AtFirstUse = _AtFirstUse()
    """SHA-256 of weights, configuration and tokens, hex: equal fingerprints give equal attention. Of large weights it
    is computed at its first use, because that takes longer than opening them."""
    source_language: str | None = None
    """BCP 47, such as "en"."""
    target_language: str | None = None
    report: Report | None = None
    normalisation: Literal["plain"] | None = None
    """What is done to a text before it is tokenised: None hands it on verbatim, as every checkpoint of other projects
    expects; "plain" is ``model.text.tokenizer.normalise``, with which this project's own models are trained."""
    calibration: Calibration | None = None
    """Constants that predict whether a translation is poor; None where they were not measured."""
    generation: Generation | None = None
    """What the model's own generation_config.json says of how it writes; None where it came without one."""

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
        """The same with other fields; unlike ``dataclasses.replace`` it does not ask for the fingerprint."""
        return dataclasses.replace(self, **{"fingerprint": self.__dict__["_fingerprint"]} | changes)

    def to(self, device: torch.device | str) -> Bundle:
        """Move the model to a device; this affects everyone who uses this model. Returns the bundle itself.

        Raises:
            DeviceError: when this machine has no such device.
        """
        self.model.to(device_named(device))
        return self

    @property
    def device(self) -> torch.device:
        """Where the model's weights are, and so where its inputs have to be."""
        return next(self.model.parameters()).device
