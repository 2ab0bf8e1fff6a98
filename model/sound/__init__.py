"""Sounds as a source: samples, files, and text form."""

from model.sound.sound import Sound, SoundError, is_sound

__all__ = ["Sound", "SoundError", "is_sound"]
