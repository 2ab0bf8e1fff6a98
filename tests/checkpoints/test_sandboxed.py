"""Other files of visitors are opened in a child process too: attention, and the tokenizers of runs on their models."""

import json
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest

import model
from model.attention_files import AttentionFileError, AttentionRecord, RecordError, json_bytes, npz_bytes
from model.checkpoints.basis.errors import LimitError, UnsafeFileError
from model.checkpoints.formats import archives
from model.checkpoints.native_format import load_native
from model.checkpoints.sandbox import load_sandboxed, read_attention_sandboxed
from model.checkpoints.sandbox.tokenizer import SandboxedTokenizer, sandboxed_tokenizers
from model.text.tokenizer import SentencePieceTokenizer
from model.text.word_tokenizer import WordTokenizer
from model.trace import AttentionMaps
from tests.checkpoint import tiny_bundle
from tests.checkpoints.crafts import shared_entries


def record(n_layers: int = 2, n_tokens: int = 5) -> AttentionRecord:
    weights = np.full((n_layers, 3, n_tokens, n_tokens), 1 / n_tokens, np.float32)
    names = tuple(f"<b>{index}" for index in range(n_tokens))
    return AttentionRecord(
        maps=AttentionMaps(weights, weights, None), source_tokens=names, target_tokens=names, prefix_tokens=names,
        log_probs=np.zeros(n_tokens, np.float32), source_text="a", text="b", model="![x](y)", target_language="fr",
        is_causal=False, changes="off:x.0.1 begin:2",
    )  # fmt: skip


@pytest.mark.parametrize("write", [npz_bytes, json_bytes])
def test_attention_read_in_a_child_equals_the_record(write) -> None:
    sent, back = record(), None
    back = read_attention_sandboxed(write(sent))
    texts = ("source_text", "text", "model", "target_language", "changes")
    for name in ("source_tokens", "target_tokens", "prefix_tokens", *texts, "is_causal"):
        assert getattr(back, name) == getattr(sent, name), name
    assert back.maps.encoder_self is not None and sent.maps.encoder_self is not None and back.maps.cross is None
    assert np.allclose(back.maps.encoder_self, sent.maps.encoder_self)
    assert back.log_probs is not None and (back.log_probs == 0).all()


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"PK\x03\x04 and nothing", AttentionFileError, "damaged"),
        (b"{}", AttentionFileError, "the file has no attention"),
        (b'{"encoder_self": [[[[2.0]]]], "source_tokens": ["a"]}', RecordError, "sums to 2"),
        (b"what", AttentionFileError, "neither"),
    ],
)
def test_attention_refused_apart_is_refused_in_the_same_words(content: bytes, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        read_attention_sandboxed(content)


def test_attention_beyond_its_bound_is_refused_with_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_ATTENTION_MB", "1")
    large = npz_bytes(record(n_layers=20, n_tokens=60))
    with pytest.raises(LimitError, match=r"take 2 MiB, but the limit is 1 MiB.*REGARD_ATTENTION_MB"):
        read_attention_sandboxed(large)


def test_a_strangers_tokenizer_of_a_run_is_read_by_a_child_and_one_of_ours_here(tmp_path: Path) -> None:
    shipped = model.load("tiny")
    ours = model.save(shipped, tmp_path / "ours")
    assert isinstance(load_sandboxed(ours).source_tokenizer, SentencePieceTokenizer)
    raw = bytearray((ours / "tokenizer.model").read_bytes())
    place = raw.rfind(b"es")
    raw[place : place + 2] = b"XX"
    (ours / "tokenizer.model").write_bytes(raw)
    sandboxed = load_sandboxed(ours)
    assert (
        isinstance(sandboxed.source_tokenizer, SandboxedTokenizer)
        and sandboxed.source_tokenizer is sandboxed.target_tokenizer
    )
    plain = load_native(ours)
    assert sandboxed.fingerprint == plain.fingerprint
    assert isinstance(plain.source_tokenizer, SentencePieceTokenizer)
    texts = [f"A dog runs {index}." for index in range(450)]
    assert sandboxed.source_tokenizer.encode_ids(texts) == plain.source_tokenizer.encode_ids(texts)


def test_a_vocabulary_of_megabytes_is_read_by_a_child(tmp_path: Path) -> None:
    """As large as those of published models: the child copies the files that it gives to the library."""
    source = tmp_path / "source"
    source.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{number:019d}" for number in range(120_000))]
    (source / "vocab.txt").write_text("\n".join(words), "utf-8")
    (source / "config.json").write_text(json.dumps({"model_type": "bert"}), "utf-8")
    opened, _ = sandboxed_tokenizers(tmp_path, {"source": {"library": "source", "language": None}})
    assert opened is not None and opened.size == len(words)
    assert opened.encode(words[-1]).ids == (2, len(words) - 1, 3)


def test_lists_of_words_are_opened_here(tmp_path: Path) -> None:
    opened = load_sandboxed(model.save(tiny_bundle(), tmp_path / "words"))
    assert type(opened.source_tokenizer) is WordTokenizer


def test_a_zip_whose_entries_share_their_bytes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.zip").write_bytes(shared_entries(1))
    archives.unpack(tmp_path / "one.zip", tmp_path / "one")
    (tmp_path / "bomb.zip").write_bytes(shared_entries(500))
    with pytest.raises(UnsafeFileError, match=" overlap: pack it again"):
        archives.unpack(tmp_path / "bomb.zip", tmp_path / "bomb")
    assert not (tmp_path / "bomb").exists()


def test_the_servers_process_reads_no_strangers_attention(monkeypatch: pytest.MonkeyPatch) -> None:
    """Archives are unpacked in a child process: the file opens even if unpacking is broken in this process."""
    read_attention_sandboxed(npz_bytes(record()))  # the process that children are forked from has loaded everything

    def refused(*_: object, **__: object) -> None:
        raise AssertionError(f"opened in {threading.current_thread().name}")

    content = npz_bytes(record())
    monkeypatch.setattr(zipfile, "ZipFile", refused)
    monkeypatch.setattr(np.lib.format, "read_array", refused)
    assert read_attention_sandboxed(content).maps.kinds
