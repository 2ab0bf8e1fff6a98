"""Pruning: a corpus's loss without some of a model's heads or without some source words."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
