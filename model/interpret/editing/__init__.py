"""What changes make of a model: directions that steer it, attention that is knocked out, circuits."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
