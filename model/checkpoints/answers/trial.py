"""Translates a test sentence with a newly opened checkpoint, as a simple check of its settings.

Rows that sum to 1 and tensors that fit do not prove that the heads, the norms or a table of names are right. A good
translation does, for a reader of both languages. Without a vocabulary, different ids show at least that outputs vary.
"""

import math
from dataclasses import dataclass

from model.bundle import Bundle
from model.checkpoints.basis.conversion import SPECIAL_WORDS, special_id
from model.inference.translation import translate
from model.interventions import KINDS
from model.text.language_codes import main_language
from model.text.tokenizer import Tokenizer
from model.text.tokens import source_tokens

SENTENCES = {
    "en": "The cat is sleeping on the bed.",
    "fr": "Le chat dort sur le lit.",
    "de": "Die Katze schläft auf dem Bett.",
    "es": "El gato duerme en la cama.",
    "it": "Il gatto dorme sul letto.",
    "pt": "O gato está dormindo na cama.",
    "nl": "De kat slaapt op het bed.",
    "ru": "Кошка спит на кровати.",
    "zh": "猫在床上睡觉。",
    "ja": "猫はベッドで寝ています。",
}
"""The same sentence in common source languages; the first that the vocabulary can encode is used."""
MOST, LEAST = 32, 8
"""Maximum predicted tokens; fewer for a large, slow model."""
_SECONDS = 2.0
_N_IDS = 5


@dataclass(frozen=True, slots=True)
class Trial:
    """A sentence and the model's translation."""

    source: str
    target: str
    is_text: bool
    """Whether they are words; without a vocabulary, the tokens of the first ids are used."""
    is_cut: bool
    """Whether it reached the limit of tokens, or repeated itself."""
    probability: float
    """Geometric mean of the probabilities of its tokens."""


def try_sentence(bundle: Bundle, seconds: float) -> Trial | None:
    """Translate one sentence; None if the model does not translate or can read none of the sentences.

    Args:
        seconds: the time of a forward pass.
    """
    if tuple(getattr(bundle.model, "kinds", KINDS)) != KINDS:
        return None
    text = _sentence(bundle)
    steps = max(LEAST, min(MOST, int(_SECONDS / max(seconds, 1e-6))))
    try:
        trace = translate(bundle, _ids(bundle) if text is None else text, max_length=steps)
    except ValueError:
        return None
    special = {bundle.config.bos_id, bundle.config.eos_id, bundle.config.source_pad_id}
    pieces = (piece for index, piece in zip(trace.source.ids, trace.source.pieces, strict=True) if index not in special)
    probability = math.exp(min(0.0, float(trace.log_probs.mean())))
    return Trial(" ".join(pieces) if text is None else text, trace.text, text is not None, trace.is_truncated,
                 probability)  # fmt: skip


def _sentence(bundle: Bundle) -> str | None:
    """The sentence in the model's source language, or else the first that its vocabulary can encode."""
    tokenizer = bundle.source_tokenizer
    if tokenizer is None:
        return None
    language = main_language(bundle.source_language)
    texts = (SENTENCES[language], *SENTENCES.values()) if language in SENTENCES else tuple(SENTENCES.values())
    return next((text for text in texts if _is_written(bundle, tokenizer, text)), None)


def _is_written(bundle: Bundle, tokenizer: Tokenizer, text: str) -> bool:
    """Whether at most a fifth of the text's tokens are unknown."""
    try:
        ids = source_tokens(bundle, text).ids
    except ValueError:
        return False
    unknown = getattr(tokenizer, "unknown_id", None)
    return unknown is None or sum(index == unknown for index in ids) <= len(ids) / 5


def _ids(bundle: Bundle) -> tuple[int, ...]:
    """The first ids that are not special tokens."""
    config, tokenizer = bundle.config, bundle.source_tokenizer
    special: set[int | None] = {config.source_pad_id, config.bos_id, config.eos_id}
    if tokenizer is not None:
        special |= {getattr(tokenizer, "unknown_id", None), *(special_id(tokenizer, role) for role in SPECIAL_WORDS)}
    usual = (index for index in range(config.source_vocab_size) if index not in special)
    return tuple(index for index, _ in zip(usual, range(_N_IDS), strict=False)) or (0,)
