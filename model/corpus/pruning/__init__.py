"""What a model loses without some of its heads or some of its source words: one score for each variant of it."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
