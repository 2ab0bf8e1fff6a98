"""Sentences to try with a model, what each shows, and the recent ones of this session; listed below the text box."""

from dataclasses import dataclass

from model import Bundle
from model.teaching.sentences import collection_for
from model.teaching.written_words import written_words
from model.text.language_codes import main_language
from viz import cache
from viz.i18n import catalogue, current_language, tr
from viz.panels.dropped import kind_of
from viz.panels.opening import is_read, prompts, vocabulary_texts
from viz.state import session

MAX_RECENT = N_WRITTEN = 6
_RECENT = "recent_sentences"


@dataclass(frozen=True, slots=True)
class Offered:
    """Sentences to try with a model."""

    sentences: tuple[tuple[str, str], ...]
    """Each with what it shows, or with ""."""
    about: str = ""
    """What holds for all of them."""


def offered(bundle: Bundle) -> Offered:
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
