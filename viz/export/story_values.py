"""Every word and number of the site's article for one sentence, computed by the library.

The page computes them again for the sentence that is on screen (viz/components/site/story/values.js); tests compare
both. The article itself is ``viz/export/story.py``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

import model
from model.bundle import Bundle
from model.corpus.units import shipped_units_of
from model.text.tokenizer import WORD_MARK
from model.text.tokens import pieces_of
from model.trace import Floats, Trace
from viz.i18n import current_language, number, tr

NEAR = 3
_TOP = 5


@dataclass(frozen=True, slots=True)
class Followed:
    """The story's subject: a cross-attention head, a step, and the two source tokens with the largest weights."""

    layer: int
    head: int
    step: int
    key: int
    other: int


def followed_step(trace: Trace, layer: int, head: int) -> Followed:
    """The step at which a head has its largest weight on a word, chosen as in stage/scene.js."""
    assert trace.attention.cross is not None
    rows = trace.attention.cross[layer, head]  # (T, S)
    step, largest = 0, -1.0
    for place, piece in enumerate(trace.target.pieces):
        key = int(rows[place].argmax())
        if _is_word(piece, 2) and _is_word(trace.source.pieces[key], 3) and rows[place, key] > largest:
            step, largest = place, float(rows[place, key])
    key, other = (int(place) for place in np.argsort(-rows[step], kind="stable")[:2])
    return Followed(layer, head, step, key, other)


def _is_word(piece: str, letters: int) -> bool:
    """Whether a piece has ``letters`` letters in a row; where two suffice, one Chinese character does too."""
    if re.fullmatch(r"<.*>|\[.*\]", piece):
        return False
    is_han = letters == 2 and any("\u4e00" <= letter <= "\u9fff" for letter in piece)
    return is_han or re.search(rf"[^\W\d_]{{{letters}}}", piece) is not None


def values(bundle: Bundle, text: str, at: tuple[int, int]) -> dict[str, str]:
    """Every word and number of the article for a sentence, formatted in the current language.

    Args:
        at: the cross-attention head (layer, head) that the story follows.
    """
    trace = model.translate(bundle, text, n_candidates=_TOP)
    place = followed_step(trace, *at)
    return (
        _of_sentence(bundle, trace) | _of_embedding(bundle, trace, place) | _of_head(bundle, trace, place)
        | _of_units(bundle, trace, place) | _of_next(trace, place)
    )  # fmt: skip


def bare(piece: str) -> str:
    """A piece without its word marker; start and end tokens are spelled out, as on the page."""
    named = {"<s>": "token_start", "</s>": "token_end"}
    return tr(f"site.{named[piece]}") if piece in named else piece.replace(WORD_MARK, "") or "␣"


def _two(value: float) -> str:
    return number(value, ".2f")


def _large(count: int) -> str:
    """In millions, and in Chinese in units of ten thousand."""
    return number(count / 1e4, ".0f") if current_language() == "zh" else number(count / 1e6, ".1f")


def _share(value: float) -> str:
    return number(value, ".1%")


def _of_sentence(bundle: Bundle, trace: Trace) -> dict[str, str]:
    config = bundle.config
    attentions = config.n_encoder_layers * config.n_encoder_heads + 2 * config.n_decoder_layers * config.n_decoder_heads
    n_source = len(trace.source)
    return {
        "sentence": trace.source_text,
        "translation": trace.text,
        "parameters": _large(sum(parameter.numel() for parameter in bundle.model.parameters())),
        "probability": _share(float(np.exp(trace.log_probs.sum()))),
        "n_target": number(len(trace.target)),
        "n_source": number(n_source),
        "vocabulary": number(config.target_vocab_size),
        "width": number(config.d_model),
        "n_encoder": number(config.n_encoder_layers),
        "n_decoder": number(config.n_decoder_layers),
        "n_heads": number(config.n_decoder_heads),
        "n_all": number(attentions),
        "handed": number(n_source * config.d_model),
    }


def _of_embedding(bundle: Bundle, trace: Trace, at: Followed) -> dict[str, str]:
    token, name = trace.source.ids[at.key], "encoder.0.residual.before"
    read = model.record(bundle, trace, names=name)[name][0, at.key]
    table = bundle.model.encoder.embedding.weight.detach().float().cpu().numpy()
    row = table[token] * bundle.config.embedding_factor
    values_by_name = {
        "word": bare(trace.source.pieces[at.key]),
        "word_id": str(token),
        "place": number(at.key),
        "scale": number(round(bundle.config.embedding_factor)),
        "row_0": _two(row[0]),
        "position_0": _two(read[0] - row[0]),
        "sum_0": _two(read[0]),
    }
    for rank, (near, cosine) in enumerate(neighbours(bundle, table, token), 1):
        values_by_name |= {f"near_{rank}": near, f"cos_{rank}": _two(cosine)}
    return values_by_name


def neighbours(bundle: Bundle, table: Floats, token: int) -> Iterator[tuple[str, float]]:
    """The pieces with letters whose embeddings have the largest cosine similarity to a token's, nearest first."""
    scaled = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = scaled @ scaled[token]
    order = np.argsort(-cosines, kind="stable").tolist()
    pieces = pieces_of(bundle, order)
    words = (near for near in order if near != token and any(map(str.isalpha, pieces[near])))
    for near in islice((near for near in words if not re.fullmatch("<.*>", pieces[near])), NEAR):
        yield bare(pieces[near]), float(cosines[near])


def _of_head(bundle: Bundle, trace: Trace, at: Followed) -> dict[str, str]:
    names = [f"decoder.{at.layer}.cross.{part}" for part in ("scores", "weights", "value", "mixed")]
    recorded = model.record(bundle, trace, names=names)
    scores, weights, value, mixed = (recorded[name][0, at.head] for name in names)
    k = bundle.config.d_model // bundle.config.n_decoder_heads
    score, other = (float(scores[at.step, key]) for key in (at.key, at.other))
    return {
        "layer": number(at.layer),
        "head": number(at.head),
        "said": bare(trace.target.pieces[at.step]),
        "other": bare(trace.source.pieces[at.other]),
        "k": number(k),
        "root": _two(k**0.5),
        "raw": _two(score * k**0.5),
        "score": _two(score),
        "other_score": _two(other),
        "weight": _share(weights[at.step, at.key]),
        "other_weight": _share(weights[at.step, at.other]),
        "gap": _two(score - other),
        "ratio": number(float(np.exp(score - other)), ".1f"),
        "value_0": _two(value[at.key, 0]),
        "mixed_0": _two(mixed[at.step, 0]),
    }


def _of_units(bundle: Bundle, trace: Trace, at: Followed) -> dict[str, str]:
    layer = bundle.config.n_encoder_layers - 1
    names = [f"encoder.{layer}.{part}" for part in ("residual.middle", "feed_forward.hidden", "feed_forward.output")]
    recorded = model.record(bundle, trace, names=names)
    before, hidden, added = (recorded[name][0, at.key] for name in names)
    unit = int(hidden.argmax())
    parts = bundle.model.encoder.layers[layer]
    sizes = [sum(parameter.numel() for parameter in part.parameters()) for part in (parts.feed_forward, parts)]
    measured = shipped_units_of(bundle)
    return {
        "hidden": number(len(hidden)),
        "active": number(int((hidden > 0).sum())),
        "unit": str(unit),
        "unit_value": _two(hidden[unit]),
        "length_before": _two(float(np.linalg.norm(before))),
        "length_added": _two(float(np.linalg.norm(added))),
        "ff_share": _share(sizes[0] / sizes[1]),
    } | (_of_unit(measured, layer, unit) if measured else {})


def _of_unit(measured: Mapping[str, Any], layer: int, unit: int) -> dict[str, str]:
    of_layer = measured["layers"][layer]
    return {
        "n_sentences": number(measured["n_sentences"]),
        "unit_share": _share(of_layer["shares"][unit]),
        "unit_words": of_layer["words"][unit].replace(" ", ", "),
    }


def _of_next(trace: Trace, at: Followed) -> dict[str, str]:
    assert trace.candidates is not None
    ids, pieces = trace.candidates.ids[at.step].tolist(), trace.candidates.pieces[at.step]
    probabilities = np.exp(trace.candidates.log_probs[at.step])
    second = next(rank for rank, token in enumerate(ids) if token != trace.target.ids[at.step])
    return {
        "p_said": _share(float(np.exp(trace.log_probs[at.step]))),
        "second": bare(pieces[second]),
        "p_second": _share(probabilities[second]),
        "p_five": _share(float(probabilities[:_TOP].sum())),
        "p_end": _share(float(np.exp(trace.log_probs[-1]))),
    }


def clearest_head(bundle: Bundle, text: str) -> tuple[int, int]:
    """The cross-attention head (layer, head) with the largest sum of row maxima on a text."""
    weights = model.translate(bundle, text).attention.cross
    assert weights is not None
    layer, head = np.unravel_index(weights.max(-1).sum(-1).argmax(), weights.shape[:2])
    return int(layer), int(head)
