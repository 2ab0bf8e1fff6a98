"""Tokenizers and lists of words of every kind, found beside weights or given by the user."""
