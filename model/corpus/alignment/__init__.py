"""Alignments of words that attention gives, and their error against alignments made by people."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
