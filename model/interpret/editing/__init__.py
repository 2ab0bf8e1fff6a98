"""Editing a model's computation: steering vectors, attention knockout, circuits."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
