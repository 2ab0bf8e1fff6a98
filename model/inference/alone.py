"""Models that do not translate: a lone encoder, or a lone decoder, which continues a text."""

from __future__ import annotations

import numpy as np

from model.bundle import Bundle
from model.inference.attending import attend
from model.inference.reading import NO_TOKENS, kinds_of, prompt_tokens
from model.interventions import NONE, Interventions
from model.text.tokens import describe_target, source_tokens
from model.trace import AttentionMaps, Floats, TokenSequence, Trace


def read_alone(bundle: Bundle, text: str, *, interventions: Interventions = NONE) -> Trace:
    """The attention of a lone encoder or decoder over a text.

    Returns:
        A trace without translation. An encoder has only ``source`` and ``encoder_self``. For a decoder
        ``prefix`` holds the text's T tokens and ``target`` the most probable next token after each.

    Raises:
        TextError: when the text cannot be read by this model.
    """
    if "encoder_self" in kinds_of(bundle):
        source = source_tokens(bundle, text)
        found = attend(bundle, np.array([source.ids]), np.zeros((1, 0), np.int64), interventions=interventions)
        maps = AttentionMaps(None if found.encoder_self is None else found.encoder_self[0], None, None)
        return _trace(text, source, NO_TOKENS, NO_TOKENS, np.zeros(0, np.float32), maps, interventions)
    fed = prompt_tokens(bundle, text)
    ids = np.array([fed.ids])
    found = attend(bundle, ids, ids, interventions=interventions)
    assert found.logits is not None and found.decoder_self is not None
    scores = found.logits[0].astype(np.float64)  # (T, V)
    top = scores.max(-1)
    log_probs = -np.log(np.exp(scores - top[:, None]).sum(-1))  # (T,)
    predicted = describe_target(bundle, scores.argmax(-1).tolist())
    maps = AttentionMaps(None, found.decoder_self[0], None)
    return _trace(text, NO_TOKENS, predicted, fed, log_probs.astype(np.float32), maps, interventions)


def _trace(
    text: str,
    source: TokenSequence,
    target: TokenSequence,
    prefix: TokenSequence,
    log_probs: Floats,
    maps: AttentionMaps,
    interventions: Interventions,
) -> Trace:
    return Trace(
        source_text=text,
        text="",
        source=source,
        target=target,
        prefix=prefix,
        log_probs=log_probs,
        attention=maps,
        positional=None,
        interventions=interventions,
    )
