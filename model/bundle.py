"""A model and everything needed to use it, as one frozen value that sessions share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from model.calibration import Calibration
from model.device import device_named
from model.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from model.checkpoints.report import Report


@dataclass(frozen=True, slots=True, repr=False)
class Bundle:
    """What ``load`` returns."""

    name: str
    model: Any
    """A Transformer in eval mode, or an adapter with the same encode, decode and project."""
    config: Any
    """TransformerConfig, or the adapter's values under the same names."""
    source_tokenizer: Tokenizer | None
    """None where the checkpoint has no tokens: ids are shown."""
    target_tokenizer: Tokenizer | None
    family: str = "own"
    fingerprint: str = ""
    """SHA-256 of weights, configuration and tokens, hex: equal fingerprints give equal attention."""
    source_language: str | None = None
    """BCP 47, such as "en"."""
    target_language: str | None = None
    report: Report | None = None
    calibration: Calibration | None = None
    """Constants that predict whether a translation is poor; None where they were not measured."""

    def __repr__(self) -> str:
        n_parameters = sum(parameter.numel() for parameter in self.model.parameters())
        return f"Bundle({self.name!r}, {self.family}, {n_parameters:,} parameters on {self.device})"

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
