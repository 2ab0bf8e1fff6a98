"""Chooses the example sentences of a model by measured criteria.

The front page opens with a sentence on which the opening head aligns every word, and on which switching heads off
changes a word. ``python -m model choose-sentences`` searches such sentences among pairs, checks those of the lesson's
scenes and of the gallery, and replaces those that fail, so that a newly trained model gets its examples by one command.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np

from model.bundle import Bundle
from model.inference.translation import translate, translate_texts
from model.interpret.causal import read_pair
from model.progress import Progress
from model.teaching.experiments import removals
from model.teaching.measured.source_words import aligned_source_tokens, is_word
from model.teaching.sentences import Front, Removal
from model.trace import Floats, TokenSequence, Trace

MOST_WORDS = 8
LEAST_WORDS = 4
LEAST_WEIGHT = 0.5
"""Minimum weight of the opening head in each word's row on the aligned source word."""
LEAST_REMOVALS = 3
"""Minimum number of heads whose removal changes the translation."""
LONGEST_CHANGE = 2
"""Maximum words that a removal replaces or inserts, so that one sentence can describe the change."""
LONGEST_CHANGE_IN_SIGNS = 4
"""The same in characters for a language without spaces: two words of Chinese are about four characters."""
SHORT = 7
"""Maximum words that fit into one line on a phone."""
COMMON_WORDS = 1_500
"""Every word must be among this many most frequent words of the pairs, so that a class knows it."""
CLEAR = 1.0
"""Minimum margin in log-probability by which each of two compared sentences prefers its own next word."""
TOGETHER = 256
"""Sentences between two reports of progress."""
UNFIT = frozenset((
    "kill", "killed", "kills", "die", "died", "dies", "dead", "death", "drunk", "hate", "hates", "gun", "shot", "war",
    "sex", "naked", "murder", "blood", "stupid", "idiot", "god", "cancer", "hell", "damn",
))  # fmt: skip
"""Words that are excluded from the first sentence for a class."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A sentence, and a cross-attention head whose removal changes words of its translation."""

    text: str
    layer: int
    head: int
    before: str
    after: str
    clarity: float
    """The head's mean weight on the aligned source word of each word, 0 to 1."""


def telling(bundle: Bundle, text: str) -> Telling | None:
    """The clearest head whose removal replaces words of a sentence's translation; None if there is none.

    Raises:
        TextError: when the text cannot be read by this model.
    """
    trace = translate(bundle, text)
    written = np.array([is_word(piece) for piece in trace.target.pieces])
    if trace.attention.cross is None or trace.is_truncated or not written.any():
        return None
    weights = _aligned_weights(trace.attention.cross, aligned_source_tokens(bundle, trace))
    clarity = weights[..., written].mean(-1)  # (L, H)
    changing = [each for each in removals(bundle, text).changing if _reads_differently(trace.text, each[2])]
    if not changing:
        return None
    layer, head, after = max(changing, key=lambda each: clarity[each[:2]])
    return Telling(text, layer, head, trace.text, after, float(clarity[layer, head]))


def most_telling(bundle: Bundle, texts: Iterable[str]) -> Telling | None:
    """The sentence with the clearest such head and few words; None if no sentence has one."""
    tellings = filter(None, (telling(bundle, text) for text in texts))
    return max(tellings, key=lambda each: each.clarity - 0.1 * max(0, len(each.text.split()) - SHORT), default=None)


def merit(sentence: Front) -> tuple[float, int, float]:
    """Sort key, larger is better: a clear map first, then up to three different explainable changes."""
    changed = {each.translation for each in sentence.removals if is_explained(sentence.translation, each.translation)}
    return round(sentence.weight, 1), min(3, len(changed)), sentence.weight


def front(bundle: Bundle, text: str) -> Front | None:
    """Measure a sentence for the front page; None where it misses a criterion.

    The criteria: at most ``MOST_WORDS`` words, no word of either side split; two words of the translation in another
    order than their source words; one head of cross-attention with at least ``LEAST_WEIGHT`` of each word's row on its
    own source word, and the rows of marks and of the end on a mark or the end; at least ``LEAST_REMOVALS`` heads
    without which one run of at most ``LONGEST_CHANGE`` words is another. One of those is the opening head
    where it meets that criterion.
    """
    return _measure_front(bundle, translate(bundle, text))


def _measure_front(bundle: Bundle, trace: Trace) -> Front | None:
    """The same of a translated sentence; what costs least to measure rejects first."""
    if not LEAST_WORDS <= len(trace.source_text.split()) <= MOST_WORDS:
        return None
    if not (is_whole(trace.source) and is_whole(trace.target) and opening_head(trace, None)):
        return None
    aligned = aligned_source_tokens(bundle, trace)
    opening = None if not is_reordered(trace, aligned) else opening_head(trace, aligned)
    if opening is None:
        return None
    changing = tuple(Removal(*each) for each in removals(bundle, trace.source_text).changing)
    explained = [(each.layer, each.head) for each in changing if is_explained(trace.text, each.translation)]
    if len(explained) < LEAST_REMOVALS:
        return None
    layer, head, weight = opening_head(trace, aligned, among=explained) or opening
    return Front(trace.source_text, trace.text, layer, head, weight, changing)


def is_whole(tokens: TokenSequence) -> bool:
    """Whether no word is split into pieces; a mark that is set to a word may be a piece of its own."""
    begins: dict[int, int] = Counter(
        word for word, piece in zip(tokens.words, tokens.pieces, strict=True) if word >= 0 and is_word(piece)
    )
    if len(begins) == 1:
        return True  # a language that puts no spaces between words
    return max(begins.values(), default=0) <= 1


def is_reordered(trace: Trace, aligned: Sequence[int]) -> bool:
    """Whether two words of the translation stand in another order than their source words."""
    places = [place for place, piece in zip(aligned, trace.target.pieces, strict=True) if is_word(piece)]
    return any(later < earlier for earlier, later in pairwise(places))


def opening_head(
    trace: Trace, aligned: Sequence[int] | None, *, among: Sequence[tuple[int, int]] | None = None
) -> tuple[int, int, float] | None:
    """Layer, head and least weight of the cross-attention that puts every word on its own source word; None where no
    head does.

    Args:
        aligned: each word's own source word; None takes the word that each head looks at most.
        among: layer and head of those that are considered; None for all.
    """
    cross = trace.attention.cross
    if cross is None:
        return None
    written = np.array([is_word(piece) for piece in trace.target.pieces])
    is_source_word = np.array([is_word(piece) for piece in trace.source.pieces])
    weights = np.where(is_source_word, cross, 0).max(-1) if aligned is None else _aligned_weights(cross, aligned)
    least = np.where(written, weights, 1.0).min(-1)  # (L, H)
    strays = (is_source_word[cross.argmax(-1)] & ~written).any(-1)  # a mark or the end that looks at a word
    least = np.where(strays, 0.0, least)
    if among is not None:
        considered = np.zeros(least.shape, bool)
        considered[tuple(zip(*among, strict=True))] = True
        least = np.where(considered, least, 0.0)
    layer, head = np.unravel_index(int(least.argmax()), least.shape)
    weight = float(least[layer, head])
    return (int(layer), int(head), weight) if weight >= LEAST_WEIGHT else None


def is_explained(before: str, after: str) -> bool:
    """Whether one sentence says what changed: one run of at most ``LONGEST_CHANGE`` words is another."""
    has_spaces = " " in before or " " in after
    old, new = (text.split() if has_spaces else list(text) for text in (before, after))
    longest = LONGEST_CHANGE if has_spaces else LONGEST_CHANGE_IN_SIGNS
    changed = [
        (stop - start, end - begin)
        for tag, start, stop, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
    return len(changed) == 1 and all(0 < n <= longest for n in changed[0])


def candidates(bundle: Bundle, pairs: Mapping[str, Sequence[str]], *, most: int) -> Iterator[str]:
    """Sentences of common words, without direct speech, that the model translates as one of their references.

    Args:
        pairs: the references of each source sentence.
        most: how many sentences are translated, chosen by chance.
    """
    counts = Counter(word for text in pairs for word in _plain(text))
    common = {word for word, _ in counts.most_common(COMMON_WORDS)} - UNFIT
    short = sorted(
        text
        for text in pairs
        if LEAST_WORDS <= len(text.split()) <= MOST_WORDS and common.issuperset(_plain(text)) and '"' not in text
    )
    random.Random(1).shuffle(short)
    chosen = short[:most]
    for place, translation in translate_texts(bundle, chosen):
        if comparable(translation) in map(comparable, pairs[chosen[place]]):
            yield chosen[place]


def fronts(bundle: Bundle, texts: Sequence[str], *, on_progress: Progress) -> list[Front]:
    """The sentences that fit the front page, best first. Those of like length are translated together."""
    fitting = []
    for start in range(0, len(texts), TOGETHER):
        part = list(texts[start : start + TOGETHER])
        traces = (each for each in translate(bundle, part) if isinstance(each, Trace))
        fitting += filter(None, (_measure_front(bundle, trace) for trace in traces))
        on_progress(start + len(part), len(texts))
    return sorted(fitting, key=merit, reverse=True)


def partner_of(bundle: Bundle, sentence: Front, texts: Iterable[str]) -> str:
    """The front page's sentence with one word replaced, so that one or two words of its translation are others.

    The Causal page compares the two. Every run of three words of it stands in ``texts`` too, so that it is good
    English, and the word that stands there most often is tried first. Both are clear about their next word
    (``is_clear``), for a share of a difference near 0 says nothing. Empty where there is none.
    """
    words = sentence.text.split()
    known = Counter(run for text in texts for run in _runs(text.split()))
    places = {(before, after): place for place, (before, _, after) in enumerate(_runs(words))}
    replaced = {
        " ".join([*words[: places[before, after]], word, *words[places[before, after] + 1 :]]): n
        for (before, word, after), n in known.items()
        if (before, after) in places
    }
    for text in sorted(replaced, key=lambda each: (-replaced[each], each)):
        is_other = _plain(text) != _plain(sentence.text) and UNFIT.isdisjoint(_plain(text))
        is_good = is_other and all(run in known for run in _runs(text.split()))
        is_changed = is_good and is_explained(sentence.translation, translate(bundle, text).text)
        if is_changed and is_clear(bundle, text, sentence.text):
            return text
    return ""


def is_clear(bundle: Bundle, first: str, second: str) -> bool:
    """Whether each of two sentences, whose translations differ, clearly prefers its own next word to the other's."""
    pair = read_pair(bundle, first=first, second=second)
    return min(pair.margin_first, -pair.margin_second) >= CLEAR


def _runs(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Each word between the one before and the one after; empty at the ends."""
    yield from zip(("", *words), words, (*words[1:], ""), strict=False)


def _aligned_weights(cross: Floats, aligned: Sequence[int]) -> Floats:
    """The weights (L, H, T) that each head puts on each token's own source token."""
    return np.take_along_axis(cross, np.array(aligned)[None, None, :, None], -1)[..., 0]


def _reads_differently(before: str, after: str) -> bool:
    """Whether words take the place of others, in a sentence that is neither cut short nor drawn out."""
    split = str.split if " " in before + after else list
    old, new = (["".join(filter(str.isalnum, word.casefold())) for word in split(text)] for text in (before, after))
    return not _is_within(old, new) and not _is_within(new, old) and 0.6 <= len(after.strip()) / len(before) <= 2


def _is_within(few: list[str], many: list[str]) -> bool:
    """Whether the words stand among the others in the same order."""
    rest = iter(many)
    return all(word in rest for word in few)


def _plain(text: str) -> list[str]:
    return [word.strip('.,!?;:。，！？、"“”').lower() for word in text.split()]


def comparable(text: str) -> str:
    """A translation as it is compared: narrow and usual spaces are one."""
    return " ".join(text.replace("\u202f", " ").replace("\u00a0", " ").split())
