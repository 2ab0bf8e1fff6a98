"""Sentences on which answers are tried: plain English if the vocabulary can encode it, otherwise random tokens."""

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.text.tokenizer import Tokenizer, TokenizerError

SENTENCES, _LENGTH = 8, 10
"""Number and length of sentences of random tokens."""
_SENTENCES_OF_TEXT = (
    "The cat is sleeping.",
    "I do not know where he is.",
    "She wants to go home with her brother.",
    "What time is it?",
    "We have to finish this work before tomorrow.",
)


def plain_sentences(config: TransformerConfig, tokenizer: Tokenizer | None) -> list[list[int]] | None:
    """Source ids of plain English sentences; None if the vocabulary is of another language."""
    if tokenizer is None:
        return None
    rows = []
    for sentence in _SENTENCES_OF_TEXT:
        try:
            ids = tokenizer.encode(sentence).ids
        except TokenizerError:
            return None
        if sum(index == getattr(tokenizer, "unknown_id", None) for index in ids) > len(ids) / 5:
            return None
        rows.append([*([config.bos_id] * config.source_has_bos), *ids, *([config.eos_id] * config.source_has_eos)])
    return rows if max(map(len, rows)) <= config.max_positions else None


def sample(config: TransformerConfig, tokenizer: Tokenizer | None) -> Tensor | None:
    """The same sentences as the encoder's padded input."""
    rows = plain_sentences(config, tokenizer)
    if rows is None:
        return None
    width = max(map(len, rows))
    padded = torch.tensor([row + [config.source_pad_id] * (width - len(row)) for row in rows])
    return padded if int(padded.max()) < config.source_vocab_size else None


def random_sources(config: TransformerConfig) -> Tensor:
    """Sentences of random tokens, (B, S), each ending with the end token."""
    draw = torch.Generator().manual_seed(0)
    first, length = min(4, config.source_vocab_size - 1), min(_LENGTH, config.max_positions)
    source = torch.randint(first, config.source_vocab_size, (SENTENCES, length), generator=draw)
    if config.eos_id < config.source_vocab_size:
        source[:, -1] = config.eos_id
    return source
