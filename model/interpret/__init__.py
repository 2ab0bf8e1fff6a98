"""Runs the model in order to explain it: ablation, attribution, contrast, the logit lens, inspection."""

from model.lazy import submodules

__getattr__ = submodules(__name__, __path__)
