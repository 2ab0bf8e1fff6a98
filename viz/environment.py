"""Names of the environment variables that the screens read; importing them costs nothing."""

CHECKPOINT_VARIABLE = "REGARD_CHECKPOINT"
"""A checkpoint to open beside the shipped ones; ``--checkpoint`` sets it."""
COLLECT_VARIABLE = "REGARD_COLLECT_SECONDS"
"""Seconds between two collections of garbage."""
