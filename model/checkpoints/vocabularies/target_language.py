"""The target language of multilingual models: NLLB, mBART and M2M100 begin a translation with a language code."""

import copy
import dataclasses
from collections import OrderedDict
from collections.abc import Mapping
from difflib import get_close_matches

from model.bundle import Bundle
from model.checkpoints.basis.assembly import fingerprint_of
from model.checkpoints.basis.errors import HintError
from model.checkpoints.basis.identity import with_vocabularies
from model.nn.transformer import Transformer


def target_languages(bundle: Bundle) -> Mapping[str, int]:
    """The language codes of the target's tokenizer with their ids, sorted by code; most models have none."""
    ids: Mapping[str, int] = getattr(bundle.target_tokenizer, "languages", {})
    size = bundle.config.target_vocab_size
    return {code: ids[code] for code in sorted(ids) if 0 <= ids[code] < size}


def spoken_language(bundle: Bundle) -> str | None:
    """The language code that translations begin with, or None."""
    first = (*bundle.config.target_prefix, bundle.config.bos_id)[0]
    return next((code for code, index in target_languages(bundle).items() if index == first), None)


def with_target_language(bundle: Bundle, code: str | None) -> Bundle:
    """The same model and weights with another target language; the bundle itself if ``code`` is None.

    A code without a token, such as "fr" for a model of one language pair, only names the language.
    """
    if code is None:
        return bundle
    known = target_languages(bundle)
    if not known:
        return bundle.but(target_language=code)
    if code not in known:
        near = get_close_matches(code, list(known), 3, 0.4) or list(known)[:3]
        raise HintError(
            f"target_language ({code[:40]!r}) is not one of the {len(known)} codes of {bundle.name}: try "
            f"{', '.join(near)}"
        )
    chosen = known[code]
    starts = bundle.config.bos_id in known.values()  # mBART's first release begins with the code itself
    config = (dataclasses.replace(bundle.config, bos_id=chosen) if starts
              else dataclasses.replace(bundle.config, target_prefix=(chosen,)))  # fmt: skip
    twin = copy.copy(bundle.model)
    twin.config = config
    spoken = dataclasses.replace(bundle, model=twin, config=config, target_language=code)
    return dataclasses.replace(spoken, fingerprint=_mark(spoken, bundle.fingerprint, code))


_MARKS: OrderedDict[tuple[str, str], str] = OrderedDict()
_MOST_MARKS = 256


def _mark(spoken: Bundle, before: str, code: str) -> str:
    """The fingerprint of a model with a target language. It is cached because computing it reads every weight."""
    if not before or not isinstance(spoken.model, Transformer):
        return with_vocabularies(f"{before} {code}") if before else ""
    if (before, code) not in _MARKS:
        _MARKS[before, code] = fingerprint_of(spoken.model, spoken.source_tokenizer, spoken.target_tokenizer)
        while len(_MARKS) > _MOST_MARKS:
            _MARKS.popitem(last=False)
    return _MARKS[before, code]
