"""Names of the environment variables that the screens read; importing them costs nothing."""

CHECKPOINT_VARIABLE = "REGARD_CHECKPOINT"
"""A checkpoint to open beside the shipped ones; ``--checkpoint`` sets it."""
COLLECT_VARIABLE = "REGARD_COLLECT_SECONDS"
"""Seconds between two collections of garbage."""
REPLICA_VARIABLE = "REGARD_REPLICA"
"""This server's name among several behind one proxy, which sends a visitor back to it."""
