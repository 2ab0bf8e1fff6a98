"""Reads a file or folder safely into named tensors and plain values, without interpreting them."""
