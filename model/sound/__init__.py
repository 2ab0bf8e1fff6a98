"""Sounds as a source: their samples, the files that they come in, and their text form."""

from model.sound.sound import Sound, SoundError, is_sound

__all__ = ["Sound", "SoundError", "is_sound"]
