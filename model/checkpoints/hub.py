"""Checkpoints by their name on the Hugging Face hub, where the server's owner allows it: ``REGARD_ALLOW_HUB=1``.

A model that the hub's library has in its cache is opened from there, without a network. Otherwise the hub is asked
first which files there are and how large they are; then exactly these files of exactly this revision are downloaded:
weights as safetensors, configuration and tokens, never code or a pickle.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from model.checkpoints.basis.errors import CheckpointError, HintError, LimitError
from model.checkpoints.basis.limits import limits
from model.deployment import is_public

VARIABLE = "REGARD_ALLOW_HUB"
SECONDS = 15
"""Timeout of the hub in seconds."""
_NAME = re.compile(r"([A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?)(?:@([\w./-]{1,100}))?")
_WANTED = ("config.json", "generation_config.json", "model*.safetensors", "model*.safetensors.index.json", "*.spm",
           "*.model", "vocab.json", "vocab.txt", "merges.txt", "tokenizer*.json", "special_tokens_map.json",
           "shared_vocabulary.*", "*_vocabulary.json", "*_vocabulary.txt")  # fmt: skip
_MIB = 1 << 20
_WEIGHTS = re.compile(r"\.(safetensors|bin)(\.index\.json)?\Z")
_FILE = re.compile(r"\.(pt|pth|ckpt|chkpt|params|bin|safetensors|npz|zip|json|toml|h5|onnx|gguf)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Offer:
    """A model on the hub."""

    name: str
    revision: str
    """The commit that will be fetched, even if the name moves to another meanwhile."""
    files: tuple[tuple[str, int], ...]
    """(file, size in bytes)."""

    @property
    def n_bytes(self) -> int:
        """Size of all files."""
        return sum(size for _, size in self.files)


def is_allowed() -> bool:
    """Whether this installation may fetch from the hub."""
    return os.environ.get(VARIABLE, "").strip() in ("1", "true", "yes") and not is_public()


def parse_name(text: str) -> tuple[str, str | None]:
    """A model's name, and the revision of ``name@revision`` or None."""
    match = _NAME.fullmatch(text.strip())
    if match is None or ".." in text:
        raise HintError(f"{text[:80]!r} is not the name of a model: write it as in Helsinki-NLP/opus-mt-en-fr")
    return match[1], match[2]


def is_name(text: str) -> bool:
    """Whether a text can be the name of a model rather than the path of a file."""
    return _NAME.fullmatch(text) is not None and ".." not in text and not _FILE.search(text)


def folder_of(text: str) -> Path:
    """The folder of a model by its name: from the cache of the hub's library, otherwise downloaded.

    Raises:
        CheckpointError: when downloads are not allowed, or this one fails.
    """
    _check_allowed()
    return _cached_folder(*parse_name(text)) or fetch(ask(text))


def _cached_folder(name: str, revision: str | None) -> Path | None:
    """The cached folder of a revision; without a revision, of the main branch, or else of the only cached revision."""
    from huggingface_hub import constants, try_to_load_from_cache

    config = try_to_load_from_cache(name, "config.json", revision=revision)
    if isinstance(config, str):
        folders = [Path(config).parent]
    else:
        parent = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}" / "snapshots"
        folders = list(parent.iterdir()) if revision is None and parent.is_dir() else []
    is_whole = len(folders) == 1 and any(_WEIGHTS.search(path.name) for path in folders[0].iterdir())
    return folders[0] if is_whole else None


def ask(text: str) -> Offer:
    """Look up a name on the hub: the revision, and the files to fetch.

    Raises:
        HintError: when it is no name of a model.
        LimitError: when it is larger than this installation allows.
        CheckpointError: when downloads are not allowed, it does not exist, or it has no safetensors.
    """
    _check_allowed()
    name, revision = parse_name(text)
    from huggingface_hub import HfApi

    with _translate_errors(name):
        listing = HfApi(endpoint=_endpoint()).model_info(name, revision=revision, files_metadata=True, timeout=SECONDS)
    every = {str(file.rfilename): int(file.size or 0) for file in listing.siblings or ()}
    files = tuple((path, size) for path, size in sorted(every.items())
                  if "/" not in path and any(fnmatchcase(path, pattern) for pattern in _WANTED))  # fmt: skip
    if not any(path.endswith(".safetensors") for path, _ in files):
        others = (
            ", ".join(path for path in every if path.endswith((".bin", ".h5", ".msgpack", ".npz", ".pt"))) or "none"
        )
        raise CheckpointError(
            f"{name} has no safetensors weights in this revision (its other files: {others[:120]}): name a "
            f"revision that has, such as {name}@refs/pr/1, or download the folder and open that"
        )
    offer = Offer(name, str(listing.sha or revision or "main"), files)
    if offer.n_bytes > limits().max_upload_bytes:
        raise LimitError(
            f"{name} has {offer.n_bytes // _MIB:,} MiB, and the limit is {limits().max_upload_mb:,} MiB: "
            "on a server of your own, raise REGARD_MAX_UPLOAD_MB"
        )
    return offer


def fetch(offer: Offer, *, cache_folder: Path | None = None, on_bytes: Callable[[int], object] | None = None) -> Path:
    """The folder of an offer's files, downloaded if needed.

    Args:
        cache_folder: the cache of the hub's library; None for the default.
        on_bytes: called in this thread with the bytes downloaded so far.

    Raises:
        CheckpointError: when downloads are not allowed, or this one fails.
    """
    _check_allowed()
    from huggingface_hub import hf_hub_download
    from tqdm.auto import tqdm

    done = 0

    class ByteCounter(tqdm):
        """Replaces the library's progress bar: draws nothing and reports the bytes downloaded."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            self.come = int(options.get("initial") or 0)
            options["disable"] = True
            super().__init__(*arguments, **options)

        def update(self, n: float | None = 1) -> bool | None:
            self.come += int(n or 0)
            if on_bytes is not None:
                on_bytes(min(done + self.come, offer.n_bytes))
            return None

    folder = Path()
    for path, size in offer.files:
        with _translate_errors(offer.name):
            file = hf_hub_download(offer.name, path, revision=offer.revision, cache_dir=cache_folder,
                                   endpoint=_endpoint(), tqdm_class=ByteCounter)  # fmt: skip
        folder, done = Path(file).parent, done + size
        if on_bytes is not None:
            on_bytes(done)
    return folder


def _check_allowed() -> None:
    if not is_allowed():
        raise CheckpointError(
            f"models are not fetched by name from the Hugging Face hub unless {VARIABLE}=1 is set: set it, or give a "
            "folder"
        )


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT") or None


@contextmanager
def _translate_errors(name: str) -> Iterator[None]:
    """Turn the errors of the library, the network and the disk into ours."""
    try:
        yield
    except Exception as error:
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if kinds & {"RepositoryNotFoundError", "RevisionNotFoundError", "GatedRepoError", "EntryNotFoundError"}:
            raise CheckpointError(f"the hub has no public model {name} ({str(error)[:160]}): check the name") from error
        raise CheckpointError(
            f"{name} could not be fetched ({str(error)[:160]}). Without a network, download its folder elsewhere "
            f"(hf download {name}) and open that: config.json, model.safetensors and the tokens' files"
        ) from error
