"""Visitors' files are read by a child process: results are unchanged, and nothing is left."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import model
from model.checkpoints.basis.errors import LimitError, TensorsError, UnsafeFileError
from model.checkpoints.doctor import examine
from model.checkpoints.sandbox import client, examine_sandboxed
from model.checkpoints.sandbox.tokenizer import SandboxedTokenizer
from model.files import workspace as workspaces
from model.files.workspace import sweep, workspace
from model.lazy import code_folder
from tests.checkpoint import tiny_bundle
from tests.checkpoints import golden, hostile
from tests.checkpoints.fuzz import marian
from tests.checkpoints.leavings import nothing_is_left

nothing_remains = pytest.fixture(autouse=True, name="nothing_remains")(nothing_is_left)


@pytest.mark.nightly("joeynmt-pre", "jadore-projection")
@pytest.mark.parametrize("name", ["annotated-plain", "jadore-projection", "joeynmt-pre"])
def test_a_model_opened_in_the_sandbox_equals_one_opened_here(name: str, tmp_path: Path) -> None:
    path = golden.read(name).write(tmp_path)
    here, there = examine(path), examine_sandboxed(path)
    assert there.report == here.report and there.questions == here.questions
    assert there.tokenizers == here.tokenizers and there.n_parameters == here.n_parameters
    assert there.bundle.fingerprint == here.bundle.fingerprint
    ids = np.array([[4, 5, 3]])
    logits = [model.attend(result.bundle, ids, ids).logits for result in (here, there)]
    assert logits[0] is not None and logits[1] is not None and (logits[0] == logits[1]).all()


def test_a_tokenizer_of_cpp_stays_in_a_child_and_reads_the_same(tmp_path: Path) -> None:
    shipped = model.load("tiny")
    folder = model.save(shipped, tmp_path / "tiny")
    opened = examine_sandboxed(folder).bundle
    assert (
        isinstance(opened.source_tokenizer, SandboxedTokenizer) and opened.source_tokenizer is opened.target_tokenizer
    )
    assert opened.fingerprint == shipped.fingerprint
    ours: Any = shipped.source_tokenizer
    for text in ("The cat sat on the mat.", " Zürich?  ", "你好 🙂", ""):
        assert opened.source_tokenizer.encode(text) == ours.encode(text)
    assert opened.source_tokenizer.describe([5, 9, 3]) == ours.describe([5, 9, 3])
    assert model.translate(opened, "A dog runs.").text == model.translate(shipped, "A dog runs.").text
    saved = model.load(model.save(opened, tmp_path / "again"))
    assert saved.fingerprint == shipped.fingerprint


@pytest.mark.nightly
def test_a_folder_of_the_library_runs_from_the_childs_result(tmp_path: Path) -> None:
    folder = marian(tmp_path / "marian")
    here, there = examine(folder), examine_sandboxed(folder)
    assert there.bundle.family == "huggingface/marian" and there.report == here.report
    ids = np.array([[4, 5, 2]])
    logits = [model.attend(result.bundle, ids, ids).logits for result in (here, there)]
    assert logits[0] is not None and logits[1] is not None and np.allclose(logits[0], logits[1], atol=1e-6)


def test_errors_arrive_as_they_were_raised(tmp_path: Path) -> None:
    bad = hostile.torch_zip(tmp_path / "bad.pt", __import__("pickle").dumps(hostile.payloads(tmp_path)["os.system"]))
    with pytest.raises(UnsafeFileError, match=r"cannot be read without running posix\.system"):
        examine_sandboxed(bad)
    reference = golden.read("annotated-plain")
    reference.tensors.pop("encoder.layers.0.self_attn.linears.0.bias")
    with pytest.raises(TensorsError, match=r"linears\.0\.bias") as raised:
        examine_sandboxed(reference.write(tmp_path))
    assert raised.value.missing == ("encoder.layers.0.self_attn.linears.0.bias",)


def test_folders_of_ended_processes_are_removed_and_others_kept(tmp_path: Path, monkeypatch) -> None:
    left, locked, fresh = (tmp_path / name for name in ("999999999-a", f"{os.getpid()}-b", f"{os.getpid()}-c"))
    for folder in (left, locked, fresh):
        folder.mkdir()
        (folder / "upload.pt").write_bytes(b"x")
    import fcntl

    with (locked / "in-use").open("w") as stored:
        fcntl.flock(stored, fcntl.LOCK_EX)
        assert sweep(tmp_path) == ["999999999-a"]
    assert sweep(tmp_path) == [locked.name] and fresh.exists()


def test_the_folder_of_all_is_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspaces.tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    workspaces.root().symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match="set TMPDIR"):
        workspace.__wrapped__()


def test_numbers_of_the_model_survive_the_way(tmp_path: Path) -> None:
    torch.manual_seed(0)
    bundle = tiny_bundle()
    folder = model.save(bundle, tmp_path / "own")
    opened = examine_sandboxed(folder).bundle
    for name, tensor in bundle.model.state_dict().items():
        assert torch.equal(opened.model.state_dict()[name], tensor), name


def test_a_small_file_that_grows_when_opened_is_refused_by_its_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = model.save(tiny_bundle(d_feed_forward=1 << 14), tmp_path / "own")
    monkeypatch.setenv("REGARD_SESSION_MEMORY_MB", "1")
    with pytest.raises(LimitError, match=r"would take \d+ MiB of memory, but one session may use 1 MiB"):
        examine_sandboxed(folder)


def test_a_second_visit_to_the_page_of_files_starts_nothing_more() -> None:
    def starting() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "sandbox"]

    client.warm()
    for thread in starting():
        thread.join()
    client.warm()
    assert client.CAN_CONFINE and not starting()


def test_an_encoder_only_model_is_known_by_its_configuration_unread(tmp_path: Path) -> None:
    (tmp_path / "w.pt").write_bytes(b"")
    named = client._names_a_single_stack
    assert not named(tmp_path) and not named(tmp_path / "w.pt")
    for kind, is_single in (("marian", False), ("bert", True), ("gpt2", True), ("bertish", False)):
        (tmp_path / "config.json").write_text(f'{{"model_type": "{kind}", [')
        assert named(tmp_path) is named(tmp_path / "w.pt") is is_single
    assert not named(tmp_path / "nothing" / "w.pt")


@pytest.mark.nightly
def test_a_dropped_encoder_decoder_needs_neither_the_librarys_modules_nor_the_library_in_the_server(
    tmp_path: Path,
) -> None:
    """Its modules take two seconds of processor time to import, for which the first visitor would wait."""
    folder = marian(tmp_path / "marian")
    script = (
        "import sys; from pathlib import Path; from model.checkpoints.sandbox import examine_sandboxed\n"
        f"folder = Path({str(folder)!r})\n"
        "examine_sandboxed(folder); assert 'transformers' not in sys.modules\n"
        "import model; assert isinstance(model.load(folder).model, model.Transformer)\n"
        "assert 'transformers' in sys.modules and 'transformers.modeling_utils' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=code_folder())
    assert done.returncode == 0, done.stderr
