"""BLEU (Papineni et al. 2002) with all of its terms, equal to sacreBLEU's.

Only tokenization ("13a", or "zh" for Chinese) uses sacreBLEU; counting, clipping, smoothing and the brevity penalty are
implemented here.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from model.text.language_codes import bleu_tokenizer

MAX_ORDER = 4
_TOKENIZERS = {"13a": Tokenizer13a, "char": TokenizerChar, "zh": TokenizerZh}


@dataclass(frozen=True, slots=True)
class OrderMatch:
    """Matches of the n-grams of one length."""

    order: int
    matches: int
    """Clipped: an n-gram counts at most as often as the reference has it."""
    total: int
    precision: float
    """0 to 1; smoothed where nothing matches, as sacrebleu does for single sentences."""
    is_smoothed: bool


@dataclass(frozen=True, slots=True)
class Bleu:
    """One sentence against its references."""

    score: float
    """0 to 100."""
    brevity_penalty: float
    orders: tuple[OrderMatch, ...]
    tokens: tuple[str, ...]
    reference: tuple[str, ...]
    """The reference with the length nearest to the candidate's; in a tie, the shorter."""
    marks: tuple[tuple[bool, ...], ...]
    """For each order, which of the candidate's tokens are in a matching n-gram."""


def bleu(
    candidate: str, references: str | Sequence[str], *, max_order: int = MAX_ORDER, language: str | None = None
) -> Bleu:
    """Sentence BLEU: geometric mean of precisions times brevity penalty.

    The mean is over the orders that the candidate is long enough for ("effective order"), and an order without a
    match counts 1/(2^k total), k growing with each such order ("exp" smoothing; Chen & Cherry 2014, method 3): the
    settings of ``sacrebleu.sentence_bleu``.

    Args:
        references: one text or several. An n-gram counts at most as often as the reference that has it most often.
        max_order: n-grams of 1 to this many tokens.
        language: of the texts (BCP 47); Chinese is counted by characters.

    Raises:
        ValueError: without a reference, or for an order below 1.
    """
    texts = [references] if isinstance(references, str) else list(references)
    if not texts or max_order < 1:
        raise ValueError(f"{len(texts)} references and max_order {max_order}: both must be at least 1")
    tokenize = _TOKENIZERS[bleu_tokenizer(language)]()
    tokens, *reference_tokens = (tuple(tokenize(text.rstrip()).split()) for text in (candidate, *texts))
    orders, marks, halvings = [], [], 1.0
    for order in range(1, max_order + 1):
        matched, places = _matches(tokens, reference_tokens, order)
        total = max(0, len(tokens) - order + 1)
        smoothed = total > 0 and matched == 0
        if smoothed:
            halvings *= 2
        precision = 0.0 if not total else 1 / (halvings * total) if smoothed else matched / total
        orders.append(OrderMatch(order, matched, total, precision, smoothed))
        marks.append(tuple(any(start <= i < start + order for start in places) for i in range(len(tokens))))
    nearest = min(reference_tokens, key=lambda reference: (abs(len(reference) - len(tokens)), len(reference)))
    penalty = min(1.0, math.exp(1 - len(nearest) / len(tokens))) if tokens else float(not nearest)
    used = [n_grams.precision for n_grams in orders if n_grams.total]
    is_empty = not used or not any(n_grams.matches for n_grams in orders)
    score = 0.0 if is_empty else 100 * penalty * math.exp(sum(map(math.log, used)) / len(used))
    return Bleu(score, penalty, tuple(orders), tokens, nearest, tuple(marks))


def _matches(tokens: tuple[str, ...], reference_tokens: list[tuple[str, ...]], order: int) -> tuple[int, list[int]]:
    """The number of clipped matches, and the starts of the matching n-grams."""
    left: Counter[tuple[str, ...]] = Counter()
    for reference in reference_tokens:
        left |= Counter(reference[i : i + order] for i in range(len(reference) - order + 1))
    places = []
    for i in range(len(tokens) - order + 1):
        gram = tuple(tokens[i : i + order])
        if left[gram] > 0:
            left[gram] -= 1
            places.append(i)
    return len(places), places
