"""Queued trainings: their folder, the worker process, and their recordings."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
