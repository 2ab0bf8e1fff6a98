"""SQL over the tables of a survey: what a query may name, in this process or in one of its own."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
