"""Whether this installation is public: ``REGARD_PUBLIC=1`` sets safer defaults (docs/administrators.md)."""

import os

VARIABLE = "REGARD_PUBLIC"


def is_public() -> bool:
    """Whether the server's owner declared it public."""
    return os.environ.get(VARIABLE, "").strip().lower() in ("1", "true", "yes")
