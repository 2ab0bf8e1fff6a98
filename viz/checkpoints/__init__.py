"""The Checkpoints page: a model from a file, its questions and its report."""
