"""``native_format`` under its name in earlier versions."""

import warnings
from typing import Any

from model.checkpoints import native_format

_EARLIER = {"is_own": "is_native", "load_own": "load_native"}


def __getattr__(name: str) -> Any:
    warnings.warn(
        "model.checkpoints.own is now called model.checkpoints.native_format", DeprecationWarning, stacklevel=2
    )
    return getattr(native_format, _EARLIER.get(name, name))
