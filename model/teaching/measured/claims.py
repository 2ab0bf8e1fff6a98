"""The claims of each lesson scene about its sentence, as criteria that are measured on a model.

A scene teaches nothing when its change has no visible effect, and something false when its texts do not hold for its
sentence. ``python -m model choose-sentences`` measures the sentences of a model (``sentences/``) and chooses others
where a criterion is missed; ``tests/model/test_experiments.py`` measures what was chosen.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model.analysis.metrics import trace_metrics
from model.bundle import Bundle
from model.checkpoints.loading import load
from model.inference.translation import translate
from model.interpret.ablation import without_layer
from model.interpret.residual_stream import context_drift, untrained_weights
from model.interventions import NONE, BlockedKey, Interventions, PositionEdit
from model.teaching.copying import copying
from model.teaching.experiments import (
    aligning_head,
    contrasting_heads,
    focused_head,
    greedy_under,
    layer_to_switch_off,
    removals,
    scale_effect,
    token_to_hide,
    twin_of,
    with_doubled_word,
)
from model.teaching.measured.handwriting import READER, most_expected, painted_out, written_words
from model.teaching.measured.next_token import DECODER, beginning, continuation
from model.teaching.measured.source_words import aligned_source_tokens, is_word, last_word, without_words
from model.teaching.one_layer import one_layer
from model.teaching.sentences import reference_of
from model.teaching.teacher_forcing import one_step
from model.trace import Trace

VISIBLE_WEIGHT = 0.15
"""A weight that moves by less looks the same in a bar chart."""
Criteria = dict[str, bool]


@dataclass(frozen=True, slots=True)
class Visibility:
    """The outcome of a scene's experiment on a sentence, and the scene's criteria that it fails."""

    outcome: str
    """Before and after, in short."""
    lacks: tuple[str, ...] = ()
    """What the scene's texts say and this sentence does not show; empty where all of it holds."""

    @property
    def is_visible(self) -> bool:
        """Whether the sentence meets all criteria of the scene."""
        return not self.lacks


def visibility(bundle: Bundle, name: str, text: str, *, reference: str = "") -> Visibility:
    """Run the experiment of a scene on a sentence and measure what its texts claim.

    Args:
        name: of the scene.
        reference: a person's translation, for a claim that needs one and where none is stored for the sentence.
    """
    outcome, criteria = CLAIMS[name](bundle, text, *((reference,) if name in WITH_REFERENCE else ()))
    return Visibility(outcome, tuple(claim for claim, holds in criteria.items() if not holds))


def shows_effect(bundle: Bundle, *, name: str, text: str) -> bool:
    """Whether a scene's experiment shows the scene's main point on a sentence: its first criterion.

    Where the scene needs a person's translation, the model's own stands for it.

    Raises:
        RegardError: where the model does not allow the experiment.
    """
    _, criteria = CLAIMS[name](bundle, text, *((translate(bundle, text).text,) if name in WITH_REFERENCE else ()))
    return next(iter(criteria.values()))


def _box(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    trace = translate(bundle, text)
    assert trace.attention.cross is not None
    written, found = last_word(trace), without_words(bundle, trace=trace)
    row = trace.attention.cross[:, :, written[-1]]  # (L, H, S)
    mean = row.mean((0, 1))
    words = [place for place, piece in enumerate(trace.source.pieces) if is_word(piece)]
    after = found.after[found.most]
    return f"p({found.names[found.most]}): {found.before:.2f} → {after:.2f}", {
        "without one word the last word is half as probable": after < 0.5 * found.before,
        "without any other word it is not": found.least_of_others > 0.5 * found.before,
        "the last word is one token": len(written) == 1,
        "it looks most at the word that it needs": int(mean.argmax()) in found.words[found.most],
        "that word is not the last of the sentence": int(mean.argmax()) in words[:-1],
        "each word's share is seen on the mean map": bool(mean.min() >= 0.005 and mean.max() < 0.7),
        "three heads look at one word only": bool((row.max(-1) > 0.8).sum() >= 3),
    }


def _pieces(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    plain, other = translate(bundle, text), translate(bundle, with_doubled_word(text))
    outcome, criteria = _translation_changes(plain.text, other.text)
    return outcome, {"the doubled word has more tokens": len(other.source) > len(plain.source)} | criteria


def _positions(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    none = Interventions(source_positions=PositionEdit("zero"))
    (a, a_without), (b, b_without) = (greedy_under(bundle, each, [NONE, none]) for each in (text, twin_of(text)))
    return f"{a} | {b} → {a_without} | {b_without}", {
        "the two orders have two translations": a != b,
        "without positions they have the same": a_without == b_without,
    }


def _head(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    trace = translate(bundle, text)
    effect = scale_effect(trace, bundle.config)
    if effect is None:
        return "no cross-attention", {"the model has cross-attention": False}
    steep = [float((share * (1 - share)).max()) for share in (effect.scaled, effect.unscaled)]
    return f"{effect.scaled.max():.2f} → {effect.unscaled.max():.2f}", {
        "without the division one share comes close to 1": bool(effect.unscaled.max() > 0.9),
        "with it the shares are spread": bool(effect.scaled.max() < 0.5),
        "the word that is found is the one of the same meaning": int(effect.unscaled.argmax())
        == aligned_source_tokens(bundle, trace)[effect.query],
        "training can hardly change the share near 1": steep[1] < steep[0] / 2,
    }


def _heads(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    trace, chosen = translate(bundle, text), layer_to_switch_off(bundle, text=text)
    layers = range(bundle.config.n_decoder_layers)
    plain, *changed = greedy_under(bundle, text, [NONE, *(without_layer(bundle, NONE, "cross", i) for i in layers)])
    lowest_share = min(_share_of_words(plain, each) for each in changed)
    return f"{plain} → {changed[chosen]}", {
        "without the cross-attention of one layer a word changes": changed[chosen] != plain,
        "without that of any one layer half of the words stay": lowest_share >= 0.5,
        **_contrasts(trace),
    }


def _contrasts(trace: Trace) -> Criteria:
    """The scene's claims about heads: there are three kinds, and hardly any two are alike."""
    cross, metrics = trace.attention.cross, trace_metrics(trace, "cross")
    assert cross is not None and metrics.sink_share is not None and metrics.normalised_entropy is not None
    kinds, words, n_words = contrasting_heads(cross), cross[:, :, :-2], max(1, cross.shape[-1] - 2)
    heads = cross.reshape(-1, *cross.shape[2:])
    apart = np.abs(heads[:, None] - heads[None]).sum(-1).mean(-1)  # (heads, heads), at most 2
    return {
        "one head follows the words": bool(cross[kinds["follows"]][:, :n_words].max(0).sum() > 0.6 * n_words),
        "one looks at the end": bool(words[..., -2:].sum(-1).mean(-1)[kinds["ends"]] > 0.3),
        "one spreads its weights": bool(words.max(-1).mean(-1)[kinds["spreads"]] < 0.5),
        "some heads rest on the mark or the end": bool(np.nanmax(metrics.sink_share) > 0.4),
        "some spread over several words": bool(np.nanmax(metrics.normalised_entropy) > 0.6),
        "hardly two maps are alike": bool((apart[np.triu_indices(len(heads), 1)] < 0.2).mean() < 0.1),
        "the heads differ in every layer": bool((apart.reshape(*cross.shape[:2], -1).max((1, 2)) > 1).all()),
    }


def _layer(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    layer = one_layer(bundle, text=text)
    return f"{layer.translation} → {layer.replaced}", {
        "with the vectors replaced half of the words are gone": _share_of_words(layer.translation, layer.replaced)
        <= 0.5
    }


def _encoder(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    edit = Interventions(blocked_keys=(BlockedKey("encoder_self", token_to_hide(bundle, text=text)),))
    cosine = context_drift(bundle, translate(bundle, text)).cosine  # (L + 1, S)
    outcome, criteria = _translation_changes(*greedy_under(bundle, text, [NONE, edit]))
    return outcome, criteria | {
        "the similarity falls in every layer": bool((np.diff(cosine.mean(-1)) < 0).all()),
        "every word keeps something of its start": bool(cosine.min() > 0.2),
        "after the last layer the words are still similar": bool(0.4 < cosine[-1].mean() < 0.95),
    }


def _mask(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    tried = copying()
    return f"{tried.masked.n_written} → {tried.unmasked.n_written} of {tried.n_sentences}", {
        "trained without the mask it writes nothing right": tried.unmasked.n_written == 0,
        "with the mask it writes all": tried.masked.n_written == tried.n_sentences,
        "in training both were right": min(tried.masked.forced, tried.unmasked.forced) > 0.99,
        "without the mask it repeats what it is shown": tried.unmasked.exchanged > 0.9 > tried.masked.exchanged,
    }


def _loss(bundle: Bundle, text: str, reference: str) -> tuple[str, Criteria]:
    reference = reference_of(bundle, text) or reference
    if not reference:
        return "no reference", {"a person's translation is known": False}
    update = one_step(bundle, source=text, reference=reference)
    gain, ids = update.after - update.before, zip(update.preferred.ids, update.reference.ids, strict=True)
    others = [place for place, (token, right) in enumerate(ids) if token != right]
    return f"{update.losses[0]:.2f} → {update.losses[1]:.2f}", {
        "one step lowers the loss": update.losses[1] < update.losses[0],
        "the token that gains most is one that the model would not have chosen": int(gain.argmax()) in others,
        "its gain is seen": float(gain.max()) > VISIBLE_WEIGHT,
    }


def _cross(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    trace = translate(bundle, text)
    layer, head = aligning_head(bundle, text=text)
    assert trace.attention.cross is not None
    looked, aligned = (
        trace.attention.cross.argmax(-1),
        np.array(aligned_source_tokens(bundle, trace)),
    )  # (L, H, T), (T,)
    words = np.array([is_word(piece) for piece in trace.target.pieces])
    predicted = (looked == aligned)[..., words].mean(-1)  # (L, H)
    fed = (looked[..., 1:] == aligned[:-1])[..., words[:-1]].mean(-1)
    return trace.text, {
        "the labels of the rows differ": trace.target.pieces != trace.prefix.pieces,
        "on the shown head most words stand beside their source word": bool(predicted[layer, head] >= 0.6),
        "another head fits the token read better": bool((fed > predicted).any()),
    }


def _beam(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    plain, wide = translate(bundle, text), translate(bundle, text, method="beam", beam_size=4, length_penalty=1.0)
    outcome, criteria = _translation_changes(plain.text, wide.text)
    return outcome, criteria | {
        "the beam's translation is more probable as a whole": bool(wide.log_probs.sum() > plain.log_probs.sum())
    }


def _share(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    is_changed = removals(bundle, text).is_changed
    return f"{is_changed.sum()} of {is_changed.size} heads", {
        "a head changes the translation": bool(is_changed.any()),
        "most heads do not": bool(is_changed.sum() <= is_changed.size // 4),
    }


def _explain(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    focused = focused_head(translate(bundle, text).attention.cross)
    outcome, criteria = _share(bundle, text)
    stays = focused is not None and not removals(bundle, text).is_changed[focused]
    return outcome, {"the most focused head changes no word": bool(stays)} | criteria


def _train(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    trace = translate(bundle, text)
    focused = focused_head(trace.attention.cross)
    assert trace.attention.cross is not None and focused is not None
    fresh = untrained_weights(bundle, trace, seed=0)
    before, after = (float(weights[focused].max(-1).mean()) for weights in (fresh, trace.attention.cross))
    return f"{before:.2f} → {after:.2f}", {
        "before training the weights are spread": 1 / len(trace.source) < before < 0.5,
        "after it they are not": after > 0.5,
    }


def _since(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    found = continuation(load(DECODER), text=beginning(bundle, text))
    cached, uncached = sum(found.cached), sum(found.uncached)
    return f"{cached} → {uncached}: {found.text}", {
        "without the cache the words are the same": found.text == found.text_without,
        "and the work is more than three times as much": uncached > 3 * cached,
        "each further token is computed alone": set(found.cached[1:]) == {1},
    }


def _reader(bundle: Bundle, text: str) -> tuple[str, Criteria]:
    """The handwriting scene uses the word shipped with its model instead of a sentence."""
    hand = load(READER)
    picture = written_words(hand)[0].picture
    found = painted_out(hand, text=picture, place=most_expected(hand, text=picture))
    before = found.before.chances[found.place]
    return f"p({found.letter}): {before:.2f} → {found.chance:.2f}: {found.after.text}", {
        "one head looks at one place for the second letter": found.before.goes_along,
        "the letter is not read once it is painted over": before > 0.5 > 0.1 > found.chance,
        "a gap is written in its place": found.is_gap,
        "the letters before make it most probable": found.expected == found.letter,
    }


def _translation_changes(before: str, after: str) -> tuple[str, Criteria]:
    """Both texts, and whether they differ."""
    return f"{before} → {after}", {"the translation changes": before != after}


def _share_of_words(before: str, after: str) -> float:
    """The share of a text's words that also occur in another."""
    is_spaced = " " in before
    old, new = (set(text.split()) if is_spaced else set(text) for text in (before, after))
    return len(old & new) / max(1, len(old))


CLAIMS: dict[str, Callable[..., tuple[str, Criteria]]] = {
    "box": _box, "pieces": _pieces, "positions": _positions, "head": _head, "heads": _heads, "layer": _layer,
    "encoder": _encoder, "mask": _mask, "loss": _loss, "cross": _cross, "beam": _beam, "explain": _explain,
    "train": _train, "share": _share, "reader": _reader, "since": _since,
}  # fmt: skip
"""How what a scene says is measured: before and after in short, and what holds, first what the scene is about."""
WITH_REFERENCE = ("loss",)
"""Scenes that are measured on a person's translation too."""
