"""Adapter for tokenizers of the ``transformers`` library."""

import base64
import binascii
import json
import re
import threading
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from model.checkpoints.basis.errors import HintError
from model.checkpoints.basis.limits import check_json_size
from model.checkpoints.formats.source import list_files, read_json
from model.checkpoints.vocabularies.fast_tokenizer import as_text, marked_tokens
from model.checkpoints.vocabularies.packed_tokenizer import content_of, write_packed
from model.checkpoints.vocabularies.probing import probe
from model.text.chat import LONGEST_RENDERED
from model.text.places import found_spans
from model.text.tokenizer import TemplateError, Tokenizer, TokenizerError
from model.trace import TokenSequence

TEMPLATE = "chat_template.jinja"
FILES = frozenset({"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                   "vocab.json", "vocab.txt", "merges.txt", "target_vocab.json", TEMPLATE})  # fmt: skip
"""Files of a tokenizer that are read, beside SentencePiece models; a folder's own list of further files is not."""
_MODELS = (".spm", ".model")
_LANGUAGE = re.compile(r"[a-z]{3}_[A-Z][a-z]{3}|[a-z]{2}_[A-Z]{2}|__(?P<bare>[a-z]{2,3})__")
"""Tokens that are codes of languages, in NLLB, mBART and M2M100."""
_CODE = re.compile(r"[a-zA-Z]{2,3}([-_][a-zA-Z]{2,4})?")
_CLASSES = frozenset({"MarianTokenizer", "BartTokenizer", "MBartTokenizer", "MBart50Tokenizer", "M2M100Tokenizer",
                      "NllbTokenizer", "T5Tokenizer", "MT5Tokenizer", "BertTokenizer", "RobertaTokenizer",
                      "XLMRobertaTokenizer", "CamembertTokenizer", "DistilBertTokenizer", "ElectraTokenizer",
                      "GPT2Tokenizer", "BarthezTokenizer", "PreTrainedTokenizer", "TokenizersBackend",
                      "SentencePieceBackend", "LlamaTokenizer", "CodeLlamaTokenizer", "GemmaTokenizer",
                      "Qwen2Tokenizer", "GPTNeoXTokenizer", "BloomTokenizer", "CodeGenTokenizer", "CohereTokenizer",
                      "AlbertTokenizer", "MPNetTokenizer", "DebertaTokenizer", "DebertaV2Tokenizer",
                      "PegasusTokenizer", "BlenderbotTokenizer", "BlenderbotSmallTokenizer", "PLBartTokenizer",
                      "MvpTokenizer", "XGLMTokenizer"})  # fmt: skip
_SETTINGS = frozenset(
    {"tokenizer_class", "source_lang", "target_lang", "src_lang", "tgt_lang", "bos_token", "eos_token", "unk_token",
     "pad_token", "sep_token", "cls_token", "mask_token", "additional_special_tokens", "added_tokens_decoder",
     "extra_ids", "separate_vocabs", "do_lower_case", "lowercase", "strip_accents", "add_prefix_space", "legacy",
     "clean_up_tokenization_spaces", "tokenize_chinese_chars", "language_codes", "legacy_behaviour", "backend",
     "is_local", "extra_special_tokens", "add_bos_token", "add_eos_token", "remove_space", "keep_accents",
     "split_by_punct", "offset"}
)  # fmt: skip


_ONE_AT_A_TIME = threading.Lock()
"""Reading a target sets the library's object to that, for as long as it reads, and both sides share the object."""


class LibraryTokenizer:
    """One side of a tokenizer of ``transformers``; the source side adds the special tokens that its model expects."""

    def __init__(self, loaded: Any, *, is_target: bool, files: dict[str, bytes], language: str | None = None) -> None:
        self._loaded, self._is_target = loaded, is_target
        self.files = files
        """What it was read from, by name."""
        self.language = language
        """The source's language code, if it is not the usual one."""
        self.languages = _languages(loaded)
        """Codes of languages among the tokens, with their ids: fra_Latn, fr_XX, or fr for the token __fr__."""
        added = {index for index, token in loaded.added_tokens_decoder.items() if token.special}
        self._special = {*loaded.all_special_ids, *added, *self.languages.values()} - {loaded.unk_token_id}

    @property
    def size(self) -> int:
        """Size of the vocabulary; for M2M100 the library does not count the language codes."""
        return max(len(self._loaded), 1 + max(self.languages.values(), default=-1))

    @property
    def mask_id(self) -> int | None:
        """The mask token of models trained with masked language modelling."""
        return self._loaded.mask_token_id

    @property
    def separator_id(self) -> int | None:
        """The separator token of BERT and similar models."""
        return self._loaded.sep_token_id

    @property
    def unknown_id(self) -> int | None:
        """The unknown token; None if it is also the begin or end token, as in GPT-2."""
        loaded = self._loaded
        others = (loaded.bos_token_id, loaded.eos_token_id, loaded.pad_token_id)
        return None if loaded.unk_token_id in others else loaded.unk_token_id

    @property
    def has_chat(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return bool(self._loaded.chat_template)

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The messages in the chat template, up to the start of the answer."""
        if len(str(self._loaded.chat_template)) > LONGEST_RENDERED:
            raise TokenizerError(f"the model's chat template has more than {LONGEST_RENDERED:,} characters")
        try:
            rendered = self._loaded.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=True)
        except Exception as error:  # a template may raise anything
            reason = " ".join(str(error).split())[:160] or type(error).__name__
            raise TemplateError(reason) from error
        if not isinstance(rendered, str) or len(rendered) > LONGEST_RENDERED:
            raise TokenizerError(f"the model's chat template wrote more than {LONGEST_RENDERED:,} characters")
        return rendered

    @property
    def _backend(self) -> Any:
        return getattr(self._loaded, "backend_tokenizer", None)

    @property
    def pair(self) -> tuple[str | None, str | None]:
        """The languages of source and target in the settings, where they name one: a model of many languages names only
        the source's, Marian both."""
        named = (getattr(self._loaded, "src_lang", None) or getattr(self._loaded, "source_lang", None),
                 getattr(self._loaded, "target_lang", None))  # fmt: skip
        source, target = (code if isinstance(code, str) and _CODE.fullmatch(code) else None for code in named)
        return source, target

    @property
    def content(self) -> bytes:
        """The files, the side, and the source's language."""
        return content_of(self.files, "target" if self._is_target else "source", self.language)

    def encode(self, text: str) -> TokenSequence:
        """The text's tokens; on the source side with special tokens, which belong to no word."""
        arguments = {"text_target": text} if self._is_target else {"text": text}
        is_fast = bool(getattr(self._loaded, "is_fast", False))
        with _ONE_AT_A_TIME:
            tokens = self._loaded(**arguments, add_special_tokens=not self._is_target, return_offsets_mapping=is_fast)
        ids = tokens["input_ids"]
        pieces, special = self._loaded.convert_ids_to_tokens(ids), [index in self._special for index in ids]
        offsets = [tuple(span) for span in tokens["offset_mapping"]] if is_fast else found_spans(text, pieces, special)
        return marked_tokens(ids, as_text(pieces, self._backend), special, offsets)

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """The tokens with these ids."""
        numbers = [int(index) for index in ids]
        pieces = [piece if piece is not None else f"#{index}" for piece, index in
                  zip(self._loaded.convert_ids_to_tokens(numbers), numbers, strict=True)]  # fmt: skip
        special = [index in self._special for index in numbers]
        return marked_tokens(numbers, as_text(pieces, self._backend), special, None)

    def decode(self, ids: Sequence[int]) -> str:
        """The decoded text, without special tokens."""
        return self._loaded.decode([int(index) for index in ids], skip_special_tokens=True)

    def save(self, folder: Path, stem: str) -> str:
        """Write ``stem.json``, which holds the library's files, and return its name."""
        return write_packed(self.files, "target" if self._is_target else "source", self.language, folder, stem)


def _languages(loaded: Any) -> dict[str, int]:
    special = zip(loaded.all_special_tokens, loaded.all_special_ids, strict=True)
    listed = (*loaded.get_added_vocab().items(), *getattr(loaded, "lang_token_to_id", {}).items(), *special)
    tokens = {str(token): index for token, index in listed}
    matches = ((_LANGUAGE.fullmatch(token), index) for token, index in tokens.items())
    return {match["bare"] or match[0]: index for match, index in matches if match}


def read_tokenizers(
    folder: Path, language: str | None, *, has_decoder: bool
) -> tuple[Tokenizer | None, Tokenizer | None]:
    """The folder's tokenizer for both sides; None where the folder has no tokenizer file.

    Args:
        language: the source's language, where it is not the usual one.

    Raises:
        TokenizerError: when the library cannot read it.
        HintError: when it has no such language.
    """
    files = {name: path for name, path in list_files(folder).items() if name in FILES or name.endswith(_MODELS)}
    vocabularies = [name for name in files if name.endswith(_MODELS) or name == "tokenizer.json"]
    if not vocabularies and not {"vocab.json", "vocab.txt"} & set(files):
        return None, None
    for name in vocabularies:
        probe(files[name], "tokenizers" if name == "tokenizer.json" else "sentencepiece")
    described = _settings(files.get("tokenizer_config.json"))
    kind = read_json(folder / "config.json").get("model_type")
    with TemporaryDirectory(prefix="regard-tokenizer-") as place:
        clean = Path(place)
        for name, path in files.items():
            check_json_size(path)
            raw = path.read_bytes()
            (clean / name).write_bytes(raw if name != TEMPLATE else raw.decode("utf-8", "replace").encode())
        if "tokenizer_config.json" in files:
            (clean / "tokenizer_config.json").write_text(json.dumps(described), "utf-8")
            _write_template(files["tokenizer_config.json"], clean / TEMPLATE)
        (clean / "config.json").write_text(json.dumps({"model_type": kind}), "utf-8")
        loaded = _load_tokenizer(clean, folder.name)
        contents = {path.name: path.read_bytes() for path in clean.iterdir()}
    source = _of_language(LibraryTokenizer(loaded, is_target=False, files=contents), language)
    return source, LibraryTokenizer(loaded, is_target=True, files=contents) if has_decoder else None


def _of_language(source: LibraryTokenizer, code: str | None) -> LibraryTokenizer:
    """The source tokenizer set to a language, if it has language codes."""
    known = source.languages
    if code is None or not known:
        return source
    if code not in known:
        near = get_close_matches(code, list(known), 3, 0.4) or sorted(known)[:3]
        raise HintError(
            f"source_language ({code[:40]!r}) is not one of the tokenizer's {len(known)} codes: try {', '.join(near)}"
        )
    source._loaded.src_lang = code
    source.language = code
    return source


def read_packed(saved: Mapping[str, Any], where: str) -> LibraryTokenizer:
    """A tokenizer that ``save`` wrote."""
    files, side, language = saved["files"], saved["side"], saved["language"]
    is_sound = isinstance(files, dict) and all(
        (name in (*FILES, "config.json") or (name.endswith(_MODELS) and Path(name).name == name))
        and isinstance(packed, str)
        for name, packed in files.items()
    )
    if not is_sound or side not in ("source", "target") or not isinstance(language, str | None):
        raise TokenizerError(f"{where} is damaged: save the checkpoint again")
    with TemporaryDirectory(prefix="regard-tokenizer-") as place:
        try:
            for name, packed in files.items():
                (Path(place) / name).write_bytes(base64.b64decode(packed, validate=True))
        except (binascii.Error, ValueError) as error:
            raise TokenizerError(f"{where} is damaged ({error}): save the checkpoint again") from error
        source, target = read_tokenizers(Path(place), language if side == "source" else None, has_decoder=True)
    opened = source if side == "source" else target
    if not isinstance(opened, LibraryTokenizer):
        raise TokenizerError(f"{where} holds no vocabulary: save the checkpoint again")
    return opened


def _load_tokenizer(folder: Path, where: str) -> Any:
    import transformers

    try:
        return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # the library may raise anything for a missing or damaged file
        reason = str(error).replace(str(folder), where)[:160]
        raise TokenizerError(
            f"transformers cannot read the tokenizer of {where} ({reason}): give the folder with all files of its "
            "tokenizer, or its tokens as source_tokens and target_tokens"
        ) from error


def _write_template(settings: Path, to: Path) -> None:
    """Write the chat template of a tokenizer_config.json to a separate file, unless it exists already."""
    template = read_json(settings).get("chat_template")
    if isinstance(template, list):  # several, each with its name
        named = [entry for entry in template if isinstance(entry, dict)]
        template = next((entry.get("template") for entry in named if entry.get("name") == "default"), None)
    if isinstance(template, str) and not to.exists():
        to.write_text(template, "utf-8")


def _settings(path: Path | None) -> dict[str, Any]:
    """The fields of a tokenizer_config.json that are passed on: none that names a file, a custom class or code."""
    settings = read_json(path) if path is not None else {}
    if not isinstance(settings, dict):
        raise TokenizerError("tokenizer_config.json must be a table: give the one saved with these weights")
    kind = settings.get("tokenizer_class")
    if kind is not None and (not isinstance(kind, str) or kind.removesuffix("Fast") not in _CLASSES):
        raise TokenizerError(
            f"the tokenizer_class {str(kind)[:60]!r} is not supported: supported are {', '.join(sorted(_CLASSES))}"
        )
    return {name: value for name, value in settings.items() if name in _SETTINGS}
