"""Word alignments from attention, and their error against human alignments."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
