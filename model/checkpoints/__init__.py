"""Checkpoints: ``load`` opens any known family as a Bundle, ``save`` writes this project's format."""

from model.bundle import Bundle
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.loading import load
from model.checkpoints.native_format import save

__all__ = ["Bundle", "CheckpointError", "load", "save"]
