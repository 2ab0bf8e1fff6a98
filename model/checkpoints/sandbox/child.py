"""The work of a child process: it converts an untrusted file to our format, or runs an untrusted tokenizer."""

import os
import shutil
import signal
import socket
from functools import partial
from pathlib import Path
from typing import Any

from model.checkpoints.sandbox.messages import ConnectionEnded, receive, send
from model.checkpoints.vocabularies import probing, tokenizer_probe
from model.files.confinement import confine


def preload() -> None:
    """Import the modules that every child needs, before forking."""
    import torch

    torch.set_num_threads(1)
    import model.checkpoints.doctor
    import model.checkpoints.formats.plain_yaml
    import model.checkpoints.native_format
    import model.checkpoints.sandbox.opening  # noqa: F401


def serve(connection: socket.socket) -> int:
    """Serve one connection and return the exit status."""
    try:
        send(connection, {"process": os.getpid()})
        request = receive(connection)
        folder = Path(request["folder"])
        bounds = {name: int(request[name]) for name in ("memory_mb", "seconds", "wall_seconds", "file_mb")}
        probing.elsewhere = partial(_probed_by_parent, connection)
        is_probe = request["task"] == "probe"
        confine(folder, **bounds, reads=_named_in(request["of"] if is_probe else request), can_write=not is_probe)
        if is_probe:
            _probe(connection, request)
        elif request["task"] == "tokenizers":
            _answer_for_tokenizers(connection, request, folder)
        else:
            work = {"names": _propose_names, "attention": _convert_attention}.get(request["task"], _examine)
            send(connection, _answer(lambda: work(request, folder)))
    except ConnectionEnded:
        return 0
    return 0


def _probed_by_parent(connection: socket.socket, path: Path, kind: str) -> tuple[str, int | None]:
    """Ask the parent to try a tokenizer file in another confined process: this one may start none."""
    send(connection, {"probe": {"path": str(path.resolve()), "kind": kind}})
    answer = receive(connection)
    return str(answer["output"]), answer["code"]


def _probe(connection: socket.socket, request: dict[str, Any]) -> None:
    """Try a tokenizer file and report progress, since the process may die on the way."""

    def work() -> int:
        tokenizer_probe.try_file(
            request["kind"], request["path"], say=lambda word: send(connection, {"output": str(word)}), ready=int
        )
        return 0

    try:
        code = tokenizer_probe.code_of(work)
    except ConnectionEnded:
        raise
    except Exception:
        code = 1
    send(connection, {"code": code})


def _named_in(request: dict[str, Any]) -> list[Path]:
    """The files that a request names."""
    hints = [value["path"] for value in request.get("hints", {}).values() if isinstance(value, dict)]
    paths = [Path(path) for path in [request.get("path"), *hints] if path]
    # A file may need the files beside it, and a folder of the hub's cache has links to its files.
    links = [each for path in paths if path.is_dir() for each in path.rglob("*") if each.is_symlink()]
    return [path if path.is_dir() else path.parent for path in paths] + [each.resolve() for each in links]


def _answer(make: Any) -> dict[str, Any]:
    """A function's result, or its error, as a message; extension libraries may raise a BaseException."""
    try:
        return {"done": make()}
    except BaseException as error:
        return {"error": _describe_error(error)}


def _describe_error(error: BaseException) -> dict[str, Any]:
    from model.checkpoints.basis.errors import FamilyError, TensorsError

    description: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)[:20_000]}
    if isinstance(error, TensorsError):
        names = {"missing": error.missing, "unexpected": error.unexpected, "misshapen": error.misshapen}
        description["names"] = {kind: list(tensor_names)[:2000] for kind, tensor_names in names.items()}
    if isinstance(error, FamilyError):
        description["rows"] = list(error.rows)[:2000]
    return description


def _examine(request: dict[str, Any], folder: Path) -> dict[str, Any]:
    from model.checkpoints.doctor import examine
    from model.checkpoints.sandbox.results import RESULT, to_json, write_result

    hints = {
        name: Path(value["path"]) if isinstance(value, dict) else value for name, value in request["hints"].items()
    }
    diagnosis = examine(Path(request["path"]), **hints)
    signature = write_result(diagnosis.bundle, Path(request["path"]), folder / RESULT)
    return {"diagnosis": to_json(diagnosis), "tokenizers": signature}


def _propose_names(request: dict[str, Any], _: Path) -> dict[str, Any]:
    """Propose a mapping for the tensors of a file, and the toolkit that their names resemble.

    There are no lines if no table can open the file.
    """
    from model.checkpoints.answers.kinds import kind_of, suspect
    from model.checkpoints.answers.names_read import read_names
    from model.checkpoints.formats.source import opened_folder, read_source

    with opened_folder(Path(request["path"])) as opened:
        tensors = read_source(opened).tensors
    suspicion, read = suspect(tensors), read_names(tensors)
    is_known = kind_of({name: tuple(tensor.shape) for name, tensor in tensors.items()}) is not None
    lines = read.lines if read.stacks and not is_known else ()
    return {
        "lines": [[line.pattern, line.shape, line.count, line.ours, line.is_transposed] for line in lines],
        "suspicion": None if suspicion is None else [suspicion.toolkit, suspicion.advice],
    }


def _convert_attention(request: dict[str, Any], folder: Path) -> bool:
    from model.checkpoints.sandbox.opening import convert_attention

    return convert_attention(request, folder)


def _answer_for_tokenizers(connection: socket.socket, request: dict[str, Any], folder: Path) -> None:
    """Open the tokenizers of a result, then answer calls within their time limit until the parent closes."""
    from model.checkpoints.sandbox.results import read_tokenizers

    opened: dict[str, Any] = {}

    def begin() -> dict[str, Any]:
        opened.update(read_tokenizers(folder, request["tokenizers"]))
        return {side: _facts(tokenizer) for side, tokenizer in opened.items() if tokenizer is not None}

    answer = _answer(begin)
    send(connection, answer)
    if "error" in answer:
        return
    shutil.rmtree(folder, ignore_errors=True)
    while True:
        signal.alarm(0)
        call = receive(connection)
        signal.alarm(int(request["call_seconds"]))
        tokenizer = opened[call["side"]]
        send(connection, _answer(lambda: _call(tokenizer, call["name"], call["argument"])))  # noqa: B023


def _facts(tokenizer: Any) -> dict[str, Any]:
    return {
        "size": tokenizer.size,
        "unknown_id": getattr(tokenizer, "unknown_id", None),
        "special_ids": getattr(tokenizer, "special_ids", None),
        "languages": getattr(tokenizer, "languages", {}),
        "tokens": list(getattr(tokenizer, "tokens", ())) or None,
        "has_chat": bool(getattr(tokenizer, "has_chat", False)),
    }


def _call(tokenizer: Any, name: str, argument: Any) -> Any:
    if name in ("decode", "chat"):
        return getattr(tokenizer, name)(argument)
    if name == "encode_ids":
        return [list(tokenizer.encode(text).ids) for text in argument]
    if name not in ("encode", "describe"):
        raise ValueError(name)
    tokens = getattr(tokenizer, name)(argument)
    return {"ids": tokens.ids, "pieces": tokens.pieces, "words": tokens.words, "spans": tokens.spans}
