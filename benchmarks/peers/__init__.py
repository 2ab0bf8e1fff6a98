"""Each quantity of the library beside the same quantity of its peers, on the same tiny models (docs/peers.md)."""
