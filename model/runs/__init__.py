"""Runs as child processes, one at a time on each device: trainings and surveys alike."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
