"""Vocabularies that a training learns or extends."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
