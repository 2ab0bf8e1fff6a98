"""A visitor's tokenizer is tested on expensive texts before it is used."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers

import model
from model.checkpoints.basis.errors import LimitError
from model.checkpoints.sandbox import examine_sandboxed
from model.checkpoints.vocabularies import probing
from model.checkpoints.vocabularies.probing import probe
from model.checkpoints.vocabularies.tokenizer_probe import literals, texts
from model.text.tokenizer import TokenizerError
from tests.checkpoint import tiny_bundle

ROOT = Path(model.__file__).parents[1]


def tokenizer_json(**parts: Any) -> dict[str, Any]:
    words = {"type": "WordLevel", "vocab": {"<unk>": 0, "cat": 1}, "unk_token": "<unk>"}
    return {"version": "1.0", "added_tokens": [], "model": words, **parts}


def replacements(*steps: tuple[str, str]) -> dict[str, Any]:
    rules = [{"type": "Replace", "pattern": {"String": before}, "content": after} for before, after in steps]
    return {"type": "Sequence", "normalizers": rules}


def split(expression: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": False}


HOSTILE: dict[str, dict[str, Any]] = {
    "T doubled again and again": tokenizer_json(normalizer=replacements(*[("T", "TT")] * 40)),
    "a letter of another script doubled": tokenizer_json(normalizer=replacements(*[("Ж", "ЖЖ")] * 40)),
    "two letters that make more of themselves": tokenizer_json(normalizer=replacements(*[("qz", "qzqz")] * 40)),
    "one after another": tokenizer_json(
        normalizer=replacements(*zip("abcdefghijklmnop", [c * 9 for c in "bcdefghijklmnopq"], strict=True))),
    "an expression that tries every cut": tokenizer_json(pre_tokenizer=split("(a|a|aa)+$")),
    "an expression within an expression": tokenizer_json(pre_tokenizer=split("(x+x+)+y")),
    "a decoder that doubles": tokenizer_json(decoder={"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "c"}, "content": "cc"}] * 40}),
}  # fmt: skip


def test_the_isolated_child_has_the_parents_module_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where packages lie on PYTHONPATH, which an isolated interpreter does not read."""
    without_packages = tmp_path / "python"
    without_packages.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    without_packages.chmod(0o755)
    monkeypatch.setattr(probing.sys, "executable", str(without_packages))
    assert probe(ROOT / "pretrained" / "tiny" / "tokenizer.model", "sentencepiece") > 1
    monkeypatch.setattr(probing.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TokenizerError, match="the package sentencepiece, which is not installed: pip install"):
        probe(ROOT / "pretrained" / "tiny" / "tokenizer.model", "sentencepiece")


@pytest.mark.nightly(
    but=("one after another", "an expression within an expression", "an expression that tries every cut")
)
@pytest.mark.parametrize("kind", HOSTILE)
def test_rules_that_never_end_on_some_text_are_refused_when_the_file_is_opened(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGARD_TOKENIZER_SECONDS", "1")
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(HOSTILE[kind]))
    with pytest.raises(LimitError, match=r"the rules in tokenizer\.json did not .* within 1 s and 1,024 MiB"):
        probe(path, "tokenizers")


def test_the_page_refuses_such_a_model_by_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_TOKENIZER_SECONDS", "1")
    folder = model.save(tiny_bundle(), tmp_path / "own")
    (folder / "source.json").write_text(json.dumps(HOSTILE["T doubled again and again"]))
    with pytest.raises(LimitError, match=r"the rules in source\.json did not finish"):
        examine_sandboxed(folder)


@pytest.mark.nightly
def test_sound_tokenizers_pass(tmp_path: Path) -> None:
    learned = tokenizers.Tokenizer(models.BPE())
    learned.pre_tokenizer = pre_tokenizers.ByteLevel()
    learned.add_tokens(["the", "cat"])
    learned.save(str(tmp_path / "bpe.json"))
    (tmp_path / "words.json").write_text(json.dumps(tokenizer_json(pre_tokenizer={"type": "Whitespace"})))
    for name in ("bpe.json", "words.json"):
        assert probe(tmp_path / name, "tokenizers") == 2
    shipped: Any = model.load("tiny").source_tokenizer
    assert probe(tmp_path / shipped.save(tmp_path, "shipped"), "sentencepiece") == shipped.size


def test_every_character_of_the_basic_plane_and_every_word_of_the_rules_is_tried() -> None:
    result = literals(HOSTILE["two letters that make more of themselves"]["normalizer"])
    assert {"qz", "q", "z", "qzqz"} <= set(result)
    tried = list(texts(result))
    assert "qz" * 1_000 + "!" in tried and "T" * 1_000 + "!" in tried
    assert {chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000} <= set("".join(tried))
