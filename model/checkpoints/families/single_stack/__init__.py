"""Decoder-only and encoder-only models that people write and train themselves: each form in a file of its own."""
