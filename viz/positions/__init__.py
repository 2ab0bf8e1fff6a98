"""The Positions page: how a Transformer knows the order of words."""
