"""Turns what a toolkit stored beside its tensors (dicts, Namespaces, OmegaConf containers) into plain values."""

from collections.abc import Mapping
from typing import Any

from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.formats.pickle_values import PickledObject

_MAX_DEPTH, _MAX_VALUES = 12, 200_000


def plain_value(value: object) -> Any:
    """Dicts, lists, numbers and strings; anything else becomes None.

    Raises:
        CheckpointError: when there is more than settings ever are.
    """
    return _Plain().of(value, 0)


def number_of(settings: Mapping[str, Any], name: str, usual: int, *, least: int = 0, most: int = 10_000_000) -> int:
    """An integer from the settings, or the default if it is missing."""
    value = settings.get(name)
    if value is None:
        return usual
    if type(value) is not int or not least <= value <= most:
        raise CheckpointError(
            f"{name} in the settings is {value!r:.40}, not a whole number from {least} to {most:,}: "
            "the settings are damaged or belong to another model"
        )
    return value


def flag_of(settings: Mapping[str, Any], name: str) -> bool:
    """A boolean from the settings, False if it is missing."""
    value = settings.get(name)
    if value is None:
        return False
    if type(value) is not bool:
        raise CheckpointError(f"{name} in the settings is {value!r:.40}, not True or False: the settings are damaged")
    return value


def section_of(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A table within the settings, empty if it is missing."""
    section = settings.get(name)
    return section if isinstance(section, dict) else {}


class _Plain:
    """One conversion, which counts the values visited because a value may contain itself."""

    def __init__(self) -> None:
        self.seen = 0

    def of(self, value: object, depth: int) -> Any:
        self.seen += 1
        if self.seen > _MAX_VALUES:
            raise CheckpointError(f"the settings hold more than {_MAX_VALUES:,} values: give the weights without them")
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if depth > _MAX_DEPTH:
            return None
        if isinstance(value, list | tuple):
            return [self.of(item, depth + 1) for item in value]
        fields = _fields(value)
        if fields is None:
            return None
        if "_content" in fields:  # an OmegaConf container, whose values are nodes with one value each
            return self.of(fields["_content"], depth)
        if "_val" in fields:
            return self.of(fields["_val"], depth)
        return {str(name): self.of(inner, depth + 1) for name, inner in fields.items()}


def _fields(value: object) -> Mapping[Any, Any] | None:
    if isinstance(value, PickledObject):
        held = value.state if isinstance(value.state, Mapping) else {}
        return {**held, **value.fields, **value.entries, **({"items": value.items} if value.items else {})}
    return value if isinstance(value, Mapping) else None
