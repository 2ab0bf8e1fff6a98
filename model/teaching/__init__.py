"""The computations of the lesson and the laboratory."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
