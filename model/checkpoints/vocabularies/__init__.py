"""Tokenizers and word lists of every kind, found beside weights or passed by the user."""
