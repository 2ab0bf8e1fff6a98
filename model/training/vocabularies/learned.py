"""Learns a vocabulary from sentence pairs: a joint unigram model (Kudo 2018) of both languages.

Three things make its pieces readable. Contractions are split as in grammar books. Each frequent word is one piece.
Chinese and Japanese punctuation keeps its full width, which the library's default normalisation removes.
"""

import io
import math
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from model.text.pairs import Pair
from model.text.tokenizer import WORD_MARK, SentencePieceTokenizer
from model.training.data import LATIN_LETTERS
from model.training.settings import TrainingError

CUT = "\u2060"
"""Marks, in the text that a vocabulary is learned from, a boundary that no piece may cross (U+2060, word joiner)."""
N_WHOLE_WORDS = 1_000
"""Number of most frequent words of each language that become one piece each."""
LEAST_COUNT = 12
"""Minimum occurrences of a word that becomes a piece."""
FULL_WIDTH = "，！？：；（）～…％"
"""Punctuation that NFKC would change to half width."""
_CONTRACTION = re.compile(r"(?<=[a-z])(?=n't\b)|(?<=[A-Za-z])(?='(?:s|m|re|ve|ll|d)\b)", re.IGNORECASE)
_ELISION = re.compile(rf"(?<![\w{CUT}])((?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)')(?=\w)", re.IGNORECASE)
_AROUND = '.,;:!?"()«»“”…'
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def train_tokenizer(
    pairs: Sequence[Pair],
    *,
    vocab_size: int,
    seed: int = 1,
    byte_fallback: bool = False,
    whole_words: int = N_WHOLE_WORDS,
) -> SentencePieceTokenizer:
    """Train a joint unigram model of both languages; pad 0, unknown 1, begin 2, end 3.

    With ``byte_fallback``, 256 of the pieces are bytes, so that no character is unknown. The Latin letters of European
    names are pieces even if they are rare, and so are the most frequent words.

    Raises:
        TrainingError: when the text is too small for the vocabulary, or the vocabulary for its characters.
    """
    sides = [pair.source for pair in pairs], [pair.target for pair in pairs]
    tokenizer = _learn((*sides[0], *sides[1]), vocab_size=vocab_size, seed=seed, byte_fallback=byte_fallback)
    return with_whole_words(tokenizer, sides, whole_words) if byte_fallback else tokenizer


def split_contractions(text: str) -> str:
    """Insert CUT into contractions: I'm as I + 'm, don't as do + n't, l'eau as l' + eau."""
    return _ELISION.sub(rf"\1{CUT}", _CONTRACTION.sub(CUT, text))


def frequent_words(texts: Iterable[str], n: int = N_WHOLE_WORDS) -> list[tuple[str, int]]:
    """The most frequent words of a language with spaces, with their counts.

    A contraction counts as its parts, of which only the first has the mark of a word's beginning: ``▁do``, ``n't``.
    Words with ideographs are skipped, because they have no boundaries.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        for word in text.split():
            parts = [part for part in split_contractions(word).split(CUT) if part]
            for place, part in enumerate(parts):
                bare = part.strip(_AROUND)
                if bare and not _IDEOGRAPH.search(bare) and any(map(str.isalpha, bare)):
                    counts[WORD_MARK * (place == 0) + bare] += 1
    return counts.most_common(n)


def with_whole_words(
    tokenizer: SentencePieceTokenizer, sides: Sequence[Sequence[str]], n: int = N_WHOLE_WORDS
) -> SentencePieceTokenizer:
    """A vocabulary of the same size in which the ``n`` most frequent words of each side are one piece each.

    Such a piece gets at least its word's log-probability among all words. The new pieces replace those of several
    characters that the texts then use least.
    """
    size = tokenizer.size
    scores: dict[str, float] = {}
    for texts in sides:
        total = sum(len(text.split()) for text in texts)
        for word, count in frequent_words(texts, n):
            if count >= LEAST_COUNT:
                scores[word] = max(scores.get(word, -math.inf), math.log(count / total))
    proto = proto_of(tokenizer)
    known = {piece.piece: piece for piece in proto.pieces}
    for word, score in scores.items():
        piece = known[word] if word in known else proto.pieces.add(piece=word, score=score)
        piece.score = max(score, piece.score)
    larger = SentencePieceTokenizer(proto.SerializeToString())
    uses = Counter(index for texts in sides for ids in larger.encode_ids(list(texts)) for index in ids)
    spare = [i for i, piece in enumerate(proto.pieces) if piece.type == piece.NORMAL and len(piece.piece) > 1]
    spare.sort(key=lambda i: (proto.pieces[i].piece in scores, uses[i]))
    for index in sorted(spare[: len(proto.pieces) - size], reverse=True):
        del proto.pieces[index]
    proto.trainer_spec.vocab_size = size
    return SentencePieceTokenizer(proto.SerializeToString())


def proto_of(tokenizer: SentencePieceTokenizer) -> Any:
    """SentencePiece's model as a mutable protobuf message."""
    return sentencepiece_model_pb2.ModelProto.FromString(tokenizer.to_bytes())  # type: ignore[attr-defined]


def _learn(texts: Sequence[str], *, vocab_size: int, seed: int, byte_fallback: bool) -> SentencePieceTokenizer:
    sentencepiece.set_random_generator_seed(seed)
    model = io.BytesIO()
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as rules:
        rules.write(_normalisation())
        rules.flush()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=map(split_contractions, texts),
                model_writer=model,
                vocab_size=vocab_size,
                model_type="unigram",
                normalization_rule_tsv=rules.name,
                pretokenization_delimiter=CUT,
                character_coverage=0.9999,
                pad_id=0,
                unk_id=1,
                bos_id=2,
                eos_id=3,
                byte_fallback=byte_fallback,
                required_chars=LATIN_LETTERS if byte_fallback else "",
                minloglevel=2,
            )
        except RuntimeError as error:
            raise TrainingError(f"vocab_size ({vocab_size}): {_size_advice(str(error), len(texts) // 2)}") from error
    return SentencePieceTokenizer(model.getvalue())


@cache
def _normalisation() -> str:
    """NFKC per character as SentencePiece rules, except FULL_WIDTH; control characters are removed."""
    lines = []
    for code in (*range(0x80, 0xD800), *range(0xE000, 0x10000)):
        character = chr(code)
        plain = unicodedata.normalize("NFKC", character)
        if plain != character and character not in FULL_WIDTH:
            lines.append(f"{code:X}\t{' '.join(f'{ord(c):X}' for c in plain)}")
    control = [*range(0x01, 0x09), *range(0x0B, 0x0D), *range(0x0E, 0x20), 0x7F, *range(0x80, 0xA0), 0x200B, 0xFEFF]
    spaces = (0x09, 0x0A, 0x0D, 0x2028, 0x2029)
    lines += [f"{code:X}\t" for code in control] + [f"{code:X}\t20" for code in spaces]
    return "\n".join(lines) + "\n"


def _size_advice(reason: str, n_pairs: int) -> str:
    """Advice on the vocabulary size, parsed from SentencePiece's message."""
    if least := re.search(r"required_chars\. \d+ vs (\d+)", reason):
        return f"the characters alone need {least.group(1)} pieces, ask for more"
    most = re.search(r"<= (\d+)", reason)
    return f"{n_pairs} pairs do not hold so many pieces, ask for {'at most ' + most.group(1) if most else 'fewer'}"
