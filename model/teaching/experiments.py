"""The experiment of each lesson scene: what is changed for a given sentence, and whether the change is visible.

A scene teaches nothing when the change has no visible effect. So the layer, token or head that is changed is chosen for
the sentence, and ``python -m model choose-sentences`` checks the sentences chosen for a model (``sentences/``), and
chooses others where a scene would show nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.bundle import Bundle
from model.inference.translation import translate
from model.interpret.ablation import without_layer
from model.interventions import NONE, BlockedKey, Interventions, PositionEdit
from model.teaching.mask_effects import future_effect
from model.teaching.one_layer import one_layer
from model.teaching.one_step import one_step
from model.teaching.removal import greedy_under, removals
from model.teaching.sentences import reference_of
from model.text.tokens import source_tokens
from model.trace import Floats, Trace

MARKS = " .!?…。！？"
VISIBLE_WEIGHT = 0.15
"""A weight that moves by less looks the same in a bar chart."""
VISIBLE_LOG_PROB = 0.3
"""Nats per token."""


def without_mark(text: str) -> str:
    """The text without its final punctuation."""
    return text.rstrip(MARKS) or text


def has_mark(text: str) -> bool:
    """Whether there is final punctuation to remove."""
    return without_mark(text) != text.rstrip()


def with_other_end(text: str) -> str:
    """The text without its final punctuation; with a question mark where it has none."""
    bare = text.rstrip()
    mark = "？" if "\u3040" <= bare[-1:] <= "\u9fff" else "?"
    return without_mark(text) if has_mark(text) else bare + mark


def with_doubled_word(text: str) -> str:
    """The text with its longest word doubled (“catcat”), which gives a word that does not exist."""
    words = text.split()
    place = max(range(len(words)), key=lambda i: len(words[i]))
    core = words[place].rstrip(".,!?;:。！？")
    words[place] = core + core.lower() + words[place][len(core) :]
    return " ".join(words)


def twin_of(text: str) -> str:
    """The same words with the second and the last exchanged; the text itself when it is too short."""
    words = text.split()
    last = max((i for i, word in enumerate(words) if word.rstrip(MARKS)), default=0)
    if last < 2:
        return text
    core = words[last].rstrip(MARKS)
    end = words[last][len(core) :]
    words[1], words[last] = core, words[1] + end
    return " ".join(words)


def layer_to_switch_off(bundle: Bundle, *, text: str) -> int:
    """The first layer whose cross-attention changes the translation when it is off; layer 0 if none does."""
    n = bundle.config.n_decoder_layers
    variants = [without_layer(bundle, NONE, "cross", layer) for layer in range(n)]
    return _first_change(bundle, text, variants)


def token_to_hide(bundle: Bundle, *, text: str) -> int:
    """The longest source token that changes the translation when it is hidden; the longest of all if none does."""
    source = source_tokens(bundle, text)
    real = [i for i, special in enumerate(source.is_special) if not special]
    order = sorted(real, key=lambda i: -len(source.pieces[i]))
    variants = [Interventions(blocked_keys=(BlockedKey("encoder_self", i),)) for i in order]
    return order[_first_change(bundle, text, variants)] if order else 0


@dataclass(frozen=True, slots=True)
class HeadHunt:
    """Each head of cross-attention switched off alone."""

    is_changed: NDArray[np.bool_]
    """(L, H): whether the translation is another one."""

    @property
    def first(self) -> tuple[int, int] | None:
        """Layer and head of the first one that changes the translation; None if none does."""
        found = np.argwhere(self.is_changed)
        return (int(found[0][0]), int(found[0][1])) if len(found) else None


def head_hunt(bundle: Bundle, *, text: str) -> HeadHunt:
    """Try every head of cross-attention."""
    found = removals(bundle, text)
    return HeadHunt(np.array([[each != found.text for each in row] for row in found.without]))


def focused_head(weights: Floats | None) -> tuple[int, int] | None:
    """Layer and head of (L, H, Q, K) whose largest weights are largest on average; None without weights."""
    if weights is None or not weights.size:
        return None
    sharp = weights.max(-1).mean(-1)  # (L, H)
    layer, head = np.unravel_index(int(sharp.argmax()), sharp.shape)
    return int(layer), int(head)


@dataclass(frozen=True, slots=True)
class ScaleEffect:
    """One row of weights with the division by the root of d_k, and without it."""

    layer: int
    head: int
    query: int
    scaled: Floats
    """(S,)"""
    unscaled: Floats
    """(S,)"""


def scale_effect(trace: Trace, d_key: int) -> ScaleEffect | None:
    """The row of cross-attention that changes most without the division; None without cross-attention.

    Without the division every score is √d_k times as large, so each weight is raised to the power √d_k and the row is
    normalised again. The weights alone are enough to compute this.
    """
    cross = trace.attention.cross
    if cross is None or not cross.size:
        return None
    log_weights = np.log(np.maximum(cross, 1e-30).astype(np.float64)) * np.sqrt(d_key)  # (L, H, T, S)
    raised = np.exp(log_weights - log_weights.max(-1, keepdims=True))
    unscaled = (raised / raised.sum(-1, keepdims=True)).astype(np.float32)
    change = np.abs(unscaled - cross).sum(-1)  # (L, H, T)
    change[..., np.array(trace.target.is_special)] = -1  # a special token's row shows little
    layer, head, query = (int(i) for i in np.unravel_index(int(change.argmax()), change.shape))
    return ScaleEffect(layer, head, query, cross[layer, head, query], unscaled[layer, head, query])


def aligning_head(bundle: Bundle, *, text: str) -> tuple[int, int]:
    """Layer and head of cross-attention that is closest to a word alignment, without the sinks.

    The measure is the largest weight of each row outside the last two source tokens, counted once for each column, so
    that a head that always attends to one column scores low.
    """
    cross = translate(bundle, text).attention.cross
    if cross is None:
        return 0, 0
    covered = _covered(cross)
    layer, head = np.unravel_index(int(covered.argmax()), covered.shape)
    return int(layer), int(head)


def _covered(cross: Floats) -> Floats:
    """(L, H): how well each source token but the last two is looked at by some row of (L, H, T, S)."""
    return cross[..., : max(1, cross.shape[-1] - 2)].max(-2).sum(-1)


def contrasting_heads(cross: Floats) -> dict[str, tuple[int, int]]:
    """Three heads of (L, H, T, S) that differ most clearly, layer and head of each.

    "follows" looks at the most source words, "ends" puts the most weight on the last two source tokens, and "spreads"
    has the smallest largest weights. The rows that end the sentence do not count for the last two.
    """
    rows = cross[:, :, : max(1, cross.shape[2] - 2)]
    measures = {"follows": _covered(cross), "ends": rows[..., -2:].sum(-1).mean(-1), "spreads": -rows.max(-1).mean(-1)}
    found: dict[str, tuple[int, int]] = {}
    for name, values in measures.items():
        order = np.argsort(-values, axis=None, kind="stable").tolist()
        heads = (divmod(place, cross.shape[1]) for place in order)
        found[name] = next((head for head in heads if head not in found.values()), (0, 0))
    return found


def _first_change(bundle: Bundle, text: str, variants: Sequence[Interventions]) -> int:
    plain, *changed = greedy_under(bundle, text, [NONE, *variants])
    return next((i for i, each in enumerate(changed) if each != plain), 0)


@dataclass(frozen=True, slots=True)
class Visibility:
    """What a scene's experiment shows on a sentence."""

    is_visible: bool
    said: str


def visibility(bundle: Bundle, name: str, text: str) -> Visibility:
    """Run the experiment of a scene on a sentence."""
    return _CHECKS[name](bundle, text)


def _differ(before: str, after: str) -> Visibility:
    return Visibility(before != after, f"{before} → {after}")


def _under(bundle: Bundle, text: str, interventions: Interventions) -> Visibility:
    return _differ(*greedy_under(bundle, text, [NONE, interventions]))


def _box(bundle: Bundle, text: str) -> Visibility:
    before, after = (translate(bundle, each).text for each in (text, with_other_end(text)))
    return Visibility(without_mark(before) != without_mark(after), f"{before} → {after}")


def _pieces(bundle: Bundle, text: str) -> Visibility:
    return _differ(translate(bundle, text).text, translate(bundle, with_doubled_word(text)).text)


def _positions(bundle: Bundle, text: str) -> Visibility:
    pair = (text, twin_of(text))
    none = Interventions(source_positions=PositionEdit("zero"))
    (a, a_without), (b, b_without) = (greedy_under(bundle, each, [NONE, none]) for each in pair)
    return Visibility(a != b and a_without == b_without, f"{a} | {b} → {a_without} | {b_without}")


def _head(bundle: Bundle, text: str) -> Visibility:
    config = bundle.config
    found = scale_effect(translate(bundle, text), config.d_key or config.d_model // config.n_decoder_heads)
    if found is None:
        return Visibility(False, "no cross-attention")
    change = float(np.abs(found.unscaled - found.scaled).max())
    return Visibility(change > VISIBLE_WEIGHT, f"{found.scaled.max():.2f} → {found.unscaled.max():.2f}")


def _heads(bundle: Bundle, text: str) -> Visibility:
    return _under(bundle, text, without_layer(bundle, NONE, "cross", layer_to_switch_off(bundle, text=text)))


def _layer(bundle: Bundle, text: str) -> Visibility:
    found = one_layer(bundle, text=text)
    return _differ(found.translation, found.replaced)


def _encoder(bundle: Bundle, text: str) -> Visibility:
    return _under(
        bundle, text, Interventions(blocked_keys=(BlockedKey("encoder_self", token_to_hide(bundle, text=text)),))
    )


def _mask(bundle: Bundle, text: str) -> Visibility:
    trace = translate(bundle, text)
    found = future_effect(bundle, source_ids=trace.source.ids, target_ids=trace.target.ids, layer=0, head=0)
    masked, lifted = found.log_probs
    return Visibility(masked - lifted > VISIBLE_LOG_PROB, f"{masked:.2f} → {lifted:.2f}")


def _loss(bundle: Bundle, text: str) -> Visibility:
    reference = reference_of(bundle, text)
    if not reference:
        return Visibility(False, "no reference translation")
    found = one_step(bundle, source=text, reference=reference)
    gain = float((found.after - found.before).max())
    return Visibility(gain > VISIBLE_WEIGHT, f"{found.losses[0]:.2f} → {found.losses[1]:.2f}")


def _cross(bundle: Bundle, text: str) -> Visibility:
    trace = translate(bundle, text)
    return Visibility(trace.target.pieces != trace.prefix.pieces, trace.text)


def _beam(bundle: Bundle, text: str) -> Visibility:
    wide = translate(bundle, text, method="beam", beam_size=4, length_penalty=1.0)
    return _differ(translate(bundle, text).text, wide.text)


def _explain(bundle: Bundle, text: str) -> Visibility:
    found = head_hunt(bundle, text=text).is_changed
    return Visibility(0 < found.sum() <= found.size // 4, f"{found.sum()} of {found.size} heads")


def _train(bundle: Bundle, text: str) -> Visibility:
    return Visibility(True, "a model of its own is trained")


_CHECKS: dict[str, Callable[[Bundle, str], Visibility]] = {
    "box": _box, "pieces": _pieces, "positions": _positions, "head": _head, "heads": _heads, "layer": _layer,
    "encoder": _encoder, "mask": _mask, "loss": _loss, "cross": _cross, "beam": _beam,
    "explain": _explain, "train": _train, "share": _explain,
}  # fmt: skip
