"""Pruning: the loss over a corpus without some heads or some source words."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
