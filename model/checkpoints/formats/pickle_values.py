"""The content of a pickle as data: classes by name, objects as fields, tensors as views of a storage."""

import math
from dataclasses import dataclass, field
from typing import Any

CONVERT = (
    "none of it was run. Convert it where it was made: load it there, then "
    "torch.save(model.state_dict(), 'weights.pt'), or "
    "safetensors.torch.save_file(model.state_dict(), 'weights.safetensors')"
)
SCALARS = (str, int, float, bool, bytes, type(None))


@dataclass(frozen=True, slots=True)
class ClassName:
    """A class or function that a pickle names; it is never looked up."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


@dataclass(slots=True, eq=False)
class PickledObject:
    """An object of any other class, as data."""

    kind: str
    """The class's full name, such as ``argparse.Namespace``."""
    arguments: tuple[Any, ...] = ()
    """What it would have been made with."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Its attributes."""
    items: list[Any] = field(default_factory=list)
    """Its elements, where it is a list of its own kind."""
    entries: dict[Any, Any] = field(default_factory=dict)
    """Its entries, where it is a dict of its own kind."""
    state: Any = None
    """Its state, where that is not a dict of attributes."""


@dataclass(frozen=True, slots=True)
class Storage:
    """A storage: numbers that are stored elsewhere in the file."""

    kind: str
    """The name of its class, such as ``FloatStorage``."""
    key: str
    n_numbers: int
    first: int = 0
    """Where a view of an older storage begins."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredTensor:
    """A tensor as a view of a storage; no numbers have been read yet."""

    storage: Storage
    first: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of elements that its shape claims."""
        return math.prod(self.shape)


def parts(value: Any) -> list[Any]:
    """The values directly inside one value."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, PickledObject):
        held = (value.arguments, value.fields, value.items, value.entries, value.state)
        return [part for part in held if not isinstance(part, SCALARS)]
    return []


def is_count(value: object) -> bool:
    """Whether a value is valid as a size or an offset."""
    return type(value) is int and 0 <= value < 2**48
