"""What the lesson and the laboratory compute."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
