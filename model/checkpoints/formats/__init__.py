"""A file or folder, read safely, to named tensors and plain values: what they mean is not asked here."""
