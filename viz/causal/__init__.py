"""The parts of the Causal page."""
