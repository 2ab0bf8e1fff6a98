"""Reads and converts untrusted files in a separate process; this process opens the result.

See docs/security.md for the guarantees, and docs/decisions/0014 for the reasons.
"""

from model.checkpoints.sandbox.client import warm
from model.checkpoints.sandbox.opening import (
    Names,
    examine_sandboxed,
    load_sandboxed,
    names_sandboxed,
    read_attention_sandboxed,
)

__all__ = ["Names", "examine_sandboxed", "load_sandboxed", "names_sandboxed", "read_attention_sandboxed", "warm"]
