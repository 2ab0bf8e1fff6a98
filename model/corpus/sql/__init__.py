"""SQL over the tables of a survey: the check of a query, and its execution in this or in a sandboxed process."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
