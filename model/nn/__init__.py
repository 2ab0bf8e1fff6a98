"""The network: attention, layers, positions, the Transformer, incremental decoding, and a GRU to compare with."""
