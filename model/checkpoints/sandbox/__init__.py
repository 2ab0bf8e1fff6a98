"""Untrusted files are read and converted in a separate process; this process opens the result.

See docs/security.md for what is promised, and docs/decisions/0014 for why.
"""

from model.checkpoints.sandbox.attention import read_attention_apart
from model.checkpoints.sandbox.client import warm
from model.checkpoints.sandbox.opening import Names, examine_apart, load_apart, names_apart

__all__ = ["Names", "examine_apart", "load_apart", "names_apart", "read_attention_apart", "warm"]
