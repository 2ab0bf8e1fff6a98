"""No file runs code, leaves files behind, or makes the process allocate memory for numbers that it does not contain."""

import json
import stat
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save

import model
from model.checkpoints.basis.errors import CheckpointError, LimitError, UnrecognisedError, UnsafeFileError
from model.text.tokenizer import TokenizerError
from tests.checkpoints import golden, hostile

NAMED = (CheckpointError, model.ConfigError, TokenizerError)


def test_no_pickle_of_the_malicious_set_runs_or_leaves_a_trace(tmp_path: Path) -> None:
    folder, marker = tmp_path / "files", tmp_path / "marker"
    folder.mkdir()
    written = hostile.files(marker, folder)
    assert len(written) > 180
    for path in written:
        with pytest.raises(CheckpointError):
            model.load(path)
    assert not marker.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["files"]


def test_the_same_files_do_run_for_a_reader_that_unpickles(tmp_path: Path) -> None:
    """The payloads do run in an unsafe reader; otherwise the other tests would prove nothing."""
    marker = tmp_path / "marker"
    hostile.torch_zip(tmp_path / "bad.pt", __import__("pickle").dumps(hostile.payloads(marker)["eval"]))
    script = f"import torch; torch.load({str(tmp_path / 'bad.pt')!r}, weights_only=False)"
    subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=120)
    assert marker.exists()


def archive(path: Path, entries: dict[str, bytes], **options: object) -> Path:
    with zipfile.ZipFile(path, "w", **options) as written:  # type: ignore[arg-type]
        for name, content in entries.items():
            written.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("entries", "error", "message"),
    [
        ({"../escape.txt": b"x"}, UnsafeFileError, "leaves its folder"),
        ({"/etc/escape": b"x"}, UnsafeFileError, "leaves its folder"),
        ({"a\\..\\b": b"x"}, UnsafeFileError, "leaves its folder"),
        ({"C:/x": b"x"}, UnsafeFileError, "leaves its folder"),
        ({"a/b/c/d/e/f/g.txt": b"x"}, LimitError, "folders deep"),
        ({f"{index}.txt": b"" for index in range(2001)}, LimitError, "2,001 entries"),
        ({"model.pt": b"x", "MODEL.pt": b"y"}, UnsafeFileError, "twice"),
    ],
)
def test_archives_are_judged_before_a_byte_is_written(entries: dict, error: type, message: str, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", entries)
    with pytest.raises(error, match=message):
        model.load(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.zip"]


def test_an_archive_entry_without_a_name_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"blank.txt": b"x"})
    path.write_bytes(path.read_bytes().replace(b"blank.txt", b"\0lank.txt"))
    with pytest.raises(UnsafeFileError, match="leaves its folder"):
        model.load(path)


def test_an_archive_with_damage_in_its_contents_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"w.txt": b"attention" * 100}, compression=zipfile.ZIP_DEFLATED)
    content = bytearray(path.read_bytes())
    content[35:45] = b"\xff" * 10
    path.write_bytes(content)
    with pytest.raises(UnsafeFileError, match="damaged or cut short"):
        model.load(path)


def test_a_zip_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"model.pt": bytes(50 << 20)}, compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(LimitError, match=r"expands .* times: the limit is 100"):
        model.load(path)


def test_a_link_in_an_archive_is_refused(tmp_path: Path) -> None:
    entry = zipfile.ZipInfo("model.pt")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as written:
        written.writestr(entry, "/etc/passwd")
    with pytest.raises(UnsafeFileError, match="a link or a device"):
        model.load(tmp_path / "a.zip")


def test_an_entry_longer_than_its_directory_entry_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"model.pt": b"x" * 5000}, compression=zipfile.ZIP_DEFLATED)
    raw = bytearray(path.read_bytes())
    central = raw.rfind(b"PK\x01\x02")
    raw[central + 24 : central + 28] = struct.pack("<I", 10)
    path.write_bytes(raw)
    with pytest.raises(NAMED):
        model.load(path)


def safetensors_with(header: dict | bytes, body: bytes = bytes(64)) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


LIES = {
    "longer header than file": struct.pack("<Q", 2**40) + b"{}",
    "beyond the end": safetensors_with({"a": {"dtype": "F32", "shape": [32], "data_offsets": [0, 128]}}),
    "shape and bytes": safetensors_with({"a": {"dtype": "F32", "shape": [2**20, 2**20], "data_offsets": [0, 64]}}),
    "overlap": safetensors_with({"a": {"dtype": "F32", "shape": [16], "data_offsets": [0, 64]},
                                 "b": {"dtype": "F32", "shape": [16], "data_offsets": [0, 64]}}),
    "gap": safetensors_with({"a": {"dtype": "F32", "shape": [8], "data_offsets": [32, 64]}}),
    "negative": safetensors_with({"a": {"dtype": "F32", "shape": [-4, -4], "data_offsets": [0, 64]}}),
    "reversed": safetensors_with({"a": {"dtype": "F32", "shape": [16], "data_offsets": [64, 0]}}),
    "fraction": safetensors_with({"a": {"dtype": "F32", "shape": [16.0], "data_offsets": [0, 64]}}),
    "name twice": safetensors_with(b'{"a":{"dtype":"F32","shape":[16],"data_offsets":[0,64]},'
                                   b'"a":{"dtype":"F32","shape":[16],"data_offsets":[0,64]}}'),
    "unknown type": safetensors_with({"a": {"dtype": "F128", "shape": [4], "data_offsets": [0, 64]}}),
    "no table": safetensors_with(b"[1, 2, 3]"),
    "deep": safetensors_with(b'{"a":' * 100_000),
    "surplus": safetensors_with({"a": {"dtype": "F32", "shape": [8], "data_offsets": [0, 32]}}),
}  # fmt: skip


@pytest.mark.parametrize("lie", list(LIES))
def test_a_wrong_safetensors_header_is_refused(lie: str, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(LIES[lie])
    with pytest.raises(UnsafeFileError):
        model.load(path)


@pytest.mark.parametrize(
    "tensor",
    [torch.zeros(2, 2, dtype=torch.complex64), torch.eye(3).to_sparse(), torch.zeros(2, 2, device="meta")],
    ids=["complex", "sparse", "meta"],
)
def test_only_plain_tensors_are_taken(tensor: torch.Tensor, tmp_path: Path) -> None:
    torch.save({"a": tensor, "b": torch.zeros(3, 3)}, tmp_path / "w.pt")
    with pytest.raises(UnsafeFileError):
        model.load(tmp_path / "w.pt")


def test_limits_are_settings_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = golden.read("annotated-plain")
    path = reference.write(tmp_path)
    monkeypatch.setenv("REGARD_MAX_LAYERS", "1")
    with pytest.raises(LimitError, match="layer"):
        model.load(path, n_heads=4)
    monkeypatch.setenv("REGARD_MAX_LAYERS", "128")
    monkeypatch.setenv("REGARD_MAX_PARAMETERS", "100")
    with pytest.raises(LimitError, match=r"parameters: the limit is 100"):
        model.load(path, n_heads=4)


@pytest.mark.parametrize("name", ["tokenizer.model", "tokenizer.json", "vocab.txt", "vocab.json"])
@pytest.mark.parametrize("content", [b"", b"\n\x00\xff" * 50, b"{", b"[1, 2]", b'{"a": -1}', b'{"a": 99999999999}',
                                     b'{"model": {"type": "BPE"}}', b"\xff\xfe\x00"], ids=repr)  # fmt: skip
def test_a_damaged_tokenizer_is_a_named_error(name: str, content: bytes, tmp_path: Path) -> None:
    path = golden.read("d2l-plain").write(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(NAMED):
        model.load(path, n_heads=4, source_tokens=tmp_path / name)


def test_a_tokenizer_that_never_ends_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from model.checkpoints.vocabularies import probing

    endless = tmp_path / "endless.py"
    endless.write_text("while True: pass\n")
    (tmp_path / "t.model").write_bytes(b"\n\x0e\n\x05<unk>")
    monkeypatch.setattr(probing.tokenizer_probe, "__file__", str(endless))
    monkeypatch.setattr(probing.subprocess, "run", _with_timeout(1))
    with pytest.raises(LimitError, match="to parse"):
        probing.probe(tmp_path / "t.model", "sentencepiece")


def _with_timeout(seconds: int):
    run = subprocess.run

    def shortened(*arguments, timeout: float, **options):
        return run(*arguments, timeout=min(timeout, seconds), **options)

    return shortened


def test_yaml_that_builds_objects_is_refused(tmp_path: Path) -> None:
    golden.read("joeynmt-pre").write(tmp_path)
    marker = tmp_path / "marker"
    (tmp_path / "config.yaml").write_text(f"model: !!python/object/apply:os.system ['touch {marker}']\n")
    with pytest.raises(CheckpointError, match=r"config\.yaml cannot be read"):
        model.load(tmp_path)
    assert not marker.exists()


def test_an_empty_file_and_a_text_file_are_named(tmp_path: Path) -> None:
    for name, content in (("empty.pt", b""), ("notes.txt", b"hello"), ("empty.safetensors", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises((UnsafeFileError, UnrecognisedError)):
            model.load(tmp_path / name)


@pytest.mark.nightly
def test_a_file_that_is_overwritten_leaves_the_open_model_unchanged(tmp_path: Path) -> None:
    reference = golden.read("annotated-plain")
    bundle = model.load(reference.write(tmp_path), n_heads=4)
    before = model.attend(bundle, reference.source, reference.target).logits
    (tmp_path / "weights.pt").write_bytes(save({"x": torch.zeros(2)}))
    with pytest.raises(NAMED):
        model.load(tmp_path / "weights.pt")
    np.testing.assert_array_equal(model.attend(bundle, reference.source, reference.target).logits, before)
