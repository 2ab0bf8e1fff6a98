"""Greedy, sampled, beam and forced decoding, as generators of steps."""

from model.decoding.options import DecodingOptions
from model.decoding.sampling import Sampling
from model.decoding.step import DecodingError, DecodingStep
from model.decoding.strategies import beam, forced, greedy, sample
from model.lazy import submodules

__all__ = ["DecodingError", "DecodingOptions", "DecodingStep", "Sampling", "beam", "forced", "greedy", "sample"]

__getattr__ = submodules(__name__, __path__)
