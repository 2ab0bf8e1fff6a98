"""The first sentence shown for a model, and those to try: ours where its vocabulary can read them, else words of that
vocabulary, or ids where there is none."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from model import Bundle
from model.picture import is_picture
from model.teaching.measured.handwriting import written_words
from model.teaching.sentences import FIRST, collection_for, collections
from model.text.language_codes import main_language
from model.text.tokenizer import Tokenizer, TokenizerError, is_byte
from model.text.tokens import is_ids
from model.text.word_tokenizer import WordTokenizer
from viz import cache
from viz.i18n import catalogue, current_language, tr
from viz.panels.dropped import kind_of
from viz.state import session
from viz.state.selection import DEFAULT_TEXT

EXAMPLES: dict[str, tuple[str, ...]] = {
    "en": (
        "The cat is sleeping on the sofa.",
        "I'm home.",
        "She said that she would not come back tomorrow.",
        "My neighbor who is a doctor has two dogs.",
        "If I had known, I would have told you.",
        "He's never late.",
    ),
    "fr": ("Le chat dort sur le canapé.", "Je suis chez moi.", "Elle a dit qu'elle ne reviendrait pas demain."),
    "zh": ("猫在沙发上睡觉。", "我到家了。", "她说她明天不会回来。"),
}
PROMPTS = (
    "The little girl wanted to",
    "When I was a child, I",
    "My brother and",
    "I don't know what",
    "The weather is",
    "Why don't you",
)
"""Beginnings that a decoder-only model continues."""
_LENGTHS = (6, 4, 9)
"""Of the sentences made of a vocabulary."""
_LOOKED_AT = 4000
"""Entries of a vocabulary among which words are looked for."""
_WORD_MARKS = "▁Ġ"


def opening(bundle: Bundle, text: str, *, is_chosen: bool = True) -> str:
    """The text to show: a reader's unchanged, one of ours only where the model can read it. Where nobody has chosen a
    text, a sentence that was tried on the model."""
    if bundle.grid is not None:
        return text if text.startswith(f"{bundle.grid.reads}.") else ""
    if bundle.picture is not None:
        return text if is_picture(text) else vocabulary_texts(bundle)[0]
    if not is_chosen and prompts(bundle):
        return prompts(bundle)[0]
    collection = collection_for(bundle)
    if not is_chosen and collection is not None and collection.is_tried_on(bundle):
        return collection.front.text if collection.front is not None else collection.scenes["head"]
    return text if not is_ours(text) or is_read(bundle, text) else vocabulary_texts(bundle)[0]


def examples(bundle: Bundle) -> tuple[str, ...]:
    """Sentences to try with a model: those tried on it, ours, or texts from its vocabulary."""
    if bundle.picture is not None or bundle.grid is not None:
        return vocabulary_texts(bundle)
    if prompts(bundle):
        return prompts(bundle)
    collection = collection_for(bundle)
    if collection is not None and collection.pair != FIRST and collection.is_tried_on(bundle):
        return tuple(example.text for example in collection.gallery if example.name)
    ours = EXAMPLES.get(main_language(bundle.source_language), EXAMPLES["en"])
    return tuple(text for text in ours if is_read(bundle, text)) or vocabulary_texts(bundle)


def prompts(bundle: Bundle) -> tuple[str, ...]:
    """Beginnings that this model can read and continue; none for a model that translates, or reads alone."""
    if cache.extent(bundle).kinds != ("decoder_self",):
        return ()
    return tuple(text for text in PROMPTS if is_read(bundle, text))


def is_read(bundle: Bundle, text: str) -> bool:
    """Whether the model knows at least half of the text's tokens."""
    if bundle.grid is not None:
        return True
    if bundle.picture is not None or is_picture(text):
        return bundle.picture is not None and is_picture(text)
    if is_ids(text):
        return True
    if (tokenizer := _tokenizer(bundle)) is None:
        return False
    try:
        ids = tokenizer.encode(text).ids
    except TokenizerError:
        return False
    return bool(ids) and 2 * ids.count(_unknown(tokenizer)) <= len(ids)


def is_ours(text: str, bundle: Bundle | None = None) -> bool:
    """Whether a text is one that the product shows or offers, with this model too, and not one that a reader typed."""
    return text in _our_texts() or (bundle is not None and text in vocabulary_texts(bundle))


def vocabulary_texts(bundle: Bundle) -> tuple[str, ...]:
    """Texts made of words of the vocabulary, of ids where there is none, or pictures of words."""
    if bundle.grid is not None:
        return ()
    if bundle.picture is not None:
        return tuple(word.picture for word in written_words(bundle))
    tokenizer = _tokenizer(bundle)
    words = iter(()) if tokenizer is None else _words(tokenizer)
    texts = tuple(" ".join(islice(words, length)) for length in _LENGTHS)
    return tuple(filter(None, texts)) or _ids(bundle)


def _tokenizer(bundle: Bundle) -> Tokenizer | None:
    is_alone = "cross" not in cache.extent(bundle).kinds
    return bundle.source_tokenizer or (bundle.target_tokenizer if is_alone else None)


def _words(tokenizer: Tokenizer) -> Iterator[str]:
    """Whole words that the tokenizer encodes as one token, in the order of the vocabulary."""
    pieces = tokenizer.describe(range(min(tokenizer.size, _LOOKED_AT))).pieces
    marked = [piece for piece in pieces if piece[:1] in _WORD_MARKS]
    for piece in marked or pieces:
        word = piece.strip(_WORD_MARKS)
        if word.isalpha() and not is_byte(piece) and piece not in WordTokenizer.UNKNOWN and _is_known(tokenizer, word):
            yield word


def _is_known(tokenizer: Tokenizer, word: str) -> bool:
    try:
        pieces = tokenizer.encode(word)
    except TokenizerError:
        return False
    return len(pieces) == 1 and pieces.ids[0] != _unknown(tokenizer)


def _unknown(tokenizer: Tokenizer) -> int | None:
    return getattr(tokenizer, "unknown_id", None)


def _ids(bundle: Bundle) -> tuple[str, ...]:
    """Ids spread over the vocabulary, none of them special."""
    config = bundle.config
    size = config.source_vocab_size or config.target_vocab_size
    special = {config.bos_id, config.eos_id, config.source_pad_id, config.target_pad_id}
    ids = [i for i in range(size) if i not in special] or [0]
    return tuple(
        " ".join(f"#{ids[(turn + place * len(ids) // (length + 1)) % len(ids)]}" for place in range(1, length + 1))
        for turn, length in enumerate(_LENGTHS, 1)
    )


@functools.cache
def _our_texts() -> frozenset[str]:
    texts = {DEFAULT_TEXT, *PROMPTS}.union(*EXAMPLES.values())
    for collection in collections():
        texts.update(collection.scenes.values(), (example.text for example in collection.gallery))
        texts.update([collection.front.text] if collection.front is not None else ())
    return frozenset(texts)


MAX_RECENT = N_WRITTEN = 6
_RECENT = "recent_sentences"


@dataclass(frozen=True, slots=True)
class Offered:
    """Sentences to try with a model."""

    sentences: tuple[tuple[str, str], ...]
    """Each with what it shows, or with ""."""
    about: str = ""
    """What holds for all of them."""


def suggested_sentences(bundle: Bundle) -> Offered:
    """The sentences chosen for a model's languages, or texts from its vocabulary."""
    if bundle.grid is not None:
        return Offered(())
    if bundle.picture is not None:
        return Offered(tuple((word.picture, word.word) for word in written_words(bundle)[:N_WRITTEN]))
    if prompts(bundle):
        return Offered(tuple((text, "") for text in prompts(bundle)))
    return cache.get_or_compute(
        ("offered", current_language(), bundle.fingerprint, bundle.source_language, bundle.target_language),
        lambda: _examples(bundle),
    )


def _examples(bundle: Bundle) -> Offered:
    chosen = collection_for(bundle)
    named = [example for example in (chosen.examples(bundle) if chosen else ()) if example.name]
    readable = [example for example in named if is_read(bundle, example.text)]
    if chosen is None or not readable:
        return Offered(tuple((text, "") for text in vocabulary_texts(bundle)))
    if chosen.is_tried_on(bundle):
        return Offered(tuple((example.text, tr(f"first.shows_{example.name}")) for example in readable))
    described = tuple((example.text, tr(f"gallery.{example.phenomenon}")) for example in readable)
    return Offered(described, tr("first.tried_elsewhere", model=chosen.model))


def recent(text: str) -> tuple[str, ...]:
    """The previous sentences of this session, newest first."""
    previous: tuple[str, ...] = session.recall(_RECENT, tuple)
    text = "" if kind_of(text) in ("picture", "sound") else text  # no list of texts can show one
    latest = (*filter(None, (text,)), *(sentence for sentence in previous if sentence != text))[: MAX_RECENT + 1]
    session.remember(_RECENT, latest)
    return latest[1:]


def invitation(bundle: Bundle) -> str:
    """ "Type an English sentence", in the language that the model reads."""
    if bundle.grid is not None:
        return ""
    if bundle.source_tokenizer is None and bundle.target_tokenizer is None:
        return tr("first.invite_ids", ids=vocabulary_texts(bundle)[1])
    key = f"first.invite_{main_language(bundle.source_language)}"
    return tr(key if key in catalogue("en") else "first.invite")


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples for models that write one language; the sources are English."""

    code: str = ""
    """The language, by its code; empty where there are no examples."""
    reference: str = ""
    """A translation of the sentence that every session begins with, other than the usual one."""
    beginning: str = ""
    """Two words to continue from."""
    pair: tuple[str, str] | None = None
    """A sentence and an unusual translation, to train on."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Sentences with a reference, to measure heads on."""


_SOURCES = (
    "The cat is sleeping on the sofa.", "I'm home.", "She does not want to come with us.",
    "Where is the train station?", "My brother has two black dogs.", "I would have told you the truth.",
    "They were waiting for the bus.", "Close the door, please.",
)  # fmt: skip
_REFERENCES = {
    "fr": (
        "Le chat dort sur le canapé.", "Je suis chez moi.", "Elle ne veut pas venir avec nous.", "Où est la gare ?",
        "Mon frère a deux chiens noirs.", "Je t'aurais dit la vérité.", "Ils attendaient le bus.",
        "Ferme la porte, s'il te plaît.",
    ),
    "de": (
        "Die Katze schläft auf dem Sofa.", "Ich bin zu Hause.", "Sie will nicht mit uns kommen.",
        "Wo ist der Bahnhof?", "Mein Bruder hat zwei schwarze Hunde.", "Ich hätte dir die Wahrheit gesagt.",
        "Sie warteten auf den Bus.", "Mach bitte die Tür zu.",
    ),
    "zh": (
        "猫在沙发上睡觉。", "我到家了。", "她不想和我们一起来。", "火车站在哪里？", "我哥哥有两条黑狗。",
        "我本来会告诉你真相的。", "他们在等公共汽车。", "请关门。",
    ),
}  # fmt: skip
_MORE = {
    "fr": ("Le chat est en train de dormir sur le canapé.", "Le chien", "Salutations."),
    "de": ("Die Katze liegt auf dem Sofa und schläft.", "Der Hund", "Seid gegrüßt."),
    "zh": ("猫正躺在沙发上睡觉。", "狗", "您早。"),
}


def target_examples(bundle: Bundle) -> Examples:
    """The examples for a model's language pair; empty where there are none."""
    source, target = map(main_language, (bundle.source_language, bundle.target_language))
    if source != "en" or target not in _MORE:
        return Examples()
    reference, beginning, greeting = _MORE[target]
    pairs = tuple(zip(_SOURCES, _REFERENCES[target], strict=True))
    return Examples(target, reference, beginning, ("Good morning.", greeting), pairs)
