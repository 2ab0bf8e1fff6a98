"""The file format of a ``Trace``: an .npz with its arrays, and everything else as JSON; no pickle."""

import dataclasses
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from model.arrays import Numbers
from model.errors import RegardError
from model.interventions import ITEMS, InterventionError, Interventions, PositionEdit

FORMAT, VERSION = "regard-trace", 1
Built = TypeVar("Built")


class TraceFileError(RegardError, ValueError):
    """A file is not a saved trace."""


def write_trace_file(path: str | Path, fields: Mapping[str, Any], arrays: Mapping[str, np.ndarray | None]) -> Path:
    """Write the texts and the existing arrays; ".npz" is added to the name if it is missing."""
    path = _with_ending(Path(path))
    text = json.dumps({"format": FORMAT, "version": VERSION, **fields}, ensure_ascii=False)
    present: dict[str, Any] = {name: array for name, array in arrays.items() if array is not None}
    with path.open("wb") as file:
        np.savez_compressed(file, json=np.array(text), **present)
    return path


def read_trace_file(path: str | Path, build: Callable[[dict[str, Any], dict[str, np.ndarray]], Built]) -> Built:
    """Read a file, and return the result of ``build`` for its fields and arrays.

    Raises:
        TraceFileError: when it is not a saved trace, or is damaged.
    """
    path = Path(path) if Path(path).is_file() else _with_ending(Path(path))
    if not path.is_file():
        raise TraceFileError(f"there is no file {path}: give one that Trace.save wrote")
    try:
        if not zipfile.is_zipfile(path):
            raise ValueError("it is not an .npz archive")
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        if "json" not in arrays:
            raise ValueError("it has the arrays " + ", ".join(arrays))
        fields = json.loads(str(arrays.pop("json")))
        if (fields["format"], fields["version"]) != (FORMAT, VERSION):
            raise ValueError(f"format {fields['format']!r:.40}, version {fields['version']!r:.20}")
        return build(fields, arrays)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise TraceFileError(
            f"{path} is not a saved trace ({error!s:.120}): give a file that Trace.save wrote"
        ) from error


def _with_ending(path: Path) -> Path:
    return path if path.suffix == ".npz" else path.with_name(f"{path.name}.npz")


def interventions_as_json(interventions: Interventions) -> dict[str, Any]:
    """Interventions as JSON values.

    Raises:
        InterventionError: when a patch applies a function, which cannot be stored.
    """
    if any(patch.apply is not None for patch in interventions.patches):
        raise InterventionError(
            "a patch that applies a function cannot be saved: save dataclasses.replace(trace, interventions=NONE)"
        )
    return _plain(dataclasses.asdict(interventions))


def interventions_of_json(mapping: dict[str, Any]) -> Interventions:
    """The inverse of ``interventions_as_json``."""
    fields: dict[str, Any] = {
        name: tuple(kind(**{key: _restore(value) for key, value in item.items()}) for item in mapping[name])
        for name, kind in ITEMS.items()
    }
    moved = mapping["source_positions"]
    return Interventions(
        **fields, source_positions=None if moved is None else PositionEdit(**moved),
        lift_causal_mask=bool(mapping["lift_causal_mask"]),
    )  # fmt: skip


def _plain(value: Any) -> Any:
    """Values as JSON: a patch's array as shape and list."""
    if isinstance(value, dict):
        if set(value) == {"shape", "content"}:
            return {"shape": value["shape"], "numbers": np.frombuffer(value["content"], np.float32).tolist()}
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def _restore(value: Any) -> Any:
    if isinstance(value, dict):
        return Numbers.of(np.array(value["numbers"], np.float32).reshape(value["shape"]))
    return tuple(value) if isinstance(value, list) else value
