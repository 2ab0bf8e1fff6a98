"""The parts of causal maps: pairs of sentences or prompts, patches, and passes that start at a layer."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
