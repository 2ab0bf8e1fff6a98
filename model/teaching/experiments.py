"""The experiment of each lesson scene: the change of the model for a sentence, and the heads that change its words.

A scene teaches nothing if the change has no visible effect. So the layer, token or head to change is chosen for the
sentence, and the sentence by its effects (``claims``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.bundle import Bundle
from model.config import TransformerConfig
from model.errors import RegardError
from model.inference.translation import translate
from model.inference.variants import translate_variants
from model.interpret.ablation import without_layer
from model.interventions import NONE, AttentionKind, BlockedKey, HeadAblation, Interventions, attention_shapes
from model.teaching.measured.source_words import aligned_source_tokens, is_word
from model.text.tokens import source_tokens
from model.trace import Floats, Trace

MARKS = " .!?…。！？"


@dataclass(frozen=True, slots=True)
class Removals:
    """The greedy translation of a sentence, and those without each head of one kind."""

    kind: AttentionKind
    text: str
    """With every head."""
    without: tuple[tuple[str, ...], ...]
    """Translations by layer and head, for the layers tried so far."""
    n_layers: int

    @property
    def is_whole(self) -> bool:
        """Whether every layer was tried."""
        return len(self.without) == self.n_layers

    @property
    def is_changed(self) -> NDArray[np.bool_]:
        """(L, H): whether the translation changes without the head."""
        return np.array([[text != self.text for text in row] for row in self.without])

    @property
    def changing(self) -> tuple[tuple[int, int, str], ...]:
        """(layer, head, translation) of every head whose removal changes the translation."""
        return tuple((layer, head, self.without[layer][head]) for layer, head in np.argwhere(self.is_changed).tolist())

    @property
    def first(self) -> tuple[int, int] | None:
        """(layer, head) of the first head whose removal changes the translation; None if there is none."""
        return self.changing[0][:2] if self.changing else None


def removals(bundle: Bundle, text: str, kind: AttentionKind = "cross") -> Removals:
    """Try every head of a kind.

    Raises:
        TextError: when the text cannot be read by this model.
    """
    *_, last = removals_as_they_come(bundle, text, kind)
    return last


def removals_as_they_come(
    bundle: Bundle, text: str, kind: AttentionKind, *, before: Removals | None = None
) -> Iterator[Removals]:
    """The same after each layer, whose heads share a batch; stop iterating to cancel.

    Args:
        before: earlier results, which are continued.
    """
    layers, heads = attention_shapes(bundle.config)[kind]
    plain, without = ("", ()) if before is None else (before.text, before.without)
    for layer in range(len(without), layers):
        variants = [Interventions(heads_off=(HeadAblation(kind, layer, head),)) for head in range(heads)]
        translations = greedy_under(bundle, text, variants if plain else [NONE, *variants])
        plain = plain or translations[0]
        without = (*without, tuple(translations[-heads:]))
        yield Removals(kind, plain, without, layers)


def greedy_under(bundle: Bundle, text: str, variants: Sequence[Interventions]) -> list[str]:
    """The greedy translation under each set of interventions."""
    return [translation for (translation,) in translate_variants(bundle, [text], variants)]


def without_mark(text: str) -> str:
    """The text without its final punctuation."""
    return text.rstrip(MARKS) or text


def with_doubled_word(text: str) -> str:
    """The text with its longest word doubled (“catcat”), which gives a word that does not exist."""
    words = text.split()
    place = max(range(len(words)), key=lambda i: len(words[i]))
    core = words[place].rstrip(".,!?;:。！？")
    words[place] = core + core.lower() + words[place][len(core) :]
    return " ".join(words)


def twin_of(text: str) -> str:
    """The text with its second and last words exchanged; the text itself if it is too short."""
    words = text.split()
    last = max((i for i, word in enumerate(words) if word.rstrip(MARKS)), default=0)
    if last < 2:
        return text
    core = words[last].rstrip(MARKS)
    end = words[last][len(core) :]
    words[1], words[last] = core, words[1] + end
    return " ".join(words)


def layer_to_switch_off(bundle: Bundle, *, text: str) -> int:
    """The first layer without whose cross-attention the translation changes; 0 if there is none."""
    n = bundle.config.n_decoder_layers
    variants = [without_layer(bundle, NONE, "cross", layer) for layer in range(n)]
    return _first_change(bundle, text, variants)


def token_to_hide(bundle: Bundle, *, text: str) -> int:
    """The longest source token whose masking changes the translation; the longest of all if there is none."""
    source = source_tokens(bundle, text)
    real = [i for i, special in enumerate(source.is_special) if not special]
    order = sorted(real, key=lambda i: -len(source.pieces[i]))
    variants = [Interventions(blocked_keys=(BlockedKey("encoder_self", i),)) for i in order]
    return order[_first_change(bundle, text, variants)] if order else 0


def focused_head(weights: Floats | None) -> tuple[int, int] | None:
    """Layer and head of (L, H, Q, K) whose largest weights are largest on average; None without weights."""
    if weights is None or not weights.size:
        return None
    sharp = weights.max(-1).mean(-1)  # (L, H)
    layer, head = np.unravel_index(int(sharp.argmax()), sharp.shape)
    return int(layer), int(head)


@dataclass(frozen=True, slots=True)
class ScaleEffect:
    """One row of weights with and without the division by sqrt(d_k)."""

    layer: int
    head: int
    query: int
    scaled: Floats
    """(S,)"""
    unscaled: Floats
    """(S,)"""


def scale_effect(trace: Trace, config: TransformerConfig) -> ScaleEffect | None:
    """The cross-attention row that changes most without the division; None without cross-attention.

    Rows with the largest weight on the source word that all heads together attend to most are preferred, because a
    class can see why this word is found. Without the division every score is √d_k times as large, so each weight is
    raised to the power √d_k and the row is renormalised; this needs only the weights.
    """
    cross = trace.attention.cross
    if cross is None or not cross.size:
        return None
    widths = [spec.cross.d_key for spec in config.layers(encoder=False) if spec.cross is not None]
    power = np.sqrt(widths)[:, None, None, None]
    log_weights = np.log(np.maximum(cross, 1e-30).astype(np.float64)) * power  # (L, H, T, S)
    raised = np.exp(log_weights - log_weights.max(-1, keepdims=True))
    unscaled = (raised / raised.sum(-1, keepdims=True)).astype(np.float32)
    change = np.abs(unscaled - cross).sum(-1)  # (L, H, T)
    change[..., np.array(trace.target.is_special)] = -1  # a special token's row shows little
    on_words = np.where([is_word(piece) for piece in trace.source.pieces], cross.mean((0, 1)), -1)  # (T, S)
    is_written = [is_word(piece) for piece in trace.target.pieces]
    is_found = (unscaled.argmax(-1) == on_words.argmax(-1)) & is_written  # (L, H, T)
    change[is_found] += 2.0  # the largest change is 2
    layer, head, query = (int(i) for i in np.unravel_index(int(change.argmax()), change.shape))
    return ScaleEffect(layer, head, query, cross[layer, head, query], unscaled[layer, head, query])


def aligning_head(bundle: Bundle, *, text: str) -> tuple[int, int]:
    """(layer, head) of the cross-attention with the most weight on the aligned source word of each predicted word.

    The aligned source word is the one whose removal lowers the word's probability most. For a model that does not
    support measuring that, it is the head that covers the source best (``contrasting_heads``).
    """
    trace = translate(bundle, text)
    cross = trace.attention.cross
    if cross is None:
        return 0, 0
    try:
        aligned = np.array(aligned_source_tokens(bundle, trace))
        rows = [row for row, piece in enumerate(trace.target.pieces) if is_word(piece)]
        fit = cross[:, :, rows, aligned[rows]].mean(-1)  # (L, H)
    except RegardError:
        fit = _coverage(cross)
    layer, head = np.unravel_index(int(fit.argmax()), fit.shape)
    return int(layer), int(head)


def _coverage(cross: Floats) -> Floats:
    """(L, H): the mean over source tokens except the last two of their largest weight in any row of (L, H, T, S)."""
    return cross[..., : max(1, cross.shape[-1] - 2)].max(-2).sum(-1)


def contrasting_heads(cross: Floats) -> dict[str, tuple[int, int]]:
    """(layer, head) of three heads of (L, H, T, S) that differ most clearly.

    "follows" attends to the most source words, "ends" has the most weight on the last two source tokens, and "spreads"
    has the smallest maximum weights. The rows that end the sentence do not count for the last two.
    """
    rows = cross[:, :, : max(1, cross.shape[2] - 2)]
    measures = {"follows": _coverage(cross), "ends": rows[..., -2:].sum(-1).mean(-1), "spreads": -rows.max(-1).mean(-1)}
    chosen: dict[str, tuple[int, int]] = {}
    for name, values in measures.items():
        order = np.argsort(-values, axis=None, kind="stable").tolist()
        heads = (divmod(place, cross.shape[1]) for place in order)
        chosen[name] = next((head for head in heads if head not in chosen.values()), (0, 0))
    return chosen


def _first_change(bundle: Bundle, text: str, variants: Sequence[Interventions]) -> int:
    plain, *changed = greedy_under(bundle, text, [NONE, *variants])
    return next((i for i, each in enumerate(changed) if each != plain), 0)
