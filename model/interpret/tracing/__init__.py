"""What causal maps are made of: a pair of sentences, its patches, and the pair of prompts of a decoder-only model."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
