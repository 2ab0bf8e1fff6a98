"""Shared by all parts of checkpoints: errors, limits, hints, the report, and a Transformer from named tensors."""
