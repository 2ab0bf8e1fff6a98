"""What every part of checkpoints uses: errors, limits, hints, the report, and a Transformer from named tensors."""
