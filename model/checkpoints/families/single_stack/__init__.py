"""Decoder-only and encoder-only models that people write and train themselves."""
