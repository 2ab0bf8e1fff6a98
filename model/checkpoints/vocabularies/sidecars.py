"""The files beside the weights: finds vocabularies by their length, and reports how each file was used."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from model.checkpoints.basis.conversion import Conversion, Tokenizers
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.basis.hints import Hints
from model.checkpoints.basis.limits import limits
from model.checkpoints.basis.report import FileUse
from model.checkpoints.formats.source import Source, looks_like_weights, read_json
from model.checkpoints.vocabularies.piece_tokenizer import PieceTokenizer
from model.checkpoints.vocabularies.reading import read_tokenizer_file
from model.checkpoints.vocabularies.toolkits import (
    fairseq_dictionary,
    marian_tokens,
    vocabularies_in,
    vocabularies_of_pickle,
    with_pieces,
)
from model.text.tokenizer import SentencePieceTokenizer, Tokenizer, TokenizerError
from model.text.word_tokenizer import WordTokenizer

_SETTINGS = {"joeynmt": "config.yaml", "ctranslate2": "config.json"}
_SETTINGS_NAMES = frozenset({"config.json", "config.yaml", "config.yml"})
_MARKS = {
    "source": re.compile(r"(?<![a-z])(?:src|source|inp|input|enc|encoder)(?![a-z])"),
    "target": re.compile(r"(?<![a-z])(?:trg|tgt|target|out|output|dec|decoder)(?![a-z])"),
}
_COLUMNS = re.compile(r"([^\t]+)\t(-?\d+(?:\.\d+)?(?:e-?\d+)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sidecar:
    """One file beside the weights, read as a vocabulary if it is one."""

    path: Path
    tokenizer: Tokenizer | None = None
    key: str = "length"
    """The report's key for an unused file: another length, empty, data, or unreadable."""
    reason: str = ""


def read_sidecars(source: Source) -> tuple[Sidecar, ...]:
    """Read every file beside the weights; a damaged file is no error."""
    beside = (
        sidecar
        for name, path in sorted(source.files.items())
        if name not in source.weights and name not in _SETTINGS_NAMES
        for sidecar in _read_sidecars(path, source.files)
    )
    weights = source.weights[0] if source.weights else source.where
    inside = (
        Sidecar(Path(f"{weights}: {where}"), WordTokenizer(tokens)) for where, tokens in vocabularies_in(source.beside)
    )
    return (*inside, *beside)


def better_tokens(conversion: Conversion, sidecars: Sequence[Sidecar], hints: Hints) -> Tokenizers | None:
    """The tokenizers to use instead of the conversion's if a file fits better; None if nothing changes.

    A file fits if it has as many entries as the model has embeddings, whatever its name. If several fit, the side or
    language in their names decides. A file that no hint names and that has too many entries is not used.
    """
    config = conversion.config
    sides = (
        ("source", config.source_vocab_size, conversion.source_tokenizer, hints.source_tokens),
        ("target", config.target_vocab_size, conversion.target_tokenizer, hints.target_tokens),
    )
    chosen: list[Tokenizer | None] = []
    for side, size, present, tokens in sides:
        if tokens is not None or (present is not None and present.size == size):
            chosen.append(present)
            continue
        language = conversion.source_language if side == "source" else conversion.target_language
        fits = _of_length(size, side, language, sidecars)
        chosen.append(fits if fits is not None else present if present is None or present.size < size else None)
    if chosen[0] is conversion.source_tokenizer and chosen[1] is conversion.target_tokenizer:
        return None
    return Tokenizers(chosen[0], chosen[1])


def file_uses(source: Source, family: str, conversion: Conversion, sidecars: Sequence[Sidecar]) -> tuple[FileUse, ...]:
    """How each file was used. If a single file was passed, only used files are listed."""
    uses = [FileUse(name, "used", "weights") for name in source.weights]
    for name in sorted(_SETTINGS_NAMES & set(source.files)):
        is_read = _SETTINGS.get(family) == name
        uses.append(FileUse(name, "used" if is_read else "ignored", "settings" if is_read else "settings_unread"))
    uses += [
        FileUse(sidecar.path.name, "used", "settings") if sidecar.path.name == conversion.settings
        else _use(sidecar, conversion) for sidecar in sidecars
    ]  # fmt: skip
    return tuple(use for use in uses if use.use == "used" or source.path.is_dir())


def uses_by_name(names: Iterable[str], known: Mapping[str, str]) -> tuple[FileUse, ...]:
    """How the files were used, for a format that names its files: name -> use."""
    return tuple(
        FileUse(name, "used", known[name]) if name in known else FileUse(name, "ignored", "not_of_format")
        for name in sorted(names, key=lambda name: (name not in known, name))
    )


def _read_sidecars(path: Path, files: Mapping[str, Path]) -> tuple[Sidecar, ...]:
    """The vocabularies in a file: one, or those of both sides in a pickle."""
    if not path.stat().st_size:
        return (Sidecar(path, key="empty"),)
    if path.name.endswith(".index.json"):
        return (Sidecar(path, key="data"),)
    try:
        vocabularies = vocabularies_of_pickle(path) if looks_like_weights(path) else _within_json(path)
        if vocabularies is None:
            return (Sidecar(path, _vocabulary(path, files)),)
    except (ValueError, OSError) as error:
        is_data = looks_like_weights(path)
        return (Sidecar(path, key="data") if is_data else Sidecar(path, key="unread", reason=str(error)[:300]),)
    by_tokens = {tuple(tokens): where for where, tokens in vocabularies}
    if not by_tokens:
        return (Sidecar(path, key="data"),)
    several = len(by_tokens) > 1
    return tuple(
        Sidecar(path.with_name(f"{path.name}: {where.replace('/', '_')}") if several else path, WordTokenizer(tokens))
        for tokens, where in by_tokens.items()
    )


def _within_json(path: Path) -> list[tuple[str, list[str]]] | None:
    """The named vocabularies in a JSON file, such as ``word2idx``; None if it has none."""
    content = read_json(path) if path.suffix == ".json" and path.stat().st_size <= limits().max_json_bytes else None
    if not isinstance(content, dict) or not all(isinstance(inner, dict | list) for inner in content.values()):
        return None
    return list(vocabularies_in(content)) or None


def _vocabulary(path: Path, files: Mapping[str, Path]) -> Tokenizer:
    if path.suffix in (".yml", ".yaml"):
        tokens = marian_tokens(path)
        if tokens is None:
            raise TokenizerError(f"{path.name} is not a vocabulary: give a token and its id a line")
        return _make_tokenizer(tokens, files)
    if re.fullmatch(r"dict\..+\.txt", path.name) and (counted := fairseq_dictionary(path, files)) is not None:
        return counted
    tokenizer = read_tokenizer_file(path)
    return _make_tokenizer(_first_column(tokenizer.tokens), files) if type(tokenizer) is WordTokenizer else tokenizer


def _make_tokenizer(tokens: Sequence[str], files: Mapping[str, Path]) -> Tokenizer:
    """A tokenizer from a list of tokens, and the SentencePiece model beside it if that can be read."""
    try:
        return with_pieces(tokens, files)
    except (TokenizerError, CheckpointError):
        return WordTokenizer(tokens)


def _first_column(lines: Sequence[str]) -> Sequence[str]:
    """The tokens of lines that hold a token, a tab and a number.

    The number is the token's id if the numbers are 0 to n - 1 in any order, and a score otherwise.
    """
    rows = [_COLUMNS.fullmatch(line) for line in lines]
    columns = [(row[1], row[2]) for row in rows if row is not None]
    if not lines or len(columns) < len(lines):
        return lines
    ids = {int(number): token for token, number in columns if number.isdigit()}
    return [ids[index] for index in range(len(ids))] if set(ids) == set(range(len(lines))) else [t for t, _ in columns]


def _of_length(size: int, side: str, language: str | None, sidecars: Sequence[Sidecar]) -> Tokenizer | None:
    fits = [
        (sidecar.path.name.lower(), sidecar.tokenizer)
        for sidecar in sidecars
        if sidecar.tokenizer is not None and sidecar.tokenizer.size == size and _is_distinct(sidecar.tokenizer)
    ]
    other = _MARKS["target" if side == "source" else "source"]
    fits = [(name, each) for name, each in fits if not other.search(name)]
    named = [each for name, each in fits if _MARKS[side].search(name) or _names(name, language)]
    candidates = named or [each for _, each in fits]
    if any(isinstance(each, PieceTokenizer) for each in candidates):  # the list has the ids, the model splits the text
        candidates = [each for each in candidates if not isinstance(each, SentencePieceTokenizer)]
    return candidates[0] if len({_pieces(each) for each in candidates}) == 1 else None


def _names(name: str, language: str | None) -> bool:
    return bool(language) and re.search(rf"(?<![a-z]){re.escape(str(language).lower())}(?![a-z])", name) is not None


def _is_distinct(tokenizer: Tokenizer) -> bool:
    """Whether all tokens differ: a plain text with the right number of lines would repeat some."""
    return type(tokenizer) is not WordTokenizer or len(set(tokenizer.tokens)) == tokenizer.size


def _pieces(tokenizer: Tokenizer) -> tuple[str, ...]:
    return tokenizer.describe(range(tokenizer.size)).pieces


def _use(sidecar: Sidecar, conversion: Conversion) -> FileUse:
    name = sidecar.path.name
    if sidecar.tokenizer is None:
        use = "not_understood" if sidecar.key == "unread" else "ignored"
        return FileUse(name, use, sidecar.key, (("reason", sidecar.reason),) if sidecar.reason else ())
    config, size = conversion.config, sidecar.tokenizer.size
    sides = (
        ("source", config.source_vocab_size, conversion.source_tokenizer),
        ("target", config.target_vocab_size, conversion.target_tokenizer),
    )
    serving = [side for side, _, tokenizer in sides if tokenizer is not None and _serves(sidecar, tokenizer)]
    if serving:
        return FileUse(name, "used", "tokens_both" if len(serving) == 2 else f"tokens_{serving[0]}")
    fits = [tokenizer for _, n_embeddings, tokenizer in sides if n_embeddings == size]
    if fits:
        return FileUse(name, "ignored", "spare" if all(fit is not None for fit in fits) else "undecided")
    sizes = " / ".join(f"{size:,}" for size in dict.fromkeys((config.source_vocab_size, config.target_vocab_size)))
    return FileUse(name, "ignored", "length", (("entries", f"{size:,}"), ("sizes", sizes)))


def _serves(sidecar: Sidecar, tokenizer: Tokenizer) -> bool:
    """Whether a tokenizer was made from this file: from its tokens, or from its segmentation rules."""
    assert sidecar.tokenizer is not None
    if isinstance(tokenizer, PieceTokenizer) and isinstance(sidecar.tokenizer, SentencePieceTokenizer):
        return tokenizer.content.endswith(sidecar.tokenizer.content)
    pieces, used = _pieces(sidecar.tokenizer), _pieces(tokenizer)
    return used == pieces or used == (*pieces, "<unk>")  # the first releases of CTranslate2 left that one out
