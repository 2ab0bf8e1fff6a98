"""The models that one browser session has opened: their names, their memory, their eviction and their download."""

import dataclasses
import io
import tempfile
import zipfile
from pathlib import Path

from model import Bundle, save
from model.checkpoints.basis.limits import limits
from model.checkpoints.doctor import weight_bytes
from viz import budget
from viz.state import session

Models = dict[str, Bundle]
_MIB = 1 << 20


def place(models: Models, bundle: Bundle, taken: tuple[str, ...] = ()) -> tuple[Models, str, tuple[str, ...]]:
    """Put a model on the shelf as the newest, under a name that is not ``taken`` by a model of every session. Returns
    the models, oldest first; its name; and the names of those removed to make room."""
    name = free_name(bundle.name, (*taken, *models))
    opened, removed = {**models, name: dataclasses.replace(bundle, name=name)}, []
    while used_mb(opened) > limits().session_memory_mb and len(opened) > 1:
        removed.append(next(iter(opened)))
        del opened[removed[-1]]
    return opened, name, tuple(removed)


def check_room(n_bytes: int) -> None:
    """Reserve memory for a model before it is opened, inside ``budget.settled``, if need be by evicting older models of
    this session. Raises LimitError beyond what a session, or the server, keeps open."""
    budget.ask("models", n_bytes, instead=True)


def keep(models: Models) -> None:
    """Make these the models of this browser session, and account for their memory."""
    session.keep_private_models(models)
    budget.hold("models", int(used_mb(models) * _MIB))


def touch(models: Models, name: str) -> Models:
    """The models with ``name`` as the most recently used."""
    if name not in models:
        return models
    return {**{other: bundle for other, bundle in models.items() if other != name}, name: models[name]}


def replace(models: Models, name: str, bundle: Bundle) -> Models:
    """The models with another bundle under an existing name."""
    renamed = dataclasses.replace(bundle, name=name)
    return {key: renamed if key == name else opened for key, opened in models.items()}


def rename(models: Models, name: str, wished: str, taken: tuple[str, ...] = ()) -> tuple[Models, str]:
    """The models with ``name`` renamed, and the new name, numbered if ``wished`` is taken."""
    free = free_name(wished, (*taken, *(other for other in models if other != name)))
    renamed = {
        free if key == name else key: dataclasses.replace(bundle, name=free) if key == name else bundle
        for key, bundle in models.items()
    }
    return renamed, free


def free_name(wished: str, taken: tuple[str, ...]) -> str:
    """A short printable name that is not taken."""
    cleaned = " ".join("".join(c for c in wished if c.isprintable() and c not in "/\\").split())[:60] or "checkpoint"
    chosen, number = cleaned, 2
    while chosen in taken:
        chosen, number = f"{cleaned} {number}", number + 1
    return chosen


def used_mb(models: Models) -> float:
    """Memory that the weights of these models take, MiB; weights that two of them share count once."""
    return sum({bundle.fingerprint: weight_bytes(bundle) for bundle in models.values()}.values()) / _MIB


def zip_model(bundle: Bundle) -> bytes:
    """A zip of the folder that ``model.save`` writes, which ``model.load`` and the page Checkpoints open."""
    stream = io.BytesIO()
    with tempfile.TemporaryDirectory(prefix="regard-save-") as place:
        folder = save(bundle, Path(place) / "checkpoint")
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            for path in sorted(folder.iterdir()):
                archive.write(path, path.name)
    return stream.getvalue()
