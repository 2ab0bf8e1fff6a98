"""Settings that a file does not contain: proposals from names and shapes, evidence, and a user's tables."""
