"""From a file of sentence pairs to padded batches of ids."""

from __future__ import annotations

import hashlib
import logging
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.config import TransformerConfig
from model.nn.masks import pad
from model.picture import Picture
from model.picture_source import PictureSource
from model.text.links import CorpusError
from model.text.pairs import Pair, columns_of, decode_lines
from model.text.tokenizer import SentencePieceTokenizer, Tokenizer, normalise
from model.training.resplit import Resplitter
from model.training.settings import TrainingConfig, TrainingError

log = logging.getLogger(__name__)
N_TEST, N_VALIDATION = 2_000, 1_000
LATIN_LETTERS = "".join(c for c in map(chr, range(0xC0, 0x180)) if c.isalpha() and unicodedata.is_normalized("NFKC", c))
"""Accented letters from À to ž, for names of people and places."""
FINAL_PUNCTUATION = " .!?…。！？"


@dataclass(frozen=True, slots=True)
class Split:
    """Training, validation and test pairs; no wording of a held-out source is in the training part."""

    train: tuple[Pair, ...]
    validation: tuple[Pair, ...]
    test: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A pair as ids, without special tokens; ``bare`` is the source lower-cased and without final punctuation."""

    source: NDArray[np.integer]
    """For a picture, the pixels of its strips (S, P)."""
    bare: NDArray[np.integer]
    target: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Batch:
    """A padded micro-batch."""

    source: Tensor
    """int64 (B, S), or the pixels of strips (B, S, P)."""
    prefix: Tensor
    """The decoder's input, int64 (B, T)."""
    target: Tensor
    """The tokens to predict, int64 (B, T)."""
    is_real: Tensor
    """True at real target tokens, bool (B, T)."""

    @property
    def n_tokens(self) -> int:
        """Number of real target tokens, end of sentence included."""
        return int(self.is_real.sum())

    def halves(self) -> tuple[Batch, Batch]:
        """The rows split into two batches, for when one batch does not fit in memory."""
        middle = len(self.source) // 2
        return self.rows(0, middle), self.rows(middle, len(self.source))

    def rows(self, start: int, stop: int) -> Batch:
        """The rows ``start:stop``, with unchanged padding."""
        return Batch(*(field[start:stop] for field in (self.source, self.prefix, self.target, self.is_real)))

    def to(self, device: torch.device) -> Batch:
        """Copy the batch to a device."""
        return Batch(*(field.to(device) for field in (self.source, self.prefix, self.target, self.is_real)))


def read_pairs(path: Path | str, *, keep_repeats: bool = False) -> tuple[Pair, ...]:
    """Read normalised pairs, one ``source<TAB>target`` per line; further columns are ignored, repeats dropped.

    Raises:
        TrainingError: when the file cannot be read or a line has no tab.
    """
    try:
        rows = columns_of(decode_lines(Path(path).read_bytes(), str(path), most=None), str(path))
    except OSError as error:
        raise TrainingError(f"cannot read {path}: {error.strerror}") from error
    except CorpusError as error:
        raise TrainingError(str(error), error.case, **error.values) from error
    pairs = [Pair(normalise(source), normalise(target)) for _, (source, target, *_) in rows]
    pairs = [pair for pair in pairs if pair.source and pair.target]
    if not pairs:
        raise TrainingError(f"{path} holds no pair: write source, a tab, target on each line")
    return tuple(pairs) if keep_repeats else tuple(dict.fromkeys(pairs))


def read_texts(path: Path | str) -> tuple[Pair, ...]:
    """Training texts of a decoder-only model: one per line or the first column of a TSV, normalised, repeats dropped.

    Each text becomes the pair (text, text), so that ``split_pairs`` holds out texts by their wording too.

    Raises:
        TrainingError: when the file cannot be read or has no text.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").split("\n")
    except OSError as error:
        raise TrainingError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TrainingError(f"{path} is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    texts = dict.fromkeys(text for line in lines if (text := normalise(line.partition("\t")[0])))
    if not texts:
        raise TrainingError(f"{path} holds no text: write one a line")
    return tuple(Pair(text, text) for text in texts)


def split_pairs(pairs: Sequence[Pair]) -> Split:
    """Hold out by source sentence: sorted by SHA-256, the first are test, the next validation.

    In a small set, each of these parts is a tenth. Sources that differ from a held-out source only by punctuation, case
    or spaces are dropped, because training on them would leak the held-out sentence.
    """
    sources = sorted({pair.source for pair in pairs}, key=lambda text: hashlib.sha256(text.encode()).hexdigest())
    n_test, n_validation = N_TEST, N_VALIDATION
    if len(sources) < 4 * (n_test + n_validation):
        n_test = n_validation = len(sources) // 10
    test, validation = set(sources[:n_test]), set(sources[n_test : n_test + n_validation])
    held_out = {wording(source) for source in (*test, *validation)}
    return Split(
        tuple(pair for pair in pairs if wording(pair.source) not in held_out),
        tuple(pair for pair in pairs if pair.source in validation),
        tuple(pair for pair in pairs if pair.source in test),
    )


def references(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    """All translations of each source sentence."""
    grouped: dict[str, list[str]] = {}
    for pair in pairs:
        grouped.setdefault(pair.source, []).append(pair.target)
    return grouped


def lowercase_unpunctuated(text: str) -> str:
    """The text lower-cased and without final punctuation, as people type."""
    return text.lower().rstrip(FINAL_PUNCTUATION)


def wording(text: str) -> str:
    """Letters and digits without case: equal for sentences that differ only by punctuation, case or spaces.

    A text without any, such as "?!", is returned unchanged.
    """
    letters = (c for c in text.casefold() if unicodedata.category(c)[0] in "LMN")
    return "".join(letters) or text


def encode_pictures(pairs: Sequence[Pair], source: PictureSource, target: Tokenizer) -> list[Example]:
    """Encode pictures in their text form as strips, and the words that they show as ids.

    Raises:
        TextError: when a source is no picture, or has no ink.
    """
    examples = []
    for pair, ids in zip(pairs, _ids(target, [pair.target for pair in pairs]), strict=True):
        strips = np.array(Picture.of_text(pair.source).prepared(source).strips(source), np.uint8)
        examples.append(Example(strips, strips, np.array(ids, np.int32)))
    return examples


def encode_pairs(pairs: Sequence[Pair], source: Tokenizer, target: Tokenizer, *, max_length: int) -> list[Example]:
    """Encode pairs as ids; pairs with more than ``max_length`` pieces on a side are dropped and counted in the log."""
    sources = _ids(source, [pair.source for pair in pairs])
    bares = _ids(source, [lowercase_unpunctuated(pair.source) or pair.source for pair in pairs])
    targets = _ids(target, [pair.target for pair in pairs])
    examples = [
        Example(np.array(s, np.int32), np.array(b, np.int32), np.array(t, np.int32))
        for s, b, t in zip(sources, bares, targets, strict=True)
        if 0 < len(s) <= max_length and 0 < len(b) <= max_length and 0 < len(t) <= max_length
    ]
    if len(examples) < len(pairs):
        log.info("%d pairs left out: longer than %d pieces", len(pairs) - len(examples), max_length)
    return examples


def _ids(tokenizer: Tokenizer, texts: list[str]) -> Sequence[Sequence[int]]:
    """Encode many texts at once if the tokenizer supports it, which is ten times as fast for a large corpus."""
    many = getattr(tokenizer, "encode_ids", None)
    if many is not None:
        return many(texts)
    return [tokenizer.encode(text).ids for text in texts]


class Batches:
    """The endless, reproducible sequence of micro-batches of a run."""

    def __init__(
        self,
        examples: Sequence[Example],
        model: TransformerConfig,
        config: TrainingConfig,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        if not examples:
            raise TrainingError("no pair is short enough to train on: give more, or raise max_length")
        self.examples, self.model, self.config = examples, model, config
        self._resplit = None
        if config.resplit_share:
            if not isinstance(tokenizer, SentencePieceTokenizer):
                raise TrainingError("resplit_share needs a SentencePiece vocabulary: leave it at 0 for this model")
            self._resplit = Resplitter(tokenizer, config.resplit_share, max_length=config.max_length)

    def plan(self, epoch: int) -> list[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
        """The epoch's micro-batches: row indexes, and which of their sources are bare."""
        generator = np.random.default_rng((self.config.seed, epoch))
        is_bare = generator.random(len(self.examples)) < self.config.bare_share
        lengths = np.array([max(len(e.source), len(e.target)) + 1 for e in self.examples])
        tie_break = generator.random(len(self.examples))
        order = np.lexsort(np.stack((tie_break, [len(e.source) for e in self.examples], lengths)))
        batches, start = [], 0
        for stop in range(1, len(order) + 1):
            if stop == len(order) or lengths[order[stop]] * (stop + 1 - start) > self.config.batch_tokens:
                rows = order[start:stop]
                batches.append((rows, is_bare[rows]))
                start = stop
        return [batches[i] for i in generator.permutation(len(batches))]

    def iterate(self, start: int = 0) -> Iterator[Batch]:
        """Micro-batches from number ``start`` on, epoch after epoch."""
        epoch = 0
        while True:
            plan = self.plan(epoch)
            for number, (rows, is_bare) in enumerate(plan[start:], start):
                yield self.collate(self._drawn(rows, is_bare, (self.config.seed, epoch, number)), is_bare)
            start = max(0, start - len(plan))
            epoch += 1

    def _drawn(self, rows: NDArray[np.int64], is_bare: NDArray[np.bool_], seeds: tuple[int, ...]) -> list[Example]:
        """The examples of a batch, with words of their sources resplit if the settings say so."""
        chosen = [self.examples[i] for i in rows]
        if self._resplit is None:
            return chosen
        generator = np.random.default_rng(seeds)
        return [
            replace(e, bare=self._resplit(e.bare, generator))
            if bare
            else replace(e, source=self._resplit(e.source, generator))
            for e, bare in zip(chosen, is_bare, strict=True)
        ]

    def collate(self, examples: Sequence[Example], is_bare: Sequence[bool] | NDArray[np.bool_]) -> Batch:
        """Pad, and add the special tokens that the model expects."""
        model = self.model
        head, tail = [model.bos_id] * model.source_has_bos, [model.eos_id] * model.source_has_eos
        sources: list[list[int]] = [[]] * len(examples)
        if not model.is_single_stack:
            sources = [[*head, *(e.bare if b else e.source), *tail] for e, b in zip(examples, is_bare, strict=True)]
        predicted = [[*model.target_prefix, *e.target] for e in examples]
        prefixes = [[model.bos_id, *target] for target in predicted]
        targets = [[*target, model.eos_id] for target in predicted]
        return Batch(
            pad(sources, model.source_pad_id),
            pad(prefixes, model.target_pad_id),
            pad(targets, model.target_pad_id),
            pad([[1] * len(target) for target in targets], 0).bool(),
        )
