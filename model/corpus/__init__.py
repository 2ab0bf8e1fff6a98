"""Many sentences through the model."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
