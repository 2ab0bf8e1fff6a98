"""Attention over a text for any model: a translation, or one pass over the text for a decoder-only or encoder-only
model."""

from collections.abc import Sequence
from typing import cast, overload

import numpy as np

from model.bundle import Bundle
from model.inference.attending import attend
from model.inference.batches import Texts, is_many
from model.inference.reading import NO_TOKENS, kinds_of, prompt_tokens
from model.inference.translation import translate
from model.interventions import NONE, Change, Interventions, as_interventions
from model.text.tokens import Source, TextError, as_text, describe_target, source_tokens, written_source
from model.trace import AttentionMaps, Trace


@overload
def read(bundle: Bundle, text: Source, *, interventions: Change | Sequence[Change] = NONE) -> Trace: ...
@overload
def read(
    bundle: Bundle, text: Texts, *, interventions: Change | Sequence[Change] = NONE
) -> list[Trace | TextError]: ...
def read(
    bundle: Bundle, text: Source | Texts, *, interventions: Change | Sequence[Change] = NONE
) -> Trace | list[Trace | TextError]:
    """The attention of any model over a text, or over each of a list of texts.

    Returns:
        For an encoder-decoder, the greedy translation, as ``translate`` returns it. For an encoder-only model, a trace
        with only ``source`` and ``encoder_self``. For a decoder-only model, ``prefix`` holds the text's T tokens and
        ``target`` the most probable next token after each; the text is not continued. A list of texts gives a list in
        the same order, with a TextError in the place of a text that cannot be read.

    Raises:
        TextError: when a single text cannot be read by this model.
        InterventionError: when an intervention names what the model does not have.
    """
    edits = as_interventions(interventions)
    if "cross" in kinds_of(bundle):
        return translate(bundle, text, interventions=edits)
    if not is_many(text):
        return _read_text(bundle, cast(Source, text), edits)
    outcomes: list[Trace | TextError] = []
    for each in text:
        try:
            outcomes.append(_read_text(bundle, each, edits))
        except TextError as error:
            outcomes.append(error)
    return outcomes


def _read_text(bundle: Bundle, text: Source, interventions: Interventions) -> Trace:
    if "encoder_self" in kinds_of(bundle):
        source = source_tokens(bundle, text)
        batch = attend(bundle, np.array([source.ids]), np.zeros((1, 0), np.int64), interventions=interventions)
        maps = AttentionMaps(None if batch.encoder_self is None else batch.encoder_self[0], None, None)
        return Trace(written_source(bundle, text), "", source, NO_TOKENS, NO_TOKENS, np.zeros(0, np.float32), maps,
                     None, interventions=interventions)  # fmt: skip
    fed = prompt_tokens(bundle, text)
    ids = np.array([fed.ids])
    batch = attend(bundle, ids, ids, interventions=interventions)
    assert batch.logits is not None and batch.decoder_self is not None
    scores = batch.logits[0].astype(np.float64)  # (T, V)
    top = scores.max(-1)
    log_probs = -np.log(np.exp(scores - top[:, None]).sum(-1))  # (T,)
    predicted = describe_target(bundle, scores.argmax(-1).tolist())
    maps = AttentionMaps(None, batch.decoder_self[0], None)
    return Trace(as_text(text), "", NO_TOKENS, predicted, fed, log_probs.astype(np.float32), maps, None,
                 interventions=interventions)  # fmt: skip
