"""Files of ``torch.save`` are read as ``torch.load`` reads them, and tensors contain only what is in the file."""

import argparse
import contextlib
import io
import pickle
import struct
import tracemalloc
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch._utils import _rebuild_tensor_v2

from model.checkpoints.basis.errors import LimitError, UnsafeFileError
from model.checkpoints.formats.pickle_data import MAX_DEPTH, read_pickle
from model.checkpoints.formats.pickle_values import PickledObject
from model.checkpoints.formats.torch_file import read_plain, read_torch
from tests.checkpoints import hostile

MARKER = b"ANOTHER VISITOR'S TEXT. " * 4
LAYOUTS = pytest.mark.parametrize("is_zip", [True, False], ids=["zip", "legacy"])


def save(path: Path, value: object, *, is_zip: bool) -> Path:
    torch.save(value, path, _use_new_zipfile_serialization=is_zip)
    return path


class _Reference:
    """Pickled as a reference to a storage."""

    def __init__(self, kind: Any, key: str, n_numbers: int) -> None:
        self.parts = ("storage", kind, key, "cpu", n_numbers)


class _Rebuilt:
    """Pickled as a tensor over a storage."""

    def __init__(self, reference: _Reference, shape: tuple[int, ...]) -> None:
        self.reference, self.shape = reference, shape

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        strides = tuple(int(torch.tensor(self.shape[place + 1 :]).prod()) for place in range(len(self.shape)))
        return _rebuild_tensor_v2, (self.reference, 0, self.shape, strides, False, OrderedDict())


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        return obj.parts if isinstance(obj, _Reference) else None


def pickle_by(value: object) -> bytes:
    stream = io.BytesIO()
    _Pickler(stream, 2).dump(value)
    return stream.getvalue()


def pickle_claiming(shape: tuple[int, ...], n_numbers: int | None = None) -> bytes:
    """The pickle of a state dict whose one tensor refers to a storage of so many numbers."""
    size = int(torch.tensor(shape).prod()) if n_numbers is None else n_numbers
    return pickle_by({"encoder.weight": _Rebuilt(_Reference(torch.FloatStorage, "0", size), shape)})


def legacy(raw: bytes, keys: list[str], storages: bytes = b"") -> bytes:
    head = [hostile.LEGACY_MAGIC, 1001, {"protocol_version": 1001, "little_endian": True, "type_sizes": {}}]
    return b"".join(pickle.dumps(part, 2) for part in head) + raw + pickle.dumps(keys, 2) + storages


def write_zip(path: Path, raw: bytes, storages: dict[str, bytes]) -> Path:
    hostile.torch_zip(path, raw)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as archive:
        for key, content in storages.items():
            archive.writestr(f"archive/data/{key}", content)
    return path


@LAYOUTS
def test_a_file_is_read_as_torch_reads_it(tmp_path: Path, is_zip: bool) -> None:
    base = torch.randn(6, 8)
    state = OrderedDict(
        {f"of.{kind}".replace("torch.", ""): torch.arange(12).reshape(3, 4).to(kind) for kind in
         (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16,
          torch.int8, torch.uint8, torch.bool)}
    )  # fmt: skip
    state |= {"a view": base[2:4, 1:5], "turned": base.T, "parameter": torch.nn.Parameter(base), "one": base.sum(),
              "none": torch.zeros(0, 4)}  # fmt: skip
    path = save(tmp_path / "w.pt", {"epoch": 3, "model": state}, is_zip=is_zip)
    result, expected = read_torch(path), torch.load(path, weights_only=True)["model"]
    assert result.beside == {"epoch": 3}
    assert list(result.tensors) == list(expected)
    for name, tensor in result.tensors.items():
        assert tensor.dtype == expected[name].dtype and torch.equal(tensor, expected[name]), name
    assert result.tensors["turned"].data_ptr() == result.tensors["parameter"].data_ptr()


@LAYOUTS
def test_an_optimizer_stays_unread_and_is_in_nobodys_way(tmp_path: Path, is_zip: bool) -> None:
    network = torch.nn.Linear(3, 3)
    optimizer = torch.optim.Adam(network.parameters())
    network(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    path = save(tmp_path / "w.pt", {"optimizer": optimizer.state_dict(), "model": network.state_dict()}, is_zip=is_zip)
    result = read_torch(path).tensors
    assert set(result) == {"weight", "bias"} and torch.equal(result["weight"], network.weight)


LIES = {
    "legacy without storages": lambda path: path.write_bytes(legacy(pickle_claiming((96, 72)), [])),
    "legacy cut after the length": lambda path: path.write_bytes(
        legacy(pickle_claiming((96, 72)), ["0"], struct.pack("<q", 96 * 72))
    ),
    "legacy with a shorter storage": lambda path: path.write_bytes(
        legacy(pickle_claiming((96, 72)), ["0"], struct.pack("<q", 8) + bytes(32))
    ),
    "legacy with a negative length": lambda path: path.write_bytes(
        legacy(pickle_claiming((96, 72)), ["0"], struct.pack("<q", -1) + bytes(32))
    ),
    "legacy with a larger tensor": lambda path: path.write_bytes(
        legacy(pickle_claiming((96, 72), 8), ["0"], struct.pack("<q", 8) + bytes(32))
    ),
    "legacy cut before its last numbers": lambda path: path.write_bytes(
        save(path, {"weight": torch.ones(10, 10)}, is_zip=False).read_bytes()[:-4]
    ),
    "zip without storages": lambda path: write_zip(path, pickle_claiming((96, 72)), {}),
    "zip with a shorter storage": lambda path: write_zip(path, pickle_claiming((96, 72)), {"0": bytes(64)}),
    "zip with a larger tensor": lambda path: write_zip(path, pickle_claiming((96, 72), 8), {"0": bytes(32)}),
    "one number repeated by strides of zero": lambda path: torch.save(
        {"encoder.weight": torch.zeros(1).expand(2**30, 2**10)}, path
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_numbers_that_are_not_in_the_file_are_refused_and_no_memory_leaks_out(lie: str, tmp_path: Path) -> None:
    path = tmp_path / "w.pt"
    LIES[lie](path)
    for _ in range(20):  # new memory is most likely the memory freed last
        left = [torch.frombuffer(bytearray(MARKER * 288), dtype=torch.uint8).clone() for _ in range(4)]
        del left
        with pytest.raises(UnsafeFileError, match=r"lacks numbers|cut short|more numbers than are stored"):
            read_torch(path)


@LAYOUTS
def test_every_byte_that_comes_out_was_in_the_file(tmp_path: Path, is_zip: bool) -> None:
    """Change, remove or repeat one byte: a file that still opens must not contain the marked memory."""
    state = {"a.weight": torch.zeros(64, 48), "b.weight": torch.zeros(48, 64, dtype=torch.float16)}
    raw = save(tmp_path / "seed.pt", state, is_zip=is_zip).read_bytes()
    draw = torch.Generator().manual_seed(3)
    opened = 0
    for number in range(300):
        place = int(torch.randint(len(raw), (1,), generator=draw))
        changed = {0: raw[:place], 1: raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]}.get(number % 3)
        path = tmp_path / "w.pt"
        path.write_bytes(raw[:place] + raw[place : place + 40] + raw[place:] if changed is None else changed)
        left = [torch.frombuffer(bytearray(MARKER * 128), dtype=torch.uint8).clone() for _ in range(4)]
        del left
        try:
            result = read_torch(path).tensors
        except (UnsafeFileError, LimitError):
            continue
        opened += 1
        for tensor in result.values():
            assert MARKER[:12] not in tensor.contiguous().view(-1).view(torch.uint8).numpy().tobytes()
    assert opened > 0


def deep(levels: int) -> bytes:
    return b"\x80\x02}" + b")" + b"\x85" * levels + b"K\x01s."


def test_a_deep_tuple_as_a_key_is_refused_and_the_process_lives(tmp_path: Path) -> None:
    with pytest.raises(UnsafeFileError, match="as a dictionary key"):
        read_pickle(deep(200_000), "w.pt")
    hostile.torch_zip(tmp_path / "w.pt", deep(200_000))
    with pytest.raises(UnsafeFileError, match="as a dictionary key"):
        read_torch(tmp_path / "w.pt")


def test_depth_and_copies_are_bounded() -> None:
    assert read_pickle(b"\x80\x02" + b")" + b"\x85" * (MAX_DEPTH - 3) + b".", "x")
    with pytest.raises(LimitError, match="nested more than"):
        read_pickle(b"\x80\x02" + b")" + b"\x85" * 100_000 + b".", "x")
    many = pickle.dumps(list(range(1000)), 2)[:-1]
    with pytest.raises(LimitError, match="copies more than"):
        read_pickle(many + b"q\x010" + b"(" + b"cbuiltins\nset\nh\x01\x85R0" * 4000 + b"t.", "x")
    with pytest.raises(UnsafeFileError, match="128 bits"):
        read_pickle(b"\x80\x02\x8b" + struct.pack("<i", 4000) + b"\x01" * 4000 + b".", "x")


def test_a_value_with_a_large_number_in_the_memo_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        assert read_pickle(b"\x80\x02Nr" + struct.pack("<I", 10**9) + b".", "x") is None
        assert tracemalloc.get_traced_memory()[1] < 1 << 20  # Python's own unpickler takes 15 GiB
    finally:
        tracemalloc.stop()


def test_a_call_is_not_made() -> None:
    with pytest.raises(UnsafeFileError, match=r"cannot be read without running builtins\.bytearray"):
        read_pickle(b"\x80\x02cbuiltins\nbytearray\nJ\x00\x00\x00\x7f\x85R.", "w.pt")


def test_one_storage_under_many_names_is_refused_by_its_expanded_size(tmp_path: Path) -> None:
    shared = torch.zeros(2048, 1024, dtype=torch.float16)
    torch.save({f"layers.{index}.weight": shared for index in range(200)}, tmp_path / "w.pt")
    with pytest.raises(LimitError, match="sharing is limited to 4 times"):
        read_torch(tmp_path / "w.pt")
    torch.save({f"tied.{index}.weight": shared for index in range(4)}, tmp_path / "w.pt")
    assert len({tensor.data_ptr() for tensor in read_torch(tmp_path / "w.pt").tensors.values()}) == 1


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    for name in ("\ud800", "a\nb", "n" * 600):
        torch.save({name: torch.zeros(2, 2)}, tmp_path / "w.pt")
        with pytest.raises(UnsafeFileError, match="not a printable name"):
            read_torch(tmp_path / "w.pt")


def test_objects_come_out_as_their_fields() -> None:
    content = read_pickle(pickle.dumps({"args": argparse.Namespace(heads=4, path=Path("x"))}, 4), "x")
    settings = content["args"]
    assert isinstance(settings, PickledObject) and settings.kind == "argparse.Namespace"
    assert settings.fields["heads"] == 4
    assert settings.fields["path"].kind == "pathlib.PosixPath" and settings.fields["path"].arguments == ("x",)


class Stub:
    """Stands for any class in PyTorch's own reader."""

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)


@pytest.mark.parametrize(
    "write",
    [
        lambda stored, path: torch.save(stored, path, pickle_protocol=4),
        lambda stored, path: path.write_bytes(pickle.dumps(stored, 2)),
        lambda stored, path: torch.save(stored, path, _use_new_zipfile_serialization=False),
    ],
    ids=["protocol 4", "a plain pickle", "the older layout"],
)
def test_files_that_pytorchs_own_reader_refuses_are_read(write: Any, tmp_path: Path) -> None:
    """docs/decisions/0007: with a stub for each class that PyTorch finds in a file, it would open a part of them."""
    path = tmp_path / "w.pt"
    write({"stoi": {"a": 1}, "args": argparse.Namespace(heads=4)}, path)
    names = []
    with contextlib.suppress(ValueError, pickle.UnpicklingError):  # it lists the classes of a zip of protocol 2 alone
        names = torch.serialization.get_unsafe_globals_in_checkpoint(path)
    with (
        torch.serialization.safe_globals([(Stub, name) for name in names]),
        pytest.raises((pickle.UnpicklingError, RuntimeError)),
    ):
        torch.load(path, weights_only=True)
    result = read_plain(path)
    assert result["stoi"] == {"a": 1} and result["args"].fields == {"heads": 4}


@pytest.mark.parametrize("protocol", range(6))
def test_plain_values_survive_in_every_protocol(protocol: int) -> None:
    value = {"a": [1, -2, 2**40, 1.5, None, True], "b": ("x", b"y", {"z": {1, 2}}), (1, "k"): frozenset({3})}
    assert read_pickle(pickle.dumps(value, protocol), "x") == value


def test_an_older_file_under_a_padded_magic_number_with_a_zip_behind_it_is_refused(tmp_path: Path) -> None:
    """PyTorch reads the older stream of such a file, while a reader that looks for a zip finds the zip."""
    magic = hostile.LEGACY_MAGIC.to_bytes(10, "little") + bytes(20)
    greedy = hostile.legacy_file(pickle.dumps({"a": hostile.Runs(bytearray, 1 << 31)}, 2))
    behind = io.BytesIO()
    torch.save({"encoder.weight": torch.ones(3, 3)}, behind)
    head = pickle.PROTO + b"\x02" + pickle.LONG1 + bytes([len(magic)]) + magic + b"."
    assert pickle.loads(head) == hostile.LEGACY_MAGIC
    path = tmp_path / "w.pt"
    path.write_bytes(head + greedy[len(pickle.dumps(hostile.LEGACY_MAGIC, 2)) :] + behind.getvalue())
    assert zipfile.is_zipfile(path)
    with pytest.raises(UnsafeFileError, match="plain pickle or damaged"):
        read_torch(path)


@pytest.mark.parametrize("raw", [
    *(b"\x80\x04" + named + b"\x93." for named in (b"K\x01\x8c\x01a", b"\x8c\x01aK\x01", b"K\x01K\x02")),
    *(b"\x80\x04(" + reference + b"\x8c\x01x\x8c\x01ytQ."
      for reference in (b"\x8c\x07storageca\nB\n", b"\x8c\x06module\x8c\x01a")),
])  # fmt: skip
def test_a_class_without_a_name_and_a_reference_of_four_that_is_no_module_are_refused(raw: bytes) -> None:
    with pytest.raises(UnsafeFileError):
        read_pickle(raw, "x")


def test_a_module_pickled_with_its_source_is_read_as_the_module() -> None:
    written = b"\x80\x04(\x8c\x06moduleca\nB\n\x8c\x01x\x8c\x01ytQ."
    content: Any = read_pickle(written, "x")
    assert (content.module, content.name) == ("a", "B")
