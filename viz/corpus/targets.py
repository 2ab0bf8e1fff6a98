"""Replaces a survey's targets by the model's translations where they are in another language than the model's."""

from model import Bundle
from model.corpus.survey import Survey
from model.corpus.surveying import with_own_targets
from model.text.language_codes import main_language
from model.text.pairs import Pair
from viz import cache
from viz.shipped_models import shipped_models


def are_foreign(survey: Survey, bundle: Bundle) -> bool:
    """Whether the targets are known to be in another language than the model's."""
    shipped = shipped_models().get(survey.model)
    return writes_another(bundle, survey.language or (shipped.target_language if shipped else None))


def writes_another(bundle: Bundle, language: str | None) -> bool:
    """Whether a model is known to write another language than this one, "fr" or "zh-CN"."""
    written = bundle.target_language
    return bool(language and written) and main_language(language) != main_language(written)


def pairs_of(survey: Survey, n: int) -> list[Pair]:
    """The first pairs of a survey."""
    frame = cache.ask(survey, "SELECT source, target FROM sentences ORDER BY id LIMIT ?", (n,))
    return [Pair(source, target) for source, target in zip(frame["source"], frame["target"], strict=True)]


def pairs_for(survey: Survey, bundle: Bundle, n: int) -> list[Pair]:
    """The first pairs, with the model's translations as targets where it writes another language."""
    pairs = pairs_of(survey, n)
    return with_own_targets(bundle, pairs) if are_foreign(survey, bundle) else pairs
