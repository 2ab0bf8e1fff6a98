"""Tokenizers of the ``transformers`` library behind our protocol."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from model.checkpoints.errors import CheckpointError, LimitError
from model.checkpoints.fast_tokenizer import marked_tokens
from model.checkpoints.hints import Hints
from model.checkpoints.limits import limits
from model.checkpoints.source import list_files, read_json
from model.checkpoints.vocabularies import find_tokenizers, probe
from model.text.tokenizer import Tokenizer, TokenizerError
from model.trace import TokenSequence

FILES = frozenset({"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                   "vocab.json", "vocab.txt", "merges.txt", "target_vocab.json"})  # fmt: skip
"""Files of a tokenizer that are read, beside SentencePiece models; a folder's own list of further files is not."""
_MODELS = (".spm", ".model")
_CLASSES = frozenset({"MarianTokenizer", "BartTokenizer", "MBartTokenizer", "MBart50Tokenizer", "M2M100Tokenizer",
                      "NllbTokenizer", "T5Tokenizer", "MT5Tokenizer", "BertTokenizer", "RobertaTokenizer",
                      "XLMRobertaTokenizer", "CamembertTokenizer", "DistilBertTokenizer", "ElectraTokenizer",
                      "GPT2Tokenizer", "BarthezTokenizer", "PreTrainedTokenizer", "TokenizersBackend",
                      "SentencePieceBackend"})  # fmt: skip
_SETTINGS = frozenset(
    {"tokenizer_class", "source_lang", "target_lang", "src_lang", "tgt_lang", "bos_token", "eos_token", "unk_token",
     "pad_token", "sep_token", "cls_token", "mask_token", "additional_special_tokens", "added_tokens_decoder",
     "extra_ids", "separate_vocabs", "do_lower_case", "lowercase", "strip_accents", "add_prefix_space", "legacy",
     "clean_up_tokenization_spaces", "tokenize_chinese_chars", "language_codes", "legacy_behaviour", "backend",
     "is_local", "extra_special_tokens"}
)  # fmt: skip


class LibraryTokenizer:
    """One side of a tokenizer of ``transformers``; the source side adds the special tokens that its model expects."""

    def __init__(self, loaded: Any, *, is_target: bool, files: dict[str, bytes]) -> None:
        self._loaded, self._is_target = loaded, is_target
        self.files = files
        """What it was read from, by name."""
        self._special = set(loaded.all_special_ids) - {loaded.unk_token_id}

    @property
    def size(self) -> int:
        """Entries in the vocabulary."""
        return len(self._loaded)

    @property
    def content(self) -> bytes:
        """The files, and the side."""
        parts = (name.encode() + content for name, content in sorted(self.files.items()))
        return b"".join(parts) + (b"target" if self._is_target else b"source")

    def encode(self, text: str) -> TokenSequence:
        """The text's tokens; for a source with the special tokens around it, as words of none."""
        arguments = {"text_target": text} if self._is_target else {"text": text}
        spans = bool(getattr(self._loaded, "is_fast", False))
        found = self._loaded(**arguments, add_special_tokens=not self._is_target, return_offsets_mapping=spans)
        ids = found["input_ids"]
        special = [index in self._special for index in ids]
        offsets = [tuple(span) for span in found["offset_mapping"]] if spans else None
        return marked_tokens(ids, self._loaded.convert_ids_to_tokens(ids), special, offsets)

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """Tokens of given ids."""
        numbers = [int(index) for index in ids]
        pieces = [piece if piece is not None else f"#{index}" for piece, index in
                  zip(self._loaded.convert_ids_to_tokens(numbers), numbers, strict=True)]  # fmt: skip
        return marked_tokens(numbers, pieces, [index in self._special for index in numbers], None)

    def decode(self, ids: Sequence[int]) -> str:
        """Text of given ids, special tokens left out."""
        return self._loaded.decode([int(index) for index in ids], skip_special_tokens=True)

    def save(self, folder: Path, stem: str) -> str:
        """Not possible: the library's tokenizer belongs to the library's folder."""
        raise CheckpointError("a Hugging Face tokenizer stays in its own folder: keep that folder")


def read_tokenizers(folder: Path, hints: Hints, *, has_decoder: bool) -> tuple[Tokenizer | None, Tokenizer | None]:
    """The folder's tokenizer for both sides, or what the hints give instead; none where there is no file of one.

    Raises:
        TokenizerError: when the library cannot read it.
    """

    files = {name: path for name, path in list_files(folder).items() if name in FILES or name.endswith(_MODELS)}
    if hints.source_tokens is not None or hints.target_tokens is not None:
        return find_tokenizers({}, hints)
    vocabularies = [name for name in files if name.endswith(_MODELS) or name == "tokenizer.json"]
    if not vocabularies and not {"vocab.json", "vocab.txt"} & set(files):
        return None, None
    for name in vocabularies:
        probe(files[name], "tokenizers" if name == "tokenizer.json" else "sentencepiece")
    described = _settings(files.get("tokenizer_config.json"))
    with TemporaryDirectory(prefix="regard-tokenizer-") as place:
        clean = Path(place)
        for name, path in files.items():
            if path.stat().st_size > limits().max_json_bytes:
                raise LimitError(
                    f"{name} has {path.stat().st_size:,} bytes, and {limits().max_json_bytes:,} are read here"
                )
            (clean / name).write_bytes(path.read_bytes())
        if "tokenizer_config.json" in files:
            (clean / "tokenizer_config.json").write_text(json.dumps(described), "utf-8")
        config = {name: read_json(folder / "config.json").get(name) for name in ("model_type",)}
        (clean / "config.json").write_text(json.dumps(config), "utf-8")
        loaded = _loaded(clean, folder.name)
        kept = {path.name: path.read_bytes() for path in clean.iterdir()}
    source = LibraryTokenizer(loaded, is_target=False, files=kept)
    return source, LibraryTokenizer(loaded, is_target=True, files=kept) if has_decoder else None


def _loaded(folder: Path, where: str) -> Any:
    import transformers

    try:
        return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # the library raises whatever a missing or damaged file leads to
        reason = str(error).replace(str(folder), where)[:160]
        raise TokenizerError(f"transformers cannot read the tokenizer of {where} ({reason})") from error


def _settings(path: Path | None) -> dict[str, Any]:
    """What of a tokenizer_config.json the library is given: nothing that names a file, a class of its own or code.

    Raises:
        TokenizerError: when its class is none of the tokenizers that are known here.
    """
    found = read_json(path) if path is not None else {}
    if not isinstance(found, dict):
        raise TokenizerError("tokenizer_config.json must be a table: give the one saved with these weights")
    kind = found.get("tokenizer_class")
    if kind is not None and (not isinstance(kind, str) or kind.removesuffix("Fast") not in _CLASSES):
        raise TokenizerError(
            f"the tokenizer_class {str(kind)[:60]!r} is not known here: known are {', '.join(sorted(_CLASSES))}"
        )
    return {name: value for name, value in found.items() if name in _SETTINGS}
