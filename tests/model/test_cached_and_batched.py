"""What is done to one text alone is done to it in a batch, and with a cache what is done without one.

Every public function that runs the model is tried, with every kind of intervention and patch.
"""

import copy
import dataclasses
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import model
from model import BlockedKey, ForcedRow, HeadAblation, Interventions, Patch, PositionEdit
from model.activations import activation_shapes
from model.corpus.batches import forced_pass, read_rows
from model.corpus.pruning.removal import score_variants
from model.corpus.surveying import source_contribution
from model.decoding.options import suppressed_id
from model.inference.ranks import ranks
from model.inference.teacher_forcing import teacher_forced, token_log_probs
from model.inference.variants import translate_variants
from model.interpret.contrast import contrast
from model.interpret.editing.steering import steering_vector
from model.interpret.residual_stream import context_drift
from model.text.pairs import Pair
from model.training.evaluation import target_loss
from tests.checkpoint import tiny_bundle
from tests.nightly import examples
from tests.tiny import heterogeneous_stacks, tiny_config

CONFIG = tiny_config()
NAMES = [name for name in activation_shapes(CONFIG) if name != "logits"]
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"encoder_norm_first": False, "decoder_norm_first": False, "positions": "learned"},
    {"positions": "relative", "norm_kind": "rms", "score_scale": 1.0, "relative_buckets": 8, "relative_distance": 10},
    {"bos_id": 0, "mask_target_padding": False},  # which begins with the token of padding, as Marian does
    {"skip_padding": True, "position_offset": 2, "embedding_norm": True},
    {"starts_from_zero": True, "bos_id": 20, "source_pad_id": 20, "target_pad_id": 20, "mask_target_padding": False},
    {"blank_target_padding": True, "mask_target_padding": False},
    heterogeneous_stacks(),
)
ROW = st.lists(st.integers(4, 19), min_size=1, max_size=7)
ROWS = st.lists(ROW, min_size=2, max_size=5)
PAIRS = st.lists(st.tuples(ROW, ROW), min_size=2, max_size=5)
DONOR = "#9 #14 #5"


def _bend(x: torch.Tensor) -> torch.Tensor:
    """Anything that mixes the width of one position."""
    return x.tanh() + x.mean(-1, keepdim=True) - x.flip(-1)


@st.composite
def patches(draw: st.DrawFn) -> Patch:
    """A patch of any activation, by any of its kinds."""
    name = draw(st.sampled_from(NAMES))
    shape = activation_shapes(CONFIG)[name]
    is_over_tokens = shape[-1] in "ST"
    kinds = ["value", "row", "mean", "zero", "add", "scale", "apply"]
    kinds += [] if is_over_tokens else ["noise", "from_text", "project_out"]
    kind = draw(st.sampled_from(kinds))
    fields: dict[str, Any] = {"positions": draw(st.sampled_from([None, (0,), (1, 2)]))}
    if "H" in shape:
        fields["heads"] = draw(st.sampled_from([None, (0,), (1,)]))
    width = {"D": 16, "F": 32, "K": 8, "M": 8}.get(shape[-1], 3)
    numbers = np.random.default_rng(draw(st.integers(0, 9))).random((1, width), dtype=np.float32)
    if kind == "row":
        return Patch(name, value=numbers, **fields)
    if kind == "value":
        return Patch(name, value=[[0.1]], **fields)
    if kind == "add":
        return Patch(name, add=numbers, strength=-0.7, **fields)
    if kind == "scale":
        return Patch(name, scale=0.4, **fields)
    if kind == "project_out":
        return Patch(name, project_out=numbers + 0.1, **fields)
    if kind == "apply":
        return Patch(name, apply=_bend, **fields)
    if kind == "from_text":
        return Patch(name, from_text=DONOR, **fields)
    made: dict[str, Any] = {kind: draw(st.integers(0, 9)) if kind == "noise" else True}
    return Patch(name, **fields, **made)


@st.composite
def interventions(draw: st.DrawFn) -> Interventions:
    """Any set of interventions on the tiny models."""
    kind = st.sampled_from(model.interventions.KINDS)
    place = {"layer": draw(st.integers(0, 1)), "head": draw(st.integers(0, 1))}
    off = HeadAblation(draw(kind), **place, mode=draw(st.sampled_from(["zero", "uniform"])))
    # A window of 3 hides both weights from a query further on, which is refused.
    row = ForcedRow(draw(kind), **place, query=draw(st.integers(0, 2)), weights=(0.2, 1.0))
    key = BlockedKey(draw(kind), draw(st.integers(1, 4)), layer=draw(st.sampled_from([None, 0])))
    moved = PositionEdit(draw(st.sampled_from(["zero", "shuffle", "shift", "reverse"])), 2)
    chosen = draw(st.sets(st.sampled_from(["off", "row", "key", "moved", "lift", "patch", "patches"]), max_size=3))
    n_patches = 2 * ("patches" in chosen) or int("patch" in chosen)
    return Interventions(
        heads_off=off if "off" in chosen else (),
        forced_rows=row if "row" in chosen and "key" not in chosen else (),
        blocked_keys=key if "key" in chosen else (),
        source_positions=moved if "moved" in chosen else None,
        lift_causal_mask="lift" in chosen,
        patches=tuple(draw(patches()) for _ in range(n_patches)),
    )


@cache
def precise(**changes: Any) -> model.Bundle:
    """A tiny model in double precision, where batches of another size are not rounded otherwise."""
    bundle = tiny_bundle(**changes)
    return dataclasses.replace(bundle, model=copy.deepcopy(bundle.model).double())


def tries(count: int) -> Callable[[Any], Any]:
    return settings(max_examples=examples(count), deadline=None, derandomize=True, phases=[Phase.generate])


def within_sentence(edits: Interventions, source: list[int], n_target: int) -> Interventions:
    """What of the interventions a sentence can have: alone, anything else is refused."""
    return edits.within(n_source=len(source) + 1, n_target=n_target)


def same(left: Any, right: Any) -> None:
    np.testing.assert_allclose(left, right, rtol=1e-4, atol=1e-5)


def same_traces(left: Any, right: Any) -> None:
    assert isinstance(left, model.Trace) and isinstance(right, model.Trace)
    assert (left.source_text, left.text, left.source, left.target) == (
        right.source_text, right.text, right.source, right.target
    )  # fmt: skip
    assert (left.prefix, left.is_truncated) == (right.prefix, right.is_truncated)
    same(left.log_probs, right.log_probs)
    assert left.candidates is not None and right.candidates is not None
    same(left.candidates.log_probs, right.candidates.log_probs)
    for kind in left.attention.kinds:
        same(left.attention.of(kind), right.attention.of(kind))


@given(
    rows=ROWS,
    variant=st.sampled_from(VARIANTS),
    edits=interventions(),
    options=st.sampled_from(({}, {"method": "beam"}, {"method": "sample"}, {"cached": False}, {"prefix": [15, 16]})),
)
@tries(80)
def test_translations_in_a_batch_are_those_of_each_text(
    rows: list[list[int]], variant: dict[str, Any], edits: Interventions, options: dict[str, Any]
) -> None:
    bundle = precise(**variant)
    traces = model.translate(bundle, rows, interventions=edits, max_length=6, **options)
    for row, trace in zip(rows, traces, strict=True):
        same_traces(
            trace, model.translate(bundle, row, interventions=within_sentence(edits, row, 6), max_length=6, **options)
        )


@given(rows=ROWS, variant=st.sampled_from(VARIANTS), edits=st.lists(interventions(), min_size=1, max_size=3))
@tries(40)
def test_texts_translated_without_attention_and_by_variants_are_those_of_each_text(
    rows: list[list[int]], variant: dict[str, Any], edits: list[Interventions]
) -> None:
    bundle = precise(**variant)
    alone = [[_text(bundle, row, item) for row in rows] for item in edits]
    for item, texts in zip(edits, alone, strict=True):
        assert [text for _, text in sorted(model.translate_texts(bundle, rows, interventions=item))] == texts
    written = [" ".join(f"#{index}" for index in row) for row in rows]
    assert translate_variants(bundle, written, edits) == alone


def _text(bundle: model.Bundle, row: list[int], edits: Interventions) -> str:
    return model.translate(bundle, row, interventions=within_sentence(edits, row, 2 * (len(row) + 1) + 16)).text


@given(pairs=PAIRS, variant=st.sampled_from(VARIANTS), edits=interventions(), cached=st.booleans())
@tries(60)
def test_scores_in_a_batch_are_those_of_each_pair(
    pairs: list[tuple[list[int], list[int]]], variant: dict[str, Any], edits: Interventions, cached: bool
) -> None:
    bundle = precise(**variant)
    sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
    together = model.score(bundle, sources, targets, interventions=edits, cached=cached)
    for (source, target), trace in zip(pairs, together, strict=True):
        fitting = within_sentence(edits, source, len(target) + 1)
        same_traces(trace, model.score(bundle, source, target, interventions=fitting, cached=cached))


@given(pairs=PAIRS, variant=st.sampled_from(VARIANTS), edits=interventions(), cached=st.booleans())
@tries(60)
def test_weights_and_logits_of_a_batch_are_those_of_each_row(
    pairs: list[tuple[list[int], list[int]]], variant: dict[str, Any], edits: Interventions, cached: bool
) -> None:
    bundle = precise(**variant)
    longest = (max(len(source) for source, _ in pairs), max(len(target) for _, target in pairs))
    fitting = edits.within(n_source=longest[0], n_target=longest[1])
    sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
    together = model.attend(bundle, sources, targets, interventions=fitting, cached=cached)
    for index, (source, target) in enumerate(pairs):
        s, t = len(source), len(target)
        alone = model.attend(
            bundle, [source], [target], interventions=edits.within(n_source=s, n_target=t), cached=cached
        )
        for kind, shape in (("encoder_self", (s, s)), ("decoder_self", (t, t)), ("cross", (t, s))):
            same(getattr(together, kind)[index, :, :, : shape[0], : shape[1]], getattr(alone, kind)[0])
        assert together.logits is not None and alone.logits is not None
        same(together.logits[index, :t], alone.logits[0])


@given(pairs=PAIRS, variant=st.sampled_from(VARIANTS), edits=st.lists(interventions(), min_size=5, max_size=5))
@tries(60)
def test_rows_with_different_interventions_share_a_pass(
    pairs: list[tuple[list[int], list[int]]], variant: dict[str, Any], edits: list[Interventions]
) -> None:
    bundle, names = precise(**variant), ("decoder.1.residual.after", "encoder.0.self.weights")
    rows = [(tuple(source), (2, *target[:-1]), tuple(target)) for source, target in pairs]
    edits = edits[: len(rows)]
    with torch.no_grad():
        together = teacher_forced(bundle, rows, interventions=edits, record=names)
        under = teacher_forced(bundle, rows).under(edits)
        for index, (row, item) in enumerate(zip(rows, edits, strict=True)):
            n_source, n_target = len(row[0]), len(row[1])
            alone = token_log_probs(bundle, *row, interventions=item)
            recorded = teacher_forced(bundle, [row], interventions=item, record=names).recorded
            same(together.log_probs[index, :n_target], alone)
            same(under.log_probs[index, :n_target], alone)
            assert not together.log_probs[index, n_target:].any()
            same(together.recorded[names[0]][index, :n_target], recorded[names[0]][0])
            same(together.recorded[names[1]][index, :, :n_source, :n_source], recorded[names[1]][0])


WORDS = ("the", "cat", "dog", "is", "on", "sofa", "sleeping", ".")
SENTENCES = st.lists(
    st.builds(Pair, *[st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)] * 2),
    min_size=2, max_size=5,
)  # fmt: skip


@given(pairs=SENTENCES, variant=st.sampled_from(VARIANTS), edits=interventions())
@tries(50)
def test_a_corpus_is_measured_as_each_of_its_pairs(
    pairs: list[Pair], variant: dict[str, Any], edits: Interventions
) -> None:
    bundle = precise(**variant)
    rows, _ = read_rows(bundle, pairs)
    with torch.inference_mode():
        together = forced_pass(bundle, rows, interventions=edits)
        sources = source_contribution(together)
        variants = score_variants(bundle, rows, [model.NONE, edits])
        for index, row in enumerate(rows):
            alone = forced_pass(bundle, [row], interventions=edits)
            n = len(row.target)
            same(together.log_probs[index, :n], alone.log_probs[0])
            same(sources[index], source_contribution(alone)[0])
            same(variants[:, index], score_variants(bundle, [row], [model.NONE, edits])[:, 0])
            for kind, layers in together.weights.items():
                for first, second in zip(layers, alone.weights[kind], strict=True):
                    same(first[index, :, : second.shape[2], : second.shape[3]], second[0])


@given(pairs=SENTENCES, variant=st.sampled_from(VARIANTS))
@tries(15)
def test_the_loss_of_many_pairs_is_the_mean_over_their_tokens(pairs: list[Pair], variant: dict[str, Any]) -> None:
    bundle = precise(**variant)
    scored = [model.score(bundle, pair.source, pair.target).log_probs for pair in pairs]
    assert target_loss(bundle, pairs) == pytest.approx(-float(np.concatenate(scored).mean()), rel=1e-5)


@given(
    row=ROW,
    variant=st.sampled_from(VARIANTS),
    edits=interventions(),
    method=st.sampled_from(["greedy", "beam", "sample"]),
)
@tries(80)
def test_with_a_cache_everything_is_as_without(
    row: list[int], variant: dict[str, Any], edits: Interventions, method: Any
) -> None:
    bundle, fitting = precise(**variant), within_sentence(edits, row, 6)
    ways = [
        model.translate(bundle, row, interventions=fitting, method=method, max_length=6, cached=cached)
        for cached in (True, False)
    ]
    same_traces(*ways)
    ids = ways[0].target.ids
    fitting = within_sentence(edits, row, len(ids))
    same_traces(
        *(model.score(bundle, row, list(ids), interventions=fitting, cached=cached) for cached in (True, False))
    )
    recorded = [
        model.record(bundle, row, interventions=fitting, cached=cached, names="logits") for cached in (True, False)
    ]
    same(recorded[0]["logits"], recorded[1]["logits"])


def test_a_target_that_ends_in_the_middle_is_scored_to_its_last_token() -> None:
    bundle = tiny_bundle()
    row, end = [4, 5, 6], bundle.config.eos_id
    traces = [model.score(bundle, row, [5, end, 6, 7], cached=cached) for cached in (True, False)]
    same_traces(*traces)
    assert list(traces[0].target.ids)[:4] == [5, end, 6, 7]
    assert len(traces[0].log_probs) >= 4


@given(pairs=PAIRS, variant=st.sampled_from(VARIANTS), edits=interventions())
@tries(15)
def test_readings_of_one_sentence_equal_its_row_in_a_batch(
    pairs: list[tuple[list[int], list[int]]], variant: dict[str, Any], edits: Interventions
) -> None:
    bundle = precise(**variant)
    rows = [(tuple(source), (2, *target[:-1])) for source, target in pairs]
    with torch.inference_mode():
        together = teacher_forced(bundle, rows, interventions=edits, capture=True)
        streams, logits = together.encoded.hidden_states, together.logits
    for index, (source, prefix) in enumerate(rows):
        own_stream = torch.stack([states[index, : len(source)] for states in streams])
        drift = torch.cosine_similarity(own_stream, own_stream[:1], dim=-1)
        same(context_drift(bundle, (source, prefix), interventions=edits).cosine, drift)
        if not edits.needs_every_position:  # which ranks decodes without its later tokens
            best = ranks(bundle, source_ids=source, prefix_ids=prefix, interventions=edits).log_probs[:, 0]
            log_probs = logits[index, : len(prefix)].log_softmax(-1)
            retained = torch.arange(log_probs.shape[1]) != suppressed_id(bundle.model)
            same(best, log_probs[:, retained].amax(-1))


@given(row=ROW, target=st.lists(st.integers(4, 19), min_size=2, max_size=7), edits=interventions(), data=st.data())
@tries(15)
def test_a_token_is_hidden_from_one_head_as_it_is_alone(
    row: list[int], target: list[int], edits: Interventions, data: st.DataObject
) -> None:
    bundle, fitting = precise(), within_sentence(edits, row, len(target) + 1)
    fitting = dataclasses.replace(fitting, forced_rows=())
    trace = model.score(bundle, row, target, interventions=fitting)
    step, key = data.draw(st.integers(0, len(target) - 1)), data.draw(st.integers(0, len(row) - 1))
    word, rival = target[step], 4 + (target[step] == 4)
    contrasted = contrast(bundle, trace, step=step, rival_id=rival)
    assert contrasted.word_id == word
    blocks = {None: (), 1: (BlockedKey("cross", key, layer=1, head=0, query=step),)}
    margins = []
    for block in blocks.values():
        hidden = dataclasses.replace(fitting, blocked_keys=(*fitting.blocked_keys, *block))
        prefix = trace.prefix.ids[: step + 1]
        with torch.inference_mode():
            logits = teacher_forced(bundle, [(trace.source.ids, prefix)], interventions=hidden).logits[0, -1]
        margins.append(float(logits[word] - logits[rival]))
    same(contrasted.margin, margins[0])
    same(contrasted.by_head[1, 0, key], margins[1] - margins[0])


@given(texts=st.lists(ROW, min_size=2, max_size=6), variant=st.sampled_from(VARIANTS))
@tries(10)
def test_a_direction_is_the_mean_of_the_texts_directions(texts: list[list[int]], variant: dict[str, Any]) -> None:
    bundle, at = precise(**variant), "encoder.1.residual.after"
    together = steering_vector(bundle, texts, [[5, 6]], at=at)
    same(together, np.mean([steering_vector(bundle, [text], [[5, 6]], at=at) for text in texts], axis=0))


def test_a_survey_does_not_depend_on_the_company_of_a_pair(tmp_path: Path) -> None:
    bundle, edits = tiny_bundle(), Interventions(patches=Patch("encoder.0.self.weights", value=[[0.1]]))
    pairs = [("the cat", "le chat"), ("the dog is on the sofa .", "le chien est sur le canapé ."), ("dog", "un chien")]
    together = model.survey(bundle, pairs, tmp_path / "all", interventions=edits)
    rows = together.query("SELECT log_prob FROM sentences ORDER BY id")["log_prob"].tolist()
    for index, pair in enumerate(pairs):
        alone = model.survey(bundle, [pair], tmp_path / str(index), interventions=edits)
        assert alone.query("SELECT log_prob FROM sentences")["log_prob"].tolist() == pytest.approx(
            [rows[index]], abs=1e-3
        )


def test_interventions_are_one_set_or_one_for_each_text() -> None:
    bundle, off = tiny_bundle(), Interventions(HeadAblation("cross", 0, 0))
    for n in (1, 3):
        with pytest.raises(model.InterventionError, match=f"{n} sets of interventions for 2 sentences: give one set"):
            list(model.translate_texts(bundle, ["the cat", "dog"], interventions=[off] * n))
        with pytest.raises(model.InterventionError, match=f"{n} sets of interventions for 2 sentences: give one set"):
            model.attend(bundle, [[5], [6]], [[2], [2]], interventions=[off] * n)


def test_a_text_of_another_length_is_refused_where_weights_are_taken_from_it() -> None:
    bundle = tiny_bundle()
    edits = Interventions(patches=Patch("encoder.0.self.weights", from_text="the cat is on the sofa"))
    with pytest.raises(model.InterventionError, match="of a text of 7 tokens does not fit 3"):
        list(model.translate_texts(bundle, ["the cat is on the sofa", "the cat"], interventions=edits))
