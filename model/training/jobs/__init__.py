"""Trainings that wait in the queue: their folder, the process that works on them, and what they record."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
