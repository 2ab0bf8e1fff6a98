"""Atomic writes, confined processes, locks, and damaged archives."""
