"""The Overview page: a plan of the whole model."""
